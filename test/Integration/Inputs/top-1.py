# SPDX-License-Identifier: Apache-2.0
#
# Runs a network on pictures and checks the class it finds:
# top-1.py MLI_RUN MODEL CLASS=FILE...
# top-1.py MLI_RUN MODEL --manifest FILE NETWORK takes the labelled cases of one
# network from a manifest, with the classes that the reference found.

import json
import os
import subprocess
import sys

tool, model, *cases = sys.argv[1:]
if cases[0] == "--manifest":
    manifest, name = cases[1:]
    with open(manifest) as file:
        content = json.load(file)
    networks = content["models"] if isinstance(content, dict) else content
    (network,) = (each for each in networks if each["name"] == name)
    folder = os.path.dirname(manifest)
    cases = [
        f"{case['top1']}={os.path.join(folder, case['inputs'][0])}"
        for case in network["cases"]
        if case.get("true_label") is not None
    ]

right = 0
for case in cases:
    expected, picture = case.split("=", 1)
    output = subprocess.run(
        [tool, model, "--input", f"0={picture}", "--top=1"],
        stdout=subprocess.PIPE,
        check=True,
        universal_newlines=True,
    ).stdout
    if output.startswith(f"1. class {expected} "):
        right += 1
    else:
        print(f"{picture}: expected class {expected}, but got {output.strip()}")
print(f"{right} of {len(cases)} classes as expected")
