# SPDX-License-Identifier: Apache-2.0
#
# Writes a .npy file without NumPy: make-npy.py FILE DTYPE SHAPE VALUE...
# DTYPE is i1, u1, i2, i4 or f4; SHAPE is `2x3` or `scalar`; one VALUE fills the
# tensor and `LOW..HIGH` counts up.

import struct
import sys

path, dtype, shape, *values = sys.argv[1:]
extents = [] if shape == "scalar" else [int(extent) for extent in shape.split("x")]
count = 1
for extent in extents:
    count *= extent
numbers = []
for value in values:
    if ".." in value:
        low, high = value.split("..")
        numbers += range(int(low), int(high) + 1)
    else:
        numbers.append(float(value) if dtype == "f4" else int(value))
if len(numbers) == 1:
    numbers *= count
if len(numbers) != count:
    sys.exit(f"expected {count} values, but got {len(numbers)}")

code = {"i1": "b", "u1": "B", "i2": "h", "i4": "i", "f4": "f"}[dtype]
order = "|" if dtype.endswith("1") else "<"
tuple_text = ", ".join(map(str, extents)) + ("," if len(extents) == 1 else "")
header = f"{{'descr': '{order}{dtype}', 'fortran_order': False, 'shape': ({tuple_text}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode())
    file.write(struct.pack(f"<{count}{code}", *numbers))
