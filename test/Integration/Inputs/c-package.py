# SPDX-License-Identifier: Apache-2.0
#
# Compiles networks to C, builds that with strict warnings, runs it on files and
# compares the results with those of mli-run.
#   c-package.py BUILD TEMP NETWORK.tflite INPUT.npy...      one run
#   c-package.py BUILD TEMP NETWORK.tflite --each FOLDER     a run for each file

import pathlib
import subprocess
import sys

WARNINGS = "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror".split()
# The last one takes the sources as C++.
COMPILERS = (["gcc", "-std=c99"], ["clang-22", "-std=c99"], ["g++", "-xc++", "-std=c++20"])
RUNTIME = pathlib.Path(__file__).parents[3] / "include/mli/Runtime/C"


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(build, temp, network, weights):
    """Writes the package, checks its lines, and builds it with each compiler."""
    package = temp / weights
    tool = build / "bin/mli-compile"
    call(tool, network, "--emit", "c", "-o", package, "--name", "net", "--weights", weights)
    sources = sorted(package.glob("*.c"))
    for source in [*sources, package / "net.h"]:
        for line in source.read_text().splitlines():
            if len(line) > 80:
                sys.exit(f"{source}: {line}")
    for compiler in COMPILERS:
        # The program for tests is C alone.
        checked = [s for s in sources if compiler[0] != "g++" or s.name != "net_test.c"]
        for source in checked:
            call(*compiler, *WARNINGS, f"-I{RUNTIME}", "-c", source, "-o", package / "one.o")
    program = package / "net_test"
    library = build / "lib"
    link = [library / "libmli.so", f"-Wl,-rpath,{library}"]
    call("gcc", "-std=c99", f"-I{RUNTIME}", *sources, "-o", program, *link)
    return program


def main():
    build, temp, network = map(pathlib.Path, sys.argv[1:4])
    temp.mkdir(parents=True)
    runs = [sys.argv[4:]]
    if sys.argv[4] == "--each":
        runs = [[path] for path in sorted(pathlib.Path(sys.argv[5]).glob("*.npy"))]
    programs = {}
    for weights in ("inline", "source", "blob"):
        programs[weights] = make(build, temp, network, weights)
    for number, inputs in enumerate(runs):
        expected = temp / f"expected_{number}"
        options = [option for path in inputs for option in ("--input", path)]
        call(build / "bin/mli-run", network, "--output-dir", expected, *options)
        outputs = sorted(expected.glob("*.npy"))
        for weights, program in programs.items():
            blob = [program.parent / "net.bin"] if weights == "blob" else []
            call(program, *blob, *inputs, "-c", *outputs)
    print(f"{len(runs)} runs, {len(programs)} packages: the same")


main()
