#!/usr/bin/env python3
"""Writes docs/reference/Coverage.md: what becomes of each operator of TFLite and of
TOSA, by the tables that the front ends find operators with.

Also finds what is wrong with those tables, a rule of .ci/check_tree.py.
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
MNEMONIC = re.compile(r'^def MLI_\w+\s+: \w+<\s*"(\w+)"', re.M)

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


def rows(table, content=None):
    """The rows of a table, or of its `content`, in their order; one of an operator that
    no kernel computes has no function, and its note says what to do instead."""
    found = []
    for macro, text in ROW.findall(content or (ROOT / table).read_text()):
        name, *cells = arguments(text)
        if table == TOSA:
            cells.pop(0)  # Its class.
        if macro == "REFUSED":
            found.append(Row(name, None, NO_KERNELS, NO_KERNELS, [], "", cells[-1]))
            continue
        function, *cells = cells
        first, *cells = cells[1:] if table == TFLITE else cells
        second = cells.pop(0) if table == TFLITE else ""
        elements, off, note = cells
        found.append(
            Row(name, function, kernels(first), kernels(second), elements.split(), off, note)
        )
    return found


HEAD = """
What becomes of each operator of [TFLite](../guides/tflite.md) and of each operation of
[TOSA](../guides/tosa.md), by the tables of the front ends (`{tflite}`,
`{tosa}`). `mli-run NET --inspect` says it of one
network.

- kernels: those of the dialect that compute it, and in brackets those around them,
  which not each network needs; none where elements stay as they are;
- elements: the types of its operands; weights are int8 or uint8, and biases wider;
- off: by how many steps of the result's scale at most, and of how many elements if
  not of any, from {reference}.

Those that no kernel computes are refused, with what to do instead; at the ends of a
network of TFLite they are [cut off](../guides/tflite.md#what-is-cut-off).
"""


def cell(found):
    """Kernels of one width."""
    around = ", ".join(f"`{kernel}`" for kernel in found.around)
    main = ", ".join(f"`{kernel}`" for kernel in found.main)
    return " ".join(filter(None, [main, around and f"({around})"]))


def code(text, words):
    """`text`, in which `words` are code."""
    return re.sub(r"\b[\w-]+\b", lambda m: f"`{m[0]}`" if m[0] in words else m[0], text)


def tables(found, is_operator):
    """What is computed, and what is not."""
    names = {row.name for row in found} if is_operator else set()
    words = names | {k for row in found for k in row.kernels.main + row.kernels.around}
    words |= {"--tosa-infer-shapes", "--canonicalize"}
    found = sorted(found, key=lambda row: row.name)
    has_wide = any(row.wide.main for row in found)
    wide = "| kernels of int16 " if has_wide else ""
    lines = ["", f"| {'operator' if is_operator else 'operation'} | kernels {wide}| elements | off | |"]
    lines += ["|---" * (6 if has_wide else 5) + "|"]
    for row in found:
        if row.function:
            cells = [f"`{row.name}`", cell(row.kernels)] + [cell(row.wide)] * has_wide
            cells += [", ".join(row.elements), row.off, code(row.note, words)]
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| no kernel computes | instead |", "|---|---|"]
    for row in found:
        if not row.function:
            lines.append(f"| `{row.name}` | {code(row.note, words)} |")
    return lines


def operators(texts):
    """Tables of operators name kernels that there are, and say all that a reader needs."""
    known = {
        name
        for path, text in texts.items()
        if path.suffix == ".td"
        for name in MNEMONIC.findall(text)
    }
    found = []
    for table in (TFLITE, TOSA):
        for row in rows(table, texts[table]):
            named = [*row.kernels.main, *row.kernels.around, *row.wide.main, *row.wide.around]
            for kernel in named:
                if kernel not in known:
                    found.append(f"{table}: {row.name} names {kernel}, which is no operation")
            if row.function and not (row.elements and row.off):
                found.append(f"{table}: {row.name} has no element types, or not how far it is off")
            if bool(row.wide.main) > ("int16" in row.elements):
                found.append(f"{table}: {row.name} has kernels of int16, but not that element type")
            if not row.function and not row.note:
                found.append(f"{table}: {row.name} does not say what to do instead")
    return found


def page():
    """The text of `PAGE`, as the tree is now."""
    lines = ["<!-- Written by .ci/coverage.py -->", "", "# Coverage"]
    lines += HEAD.rstrip().format(
        tflite=TFLITE, tosa=TOSA, reference="TFLite with one rounding, or from TOSA"
    ).split("\n")
    for title, table in (("TFLite", TFLITE), ("TOSA", TOSA)):
        found = rows(table)
        count = sum(row.function is not None for row in found)
        what = "builtin operators" if table == TFLITE else "operations of the dialect"
        lines += ["", f"## {title}", "", f"Kernels compute {count} of {len(found)} {what}."]
        lines += tables(found, table == TFLITE)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
