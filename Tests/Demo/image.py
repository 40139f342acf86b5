"""Writes the demo's pictures: a plain colour with a stripe, as PNG. Usage: image.py WIDTH HEIGHT RRGGBB FILE"""

import struct
import sys
import zlib

width, height = int(sys.argv[1]), int(sys.argv[2])
colour, white = bytes.fromhex(sys.argv[3]), b"\xff\xff\xff"
rows = [(white if height // 3 < y < height // 2 else colour) * width for y in range(height)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


with open(sys.argv[4], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n")
    file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
    file.write(chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))))
    file.write(chunk(b"IEND", b""))
