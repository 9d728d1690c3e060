# SPDX-License-Identifier: Apache-2.0
"""patch.py IN OUT 07 03 -- 07 05: replaces the one place that has these bytes."""

import pathlib
import sys

source, target, *numbers = sys.argv[1:]
split = numbers.index("--")
old, new = (bytes.fromhex("".join(part)) for part in (numbers[:split], numbers[split + 1 :]))
data = pathlib.Path(source).read_bytes()
if data.count(old) != 1:
    sys.exit(f"expected one place with {old.hex()}, but got {data.count(old)}")
pathlib.Path(target).write_bytes(data.replace(old, new))
