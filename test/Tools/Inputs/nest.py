# SPDX-License-Identifier: Apache-2.0
#
# Writes texts that are nested: nest.py FOLDER LEVELS..., FOLDER/KIND-LEVELS.mlir,
# and FOLDER/tiles-LEVELS.json.

import os
import sys


def loops(n):
    head = "func.func @main(%map: tensor<4xi8>) -> tensor<4xi8> {\n  %c0 = arith.constant 0 : index\n"
    head += "  %c1 = arith.constant 1 : index\n"
    body = "".join("scf.for %%i%d = %%c0 to %%c1 step %%c1 {\n" % i for i in range(n))
    inner = "  func.call @other() : () -> ()\n"
    tail = "func.func private @other() {\n  return\n}\n"
    return head + body + inner + "}\n" * n + "  return %map : tensor<4xi8>\n}\n" + tail


def attribute(text):
    return "module attributes {mli.x = %s} {}\n" % text


def aliases(n, sigil, first, next, last):
    lines = ["%sa0 = %s\n" % (sigil, first)]
    lines += ["%sa%d = %s\n" % (sigil, i, next % (sigil + "a%d" % (i - 1))) for i in range(1, n)]
    return "".join(lines) + last % (sigil + "a%d" % (n - 1))


def gaps(n, form):
    lines = ["!a0 = i32\n"] + [form % (i, i - 1) for i in range(1, n)]
    return "".join(lines) + "func.func private @f(!a%d)\n" % (n - 1)


KINDS = {
    "modules": lambda n: "module {\n" * n + "}\n" * n,
    "loops": loops,
    "lists": lambda n: attribute("[" * n + "]" * n),
    "tuples": lambda n: "func.func private @f(" + "tuple<" * n + ">" * n + ")\n",
    "locations": lambda n: "func.func private @f() loc(" + "fused[" * n + '"a"' + "]" * n + ")\n",
    "brackets": lambda n: attribute("affine_map<(d0) -> (" + "(" * n + "d0" + ")" * n + ")>"),
    "signs": lambda n: attribute("affine_map<(d0) -> (" + "-" * n + "d0)>"),
    "words": lambda n: attribute(
        "affine_map<(d0)[s0] -> (d0 + s0" + " mod s0 floordiv s0 ceildiv s0" * (n // 3) + ")>"
    ),
    "zeros": lambda n: "// \0\n" + "module {\n" * n + "}\n" * n,
    "sums": lambda n: attribute("affine_map<(d0) -> (" + "d0 + " * n + "d0)>"),
    "attributes": lambda n: aliases(n, "#", "1 : i32", "[%s]", "module attributes {mli.x = %s} {}\n"),
    "types": lambda n: aliases(n, "!", "i32", "tuple<%s>", "func.func private @f(%s)\n"),
    "comments": lambda n: gaps(n, "!a%d // x\n = tuple<!a%d>\n"),
    "lines": lambda n: gaps(n, "!a%d\n=\ntuple\n<!a%d>\n"),
}


def main():
    folder, *levels = sys.argv[1:]
    for n in map(int, levels):
        for kind, write in KINDS.items():
            with open(os.path.join(folder, "%s-%d.mlir" % (kind, n)), "w") as file:
                file.write(write(n))
        with open(os.path.join(folder, "tiles-%d.json" % n), "w") as file:
            file.write("[" * n + "]" * n)


main()
