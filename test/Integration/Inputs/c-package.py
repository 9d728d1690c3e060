# SPDX-License-Identifier: Apache-2.0
#
# Compiles networks to C, builds that with strict warnings, runs it on files and
# compares the results with those of mli-run.
#   c-package.py BUILD TEMP NETWORK.tflite INPUT.npy...      one run
#   c-package.py BUILD TEMP NETWORK.tflite --each FOLDER     a run for each file
# Options behind `--` are for mli-compile.

import pathlib
import sys

from packages import RUNTIME, WARNINGS, call, emit, split_options

# The last one takes the sources as C++.
COMPILERS = (["gcc", "-std=c99"], ["clang-22", "-std=c99"], ["g++", "-xc++", "-std=c++20"])


def make(build, temp, network, weights, options):
    """Writes the package, checks its lines, and builds it with each compiler."""
    options = ["--weights", weights, *options]
    package = emit(build / "bin/mli-compile", network, temp / weights, options)
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
    arguments, options = split_options(sys.argv[1:])
    build, temp, network = map(pathlib.Path, arguments[:3])
    temp.mkdir(parents=True)
    runs = [arguments[3:]]
    if arguments[3] == "--each":
        runs = [[path] for path in sorted(pathlib.Path(arguments[4]).glob("*.npy"))]
    if not all([runs, *runs]):
        sys.exit(f"error: expected files for the inputs of '{network}', but got none")
    programs = {}
    for weights in ("inline", "source", "blob"):
        programs[weights] = make(build, temp, network, weights, options)
    for number, inputs in enumerate(runs):
        expected = temp / f"expected_{number}"
        flags = [flag for path in inputs for flag in ("--input", path)]
        call(build / "bin/mli-run", network, "--output-dir", expected, *flags)
        outputs = sorted(expected.glob("*.npy"))
        for weights, program in programs.items():
            blob = [program.parent / "net.bin"] if weights == "blob" else []
            call(program, *blob, *inputs, "-c", *outputs)
    print(f"{len(runs)} runs, {len(programs)} packages: the same")


main()
