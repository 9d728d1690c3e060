# SPDX-License-Identifier: Apache-2.0
"""What programs take on a Cortex-M7 that run a network and nothing else: no files, no
printing, no heap. A table in Markdown, in bytes:

  c-image.py MLI_COMPILE LIBRARY MODELS NETWORK... [--run] [OPTION...]

MODELS is the folder shared/models, and LIBRARY libmli.a of the plain profile in its build
folder. With --run programs run in an emulator, on the first case of the network that they
have inside; fails if a result is another one than that of mli-run. Options are those of
size_tables.py.

Flash is weights, the code of the network with parameters and descriptions of its layers,
kernels, and functions of the C library. RAM is the arena, variables, and a bound of the
stack that net_invoke takes with all that it calls. The case and what starts the board do
not count.
"""

import argparse
import collections
import pathlib
import re
import tempfile

import machines
import size_tables
from packages import call, emit, find_vectors
from stacks import Stacks

# Sections of the map that the linker writes: name, address, bytes and file.
SECTION = re.compile(r"^ (\.\S+|COMMON)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$", re.M)
LONG_NAME = re.compile(r"^( \.\S+)\n\s+", re.M)
# Which part of a program a file is.
PARTS = {
    "weights": re.compile(r"-net_weights\.o$"),
    "network": re.compile(r"-net\.o$"),
    "kernels": re.compile(r"libmli\.a\("),
    "C library": re.compile(r"lib(?:c|m|gcc)\.a\("),
    "program": re.compile(r"-(?:net_test|start|bare)\.o$"),
}
RAM = range(0x20000000, 0x20400000)
OF_COMPILER = ["flash", "network", "kernels", "C library", "RAM", "stack", "variables"]


def read_map(text):
    """The bytes of each part in flash, and in RAM."""
    flash, ram = collections.Counter(), collections.Counter()
    text = LONG_NAME.sub(r"\1 ", text.split("Linker script and memory map")[1])
    for name, address, size, file in SECTION.findall(text.split("\n.comment")[0]):
        (part,) = [part for part, pattern in PARTS.items() if pattern.search(file)]
        if int(address, 16) in RAM:
            ram[part] += int(size, 16)
        # What variables begin with is copied from there.
        if int(address, 16) not in RAM or name.startswith(".data"):
            flash[part] += int(size, 16)
    return flash, ram


def measure(given, network, folder):
    """One row: numbers by column."""
    package = emit(given.tool, network, folder, find_vectors(network))
    program = folder / "net.elf"
    # -save-temps names objects by their sources.
    command = machines.build(
        "cortex-m7-bare", sorted(package.glob("*.c")), given.library, program, "-Os",
        f"-Wl,-Map={folder}/net.map", "-save-temps=obj", "-fcallgraph-info=su",
    )
    if given.run:
        call(*command)
    flash, ram = read_map((folder / "net.map").read_text())
    arena = int(re.search(r"NET_ARENA_BYTES (\d+)", (package / "net.h").read_text())[1])
    stack, _ = Stacks(given.library, folder.glob("*-net.ci")).bound("net_invoke")
    variables = sum(ram[part] for part in PARTS if part != "program")
    parts = {part: flash[part] for part in PARTS if part != "program"}
    return {
        "flash": sum(parts.values()), **parts,
        "RAM": arena + stack + variables, "arena": arena, "stack": stack,
        "variables": variables,
    }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--run", action="store_true")
    size_tables.add_options(parser)
    given = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as temp:
        for name in given.networks:
            network = given.models / name / "model.tflite"
            rows[name] = measure(given, network, pathlib.Path(temp) / name)
    size_tables.finish(rows, given, OF_COMPILER)


main()
