"""Whether a pass takes linear time, told by the instructions that it executes: these
depend neither on the load nor on the clock of the machine.

`check` runs the pass under valgrind on programs of few and of many operations. It fails
where four times the operations take more than five times the instructions.
"""

import glob
import os
import re
import subprocess
import sys

COUNTS = 1000, 4000
MAX_RATIO = 5


def count(tool, pass_name, option, folder, programs):
    """The instructions of the pass in each of `programs`, texts of modules."""
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "programs.mlir")
    with open(source, "w") as file:
        file.write("\n// -----\n".join(programs))
    profile = os.path.join(folder, "profile")
    for old in glob.glob(profile + "*"):
        os.remove(old)
    function = "(anonymous namespace)::%s::runOnOperation()" % pass_name
    # Valgrind is slow in all else too, so that there is as little of it as can be.
    subprocess.run(
        ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + profile,
         "--toggle-collect=" + function, "--dump-after=" + function,
         tool, source, "--split-input-file", option, "--mlir-disable-threading",
         "--verify-each=false", "--emit-bytecode", "-o", os.devnull], check=True)
    totals = []
    for i in range(len(programs)):
        with open("%s.%d" % (profile, i + 1)) as file:
            totals.append(int(re.search(r"^totals: (\d+)$", file.read(),
                                        re.MULTILINE).group(1)))
    return totals


def check(tool, pass_name, option, folder, writers, counts=COUNTS):
    """Each of `writers`, by its name, makes the text of a module of so many operations."""
    programs = [write(operations) for write in writers.values() for operations in counts]
    totals = count(tool, pass_name, option, folder, programs)
    for name, few, many in zip(writers, totals[::2], totals[1::2]):
        if not 0 < many <= MAX_RATIO * few:
            sys.exit("%s: %d operations took %d instructions, %d took %d"
                     % (name, counts[0], few, counts[1], many))
        print("%s: linear" % name)
