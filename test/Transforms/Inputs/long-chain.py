"""long-chain.py MLI_OPT FOLDER: mli-assign-addresses on functions of few and of many
operations, half of them kernels in a chain with skip connections, in system memory and
in local memory with banks: see instruction_counts.py.
"""

import functools
import sys

import instruction_counts

MAP = "memref<4x4x8x!mli.sa8<1:4:0>>"
# Where buffers lie, and the target.
PLACES = {"system": (MAP, ""),
          "local": (MAP[:-1] + ", #mli.space<local>>",
                    " attributes {mli.target = #mli.target<vpx, banks = 16>}")}


def write(place, operations):
    """Every third kernel adds what came three before it, every fourth works in place."""
    buffer, target = PLACES[place]
    alloc = "mli.alloc" if target else "memref.alloc()"
    lines = ["!p = %s\n!b = %s\nmodule%s {\nfunc.func @main(%%in: !p, %%out: !p) "
               "{\n  %%b0 = %s : !b\n  mli.mov ins(%%in : !p) outs(%%b0 : !b)\n"
               % (MAP, buffer, target, alloc)]
    for i in range(1, operations // 2):
        lines.append("  %%b%d = %s : !b\n" % (i, alloc))
        if i % 3 == 0:
            lines.append("  mli.eltwise_add ins(%%b%d, %%b%d : !b, !b) outs(%%b%d : !b)\n"
                         % (i - 1, i - 3, i))
        elif i % 4 == 0:
            lines.append("  mli.relu ins(%%b%d : !b) outs(%%b%d : !b) {relu = #mli.relu<gen>}\n"
                         % (i - 1, i))
        else:
            lines.append("  mli.permute ins(%%b%d : !b) outs(%%b%d : !b) permutation [0, 1, 2]\n"
                         % (i - 1, i))
    lines.append("  mli.mov ins(%%b%d : !b) outs(%%out : !p)\n  return\n}\n}\n"
                 % (operations // 2 - 1))
    return "".join(lines)


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "AssignAddressesPass", "--mli-assign-addresses", folder,
                             {place: functools.partial(write, place) for place in PLACES})


main()
