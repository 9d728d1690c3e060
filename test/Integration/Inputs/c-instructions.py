# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of one run outside of kernels: of the C, and of what mli-run
compiles with --packed-weights=none.

  c-instructions.py BUILD TEMP NETWORK.tflite... [-- OPTION...]

Kernels do nothing here but return that all is well, so what is counted is descriptions
that are made, calls and tests of their status. The C is built by gcc -O2, the other by
clang -O0, as mli-run does, and -O2. The options are for mli-compile. Fails where the C
takes more than mli-run does.
"""

import json
import pathlib
import re
import sys

from packages import RUNTIME, call, emit, split_options

GCC = ["gcc", "-std=c99", "-O2", "-no-pie", "-fno-pic"]
COUNT = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
# Of memory descriptors only the address is read. No network here has more bytes.
DRIVER = """static char memory[%d];
static void *descriptor[24] = {memory, memory};
int %s();
int main(void) { return %s(%s); }
"""


def link(objects, function, arguments, folder):
    """A program that calls `function` once, with kernels that do nothing."""
    memory = 1 << 24
    driver = folder / "driver.c"
    driver.write_text(DRIVER % (memory, function, function, ", ".join(arguments)))
    missing = set()
    for built in objects:
        missing |= set(re.findall(r"\bU (mli_\w+)", call("nm", "-u", built)))
    stubs = folder / "stubs.c"
    stubs.write_text("".join(
        f"int {name}(void);\nint {name}(void) {{ return 0; }}\n" for name in sorted(missing)))
    program = folder / function
    # Without prototypes, as arguments are all addresses.
    call(*GCC, "-w", driver, stubs, *objects, "-o", program)
    return program


def count(program, function):
    """Instructions of `function` and what it calls."""
    run = call("sh", "-c", '"$@" 2>&1', "sh", *COUNT, f"--toggle-collect={function}", program)
    return int(re.search(r"Collected : (\d+)", run)[1])


def count_c(build, network, folder, options):
    emit(build / "bin/mli-compile", network, folder / "c", options)
    objects = []
    for source in (folder / "c/net.c", folder / "c/net_weights.c"):
        objects.append(source.with_suffix(".o"))
        call(*GCC, f"-I{RUNTIME}", "-c", source, "-o", objects[-1])
    report = json.loads((folder / "c/net.json").read_text())["functions"][0]
    ports = len(report["inputs"]) + len(report["outputs"]) + 1
    program = link(objects, "net_invoke", ["memory"] * ports, folder)
    return count(program, "net_invoke"), ports


def count_llvm(build, network, folder, ports, level):
    """The same of the LLVM form, on memory in as many descriptors."""
    if not (folder / "net.ll").exists():
        call(build / "bin/mli-translate", "--import-tflite", network, "-o", folder / "net.mlir")
        call(build / "bin/mli-opt", folder / "net.mlir",
             "--mli-system-pipeline=packed-weights=none", "-o", folder / "llvm.mlir")
        call(build / "bin/mli-translate", "--mlir-to-llvmir", folder / "llvm.mlir",
             "-o", folder / "net.ll")
        text = (folder / "net.ll").read_text().replace("@main(", "@invoke(")
        (folder / "net.ll").write_text(text)
    call("clang-22", "-w", level, "-c", folder / "net.ll", "-o", folder / "llvm.o")
    name = "_mlir_ciface_main"
    program = link([folder / "llvm.o"], name, ["descriptor"] * ports, folder)
    return count(program, name)


def main():
    arguments, options = split_options(sys.argv[1:])
    build, temp = map(pathlib.Path, arguments[:2])
    wrong = 0
    for network in map(pathlib.Path, arguments[2:]):
        folder = temp / network.parent.name
        folder.mkdir(parents=True)
        instructions, ports = count_c(build, network, folder, options)
        others = [count_llvm(build, network, folder, ports, level) for level in ("-O0", "-O2")]
        print(f"{folder.name}: {instructions} instructions as C, {others[0]} in mli-run, "
              f"{others[1]} with -O2")
        wrong += instructions > others[0]
    print(f"{wrong} networks whose C takes more")
    sys.exit(1 if wrong else 0)


main()
