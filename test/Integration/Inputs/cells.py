# SPDX-License-Identifier: Apache-2.0
"""Runs recurrent cells in local memories that do not hold them, where they are computed
step by step, and compares the bytes with those of system memory: cells.py MLI-RUN FOLDER"""

import dataclasses
import itertools
import math
import pathlib
import random
import re
import subprocess
import sys

SIZES = {"lstm": 4, "gru": 3}
STORAGE = {"fx8": "i8", "fx16": "i16", "sa8": "i8", "sa32": "i32"}
# The scales of gates: of weights of 2^-21, and of the products with inputs of 2^-6.
SCALES = [16384, 20000, 30000, 18001]
DTYPES = {"i8": "i1", "i16": "i2", "i32": "i4"}
MOVED = re.compile(r"^moved \S+ bytes, (\S+) in and (\S+) out: (\S+) of the least", re.M)


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def get_storage(element):
    return STORAGE[element[len("!mli."):element.index("<")]]


def get_elements(types):
    """The elements of input, state, cell, weights, recurrent weights and bias."""
    if types == "sa8":
        return ("!mli.sa8<16384:20:-3>", "!mli.sa8<16384:21:0>", "!mli.sa8<16384:19:2>",
                "!mli.sa8<16384:21:0>", "!mli.sa8<12000:21:0>", "!mli.sa32<16384:27:0>")
    if types == "sa8 per gate":
        def per_gate(kind, frac, scales):
            return f"!mli.{kind}<axis = 0, {{{', '.join(f'{s}:{frac}:0' for s in scales)}}}>"
        return (*get_elements("sa8")[:3], per_gate("sa8", 21, SCALES),
                per_gate("sa8", 21, reversed(SCALES)), per_gate("sa32", 27, SCALES))
    weights = "!mli.fx8<7>" if types == "fx16 with fx8" else "!mli.fx16<15>"
    return ("!mli.fx16<12>", "!mli.fx16<15>", "!mli.fx16<12>", weights, weights,
            weights.replace("15", "14"))


@dataclasses.dataclass(frozen=True)
class Cell:
    kind: str = "lstm"
    types: str = "sa8"
    steps: int = 5
    inputs: int = 24
    outputs: int = 20
    attributes: str = ""
    # The element of the output before the first step, if it is another one.
    previous: str = ""
    tables: str = ""

    def name(self):
        return " ".join(str(value) for value in dataclasses.astuple(self) if value)

    def text(self):
        """The program, and shapes and storage types of its arguments."""
        numbers = random.Random(self.name())
        gates, count, size = SIZES[self.kind], self.inputs, self.outputs
        element, state, cell, weights, recurrent, bias = get_elements(self.types)
        if gates == 3:
            weights, recurrent, bias = (
                re.sub(r"(, [^,]*)}>", "}>", each) for each in (weights, recurrent, bias))
        lines = []

        def constant(name, shape, own, limit):
            codes = [numbers.randint(-limit, limit) for _ in range(math.prod(shape))]
            width = int(get_storage(own)[1:]) // 8
            text = b"".join(code.to_bytes(width, "little", signed=True) for code in codes).hex()
            lines.append(f'%{name} = mli.constant dense<"0x{text}"> : '
                         f"{tensor(shape, get_storage(own))} to {tensor(shape, own)}")

        limit = 40 * (256 if get_storage(weights) == "i16" else 1)
        constant("weights", (gates, count, size), weights, limit)
        constant("recurrent", (gates, size, size), recurrent, limit)
        constant("bias", (gates, size), bias, 100)
        rows = self.steps if "all_results" in self.attributes else 1
        arguments = [((self.steps, count), element), ((size,), self.previous or state)]
        types = [tensor(*arguments[0]), tensor(*arguments[1]), tensor((gates, count, size), weights),
                 tensor((gates, size, size), recurrent), tensor((gates, size), bias)]
        inits, results = ["%init"], [tensor((rows, size), state)]
        lines.append(f"%init = tensor.empty() : {results[0]}")
        if self.kind == "lstm":
            arguments.append(((size,), cell))
            inits.insert(0, "%a2")
            results.insert(0, tensor((size,), cell))
        tables = attributes = ""
        for function, length in (("tanh", 344), ("sigm", 320)) if self.tables else ():
            own = tensor((length,), "!mli.fx16<15>")
            if self.tables == "own":
                # Of no function, and of another format than mli.lut makes.
                own = tensor((length + 9,), "!mli.fx16<13>")
                constant(function, (length + 9,), "!mli.fx16<13>", 9000)
                attributes += f", {function}_lut_format = #mli.lut_format<in_frac_bits = 4, input_offset = 99>"
            else:
                lines.append(f"%{function}_init = tensor.empty() : {own}")
                lines.append(f"%{function} = mli.lut outs(%{function}_init : {own}) "
                             f"{{function = #mli.lut_function<{function}>}} -> {own}")
            tables += f" {function}_lut(%{function} : {own})"
        attributes = (self.attributes + attributes).lstrip(", ")
        names = [f"%r{i}" for i in range(len(results))]
        lines.append(
            f"{', '.join(names)} = mli.{self.kind}_cell ins(%a0, %a1, %weights, %recurrent, %bias : "
            f"{', '.join(types)}){tables} outs({', '.join(inits)} : {', '.join(results)}) "
            f"{{{attributes}}} -> {', '.join(results)}")
        lines.append(f"return {', '.join(names)} : {', '.join(results)}")
        head = ", ".join(f"%a{i}: {tensor(*each)}" for i, each in enumerate(arguments))
        body = "\n  ".join(lines)
        text = f"func.func @main({head}) -> ({', '.join(results)}) {{\n  {body}\n}}\n"
        return text, [(shape, get_storage(own)) for shape, own in arguments]


class Runner:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        folder.mkdir(parents=True, exist_ok=True)

    def prepare(self, cell):
        """The command that runs `cell`."""
        text, arguments = cell.text()
        (self.folder / "cell.mlir").write_text(text)
        numbers = random.Random(f"arguments of {cell.name()}")
        command = [self.tool, self.folder / "cell.mlir"]
        for i, (shape, storage) in enumerate(arguments):
            limit = 2 ** (int(storage[1:]) - 1)
            values = [str(numbers.randint(-limit, limit - 1)) for _ in range(math.prod(shape))]
            path = self.folder / f"{i}.npy"
            subprocess.run([sys.executable, pathlib.Path(__file__).parent / "make-npy.py", path,
                            DTYPES[storage], "x".join(map(str, shape)), *values], check=True)
            command += ["--input", path]
        return command

    def run(self, cell, targets):
        """Runs `cell` on each of `targets`; pairs of what it moves and whether it differs."""
        command = self.prepare(cell)
        whole = self.results(command)[0]
        for target, doubling in targets:
            found, said = self.results([
                *command, "--placement", "local", "--target", target, "--double-buffer", doubling,
                "--stats"])
            if found != whole:
                print(f"{cell.name()} on {target}, {doubling}: differs")
            yield MOVED.search(said), found != whole

    def results(self, command):
        folder = self.folder / "results"
        for old in folder.glob("*"):
            old.unlink()
        done = subprocess.run([str(part) for part in [*command, "--output-dir", folder]],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        return [file.read_bytes() for file in sorted(folder.glob("*"))], done.stdout


FORMS = ["", "all_results", "backward", "all_results, backward"]
SMALL = [("vpx,npu-bytes=3072", "off"), ("custom,npus=4,unit=16,npu-bytes=3072", "auto")]
LARGE = ["vpx,npu-bytes=65536", "vpx,npu-bytes=16384", "custom,npus=4,npu-bytes=16384"]


def make_cells():
    """Each form of each kind of cell and type, functions, tables and first steps."""
    types = ["fx16", "fx16 with fx8", "sa8", "sa8 per gate"]
    for kind, form, each in itertools.product(SIZES, FORMS, types):
        yield Cell(kind, each, attributes=form)
    for act, each in itertools.product(["tanh", "sigm"], ["fx16", "sa8"]):
        yield Cell("lstm", each, attributes=f"act = #mli.rnn_act<{act}>")
    for kind, tables in itertools.product(SIZES, ["made", "own"]):
        yield Cell(kind, "fx16", tables=tables, attributes="all_results")
        yield Cell(kind, "sa8 per gate", tables=tables)
    for kind, steps in itertools.product(SIZES, [1, 2, 3]):
        yield Cell(kind, "sa8", steps, previous="!mli.sa8<20000:20:9>",
                   attributes="all_results, backward")
        yield Cell(kind, "fx16 with fx8", steps, previous="!mli.fx16<13>")
    for kind in SIZES:
        yield Cell(kind, "sa8", steps=1)


def main():
    runner = Runner(sys.argv[1], pathlib.Path(sys.argv[2]))
    runs = differ = 0
    for cell in make_cells():
        for _, is_other in runner.run(cell, SMALL):
            runs, differ = runs + 1, differ + is_other
    print(f"{runs} runs, {differ} differ")
    for kind, types in itertools.product(SIZES, ["sa8", "sa8 per gate"]):
        cell = Cell(kind, types, 4, 128, 128)
        for doubling in ["off", "auto"]:
            targets = [(target, doubling) for target in LARGE]
            for (target, _), (moved, is_other) in zip(targets, runner.run(cell, targets)):
                into, out, factor = moved.groups()
                print(f"{kind} {types}, {target}, {doubling}: in {into}, out {out}, {factor} of "
                      f"the least, {'differs' if is_other else 'same bytes'}")


main()
