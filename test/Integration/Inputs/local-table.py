"""local-table.py MLI_RUN MODELS FOLDER [--target T]... [--double-buffer MODE]...
[NETWORK...]: networks in the local memory of targets.

Runs the first case of each network of MODELS/manifest.json that mli-run takes, in
system memory and in the local memory of each target, which holds nonsense until it
is written, and compares all bytes of the results. Prints a line for each: bytes
moved between the memories, the fewest that any placement moves, their ratio, that to
the bound for this much memory, and what the cost model estimates for the run; with
several modes of double buffering a line for each of them.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys

TARGETS = ["bm1684", "bm1684x", "bm1688", "vpx", "vpx,npu-bytes=65536",
           "custom,npus=4,npu-bytes=16384"]
# Up to where a network that mli-run does not take whole can run.
OUTPUTS = {"keyword_scrambled_8bit": "50"}
MOVED = re.compile(r"^moved (\S+) bytes, .*: (\S+) of the least ([\d,]*\d)"
                   r"(?:, (\S+) of the bound)?", re.M)
COST = re.compile(r"^estimated cost .*: (\d+)$", re.M)


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def results(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def command_of(tool, models, network):
    command = [tool, os.path.join(models, network["model"])]
    if network["name"] in OUTPUTS:
        command += ["--tflite-output", OUTPUTS[network["name"]]]
    for i, path in enumerate(network["cases"][0]["inputs"]):
        command += ["--input", "%d=%s" % (i, os.path.join(models, path))]
    return command


def place(command, references, target, mode):
    """The row of one network on one target, and whether its bytes are right."""
    command = command + ["--placement", "local", "--target", target, "--stats",
                         "--double-buffer", mode]
    for path in references:
        command += ["--compare", path]
    done = run(command)
    moved = MOVED.search(done.stdout)
    if done.returncode != 0:
        return "differs: %s%s" % (done.stdout, done.stderr), False
    if not moved:
        return "nothing to compute", True
    total, ratio, least, of_bound = moved.groups()
    cost = COST.search(done.stdout).group(1)
    return "%s bytes moved, at least %s, ratio %s, of the bound %s, cost %s" % (
        total.replace(",", ""), least.replace(",", ""), ratio,
        of_bound or "unknown", cost), True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", action="append")
    parser.add_argument("--double-buffer", action="append", dest="modes")
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("folder")
    parser.add_argument("networks", nargs="*")
    options = parser.parse_intermixed_args()
    with open(os.path.join(options.models, "manifest.json")) as file:
        networks = json.load(file)["models"]
    runs = wrong = 0
    for network in networks:
        name = network["name"]
        if options.networks and name not in options.networks:
            continue
        folder = os.path.join(options.folder, name)
        command = command_of(options.tool, options.models, network)
        if run(command + ["--output-dir", folder]).returncode != 0:
            print("%s: refused, also in system memory" % name)
            continue
        modes = options.modes or ["auto"]
        for target, mode in itertools.product(options.target or TARGETS, modes):
            row, is_right = place(command, results(folder), target, mode)
            runs += 1
            wrong += not is_right
            name_of_mode = "" if len(modes) == 1 else ", %s" % mode
            print("%s on %s%s: %s" % (name, target, name_of_mode, row),
                  flush=True)
    print("%d of %d runs with the bytes of system memory" % (runs - wrong, runs))
    sys.exit(wrong > 0)


main()
