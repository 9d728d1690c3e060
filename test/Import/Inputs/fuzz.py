# SPDX-License-Identifier: Apache-2.0
#
# Damages networks of one operator, some whose ends are cut off, and small ones
# from public repositories if they are there: fuzz.py TFLITE_FUZZ FOLDER
# READS_ONLY. MLI_TEST_FULL=1 runs all inputs where they are imported as well.

import os
import random
import subprocess
import sys

import islands
from networks import CASES

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    tool, folder, reads_only = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    files = []
    for name, create in CASES.items():
        random.seed(name)
        files.append(os.path.join(folder, name + ".tflite"))
        create()[0].write(files[-1])
    for name, (create, _) in islands.CASES.items():
        files.append(os.path.join(folder, "island_" + name + ".tflite"))
        create().write(files[-1])
    shared = os.environ.get("MLI_SHARED", os.path.join(HERE, "../../../../shared"))
    for name in ["hello_world_int8", "micro_speech", "keyword_scrambled_8bit", "kws_dscnn"]:
        path = os.path.join(shared, "models", name, "model.tflite")
        if os.path.exists(path):
            files.append(path)
    # Reading alone is fast: all of them each time.
    is_full = os.environ.get("MLI_TEST_FULL") == "1" or reads_only == "1"
    count = 10000 if is_full else 2000
    sys.exit(subprocess.run([tool, str(count), "1"] + files).returncode)


main()
