"""What OpenRTB 2.6 allows in a bid request, written from its tables of attributes (sections 3.2.1 to 3.2.35).

check(request, headers) gives a list of faults, each with its place; an attribute that the tables do not have is
one. Types: s string, i integer, f number, b 0 or 1, o object of any shape, NAME object of that table; with []
behind for an array, ! for required.
"""
import re

TABLES = {
    "BidRequest": "id:s! imp:Imp[]! site:Site app:App dooh:DOOH device:Device user:User test:b at:i tmax:i "
    "wseat:s[] bseat:s[] allimps:b cur:s[] wlang:s[] wlangb:s[] acat:s[] bcat:s[] cattax:i badv:s[] bapp:s[] "
    "source:o regs:Regs ext:o",
    "Imp": "id:s! metric:o[] banner:Banner video:o audio:o native:o pmp:o displaymanager:s displaymanagerver:s "
    "instl:b tagid:s bidfloor:f bidfloorcur:s clickbrowser:b secure:b iframebuster:s[] rwdd:b ssai:i exp:i "
    "qty:Qty dt:f refresh:o ext:o",
    "Banner": "format:Format[] w:i h:i btype:i[] battr:i[] pos:i mimes:s[] topframe:b expdir:i[] api:i[] id:s "
    "vcm:b ext:o",
    "Format": "w:i h:i wratio:i hratio:i wmin:i ext:o",
    "Qty": "multiplier:f! sourcetype:i vendor:s ext:o",
    "Publisher": "id:s name:s cattax:i cat:s[] domain:s ext:o",
    "Site": "id:s name:s domain:s cattax:i cat:s[] sectioncat:s[] pagecat:s[] page:s ref:s search:s mobile:b "
    "privacypolicy:b publisher:Publisher content:o keywords:s kwarray:s[] inventorypartnerdomain:s ext:o",
    "App": "id:s name:s bundle:s domain:s storeurl:s cattax:i cat:s[] sectioncat:s[] pagecat:s[] ver:s "
    "privacypolicy:b paid:b publisher:Publisher content:o keywords:s kwarray:s[] inventorypartnerdomain:s ext:o",
    "DOOH": "id:s name:s venuetype:s[] venuetypetax:i publisher:Publisher domain:s keywords:s content:o ext:o",
    "Device": "geo:Geo dnt:b lmt:b ua:s sua:o ip:s ipv6:s devicetype:i make:s model:s os:s osv:s hwv:s h:i w:i "
    "ppi:i pxratio:f js:b geofetch:b flashver:s language:s langb:s carrier:s mccmnc:s connectiontype:i ifa:s "
    "ext:o",
    "Geo": "lat:f lon:f type:i accuracy:i lastfix:i ipservice:i country:s region:s regionfips104:s metro:s city:s "
    "zip:s utcoffset:i ext:o",
    "User": "id:s buyeruid:s yob:i gender:s keywords:s kwarray:s[] customdata:s geo:Geo data:o[] consent:s "
    "eids:o[] ext:o",
    "Regs": "coppa:b gdpr:b us_privacy:s gpp:s gpp_sid:i[] ext:o",
}
PARSED = {
    name: dict(field.split(":") for field in text.split()) for name, text in TABLES.items()
}


def check_value(value, kind, place, faults):
    if kind.endswith("[]"):
        if not isinstance(value, list) or not value:
            faults.append(f"{place}: no array with elements")
            return
        for index, element in enumerate(value):
            check_value(element, kind[:-2], f"{place}[{index}]", faults)
    elif kind in PARSED:
        check_object(value, kind, place, faults)
    else:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = {
            "s": isinstance(value, str) and value != "",
            "i": is_number and isinstance(value, int),
            "f": is_number,
            "b": is_number and value in (0, 1),
            "o": isinstance(value, dict),
        }[kind]
        if not fits:
            faults.append(f"{place}: {value!r} is not of type {kind}")


def check_object(value, table, place, faults):
    if not isinstance(value, dict):
        faults.append(f"{place}: no object")
        return
    fields = PARSED[table]
    for key in value:
        if key not in fields:
            faults.append(f"{place}.{key}: not in OpenRTB 2.6")
        else:
            check_value(value[key], fields[key].rstrip("!"), f"{place}.{key}", faults)
    for key, kind in fields.items():
        if kind.endswith("!") and key not in value:
            faults.append(f"{place}.{key}: missing")


def check_meaning(request, faults):
    def claim(holds, text):
        if not holds:
            faults.append(text)

    claim(sum(kind in request for kind in ("site", "app", "dooh")) <= 1, "more than one of site, app and dooh")
    claim(request.get("tmax", 1) > 0, "tmax leaves no time")
    for currency in request.get("cur", []):
        claim(re.fullmatch("[A-Z]{3}", currency), f"cur: {currency}")
    claim(request.get("at") in (1, 2) or request.get("at", 0) >= 500, "at: no auction type")
    ids = [imp.get("id") for imp in request["imp"]]
    claim(len(set(ids)) == len(ids), "imp.id comes twice")
    for imp in request["imp"]:
        claim(any(kind in imp for kind in ("banner", "video", "audio", "native")), "imp offers nothing")
        claim(imp.get("bidfloor", 0) >= 0, "imp.bidfloor is negative")
        claim(imp.get("bidfloorcur", "USD") in request.get("cur", ["USD"]), "imp.bidfloorcur is not in cur")
        for size in imp["banner"].get("format", []) + [imp["banner"]]:
            claim(size.get("w", 1) > 0 and size.get("h", 1) > 0, "a size of nothing")
        quantity = imp.get("qty", {})
        claim(quantity.get("sourcetype") != 1 or "vendor" in quantity, "imp.qty.vendor: missing")
        claim(quantity.get("multiplier", 1) > 0, "imp.qty.multiplier: nothing")
    geo = request.get("device", {}).get("geo", {})
    claim(-90 <= geo.get("lat", 0) <= 90 and -180 <= geo.get("lon", 0) <= 180, "device.geo: nowhere on earth")


def check(request, headers):
    """The faults of a request and of the header fields that came with it."""
    faults = []
    check_object(request, "BidRequest", "request", faults)
    if not faults:
        check_meaning(request, faults)
    wanted = {"x-openrtb-version": "2.6", "content-type": "application/json"}
    for name, value in wanted.items():
        if headers.get(name) != value:
            faults.append(f"{name}: {headers.get(name)}")
    if "gzip" not in headers.get("accept-encoding", ""):
        faults.append("accept-encoding: no gzip")
    return faults
