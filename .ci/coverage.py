#!/usr/bin/env python3
"""Writes docs/reference/Coverage.md: what becomes of each operator of TFLite and of
TOSA, by the tables that the front ends find operators with.

Also finds what is wrong with those tables, for .ci/check_tree.py.
"""

import collections
import pathlib
import re

PAGE = pathlib.Path("docs/reference/Coverage.md")
ROOT = pathlib.Path(__file__).resolve().parent.parent
TFLITE = pathlib.Path("lib/Import/Model/TFLiteOperators.def")
TOSA = pathlib.Path("lib/Conversion/TosaToMLI/TosaOperations.def")
STRING = r'"(?:[^"\\\n]|\\.)*"'
ROW = re.compile(rf"^MLI_(?:TFLITE|TOSA)_(\w+)\(((?:[^\"()]|{STRING})*)\)$", re.M)
ARGUMENT = re.compile(rf"((?:{STRING}\s*)+)|([^\s,\"]+)")
MNEMONIC = re.compile(r'^def MLI_\w+ : \w+<\s*"(\w+)"', re.M)
NAMES = re.compile(r"\b(?:%s)\b")

# Kernels of 8 bits and of int16: those that compute an operator, and those around.
Kernels = collections.namedtuple("Kernels", "main around")
Row = collections.namedtuple("Row", "name function kernels wide elements off note")
NO_KERNELS = Kernels([], [])


def arguments(text):
    """The arguments of a macro, strings without their quotes."""
    return [
        "".join(s[1:-1] for s in re.findall(STRING, strings)) if strings else word
        for strings, word in ARGUMENT.findall(text)
    ]


def kernels(text):
    main, _, around = text.partition("+")
    return Kernels(main.split(), around.split())


def rows(table):
    """The rows of a table in their order; one of an operator that no kernel computes
    has no function, and its note says what to do instead."""
    found = []
    for macro, text in ROW.findall((ROOT / table).read_text()):
        name, *cells = arguments(text)
        if macro == "REFUSED":
            found.append(Row(name, None, NO_KERNELS, NO_KERNELS, [], "", cells[-1]))
            continue
        function, *cells = cells
        if table == TFLITE:
            cells.pop(0)
        first, second, elements, off, note = cells
        found.append(
            Row(name, function, kernels(first), kernels(second), elements.split(), off, note)
        )
    return found
