# SPDX-License-Identifier: Apache-2.0
"""Builds and runs guards.c, which runs the C of a network with guards around its
memories, under ASan and UBSan. Where moves are no calls of their own, they copy as late
as they may."""

import pathlib
import re
import subprocess

from packages import RUNTIME, call

INPUTS = pathlib.Path(__file__).resolve().parent
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
HOOKS = ["-DLATE_HOOK", "-include", INPUTS / "late-moves.h"]
COMPILER = ["gcc", "-std=gnu99", "-g", *SANITIZERS, f"-I{RUNTIME}", f"-I{INPUTS}", *HOOKS]


def read_parameters(header):
    """Kind, bytes, alignment and type of each parameter of net_invoke."""
    declaration = re.search(r"net_invoke\((.*?)\);", header, re.S).group(1)
    parameters = []
    for text in " ".join(declaration.split()).split(", "):
        port = re.fullmatch(r"(const )?(\w+) (\w+)\[(\w+)(?: / \d)?\]", text)
        if port:
            kind = "IN" if port.group(1) else "OUT"
            parameters.append((kind, port.group(4), "16", f"{port.group(2)} *"))
        elif text == "net_state *state":
            parameters.append(("STATE", "sizeof(net_state)", "16", "net_state *"))
        else:
            macro = "NET_" + re.fullmatch(r"void \*(\w+)", text).group(1).upper()
            parameters.append(("FREE", f"{macro}_BYTES", f"{macro}_ALIGNMENT", "void *"))
    return parameters


class Guards:
    """The program for the package of a folder, whose net.c may be changed."""

    def __init__(self, build, package):
        self.package = package
        self.library = build / "lib"
        header = (package / "net.h").read_text()
        parameters = read_parameters(header)
        self.kinds, sizes, alignments, types = zip(*parameters)
        arguments = [f"({type})(void *)(memory)[{i}]" for i, type in enumerate(types)]
        reset = "((void)0)"
        if "STATE" in self.kinds:
            reset = f"net_reset({arguments[self.kinds.index('STATE')]})"
        has_device = "For the runtime of mli-mlir" in header
        lines = [
            "typedef enum { IN, OUT, FREE, STATE } memory_kind;",
            f"enum {{ NUM = {len(types)} }};",
            f"#define SIZES {', '.join(sizes)}",
            f"#define ALIGNMENTS {', '.join(alignments)}",
            f"#define KINDS {', '.join(self.kinds)}",
            f"#define INVOKE(memory) net_invoke({', '.join(arguments)})",
            f"#define RESET(memory) {reset}",
            f"enum {{ HAS_DEVICE = {int(has_device)} }};",
        ]
        (package / "guards.h").write_text("\n".join(lines) + "\n")
        sources = [package / "net_weights.c", INPUTS / "guards.c", INPUTS / "late-moves.c"]
        self.objects = [self.compile(path, package / f"{path.stem}.o") for path in sources]

    def compile(self, source, target):
        call(*COMPILER, f"-I{self.package}", "-c", source, "-o", target)
        return target

    def link(self, source):
        """The program with `source` in place of net.c."""
        program = source.with_suffix(".guards")
        objects = [self.compile(source, source.with_suffix(".o")), *self.objects]
        library = [self.library / "libmli.so", f"-Wl,-rpath,{self.library}"]
        call("gcc", *SANITIZERS, *objects, "-o", program, *library, "-pthread")
        return program

    def list_files(self, inputs, outputs):
        """The arguments of the program for a stream of calls."""
        by_kind = {"IN": iter(inputs), "OUT": iter(outputs)}
        return [next(by_kind[kind]) if kind in by_kind else "-" for kind in self.kinds]


def read_elements(path):
    """The elements of a .npy, as the network has them: uint8 is int8 there."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    elements = data[10 + length :]
    is_unsigned = b"|u1" in data[10 : 10 + length]
    return bytes(byte ^ 0x80 for byte in elements) if is_unsigned else elements


def prepare(build, guards, network, inputs, folder, flags=()):
    """The arguments of the program for a stream with the results of mli-run."""
    expected = folder / "expected"
    given = [flag for path in inputs for flag in ("--input", path)]
    call(build / "bin/mli-run", network, "--output-dir", expected, *given, *flags)
    outputs = sorted(expected.glob("*.npy"), key=lambda path: int(path.stem.rsplit("_", 1)[1]))
    files = []
    for path in [*inputs, *outputs]:
        files.append(folder / f"{len(files)}.raw")
        files[-1].write_bytes(read_elements(path))
    return guards.list_files(files[: len(inputs)], files[len(inputs) :])


def run(program, files):
    """Runs the program on the files of all streams."""
    command = [str(part) for part in [program, *files]]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)
