"""many_parts.py COUNT: so many parts that are inserted into what a function returns."""

import sys


def main():
    count = int(sys.argv[1])
    kind, part = "tensor<%dx!mli.fx8<5>>" % count, "tensor<1x!mli.fx8<5>>"
    lines = ["func.func private @begin() -> %s" % kind,
             "func.func @main(%%p: %s) -> %s {" % (part, kind),
             "  %%w0 = call @begin() : () -> %s" % kind]
    for i in range(count):
        lines.append("  %%w%d = tensor.insert_slice %%p into %%w%d[%d] [1] [1] : %s into %s"
                     % (i + 1, i, i, part, kind))
    lines += ["  return %%w%d : %s" % (count, kind), "}"]
    print("\n".join(lines))


main()
