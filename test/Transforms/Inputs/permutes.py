"""permutes.py MLI_OPT FOLDER: mli-legalize-layouts on functions of few and of many
operations, half of them kernels and permutations: see instruction_counts.py.
"""

import sys

import instruction_counts

TYPES = "!chw = tensor<4x6x8x!mli.fx8<7>>\n!hwc = tensor<6x8x4x!mli.fx8<7>>\n"


class Program:
    """Text of a function from %in on, which is in CHW."""

    def __init__(self):
        self.lines = []

    def kernel(self, name, inputs, kind, result, options=""):
        number = len(self.lines)
        self.lines.append("  %%e%d = tensor.empty() : !%s\n"
                          "  %%v%d = mli.%s ins(%s : %s) outs(%%e%d : !%s)%s -> !%s\n"
                          % (number, result, number, name, ", ".join(inputs),
                             ", ".join(["!" + kind] * len(inputs)), number, result,
                             options, result))
        return "%%v%d" % number

    def relu(self, value, kind):
        return self.kernel("relu", [value], kind, kind, " {relu = #mli.relu<gen>}")

    def to_hwc(self, value):
        return self.kernel("permute", [value], "chw", "hwc", " permutation [1, 2, 0]")

    def to_chw(self, value):
        return self.kernel("permute", [value], "hwc", "chw", " permutation [2, 0, 1]")

    def finish(self, result, kind):
        return ("%sfunc.func @main(%%in: !chw) -> %s {\n%s  return %s : %s\n}\n"
                % (TYPES, kind, "".join(self.lines), result, kind))


def chain(operations):
    """To and fro between kernels."""
    program, value = Program(), "%in"
    for _ in range(operations // 8):
        value = program.relu(program.to_hwc(value), "hwc")
        value = program.relu(program.to_chw(value), "chw")
    return program.finish(value, "!chw")


def parts(operations):
    """Parts of one concatenation, which stay as they are."""
    program, value, permuted = Program(), "%in", []
    for _ in range(operations // 4):
        value = program.relu(value, "chw")
        permuted.append(program.to_hwc(value))
    kind = "tensor<%dx8x4x!mli.fx8<7>>" % (6 * len(permuted))
    program.lines.append("  %%all = tensor.concat dim(0) %s : (%s) -> %s\n" % (
        ", ".join(permuted), ", ".join(["!hwc"] * len(permuted)), kind))
    return program.finish("%all", kind)


def ladder(operations):
    """Sums of neighbours, which all have to be there in their own order, too."""
    program, permuted = Program(), []
    value, kept = "%in", []
    for _ in range(operations // 4):
        value = program.relu(value, "chw")
        permuted.append(program.to_hwc(value))
    for left, right in zip(permuted, permuted[1:]):
        kept.append(program.kernel("eltwise_add", [left, right], "hwc", "hwc"))
    kind = "tensor<%dx8x4x!mli.fx8<7>>" % (6 * (len(permuted) + len(kept)))
    program.lines.append("  %%all = tensor.concat dim(0) %s : (%s) -> %s\n" % (
        ", ".join(permuted + kept),
        ", ".join(["!hwc"] * (len(permuted) + len(kept))), kind))
    return program.finish("%all", kind)


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "LegalizeLayoutsPass", "--mli-legalize-layouts", folder,
                             {"chain": chain, "parts": parts, "ladder": ladder})


main()
