"""slices.py MLI_OPT FOLDER: mli-legalize-subtensors on functions of few and of many
operations, slices and kernels that read them: see instruction_counts.py.
"""

import sys

import instruction_counts

PART = "tensor<2x4x!mli.sa8<1:7:3>>"


def whole(count):
    return "tensor<%dx4x!mli.sa8<1:7:3>>" % (2 * count)


def function(lines, count, result):
    return ("func.func @main(%%in: %s) -> %s {\n  %%e = tensor.empty() : %s\n"
            "%s  return %%out : %s\n}\n"
            % (whole(count), result, PART, "".join(lines), result))


def slice_of(source, kind, name, row):
    return ("  %%%s = tensor.extract_slice %%%s[%d, 0] [2, 4] [1, 1] : %s to %s\n"
            % (name, source, row, kind, PART))


def add(a, b, name):
    return ("  %%%s = mli.eltwise_add ins(%%%s, %%%s : %s, %s) outs(%%e : %s) -> %s\n"
            % (name, a, b, PART, PART, PART, PART))


def parts(operations):
    """Slices of an argument, a kernel of each, and all of these concatenated."""
    count, lines = operations // 3, []
    for i in range(count):
        lines.append(slice_of("in", whole(count), "s%d" % i, 2 * i))
        lines.append(add("s%d" % i, "s%d" % i, "v%d" % i))
    lines.append("  %%out = tensor.concat dim(0) %s : (%s) -> %s\n" % (
        ", ".join("%%v%d" % i for i in range(count)), ", ".join([PART] * count),
        whole(count)))
    return function(lines, count, whole(count))


def sums(operations):
    """Each slice added to the sum of those before it."""
    count, lines = operations // 2, []
    lines.append(slice_of("in", whole(count), "v0", 0))
    for i in range(1, count):
        lines.append(slice_of("in", whole(count), "s%d" % i, 2 * i))
        lines.append(add("v%d" % (i - 1), "s%d" % i,
                         "v%d" % i if i < count - 1 else "out"))
    return function(lines, count, PART)


def chain(operations):
    """Slices of slices."""
    count, lines, source, kind = operations, [], "in", whole(operations)
    for i in range(1, count):
        taken = whole(count - i)
        name = "s%d" % i if i < count - 1 else "out"
        lines.append("  %%%s = tensor.extract_slice %%%s[2, 0] [%d, 4] [1, 1] : %s to %s\n"
                     % (name, source, 2 * (count - i), kind, taken))
        source, kind = name, taken
    return function(lines, count, PART)


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "LegalizeSubtensorsPass", "--mli-legalize-subtensors",
                             folder, {"parts": parts, "sums": sums, "chain": chain})


main()
