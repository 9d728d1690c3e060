# SPDX-License-Identifier: Apache-2.0
"""What networks take as C on a Cortex-M7, compiled with -Os: a table in Markdown.

  c-sizes.py MLI_COMPILE MODELS [NETWORK...] [OPTION...]

MODELS is the folder shared/models; without networks, all that can be imported.
Options are those of size_tables.py, and behind `--` those for mli-compile.

Bytes of read-only memory are weights, parameters of quantisation, descriptions and
code; of others those that the caller gives. The stack is that of the function of the
network when it calls a kernel. A layer has its share of descriptions and code. Fails
where anything is in .data or .bss, there, on RISC-V, or on this machine with -fno-pic.
"""

import argparse
import json
import pathlib
import re
import shutil
import sys
import tempfile

import size_tables
from call_graphs import CallGraph
from packages import RUNTIME, call, emit, find_importable, split_options

ARM = "arm-none-eabi-"
COMPILE = ["-std=c99", "-Os", f"-I{RUNTIME}", "-c"]
CORTEX_M7 = [f"{ARM}gcc", "-mcpu=cortex-m7", "-mthumb", "-ffreestanding", *COMPILE]
# Others in which .data has to be empty, where they are installed.
OTHERS = {"riscv64-linux-gnu-gcc": ["-fno-pic"], "gcc": ["-fno-pic"]}
# What a layer takes is told over these together.
TYPICAL = ["resnet8_cifar10", "person_detect", "kws_dscnn", "mobilenet_v2_tf2_ptq"]
# The columns of memory that the caller gives, by their names in net.json.
MEMORIES = {"arena": "arena_bytes", "local": "local_bytes", "state": "state_bytes"}
# Numbers that depend on the compiler for C.
OF_COMPILER = ["code", "stack", "ROM a layer"]
PARAMETERS = re.compile(r"^(?:scales|bits|zeros)_\d")
WRITTEN = re.compile(r"^\.(?:data|bss|sdata|sbss|tdata|tbss)\b(?!\.rel\.ro)")


def get_sections(file):
    """The bytes of each section."""
    lines = call(f"{ARM}size", "-A", file).splitlines()
    found = (re.match(r"(\.\S+)\s+(\d+)", line) for line in lines)
    return {section[1]: int(section[2]) for section in found if section}


def count_sections(sections, prefix):
    return sum(size for name, size in sections.items() if name.startswith(prefix))


def check_written(compiler, file):
    """Fails if `file` has variables."""
    for line in call("readelf", "-SW", file).splitlines():
        found = re.search(r"\] (\.\S+)\s+\S+\s+\S+ \S+ (\S+)", line)
        if found and WRITTEN.match(found[1]) and int(found[2], 16) != 0:
            sys.exit(f"{compiler}: {file.name} has {int(found[2], 16)} bytes of {found[1]}")


def find_jumps(file):
    """Pairs of a function and one of the library that it calls only at its end, when it
    has given its stack back."""
    function, jumps, calls = "", set(), set()
    for line in call(f"{ARM}objdump", "-dr", file).splitlines():
        if started := re.match(r"[0-9a-f]+ <(\w+)>:", line):
            function = started[1]
        if found := re.search(r"R_ARM_THM_(JUMP24|CALL)\s+(mli_\w+)", line):
            (jumps if found[1] == "JUMP24" else calls).add((function, found[2]))
    return jumps - calls


def measure_stack(graph, jumps):
    """The bytes of stack in which net_invoke has called a kernel."""

    def measure(name):
        """0 for what calls no kernel."""
        if name.startswith(("mli_krn_", "mli_mov_", "mli_hlp_")):
            return 1
        depths = [0]
        for callee in graph.callees[name]:
            depth = measure(callee)
            frame = 0 if (name.split(":")[-1], callee) in jumps else graph.frames.get(name, 0)
            depths.append(depth and depth + frame)
        return max(depths)

    return measure("net_invoke") - 1


def measure(tool, network, folder, options):
    """One row: numbers by column."""
    emit(tool, network, folder, options)
    report = json.loads((folder / "net.json").read_text())
    for source in sorted(folder.glob("net*.c")):
        if source.name == "net_test.c":
            continue
        built = source.with_suffix(".o")
        call(*CORTEX_M7, "-fcallgraph-info=su", source, "-o", built)
        check_written("Cortex-M7", built)
        for compiler, flags in OTHERS.items():
            if not shutil.which(compiler):
                continue
            other = source.with_suffix(".other.o")
            call(compiler, *flags, *COMPILE, source, "-o", other)
            check_written(compiler, other)
    sections = get_sections(folder / "net.o")
    symbols = call(f"{ARM}nm", "-S", folder / "net.o").splitlines()
    sizes = [symbol.split() for symbol in symbols]
    parameters = sum(int(size[1], 16) for size in sizes
                     if len(size) == 4 and PARAMETERS.match(size[3]))
    weights = [get_sections(built) for built in sorted(folder.glob("net_weights*.o"))
               if ".other" not in built.suffixes]
    row = {
        "layers": len(report["layers"]),
        "weights": sum(count_sections(part, ".rodata") for part in weights),
        "parameters": parameters,
        "descriptions": count_sections(sections, ".rodata") - parameters,
        "code": count_sections(sections, ".text"),
    }
    function = report["functions"][0]
    for column, key in MEMORIES.items():
        row[column] = function.get(key, 0)
    row["stack"] = measure_stack(CallGraph([folder / "net.ci"]), find_jumps(folder / "net.o"))
    row["ROM a layer"] = round((row["descriptions"] + row["code"]) / row["layers"])
    return row


def main():
    arguments, options = split_options(sys.argv[1:])
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("networks", nargs="*")
    size_tables.add_options(parser)
    given = parser.parse_args(arguments)
    rows = {}
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        names = given.networks or [network.parent.name for network in find_importable(
            given.tool, given.models, temp / "all")]
        for name in names:
            network = given.models / name / "model.tflite"
            rows[name] = measure(given.tool, network, temp / name, options)
    size_tables.finish(rows, given, OF_COMPILER)
    typical = [row for name, row in rows.items() if name in TYPICAL]
    if len(typical) == len(TYPICAL):
        layers = sum(row["layers"] for row in typical)
        total = sum(row["descriptions"] + row["code"] for row in typical)
        mean = sum(row["ROM a layer"] for row in typical) / len(typical)
        print(f"{', '.join(TYPICAL)}: {total / layers:.1f} bytes a layer over all layers, "
              f"{mean:.1f} over networks")


main()
