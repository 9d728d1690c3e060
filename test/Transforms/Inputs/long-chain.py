"""long-chain.py MLI_OPT FOLDER: mli-assign-addresses on functions of 25,000 and of
100,000 operations, half of them kernels in a chain with skip connections, in system
memory and in local memory with banks.

Prints what each of them took, and fails where four times the operations take far more
than four times the processor time of the pass. Load of the machine does not count,
and a measurement that is too long is made again.
"""

import os
import resource
import subprocess
import sys

FEW, MANY, MOST_RATIO, TRIALS = 25000, 100000, 9, 4
MAP = "memref<4x4x8x!mli.sa8<1:4:0>>"
# Where buffers lie, and the target.
PLACES = {"system": (MAP, ""),
          "local": (MAP[:-1] + ", #mli.space<local>>",
                    " attributes {mli.target = #mli.target<vpx, banks = 16>}")}


def write(path, operations, place):
    """Every third kernel adds what came three before it, every fourth works in place."""
    buffer, target = PLACES[place]
    alloc = "mli.alloc" if target else "memref.alloc()"
    with open(path, "w") as file:
        file.write("!p = %s\n!b = %s\nmodule%s {\nfunc.func @main(%%in: !p, %%out: !p) "
                   "{\n  %%b0 = %s : !b\n  mli.mov ins(%%in : !p) outs(%%b0 : !b)\n"
                   % (MAP, buffer, target, alloc))
        for i in range(1, operations // 2):
            file.write("  %%b%d = %s : !b\n" % (i, alloc))
            if i % 3 == 0:
                file.write("  mli.eltwise_add ins(%%b%d, %%b%d : !b, !b) outs(%%b%d : !b)\n"
                           % (i - 1, i - 3, i))
            elif i % 4 == 0:
                file.write("  mli.relu ins(%%b%d : !b) outs(%%b%d : !b) {relu = #mli.relu<gen>}\n"
                           % (i - 1, i))
            else:
                file.write("  mli.permute ins(%%b%d : !b) outs(%%b%d : !b) permutation [0, 1, 2]\n"
                           % (i - 1, i))
        file.write("  mli.mov ins(%%b%d : !b) outs(%%out : !p)\n  return\n}\n}\n"
                   % (operations // 2 - 1))


def seconds(command):
    """Processor time, system time with it: only their sum is exact."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class PassTime:
    """What the pass takes of a file, reading and printing left out: the least of all
    trials with it less the least of all without, as load only ever adds to each."""

    def __init__(self, tool, path):
        self.commands = [[tool, path], [tool, path, "--mli-assign-addresses"]]
        self.least = [float("inf"), float("inf")]

    def measure(self):
        self.least = list(map(min, self.least, map(seconds, self.commands)))

    def get(self):
        return max(self.least[1] - self.least[0], 0.01)


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for place in PLACES:
        times = {}
        for operations in FEW, MANY:
            path = os.path.join(folder, "%s-%d.mlir" % (place, operations))
            write(path, operations, place)
            times[operations] = PassTime(tool, path)
        for _ in range(TRIALS):
            for time in times.values():
                time.measure()
            few, many = times[FEW].get(), times[MANY].get()
            if many < MOST_RATIO * few:
                break
        else:
            sys.exit("%s: %d operations took %.2f s, %d took %.2f s" % (
                place, FEW, few, MANY, many))
        print("%s: %d operations in linear time" % (place, MANY))


main()
