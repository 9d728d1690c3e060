# SPDX-License-Identifier: Apache-2.0
#
# Builds networks for another machine, with our runtime, runs them in an emulator and
# compares the results with those of mli-run on this machine:
#   c-qemu.py MACHINE BUILD TEMP LIBRARY [FLAG...] NETWORK.tflite... [-- OPTION...]
#   c-qemu.py MACHINE BUILD TEMP LIBRARY [FLAG...] --all MODELS [-- OPTION...]
# They are C, with the flag --object or --shared objects or shared libraries. MACHINE is a
# key of machines.MACHINES, and LIBRARY the runtime for it. Inputs are those beside
# each network; with --vectors, without which cortex-m7 has no files, those of the first
# case are in the program, with what mli-run gives. --all takes every network of a folder
# that can be imported. The options are for mli-compile.

import pathlib
import sys

import machines
from packages import call, emit, find_cases, find_importable, find_vectors, split_options


def compile_package(build, temp, library, network, options):
    """The package of `network` and the command that runs its program."""
    machine = sys.argv[1]
    form = next((form for form in ("object", "shared") if f"--{form}" in sys.argv), "c")
    if form != "c":
        options = [*options, "--triple", machines.TRIPLES[machine]]
    package = emit(build / "bin/mli-compile", network, temp / "package", options, form)
    sources = [path for end in ("c", "o", "so") for path in package.glob(f"*.{end}")]
    found = f"-Wl,-rpath,{package}"
    return package, machines.build(
        machine, sources, library, package / "net_test", "-O2", found
    )


def run_vectors(build, temp, library, network, options):
    """Runs a program with the first case of `network` inside."""
    options = [*options, *find_vectors(network)]
    _, command = compile_package(build, temp, library, network, options)
    if "is the same" not in call(*command):
        sys.exit(f"{network}: nothing is compared")
    return 1


def run_cases(build, temp, library, network, options):
    """Runs all cases of `network`, and returns how many."""
    package, command = compile_package(build, temp, library, network, options)
    command += package.glob("net.bin")
    cases = find_cases(network)
    for case, inputs in cases.items():
        flags = [flag for path in inputs for flag in ("--input", path)]
        expected = temp / case
        call(build / "bin/mli-run", network, *flags, "--output-dir", expected)
        call(*command, *inputs, "-c", *sorted(expected.glob("*.npy")))
    return len(cases)


def main():
    arguments, options = split_options(sys.argv[2:])
    build, temp, library = map(pathlib.Path, arguments[:3])
    temp.mkdir(parents=True)
    networks = [path for path in arguments[3:] if not path.startswith("--")]
    if "--all" in arguments:
        networks = find_importable(build / "bin/mli-compile", networks[-1], temp)
    run = run_vectors if "--vectors" in arguments else run_cases
    runs = [
        run(build, temp / str(number), library, pathlib.Path(network), options)
        for number, network in enumerate(networks)
    ]
    print(f"{len(runs)} networks, {sum(runs)} runs: the same")


main()
