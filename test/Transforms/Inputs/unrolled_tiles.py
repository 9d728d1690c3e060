"""unrolled_tiles.py MLI_OPT FOLDER: mli-tile-to-fit on a kernel with few and with many
tiles, each of them written by itself: see instruction_counts.py.
"""

import sys

import instruction_counts

ELEMENT = "!mli.sa8<1:4:-128>"


def rows(operations):
    """A slice of each operand, a kernel and an insertion for each row."""
    kind = "tensor<%dx8x8x%s>" % (operations // 4, ELEMENT)
    return ("module attributes {mli.target = #mli.target<vpx, npu_bytes = 1024>} {\n"
            "func.func @main(%%a: %s, %%b: %s) -> %s {\n  %%e = tensor.empty() : %s\n"
            "  %%out = mli.eltwise_add ins(%%a, %%b : %s, %s) outs(%%e : %s)\n"
            "    {mli.tile = {order = array<i64: 0>, sizes = array<i64: 1, 8, 8>}} -> %s\n"
            "  return %%out : %s\n}\n}\n" % ((kind,) * 9))


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "TileToFitPass", "--mli-tile-to-fit=unroll=10000",
                             folder, {"rows": rows})


main()
