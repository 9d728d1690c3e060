"""Whether a pass takes linear time: files of few and of many operations, one written by
`write(path, operations)`, and what the pass takes of each.

Fails where four times the operations take far more than four times the processor time
of the pass. Load of the machine does not count, and a measurement that is too long is
made again.
"""

import os
import resource
import subprocess
import sys

MOST_RATIO, TRIALS = 9, 4


def seconds(command):
    """Processor time, system time with it: only their sum is exact."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class PassTime:
    """What the pass takes of a file, reading and printing left out: the least of all
    trials with it less the least of all without, as load only ever adds to each."""

    def __init__(self, tool, path, option):
        self.commands = [[tool, path], [tool, path, option]]
        self.least = [float("inf"), float("inf")]

    def measure(self):
        self.least = list(map(min, self.least, map(seconds, self.commands)))

    def get(self):
        return max(self.least[1] - self.least[0], 0.01)


def check(name, tool, option, folder, counts, write):
    os.makedirs(folder, exist_ok=True)
    times = []
    for operations in counts:
        path = os.path.join(folder, "%s-%d.mlir" % (name, operations))
        write(path, operations)
        times.append(PassTime(tool, path, option))
    for _ in range(TRIALS):
        for time in times:
            time.measure()
        few, many = (time.get() for time in times)
        if many < MOST_RATIO * few:
            break
    else:
        sys.exit("%s: %d operations took %.2f s, %d took %.2f s" % (
            name, counts[0], few, counts[1], many))
    print("%s: %d operations in linear time" % (name, counts[1]))
