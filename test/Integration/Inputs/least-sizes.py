# SPDX-License-Identifier: Apache-2.0
"""Compiles each network in the least local memory that a sweep finds and in one step
less, for several targets: least-sizes.py BINARIES FOLDER NETWORK... A network is MLIR, or a
TFLite file that is imported. Prints the networks of which one of both is wrong."""

import json
import pathlib
import subprocess
import sys

# A step of the size: the least common multiple of unit, banks and DMA alignment.
TARGETS = {
    "vpx": 16,
    "bm1684": 128,
    "custom,npus=4,npu-bytes=16384,unit=16": 16,
}


def run(*command):
    tool = pathlib.Path(sys.argv[1]) / command[0]
    return subprocess.run([str(part) for part in (tool, *command[1:])], capture_output=True,
                          text=True)


def find_least(network, target, folder):
    """The least size, and the kernel that needs it."""
    output = folder / "sweep.json"
    run("mli-run", network, "--target", target, "--sweep=1M", "--sweep-output",
        output).check_returncode()
    least = json.loads(output.read_text())["least"]
    return least["npu_bytes"], least.get("binding", {}).get("kernel")


def compile_in(module, target, size):
    option = f"--mli-local-buffer-pipeline=target={target},npu-bytes={size} double-buffer=auto"
    return run("mli-opt", module, option, "-o", "/dev/null")


def check(network, target, step, folder):
    least, kernel = find_least(network, target, folder)
    module = network
    if network.endswith(".tflite"):
        module = folder / "net.mlir"
        run("mli-translate", "--import-tflite", network, "-o", module)
    where = f"{network} for {target}"
    if compile_in(module, target, least).returncode != 0:
        print(f"{where}: does not fit {least} bytes")
    if least == step:
        return 0
    smaller = compile_in(module, target, least - step)
    # The text of a network that was imported has no names.
    told = (f"error: fits from {least:,} bytes of each NPU on, but got {least - step:,}; "
            f"binding: {kernel.split()[0]} ")
    if smaller.returncode == 0 or told not in smaller.stderr:
        print(f"{where}: expected '{told}', but got '{smaller.stderr[:400]}'")
    return 1


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    counts = [check(network, target, step, folder)
              for network in sys.argv[3:] for target, step in TARGETS.items()]
    print(f"{len(counts)} least sizes, {sum(counts)} of them over one step")


main()
