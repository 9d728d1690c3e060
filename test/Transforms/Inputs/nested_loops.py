"""nested_loops.py LEVELS: so many loops around each other that carry a tensor."""

import sys


def main():
    levels = int(sys.argv[1])
    kind = "tensor<4x!mli.fx8<5>>"
    lines = ["func.func @main(%%a: %s, %%n: index) -> %s {" % (kind, kind),
             "  %c0 = arith.constant 0 : index",
             "  %c1 = arith.constant 1 : index"]
    value = "%a"
    for i in range(levels):
        lines.append("  %%r%d = scf.for %%i%d = %%c0 to %%n step %%c1 "
                     "iter_args(%%x%d = %s) -> %s {" % (i, i, i, value, kind))
        value = "%%x%d" % i
    lines += ["  %%e = tensor.empty() : %s" % kind,
              "  %%k = mli.relu ins(%s : %s) outs(%%e : %s) {relu = #mli.relu<gen>} -> %s"
              % (value, kind, kind, kind)]
    value = "%k"
    for i in reversed(range(levels)):
        lines += ["  scf.yield %s : %s" % (value, kind), "  }"]
        value = "%%r%d" % i
    lines += ["  return %s : %s" % (value, kind), "}"]
    print("\n".join(lines))


main()
