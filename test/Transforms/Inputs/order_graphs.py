"""order_graphs.py MLI_OPT FOLDER: mli-order on networks of few and of many kernels: a
chain with skip connections, blocks of branches, and a concatenation of many operands.
See instruction_counts.py.
"""

import sys

import instruction_counts

MAP = "tensor<4x4x8x!mli.sa8<1:4:0>>"
RELU = "{relu = #mli.relu<gen>}"


class Writer:
    def __init__(self):
        self.lines = []
        self.last = 0

    def add(self, kernel, inputs, rest=""):
        """The number of a kernel that reads `inputs`, values by their numbers."""
        self.last += 1
        names = ", ".join("%%v%d" % i for i in inputs)
        types = ", ".join("!m" for _ in inputs)
        self.lines.append("  %%e%d = tensor.empty() : !m" % self.last)
        self.lines.append("  %%v%d = mli.%s ins(%s : %s) outs(%%e%d : !m) %s -> !m"
                          % (self.last, kernel, names, types, self.last, rest))
        return self.last

    def permute(self, value):
        return self.add("permute", [value], "permutation [1, 0, 2]")

    def finish(self, result, type="!m"):
        return "!m = %s\nfunc.func @main(%%v0: !m) -> %s {\n%s\n  return %%%s : %s\n}\n" % (
            MAP, type, "\n".join(self.lines), result, type)


def write_chain(operations):
    """Every third kernel adds what came three before it, every fourth is in place."""
    writer = Writer()
    for i in range(operations // 2):
        if i % 3 == 2:
            writer.add("eltwise_add", [writer.last, writer.last - 2])
        elif i % 4 == 0:
            writer.add("relu", [writer.last], RELU)
        else:
            writer.permute(writer.last)
    return writer.finish("v%d" % writer.last)


def write_blocks(operations):
    """Blocks of three branches of two kernels each, those of one depth together."""
    writer = Writer()
    for _ in range(operations // 16):
        start = writer.last
        branches = [writer.permute(start) for _ in range(3)]
        ends = [writer.permute(branch) for branch in branches]
        pair = writer.add("eltwise_add", ends[:2])
        writer.add("eltwise_add", [pair, ends[2]])
    return writer.finish("v%d" % writer.last)


def write_concatenation(operations):
    """Kernels of one input, each of which writes its operand."""
    writer = Writer()
    count = operations // 3
    whole = "tensor<%dx4x8x!mli.sa8<1:4:0>>" % (4 * count)
    writer.lines.append("  %%c0 = tensor.empty() : %s" % whole)
    for i in range(count):
        writer.lines.append(
            "  %%s%d = mli.subtensor %%c%d[%d, 0, 0] [4, 4, 8] : %s to !m\n"
            "  %%k%d = mli.permute ins(%%v0 : !m) outs(%%s%d : !m) permutation [1, 0, 2] -> !m\n"
            "  %%c%d = tensor.insert_slice %%k%d into %%c%d[%d, 0, 0] [4, 4, 8] [1, 1, 1] "
            ": !m into %s" % (i, i, 4 * i, whole, i, i, i + 1, i, i, 4 * i, whole))
    return writer.finish("c%d" % count, whole)


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "OrderPass", "--mli-order", folder,
                             {"chain": write_chain, "blocks": write_blocks,
                              "concatenation": write_concatenation})


main()
