# SPDX-License-Identifier: Apache-2.0
"""The stack that functions take with all that they call in programs for a Cortex-M7,
which paint it before each call from outside of the library."""

import re

import machines
from packages import call

MOST = re.compile(r"^(\d+) calls: at most (\d+) bytes of stack, in (\w+)$", re.M)
KERNEL = re.compile(r" T (mli_(?:krn|hlp|mov)_\w+)$", re.M)


def build(sources, library, program, *flags, functions=()):
    """As machines.build; measures the given functions, or else those of the library."""
    functions = functions or KERNEL.findall(call("nm", library))
    measured, options = program.with_suffix(".S"), program.with_suffix(".options")
    lines = ['#include "stack.inc"', *(f"measure {name}" for name in functions)]
    measured.write_text("\n".join(lines) + "\n")
    options.write_text("\n".join(f"-Wl,--wrap={name}" for name in functions))
    sources = [*sources, measured, machines.BOARD / "stack.c"]
    flags = [*flags, f"-I{machines.BOARD}", f"@{options}"]
    return machines.build("cortex-m7", sources, library, program, *flags)


def read(output):
    """How many calls a program measured, the most stack that one took, and its function."""
    calls, most, function = MOST.search(output).groups()
    return int(calls), int(most), function
