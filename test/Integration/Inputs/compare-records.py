# SPDX-License-Identifier: Apache-2.0
#
# Compares the layers of networks in other memories with those of plain memory:
# compare-records.py MLI_RUN MODELS FOLDER NETWORK...

import pathlib
import re
import subprocess
import sys

TARGETS = ["vpx", "vpx,npu-bytes=65536", "vpx,npu-bytes=16384", "bm1684"]
TARGETS += ["custom,npus=4,npu-bytes=32768"]
OTHERS = [(target, ["--placement", "local", "--target", target]) for target in TARGETS]
OTHERS += [("streams", ["--arena", "min"])]
COUNTS = re.compile(r"(\d+) layers within, (\d+) outside, (\d+) not compared")

tool, models, folder = sys.argv[1:4]
runs = 0
for name in sys.argv[4:]:
    model = pathlib.Path(models) / name
    file = min((model / "inputs").glob("*.npy"))
    command = [tool, str(model / "model.tflite"), "--input", str(file)]
    records = str(pathlib.Path(folder) / name)
    subprocess.run(
        command + ["--record", records],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    for where, options in OTHERS:
        done = subprocess.run(
            command + ["--compare-with", records] + options, capture_output=True, text=True
        )
        counts = COUNTS.search(done.stdout)
        if done.returncode != 0 or not counts:
            sys.exit(f"{name} in {where}:\n{done.stdout}{done.stderr}")
        same, _, others = map(int, counts.groups())
        print(f"{name} in {where}: {same} of {same + others} layers are the same")
        runs += 1
print(f"no layer of {runs} runs differs")
