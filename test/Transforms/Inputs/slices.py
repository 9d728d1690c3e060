"""slices.py MLI_OPT FOLDER: mli-legalize-subtensors on functions of 10,000 and of 40,000
operations, slices and kernels that read them.

Fails where the many take far more than their part: see linear_time.py.
"""

import sys

import linear_time

COUNTS = 10000, 40000
PART = "tensor<2x4x!mli.sa8<1:7:3>>"


def whole(count):
    return "tensor<%dx4x!mli.sa8<1:7:3>>" % (2 * count)


def write_function(path, lines, count, result):
    with open(path, "w") as file:
        file.write("func.func @main(%%in: %s) -> %s {\n  %%e = tensor.empty() : %s\n"
                   "%s  return %%out : %s\n}\n"
                   % (whole(count), result, PART, "".join(lines), result))


def slice_of(source, kind, name, row):
    return ("  %%%s = tensor.extract_slice %%%s[%d, 0] [2, 4] [1, 1] : %s to %s\n"
            % (name, source, row, kind, PART))


def add(a, b, name):
    return ("  %%%s = mli.eltwise_add ins(%%%s, %%%s : %s, %s) outs(%%e : %s) -> %s\n"
            % (name, a, b, PART, PART, PART, PART))


def parts(path, operations):
    """Slices of an argument, a kernel of each, and all of these concatenated."""
    count, lines = operations // 3, []
    for i in range(count):
        lines.append(slice_of("in", whole(count), "s%d" % i, 2 * i))
        lines.append(add("s%d" % i, "s%d" % i, "v%d" % i))
    lines.append("  %%out = tensor.concat dim(0) %s : (%s) -> %s\n" % (
        ", ".join("%%v%d" % i for i in range(count)), ", ".join([PART] * count),
        whole(count)))
    write_function(path, lines, count, whole(count))


def sums(path, operations):
    """Each slice added to the sum of those before it."""
    count, lines = operations // 2, []
    lines.append(slice_of("in", whole(count), "v0", 0))
    for i in range(1, count):
        lines.append(slice_of("in", whole(count), "s%d" % i, 2 * i))
        lines.append(add("v%d" % (i - 1), "s%d" % i,
                         "v%d" % i if i < count - 1 else "out"))
    write_function(path, lines, count, PART)


def chain(path, operations):
    """Slices of slices."""
    count, lines, source, kind = operations, [], "in", whole(operations)
    for i in range(1, count):
        taken = whole(count - i)
        name = "s%d" % i if i < count - 1 else "out"
        lines.append("  %%%s = tensor.extract_slice %%%s[2, 0] [%d, 4] [1, 1] : %s to %s\n"
                     % (name, source, 2 * (count - i), kind, taken))
        source, kind = name, taken
    write_function(path, lines, count, PART)


def main():
    tool, folder = sys.argv[1:]
    for write in parts, sums, chain:
        linear_time.check(write.__name__, tool, "--mli-legalize-subtensors", folder,
                          COUNTS, write)


main()
