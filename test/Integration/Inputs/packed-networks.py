# SPDX-License-Identifier: Apache-2.0
"""packed-networks.py MLI_RUN FOLDER MODEL INPUT...: packed weights on every machine.

Runs the network on each input without packed weights, and then with them in each
order, on each instruction set that this machine has, by one and by two threads. All
bytes of the results are compared.
"""

import itertools
import os
import pathlib
import subprocess
import sys

tool, folder, model, *inputs = sys.argv[1:]
TARGETS = ["scalar", "ssse3", "sse4", "avx2", "avx3", "avx3_vnni"]


def run(name, order, target, threads, picture):
    out = pathlib.Path(folder) / name
    subprocess.run(
        [tool, model, "--input", f"0={picture}", f"--packed-weights={order}",
         f"--threads={threads}", f"--output-dir={out}"],
        check=True, env={**os.environ, "MLI_SIMD": target})
    return b"".join(file.read_bytes() for file in sorted(out.glob("output_*.npy")))


runs = same = 0
for picture in inputs:
    expected = run("plain", "none", "sse4", 1, picture)
    for target, order in itertools.product(TARGETS, ["best", "pairs", "quads"]):
        threads = 2 if order == "quads" else 1
        runs += 1
        if run("packed", order, target, threads, picture) == expected:
            same += 1
        else:
            print(f"{picture}: {order} on {target} differs")
print(f"{same} of {runs} runs with the bytes of plain calls")
