"""Figures from samples."""
import math
import statistics


def summary(samples):
    """Median and 99th percentile, None for no samples."""
    if not samples:
        return None
    ordered = sorted(samples)
    return {
        "count": len(ordered),
        "median": round(statistics.median(ordered), 1),
        "p99": round(ordered[max(0, math.ceil(len(ordered) * 0.99) - 1)], 1),
    }


def ratio(figure, base):
    """How many times the base, by the medians."""
    return round(figure["median"] / base["median"], 2) if figure and base else None
