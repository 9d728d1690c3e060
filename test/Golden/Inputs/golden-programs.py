# SPDX-License-Identifier: Apache-2.0
#
# Builds programs that `mli-golden --write-c` wrote, runs them on a machine and tells how
# many cases passed and failed:
#   golden-programs.py MACHINE LIBRARY TEMP PROGRAM.c...
# MACHINE is a key of machines.MACHINES, and LIBRARY libmli.a for it. Fails if a program
# ends before it has told, or if a case fails.

import pathlib
import re
import subprocess
import sys

INPUTS = pathlib.Path(__file__).resolve().parent
sys.path.append(str(INPUTS.parents[1] / "Integration/Inputs"))
import machines  # noqa: E402

SUPPORT = INPUTS / "programs"
TOTALS = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)


def run(machine, library, program, source):
    """How many cases of the program passed and failed; prints those that did."""
    flags = ["-Wall", "-Wextra", "-Werror", f"-I{SUPPORT}"]
    command = machines.build(machine, [source, SUPPORT / "golden.c"], library, program, *flags)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    totals = TOTALS.search(done.stdout)
    if not totals or done.returncode > 1:
        sys.exit(f"{source}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(done.stdout[: totals.start()], end="")
    return map(int, totals.groups())


def main():
    machine, library, temp, *sources = sys.argv[1:]
    temp = pathlib.Path(temp)
    temp.mkdir(parents=True)
    results = [run(machine, library, temp / pathlib.Path(source).stem, source) for source in sources]
    passed, failed = map(sum, zip(*results))
    print(f"{len(sources)} programs: {passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
