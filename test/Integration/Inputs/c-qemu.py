# SPDX-License-Identifier: Apache-2.0
#
# Builds networks as C for another machine, with our runtime, runs them in an emulator
# and compares the results with those of mli-run on this machine:
#   c-qemu.py MACHINE BUILD TEMP LIBRARY [--vectors] NETWORK.tflite... [-- OPTION...]
#   c-qemu.py MACHINE BUILD TEMP LIBRARY [--vectors] --all MODELS [-- OPTION...]
# MACHINE is a key of MACHINES, and LIBRARY libmli.a for it. Inputs are those beside
# each network; with --vectors, without which cortex-m7 has no files, those of the first
# case are in the program, with what mli-run gives. --all takes every network of a folder
# that can be imported. The options are for mli-compile.

import pathlib
import sys

from packages import RUNTIME, call, emit, find_cases, find_importable, split_options

BOARD = pathlib.Path(__file__).parent / "mps2-an500"
# How a program is compiled, what is linked besides, and how it runs.
MACHINES = {
    "riscv64": (
        ["riscv64-linux-gnu-gcc"],
        ["-pthread", "-lm"],
        ["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"],
    ),
    "cortex-m7": (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard",
         "-mfpu=fpv5-sp-d16", "-ffunction-sections", BOARD / "start.c"],
        ["-lm", "-T", BOARD / "board.ld", "-nostartfiles", "--specs=rdimon.specs",
         "-Wl,--gc-sections"],
        ["qemu-system-arm", "-M", "mps2-an500", "-nographic", "-semihosting-config",
         "enable=on,target=native", "-kernel"],
    ),
}
COMPILER, LINKED, EMULATOR = MACHINES[sys.argv[1]]


def compile_package(build, temp, library, network, options):
    """The package of `network` and the program that runs it."""
    package = emit(build / "bin/mli-compile", network, temp / "package", options)
    program = package / "net_test"
    call(
        *COMPILER, "-std=c99", "-O2", f"-I{RUNTIME}", *package.glob("*.c"), library,
        *LINKED, "-o", program,
    )
    return package, program


def run_vectors(build, temp, library, network, options):
    """Runs a program with the first case of `network` inside."""
    inputs = next(iter(find_cases(network).values()))
    vectors = [flag for path in inputs for flag in ("--vectors", path)]
    options = [*options, *vectors]
    _, program = compile_package(build, temp, library, network, options)
    if "is the same" not in call(*EMULATOR, program):
        sys.exit(f"{program}: nothing is compared")
    return 1


def run_cases(build, temp, library, network, options):
    """Runs all cases of `network`, and returns how many."""
    package, program = compile_package(build, temp, library, network, options)
    command = [*EMULATOR, program, *package.glob("net.bin")]
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
