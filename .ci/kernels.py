#!/usr/bin/env python3
"""Writes docs/reference/Kernels.md: what kernels take, by the table that the
verifiers of the dialect and the checks of the runtime read.

Also finds what is wrong with that table, for .ci/check_tree.py.
"""

import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import rules  # noqa: E402

PAGE = pathlib.Path("docs/reference/Kernels.md")
TABLE = pathlib.Path("include/mli/Contract/Kernels.def")
FAMILY = re.compile(r'^MLI_FAMILY\((\w+), "(\w+)", "([^"]*)"\)', re.M)
TENSOR = re.compile(
    r'^MLI_TENSOR\((\w+), \w+, "(\w+)", "(\w+)", "([^"]*)", (\w+), (\w+), (\w+), (\w+), '
    r"([-\w]+)\)$",
    re.M,
)
FUNCTIONS = pathlib.Path("include/mli/Runtime/C/api/mli_kernels.def")
FUNCTION_LIST = re.compile(r"^MLI_(\w+)\((mli_krn_\w+)(?:, (\w+))?, (\w+?)(?:, (\d))?\)$", re.M)
RULE = re.compile(r"^(?:- |\| )\*\*([A-Z]+\d+)\*\*[ |]*(.*)$", re.M)

SHAPES = {
    "*": "any",
    "=": "that of the input",
    "~": "that of the result, or one element",
    ".": "one element",
    "|": "along the axis as long as the input, else 1; one element without an axis",
}
MEMORY = {
    "Any": "any",
    "UnitInnerStride": "rows",
    "DialectContiguous": "rows, contiguous in the dialect",
    "Contiguous": "contiguous",
}
SHARING = {
    "Written": "is written",
    "DistinctBuffers": "no byte of the buffer",
    "NoAlias": "no element",
    "InPlace": "all or nothing",
    "MayBeOverwritten": "may be replaced",
}
FORMAT = {
    "Own": "own",
    "Input": "that of the input",
    "FxInput": "that of the input in fixed point",
    "Positive": "of numbers from 0 on",
    "Signed": "of signed numbers",
    "Positions": "of positions",
}
LEGEND = """
What each kernel takes, by the table that verifiers and runtime check with
(`{table}`), by the rules of [types](../spec/types.md),
[operations](../spec/operations.md) and [kernels](../spec/kernels.md) that are named
here:

- shape (T12, T13, T20, E6, E7): one letter is one size in a call; feature maps are
  h, w, c here, also where an operation has the channels first;
- memory (T8, T19): rows have their elements next to each other;
- shares (T18, K55): what memory the tensor may share with what the kernel writes;
- format (T11, E2): whose parameters it has;
- zero point (T10, C3, E5);
- axis (T9, C4, C5): what parameters may vary along.
"""


def shape_text(shape):
    if shape in SHAPES:
        return SHAPES[shape]
    if shape[0] == "#":
        return f"any of {shape[1]} elements"
    return f"[{', '.join(shape)}]"


def axis_text(axis):
    return {"PerTensor": "-", "AnyAxis": "any"}.get(axis, axis)


def family_of(macro, op):
    """The family of Kernels.def that a row of mli_kernels.def belongs to."""
    if macro == "FULLY_CONNECTED":
        return "FullyConnected"
    if macro == "ELTWISE":
        return "Eltwise" + op
    return op[0].upper() + op[1:] if op else macro.title().replace("_", "")


def functions():
    """Family -> the functions for any size of window."""
    found = collections.defaultdict(list)
    for macro, name, op, kinds, size in FUNCTION_LIST.findall(FUNCTIONS.read_text()):
        if macro == "LUT" or size not in {"", "0"}:
            continue
        found[family_of(macro, op)].append(name)
    return found


def breaches():
    """Rules of families that there are not."""
    known = {rule for page in rules.definitions().values() for rule in page}
    return [
        f"{TABLE}: rule {rule} of {family} is not in docs/spec"
        for family, _, others in FAMILY.findall(TABLE.read_text())
        for rule in filter(None, others.split(", "))
        if rule not in known
    ]


def page():
    """The text of `PAGE`, as the tree is now."""
    limits = {
        name: f"[{least}, {most}]" if least != most else least
        for name, least, most, _, _ in rules.LIMIT.findall(rules.LIMITS.read_text())
    }
    text = TABLE.read_text()
    rows = collections.defaultdict(list)
    for family, *row in TENSOR.findall(text):
        rows[family].append(tuple(row))
    sentences = {
        rule: (page, sentence.split(" [")[0])
        for page in rules.definitions()
        for rule, sentence in RULE.findall(page.read_text())
    }
    # Families that differ in nothing but what they compute are one entry.
    entries = collections.defaultdict(list)
    for family, mnemonic, others in FAMILY.findall(text):
        entries[tuple(rows[family]), others].append((family, mnemonic))
    names = functions()
    lines = [
        "<!-- Written by .ci/kernels.py -->",
        "",
        "# Kernels",
        *LEGEND.rstrip().format(table=TABLE).split("\n"),
    ]
    for (tensors, others), families in entries.items():
        lines += ["", f"## {', '.join(f'mli.{m}' for _, m in families)}", ""]
        lines += [f"- `{name}`" for family, _ in families for name in names[family]]
        lines += ["", "| operand | parameter | shape | memory | shares | format "
                  "| zero point | axis |"]
        lines += ["|---|---|---|---|---|---|---|---|"]
        for name, argument, shape, memory, sharing, form, zero, axis in tensors:
            cells = (name, f"`{argument}`", shape_text(shape), MEMORY[memory],
                     SHARING[sharing], FORMAT[form], limits[zero], axis_text(axis))
            lines.append(f"| {' | '.join(cells)} |")
        if others:
            lines.append("")
        for rule in filter(None, others.split(", ")):
            page, sentence = sentences[rule]
            lines.append(f"- [{rule}](../spec/{page.name}): {sentence}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
