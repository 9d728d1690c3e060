"""wholes.py MLI_OPT FOLDER: mli-bufferize on functions of few and of many operations that
put a tensor together, part by part: see instruction_counts.py.
"""

import re
import sys

import instruction_counts

PART = "tensor<1x16x!mli.fx8<5>>"
SMALL = "tensor<2x16x!mli.fx8<5>>"
RELU = "{relu = #mli.relu<gen>}"


def whole(operations, begin, reads_back=False, is_seen=False):
    """Parts that `begin`, text of a function with %in, is the first of as %w0. A kernel
    reads all of them after each 8, if `is_seen`."""
    count = operations // 4
    kind = "tensor<%dx16x!mli.fx8<5>>" % count
    lines = []
    for i in range(count):
        source = (kind, "%%w%d[%d" % (i, i - 1)) if reads_back and i else (kind, "%in[0")
        lines.append(
            "  %%s%d = tensor.extract_slice %s, 0] [1, 16] [1, 1] : %s to %s\n"
            "  %%p%d = tensor.extract_slice %%w%d[%d, 0] [1, 16] [1, 1] : %s to %s\n"
            "  %%k%d = mli.relu ins(%%s%d : %s) outs(%%p%d : %s) %s -> %s\n"
            "  %%w%d = tensor.insert_slice %%k%d into %%w%d[%d, 0] [1, 16] [1, 1]"
            " : %s into %s\n"
            % (i, source[1], source[0], PART, i, i, i, kind, PART,
               i, i, PART, i, PART, RELU, PART, i + 1, i, i, i, PART, kind))
        if is_seen and i % 8 == 7:
            lines.append("  %%e%d = tensor.empty() : %s\n" % (i, kind) +
                         "  %%r%d = mli.relu ins(%%w%d : %s) outs(%%e%d : %s) %s -> %s\n"
                         % (i, i + 1, kind, i, kind, RELU, kind))
    return ("func.func private @begin(%s) -> %s\n"
            "func.func @main(%%in: %s) -> %s {\n%s%s  return %%w%d : %s\n}\n"
            % (kind, kind, kind, kind, begin.replace("!whole", kind), "".join(lines),
               count, kind))


EMPTY = "  %w0 = tensor.empty() : !whole\n"


def kernel(operations):
    return whole(operations, EMPTY.replace("w0", "e") +
                 "  %%w0 = mli.relu ins(%%in : !whole) outs(%%e : !whole) %s -> !whole\n"
                 % RELU)


def local(operations):
    """All tensors are in local memory."""
    return ("module attributes {mli.target = #mli.target<vpx>} {\n%s}\n"
            % re.sub(r"(tensor<\d+x16x!mli.fx8<5>)>", r"\1, #mli.space<local>>",
                     whole(operations, EMPTY)))


def slices(operations):
    """What is put together is read from slices of a constant."""
    constant = ("  %%c = mli.constant dense<0> : tensor<%dx16xi8> to !whole\n"
                % (operations // 4))
    return whole(operations, constant + EMPTY).replace("%in[", "%c[")


def moves(operations):
    """A tensor that moves put together, each of a part from a tensor of its own."""
    count = operations // 2
    kind = "tensor<%dx16x!mli.fx8<5>>" % count
    lines = ["  %%w0 = tensor.empty() : %s\n" % kind]
    for i in range(count):
        lines.append("  %%s%d = tensor.empty() : %s\n"
                     "  %%w%d = mli.mov ins(%%s%d : %s) outs(%%w%d : %s) {dst_offsets = "
                     "array<i64: %d, 0>, offsets = array<i64: 0, 0>, sizes = "
                     "array<i64: 1, 16>} -> %s\n"
                     % (i, PART, i + 1, i, PART, i, kind, i, kind))
    return ("func.func @main() -> %s {\n%s  return %%w%d : %s\n}\n"
            % (kind, "".join(lines), count, kind))


def readers(operations):
    """Kernels that all read one argument."""
    kernels = "".join(
        "  %%e%d = tensor.empty() : %s\n"
        "  %%w%d = mli.eltwise_add ins(%%w%d, %%in : %s, %s) outs(%%e%d : %s) -> %s\n"
        % (i, SMALL, i + 1, i, SMALL, SMALL, i, SMALL, SMALL) for i in range(operations // 4))
    return ("func.func @main(%%in: %s, %%w0: %s) -> %s {\n%s  return %%w%d : %s\n}\n"
            % (SMALL, SMALL, SMALL, kernels, operations // 4, SMALL))


def kernels_in_a_row(count, indent):
    """Kernels from %w0 on that compute into one empty tensor, %e."""
    return "".join(
        "%s%%w%d = mli.relu ins(%%w%d : %s) outs(%%e : %s) %s -> %s\n"
        % (indent, i + 1, i, SMALL, SMALL, RELU, SMALL) for i in range(count))


def destination(operations):
    """Kernels in a row that compute into one empty tensor."""
    count = operations // 4
    return ("func.func @main(%%w0: %s) -> %s {\n  %%e = tensor.empty() : %s\n"
            "%s  return %%w%d : %s\n}\n"
            % (SMALL, SMALL, SMALL, kernels_in_a_row(count, "  "), count, SMALL))


def in_loop(operations):
    """The same in a loop, where the empty tensor is from outside."""
    count = operations // 4
    return ("func.func @main(%%in: %s, %%n: index) -> %s {\n  %%e = tensor.empty() : %s\n"
            "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
            "  %%r = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%w0 = %%in) -> %s {\n"
            "%s    scf.yield %%w%d : %s\n  }\n  return %%r : %s\n}\n"
            % (SMALL, SMALL, SMALL, SMALL, kernels_in_a_row(count, "    "), count, SMALL,
               SMALL))


def carried(operations):
    """Loops and conditions in a row that all compute into one empty tensor."""
    add = "mli.eltwise_add ins(%%%s, %%in : %s, %s) outs(%%%s : %s) -> %s"
    blocks = "".join(
        "  %%l%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%t = %%w%d) -> %s {\n"
        "    %%a = %s\n    scf.yield %%a : %s\n  }\n"
        "  %%c%d = arith.cmpi slt, %%c1, %%n : index\n"
        "  %%w%d = scf.if %%c%d -> %s {\n"
        "    %%a = %s\n    scf.yield %%a : %s\n  } else {\n    scf.yield %%l%d : %s\n  }\n"
        % (i, i, SMALL, add % ("t", SMALL, SMALL, "t", SMALL, SMALL), SMALL,
           i + 2, i + 1, i + 2, SMALL,
           add % ("l%d" % i, SMALL, SMALL, "l%d" % i, SMALL, SMALL), SMALL, i, SMALL)
        for i in range(operations // 8))
    return ("func.func @main(%%in: %s, %%n: index) -> %s {\n"
            "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
            "  %%e = tensor.empty() : %s\n"
            "  %%w0 = mli.relu ins(%%in : %s) outs(%%e : %s) %s -> %s\n"
            "%s  return %%w%d : %s\n}\n"
            % (SMALL, SMALL, SMALL, SMALL, SMALL, RELU, SMALL, blocks, operations // 8, SMALL))


def main():
    tool, folder = sys.argv[1:]
    instruction_counts.check(tool, "BufferizePass", "--mli-bufferize", folder, {
        "moves": moves,
        "argument": lambda count: whole(count, "").replace("%w0", "%in"),
        "kernel": kernel,
        "call": lambda count: whole(
            count, "  %w0 = call @begin(%in) : (!whole) -> !whole\n"),
        "constant": lambda count: whole(
            count, "  %%w0 = mli.constant dense<0> : tensor<%dx16xi8> to !whole\n"
            % (count // 4)),
        "seen": lambda count: whole(count, "", is_seen=True).replace("%w0", "%in"),
        "read": lambda count: whole(count, EMPTY, reads_back=True),
        "local": local,
        "slices": slices,
        "readers": readers,
        "destination": destination,
        "in_loop": in_loop,
        "carried": carried,
    })


main()
