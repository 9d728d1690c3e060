# SPDX-License-Identifier: Apache-2.0
#
# Runs the networks of one operator in 16 bits; each is within 1 of the
# reference or refused by name: tflite-single.py MLI_RUN MODELS FOLDER

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import read_npy  # noqa: E402

tool, models, folder = sys.argv[1:]
with open(os.path.join(models, "manifest.json")) as file:
    networks = [n for n in json.load(file)["models"] if n["name"].startswith("seanet_")]
wrong = 0
for network in sorted(networks, key=lambda n: n["name"]):
    case = network["cases"][0]
    command = [tool, os.path.join(models, network["model"]), "--output-dir", folder]
    for i, path in enumerate(case["inputs"]):
        command += ["--input", "%d=%s" % (i, os.path.join(models, path))]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
    )
    if done.returncode != 0:
        found = re.search(r"note: (operator \d+ \(\w+\)) at byte 0x[0-9a-f]+, .*: (.*)", done.stdout)
        wrong += found is None
        reason = "%s: %s" % found.groups() if found else done.stdout
        print("%s: refused: %s" % (network["name"], reason))
        continue
    _, wanted = read_npy(os.path.join(models, case["expected_single_rounding"][0]))
    _, got = read_npy(os.path.join(folder, "output_0.npy"))
    distances = [abs(a - b) for a, b in zip(wanted, got)]
    wrong += max(distances) > 1
    print(
        "%s: %d of %d elements differ, max |d| %d"
        % (network["name"], sum(d > 0 for d in distances), len(wanted), max(distances))
    )
print("%d networks, %d wrong" % (len(networks), wrong))
sys.exit(wrong > 0)
