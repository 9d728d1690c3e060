"""compile-table.py MLI_OPT [--kernels N...] [--instructions] [--target TARGET...] [FILE...]

What compiling takes, from kernels on tensors to calls, by `mli-opt --mli-local-pipeline`:
a table of chains of so many kernels, in local memory in which all fit and in which all
are cut (see test/Transforms/Inputs/layer_chains.py), and of each FILE. Seconds are those
of the processor, with reading and printing; instructions are what callgrind counts.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHAINS = os.path.join(ROOT, "Transforms", "Inputs", "layer_chains.py")
PLACES = {"all fit": "vpx", "all cut": "vpx,npu-bytes=2048"}


def compile_once(tool, source, target, before=()):
    """Seconds of the processor, and KB of memory at most."""
    command = [*before, tool, source, "--mli-local-pipeline=target=" + target,
               "--mlir-disable-threading", "-o", os.devnull]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(errors)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, errors


def count(tool, source, target):
    errors = compile_once(tool, source, target,
                          ["valgrind", "--tool=callgrind",
                           "--callgrind-out-file=" + os.devnull])[2]
    return int(re.search(r"Collected : (\d+)", errors).group(1))


def report(options, name, place, target, source, kernels=None):
    seconds, memory, _ = compile_once(options.mli_opt, source, target)
    row = [name, place, "%.2f" % seconds, "%d" % (memory // 1024)]
    row.append("%.0f" % (kernels / seconds) if kernels else "-")
    if options.instructions:
        row.append("%d" % (count(options.mli_opt, source, target) // 10 ** 6))
    print("| %s |" % " | ".join(row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mli_opt")
    parser.add_argument("files", nargs="*", default=[])
    parser.add_argument("--kernels", nargs="*", type=int, default=[])
    parser.add_argument("--target", nargs="*", default=["vpx,npu-bytes=65536"])
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_intermixed_args()
    columns = ["program", "local memory", "seconds", "MB", "kernels a second"]
    if options.instructions:
        columns.append("million instructions")
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))
    with tempfile.TemporaryDirectory() as folder:
        for kernels in options.kernels:
            source = os.path.join(folder, "chain.mlir")
            with open(source, "w") as file:
                subprocess.run([sys.executable, CHAINS, "write", str(kernels)],
                               stdout=file, check=True)
            for place, target in PLACES.items():
                report(options, "%d kernels" % kernels, place, target, source, kernels)
    for source in options.files:
        for target in options.target:
            report(options, os.path.basename(source).split(".")[0], target, target, source)


main()
