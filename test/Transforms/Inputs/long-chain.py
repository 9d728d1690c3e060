"""long-chain.py MLI_OPT FOLDER: mli-assign-addresses on functions of 25,000 and of
100,000 operations, half of them kernels in a chain with skip connections, in system
memory and in local memory with banks.

Fails where the many take far more than their part: see linear_time.py.
"""

import functools
import sys

import linear_time

COUNTS = 25000, 100000
MAP = "memref<4x4x8x!mli.sa8<1:4:0>>"
# Where buffers lie, and the target.
PLACES = {"system": (MAP, ""),
          "local": (MAP[:-1] + ", #mli.space<local>>",
                    " attributes {mli.target = #mli.target<vpx, banks = 16>}")}


def write(place, path, operations):
    """Every third kernel adds what came three before it, every fourth works in place."""
    buffer, target = PLACES[place]
    alloc = "mli.alloc" if target else "memref.alloc()"
    with open(path, "w") as file:
        file.write("!p = %s\n!b = %s\nmodule%s {\nfunc.func @main(%%in: !p, %%out: !p) "
                   "{\n  %%b0 = %s : !b\n  mli.mov ins(%%in : !p) outs(%%b0 : !b)\n"
                   % (MAP, buffer, target, alloc))
        for i in range(1, operations // 2):
            file.write("  %%b%d = %s : !b\n" % (i, alloc))
            if i % 3 == 0:
                file.write("  mli.eltwise_add ins(%%b%d, %%b%d : !b, !b) outs(%%b%d : !b)\n"
                           % (i - 1, i - 3, i))
            elif i % 4 == 0:
                file.write("  mli.relu ins(%%b%d : !b) outs(%%b%d : !b) {relu = #mli.relu<gen>}\n"
                           % (i - 1, i))
            else:
                file.write("  mli.permute ins(%%b%d : !b) outs(%%b%d : !b) permutation [0, 1, 2]\n"
                           % (i - 1, i))
        file.write("  mli.mov ins(%%b%d : !b) outs(%%out : !p)\n  return\n}\n}\n"
                   % (operations // 2 - 1))


def main():
    tool, folder = sys.argv[1:]
    for place in PLACES:
        linear_time.check(place, tool, "--mli-assign-addresses", folder, COUNTS,
                          functools.partial(write, place))


main()
