# SPDX-License-Identifier: Apache-2.0
#
# Copies a TFLite file with one wrong weight: plant-weight.py MODEL OPERATOR OUT.
# The weight is the first of operator OPERATOR, which is of output channel 0. All
# other bytes are those of the file.

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "../../../lib/Import/Model/TFLite.fbs")

path, number, out = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(
        ["flatc", "--json", "--strict-json", "--raw-binary", "-o", folder, SCHEMA, "--", path],
        check=True,
    )
    stem = os.path.splitext(os.path.basename(path))[0]
    with open(os.path.join(folder, stem + ".json")) as file:
        model = json.load(file)
graph = model["subgraphs"][0]
weights = graph["tensors"][graph["operators"][int(number)]["inputs"][1]]
data = bytes(model["buffers"][weights["buffer"]]["data"])
with open(path, "rb") as file:
    content = bytearray(file.read())
place = content.find(data)
if place < 0 or content.find(data, place + 1) >= 0:
    sys.exit("expected the weights once in the file")
content[place] ^= 0x55
with open(out, "wb") as file:
    file.write(content)
