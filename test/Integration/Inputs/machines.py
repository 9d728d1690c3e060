# SPDX-License-Identifier: Apache-2.0
"""Programs of C for other machines: how they are built, and run in an emulator."""

import pathlib

from packages import RUNTIME, call

BOARD = pathlib.Path(__file__).resolve().parent / "mps2-an500"
CORTEX_M7 = ["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard",
             "-mfpu=fpv5-sp-d16", "-ffunction-sections", BOARD / "start.c"]
LINKED = ["-lm", "-T", BOARD / "board.ld", "-nostartfiles", "-Wl,--gc-sections"]
EMULATOR = ["qemu-system-arm", "-M", "mps2-an500", "-nographic", "-semihosting-config",
            "enable=on,target=native", "-kernel"]
# How a program is compiled, what is linked besides, and how it runs. What is bare has no
# functions of a system, so that nothing links that prints, reads files or takes heap.
MACHINES = {
    "host": (["gcc"], ["-lm"], []),
    "riscv64": (
        ["riscv64-linux-gnu-gcc"],
        ["-pthread", "-lm"],
        ["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"],
    ),
    "aarch64": (
        ["aarch64-linux-gnu-gcc"],
        ["-pthread", "-lm"],
        ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    ),
    "cortex-m7": (
        [*CORTEX_M7, BOARD / "files.c"], [*LINKED, "--specs=rdimon.specs"], EMULATOR,
    ),
    "cortex-m7-bare": (
        [*CORTEX_M7, BOARD / "bare/bare.c", f"-I{BOARD}/bare"], LINKED, EMULATOR,
    ),
}
# What objects are for.
TRIPLES = {
    "host": "x86_64-linux-gnu",
    "riscv64": "riscv64-linux-gnu",
    "aarch64": "aarch64-linux-gnu",
}


def build(machine, sources, library, program, *flags):
    """Makes a program of sources and our runtime for the machine, and returns the
    command that runs it."""
    compiler, linked, emulator = MACHINES[machine]
    call(
        *compiler, "-std=c99", f"-I{RUNTIME}", *flags, *sources, library, *linked,
        "-o", program,
    )
    return [*emulator, program]
