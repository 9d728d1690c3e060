# SPDX-License-Identifier: Apache-2.0
#
# Compiles the C of networks for other machines, with strict warnings:
#   c-cross.py MLI_COMPILE TEMP MACHINE NETWORK... [-- OPTION...]
#   c-cross.py MLI_COMPILE TEMP MACHINE --all MODELS [-- OPTION...]
# MACHINE is a key of COMPILERS. --all takes every network of a folder that can be
# imported. The options are for mli-compile.

import pathlib
import sys

from packages import RUNTIME, WARNINGS, call, emit, find_importable, split_options

ARM = ["arm-none-eabi-gcc", "-mthumb"]
ARC = ["arc-linux-gnu-gcc"]
PICOLIBC = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs"]
# Those of Debian for Arm and ARC come without a C library: -ffreestanding needs none.
COMPILERS = {
    "cortex-m": [
        [*ARM, "-mcpu=cortex-m4", "-ffreestanding"],
        [*ARM, "-mcpu=cortex-m7", "-ffreestanding"],
    ],
    "aarch64": [["aarch64-linux-gnu-gcc"]],
    "riscv64": [["riscv64-linux-gnu-gcc"]],
    "rv32": [[*PICOLIBC, "-march=rv32imac", "-mabi=ilp32"]],
    "arc": [
        [*ARC, "-mcpu=arcem", "-ffreestanding"],
        [*ARC, "-mcpu=hs38", "-ffreestanding"],
    ],
}


def main():
    arguments, options = split_options(sys.argv[1:])
    tool, temp = map(pathlib.Path, arguments[:2])
    temp.mkdir(parents=True)
    machine, *networks = arguments[2:]
    if "--all" in networks:
        networks = find_importable(tool, networks[-1], temp)
    packages = [
        emit(tool, network, temp / f"package_{number}", options)
        for number, network in enumerate(networks)
    ]
    for compiler in COMPILERS[machine]:
        for package in packages:
            # Of a blob there is no source.
            for source in ("net.c", "net_weights.c"):
                if (package / source).exists():
                    call(
                        *compiler, "-std=c99", *WARNINGS, "-Os", f"-I{RUNTIME}",
                        "-c", package / source, "-o", temp / "one.o",
                    )
    print(f"{len(packages)} networks, {len(COMPILERS[machine])} processors: no warnings")


main()
