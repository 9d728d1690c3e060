#!/usr/bin/env python3
"""Counts the instructions of the inner loops of matrix kernels, from the
disassembly: no load of a machine changes them, and no processor has to have them.

  .ci/loops.py LIBMLI.A PAGE [--fix]

Compares with the table of PAGE, docs/performance.md, and fails where a loop takes more
instructions for a product, or more accesses to the stack. `--fix` writes the rows of
the library's targets instead.
"""

import pathlib
import re
import shutil
import subprocess
import sys

HEADER = "| target | kernel | instructions | multiplications | stack | products | per product | least |"
PAIRS = r"Sa8<N::PairDot<signed char, false>>"
QUADS = r"Sa8<N::QuadDot<\(N::QuadInputs\){}>>"
BYTES = r"Fx16Fx8<short, {}>"
WORDS = r"Fx16Fx16<{}>"
# Target: the namespace of its kernels, and of each kernel its arithmetic and how many
# products an instruction multiplies.
TARGETS = {
    "ssse3": ("N_SSSE3", {"sa8": (PAIRS, 8), "fx16 x fx8": (BYTES.format("false"), 8),
                          "fx16": (WORDS.format("false"), 8)}),
    "sse4": ("N_SSE4", {"sa8": (PAIRS, 8), "fx16 x fx8": (BYTES.format("false"), 8),
                        "fx16": (WORDS.format("false"), 8)}),
    "avx2": ("N_AVX2", {"sa8": (PAIRS, 16), "fx16 x fx8": (BYTES.format("false"), 16),
                        "fx16": (WORDS.format("false"), 16)}),
    "avx2_vnni": ("N_AVX2", {"sa8": (QUADS.format(1), 32),
                             "fx16 x fx8": (BYTES.format("true"), 16),
                             "fx16": (WORDS.format("true"), 16)}),
    "avx3": ("N_AVX3", {"sa8": (PAIRS, 32), "fx16 x fx8": (BYTES.format("false"), 32),
                        "fx16": (WORDS.format("false"), 32)}),
    "avx3_vnni": ("N_AVX3", {"sa8": (QUADS.format(1), 64),
                             "fx16 x fx8": (BYTES.format("true"), 32),
                             "fx16": (WORDS.format("true"), 32)}),
    "neon": ("N_NEON", {"sa8": (PAIRS, 4), "fx16 x fx8": (BYTES.format("false"), 4),
                        "fx16": (WORDS.format("false"), 4)}),
    "neon_dotprod": ("N_NEON", {"sa8": (QUADS.format(2), 16)}),
    "neon_i8mm": ("N_NEON", {"sa8": (QUADS.format(1), 16)}),
}
# 16-bit weights are multiplied byte by byte.
PASSES = {"fx16": 2}

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(?:\{\w+\}\s+)?(\S+)\s*(.*)$")
KERNEL = re.compile(r"(N_\w+)::(\w*Kernel)<(.*?)(?:, N::Simd<int, (\d+)(?:ul)?, 0>"
                    r"(?:, (\d+))?, (\d+))?>::run\(")
# What rows add to the arithmetic, by the class that has the loop.
FORMS = {"TileKernel": "", "PairedTileKernel": ", two groups",
         "MixedTileKernel": ", half a vector more", "PixelKernel": ", one pixel"}
BRANCH = re.compile(r"^(?:j\w+|b|b\.\w+|cbn?z|tbn?z)$")
MULTIPLICATION = re.compile(r"^(?:v?pmaddwd|vpdp(?:busd|wssd)|[su]mlal2?|[su]mull2?|(?:su|us|s|u)dot)$")
# What x29 points to is the frame if it lies below.
STACK = re.compile(r"\(%rsp\)|\(%rsp,|\[sp\b|\[x29, #-")


def disassemble(library):
    """Function -> its instructions: address, name and operands."""
    tool = shutil.which("llvm-objdump-22") or "llvm-objdump"
    text = subprocess.run([tool, "-d", "-C", "--no-show-raw-insn", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    functions, current = {}, []
    for line in text.splitlines():
        start = FUNCTION.match(line)
        if start:
            current = functions.setdefault(start.group(1), [])
            continue
        found = INSTRUCTION.match(line)
        if found:
            current.append((int(found.group(1), 16), found.group(2), found.group(3)))
    return functions


def inner_loop(code):
    """The loop with the most multiplications among those that have none inside."""
    loops = []
    for address, name, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands) if BRANCH.match(name) else None
        if target and code[0][0] <= int(target.group(1), 16) <= address:
            loops.append((int(target.group(1), 16), address))
    inner = [loop for loop in loops
             if not any(other != loop and other[0] >= loop[0] and other[1] <= loop[1]
                        for other in loops)]
    bodies = [[each for each in code if first <= each[0] <= last] for first, last in inner]
    return max(bodies, key=multiplications, default=[])


def multiplications(body):
    return sum(1 for _, name, _ in body if MULTIPLICATION.match(name))


def find_kernels(functions):
    """(Namespace, arithmetic, class) -> the code of the largest tile, of those of one and
    two vectors; of equal ones, that of two. Tiles of four vectors have a single pixel."""
    kernels = {}
    for name, code in functions.items():
        short = re.sub(r"\b(?:mli::rt::simd::|hwy::)?N_(?!\w+::\w*Kernel<)\w+::", "N::", name)
        short = short.replace("mli::rt::simd::QuadInputs", "N::QuadInputs")
        found = KERNEL.search(short)
        if not found or found.group(2) not in FORMS:
            continue
        space, kind, arithmetic = found.group(1, 2, 3)
        if arithmetic.startswith("N::"):
            arithmetic = arithmetic[3:]
        lanes, vectors, pixels = (int(found.group(i) or 1) for i in (4, 5, 6))
        if vectors > 2:
            continue
        key = (space, arithmetic, kind)
        kernels[key] = max(kernels.get(key, ((), [])),
                           ((lanes * vectors * pixels, vectors), code))
    return {key: code for key, (_, code) in kernels.items()}


def count(library):
    """(Target, kernel) -> the row of the table, of the library's targets."""
    found = find_kernels(disassemble(library))
    rows = {}
    for target, (space, kernels) in TARGETS.items():
        for kernel, (pattern, products_at_once) in kernels.items():
            for (where, arithmetic, kind), code in found.items():
                # Weights of one pixel are read once, and stay bytes.
                wanted = (pattern.replace("<short", "<signed char")
                          if kind == "PixelKernel" else pattern)
                if where != space or not re.fullmatch(wanted, arithmetic):
                    continue
                body = inner_loop(code)
                times = multiplications(body)
                products = times * products_at_once // PASSES.get(kernel, 1)
                if products == 0:
                    sys.exit(f"expected multiplications in the inner loop of {kernel} of "
                             f"{target}, but got none")
                stack = sum(1 for _, _, operands in body if STACK.search(operands))
                rows[target, kernel + FORMS[kind]] = (len(body), times, stack, products)
    return rows


def row_text(key, row):
    instructions, times, stack, products = row
    return (f"| {key[0]} | {key[1]} | {instructions} | {times} | {stack} | {products} "
            f"| {instructions / products:.4f} | {times / products:.4f} |")


def read_table(lines):
    """The rows of the table after HEADER, and the lines that it takes."""
    if HEADER not in lines:
        sys.exit(f"expected the table '{HEADER}', but got none")
    first = last = lines.index(HEADER) + 2
    rows = {}
    while last < len(lines) and lines[last].startswith("|"):
        cells = [cell.strip() for cell in lines[last].strip("|").split("|")]
        rows[cells[0], cells[1]] = tuple(map(int, cells[2:6]))
        last += 1
    return rows, first, last


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    library, page = sys.argv[1], pathlib.Path(sys.argv[2])
    lines = page.read_text().split("\n")
    table, first, last = read_table(lines)
    now = count(library)
    if not now:
        sys.exit(f"expected matrix kernels in '{library}', but got none")
    if sys.argv[3:] == ["--fix"]:
        spaces = {TARGETS[target][0] for target, _ in now}
        table = {key: row for key, row in table.items() if TARGETS[key[0]][0] not in spaces}
        table.update(now)
        ordered = [(target, kernel + form) for target, (_, kernels) in TARGETS.items()
                   for form in FORMS.values() for kernel in kernels
                   if (target, kernel + form) in table]
        lines[first:last] = [row_text(key, table[key]) for key in ordered]
        page.write_text("\n".join(lines))
        return
    status = 0
    spaces = {TARGETS[target][0] for target, _ in now}
    for target, kernel in table:
        if TARGETS[target][0] in spaces and (target, kernel) not in now:
            print(f"expected a loop of {kernel} of {target} in '{library}', but got none")
            status = 1
    for key, row in now.items():
        name = f"{key[1]} of {key[0]}"
        if key not in table:
            print(f"expected a row of {name} in {page}, but got none")
            status = 1
            continue
        instructions, _, stack, products = row
        old = table[key]
        if instructions * old[3] > old[0] * products:
            print(f"expected the inner loop of {name} to take at most {old[0]} instructions "
                  f"for {old[3]} products, but got {instructions} for {products}")
            status = 1
        if stack > old[2]:
            print(f"expected the inner loop of {name} to use the stack at most {old[2]} "
                  f"times, but got {stack}")
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
