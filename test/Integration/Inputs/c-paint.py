# SPDX-License-Identifier: Apache-2.0
"""Runs programs on a Cortex-M7 in an emulator, with the stack painted before each kernel,
and prints how much of it the kernels took:

  c-paint.py BUILD TEMP LIBRARY LIMIT PROGRAM...

LIBRARY is libmli.a of the plain profile, and PROGRAM what `mli-golden --write-c` wrote or
a network, NETWORK.tflite, of which the first case runs. Fails if a result is another one
than it has to be, or if a kernel takes more than LIMIT bytes.
"""

import pathlib
import sys

import painted
from packages import call, emit, find_vectors

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "Golden/Inputs/programs"


def find_sources(build, program, folder):
    if program.suffix == ".c":
        return [program, GOLDEN / "golden.c"]
    package = emit(build / "bin/mli-compile", program, folder, find_vectors(program))
    return sorted(package.glob("*.c"))


def main():
    build, temp, library = map(pathlib.Path, sys.argv[1:4])
    limit = int(sys.argv[4])
    temp.mkdir(parents=True)
    found = []
    for number, program in enumerate(map(pathlib.Path, sys.argv[5:])):
        sources = find_sources(build, program, temp / str(number))
        command = painted.build(sources, library, temp / f"{number}.elf", "-O1", f"-I{GOLDEN}")
        found.append(painted.read(call(*command)))
    calls = sum(calls for calls, _, _ in found)
    most, function = max((most, function) for _, most, function in found)
    print(f"{len(found)} programs, {calls} calls: at most {most} bytes of stack, in {function}")
    sys.exit(most > limit)


main()
