"""Whether a pass takes linear time: files of few and of many operations, one written by
`write(path, operations)`, and what the pass takes of each.

Fails where four times the operations take far more than four times the time of the
pass. Load of the machine only ever adds to a time: the least of all trials counts, and
a measurement that is too long is made again.
"""

import os
import re
import subprocess
import sys

MOST_RATIO, TRIALS = 9, 4
TIMING = ["--mlir-timing", "--mlir-timing-display=list", "-o", os.devnull]
AROUND_PASSES = {"root", "Parser", "Output", "Rest", "Total"}


def seconds(command):
    """Of all passes, as MLIR reports it: without reading and printing."""
    report = subprocess.run(command + TIMING, check=True, stderr=subprocess.PIPE,
                            text=True).stderr
    times = re.findall(r"^ +([\d.]+) \( *[\d.]+%\) +(\S.*)$", report, re.MULTILINE)
    passes = [float(time) for time, name in times if name not in AROUND_PASSES]
    if not passes:
        sys.exit("expected times of passes, but got:\n" + report)
    return sum(passes)


def check(name, tool, option, folder, counts, write):
    os.makedirs(folder, exist_ok=True)
    commands = []
    for operations in counts:
        path = os.path.join(folder, "%s-%d.mlir" % (name, operations))
        write(path, operations)
        commands.append([tool, path, option])
    least = [float("inf")] * len(counts)
    for _ in range(TRIALS):
        least = list(map(min, least, map(seconds, commands)))
        few, many = least
        if many < MOST_RATIO * few:
            break
    else:
        sys.exit("%s: %d operations took %.2f s, %d took %.2f s" % (
            name, counts[0], few, counts[1], many))
    print("%s: %d operations in linear time" % (name, counts[1]))
