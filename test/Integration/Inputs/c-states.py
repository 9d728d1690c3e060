# SPDX-License-Identifier: Apache-2.0
#
# Compiles functions with states to C with vectors inside, which are results of
# mli-run, builds that with strict warnings and runs it.
#   c-states.py BUILD TEMP NETWORK.mlir INPUT.npy FUNCTION...

import pathlib
import re
import subprocess
import sys

WARNINGS = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror".split()
RUNTIME = pathlib.Path(__file__).parents[3] / "include/mli/Runtime/C"


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    build, temp, network, vectors = map(pathlib.Path, sys.argv[1:5])
    temp.mkdir(parents=True)
    library = build / "lib"
    link = [library / "libmli.so", f"-Wl,-rpath,{library}"]
    for entry in sys.argv[5:]:
        package = temp / entry
        flags = ["--emit", "c", "-o", package, "--name", "net", "--entry", entry]
        call(build / "bin/mli-compile", network, *flags, "--vectors", vectors)
        program = package / "test"
        sources = sorted(package.glob("*.c"))
        call("gcc", *WARNINGS, f"-I{RUNTIME}", *sources, "-o", program, *link)
        if "is the same" not in call(program):
            sys.exit(f"{program}: nothing is compared")
        steps = re.search(r"NUM_STEPS = (\d+)", (package / "net_test.c").read_text())[1]
        struct = (package / "net.h").read_text().split("} net_state;")[0].rsplit("{", 1)[1]
        turns = len(re.findall(r" \w+\[2\]\[\d+\];", struct))
        in_place = len(re.findall(r" \w+\[\d+\];", struct))
        if ("turn;" in struct) != (turns > 0):
            sys.exit(struct)
        print(f"{entry}: {steps} steps: the same, {in_place} in place, {turns} in turns")


main()
