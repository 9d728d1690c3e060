"""stream_graphs.py MLI_OPT FOLDER: mli-form-streams on networks of few and of many kernels,
in the least arena and in one between that and all: a chain of bottlenecks with skip
connections. See instruction_counts.py.
"""

import sys

import instruction_counts

# A kernel has few streams to be in near the start of a chain, which is to be a small part.
COUNTS = 300, 1200
TYPES = {
    "narrow": "tensor<8x8x4x!mli.sa8<1:4:-128>>",
    "wide": "tensor<8x8x16x!mli.sa8<1:4:-128>>",
    "expand": "tensor<1x1x4x16x!mli.sa8<5:10:0>>",
    "spread": "tensor<3x3x1x16x!mli.sa8<5:10:0>>",
    "project": "tensor<1x1x16x4x!mli.sa8<5:10:0>>",
    "b16": "tensor<16x!mli.sa32<5:14:0>>",
    "b4": "tensor<4x!mli.sa32<5:14:0>>",
}


class Writer:
    def __init__(self):
        self.lines, self.last = [], "%x"

    def add(self, kernel, inputs, types, result, rest=""):
        """The name of a kernel, which is the last one then."""
        at = len(self.lines)
        self.last = "%%v%d" % at
        self.lines.append(
            "  %%e%d = tensor.empty() : !%s\n  %s = mli.%s ins(%s : %s) outs(%%e%d : !%s) %s -> !%s"
            % (at, result, self.last, kernel, ", ".join(inputs),
               ", ".join("!" + type for type in types), at, result, rest, result))
        return self.last

    def bottleneck(self):
        start = self.last
        self.add("conv2d", [start, "%expand", "%b16"], ["narrow", "expand", "b16"], "wide",
                 "pad [0, 0, 0, 0]")
        self.add("depthwise_conv2d", [self.last, "%spread", "%b16"], ["wide", "spread", "b16"],
                 "wide", "pad [1, 1, 1, 1]")
        self.add("conv2d", [self.last, "%project", "%b4"], ["wide", "project", "b4"], "narrow",
                 "pad [0, 0, 0, 0]")
        self.add("eltwise_add", [start, self.last], ["narrow", "narrow"], "narrow")

    def finish(self):
        names = ["expand", "spread", "project", "b16", "b4"]
        return "%s\nfunc.func @main(%%x: !narrow, %s) -> !narrow {\n%s\n  return %s : !narrow\n}\n" % (
            "\n".join("!%s = %s" % pair for pair in TYPES.items()),
            ", ".join("%%%s: !%s" % (name, name) for name in names),
            "\n".join(self.lines), self.last)


def write_chain(operations):
    writer = Writer()
    for _ in range(operations // 8):
        writer.bottleneck()
    return writer.finish()


def main():
    tool, folder = sys.argv[1:]
    for arena in "min", "2000":
        option = "--mli-form-streams=arena=%s" % arena
        instruction_counts.check(tool, "FormStreamsPass", option, folder,
                                 {"chain, arena=%s" % arena: write_chain}, COUNTS)


main()
