# SPDX-License-Identifier: Apache-2.0
"""Compares a network with references over a folder of inputs.

    python3 -m mli_mlir.accuracy net.tflite --inputs pictures --references wanted

`--inputs` holds `CASE.npy`, or `CASE.K.npy` for input K, or pictures `CASE.png`.
`--references` holds `CASE.K.npy`, output K, and, where layers are to be compared,
`CASE/opNN_*.npy`, the result of operator NN: in codes, or in values as float32.
`--write-references DIR` makes them by the interpreter of TFLite that is installed.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import _capi
from ._cases import Array, Case, CaseError, find_cases
from ._comparison import Comparison, Ranking
from ._references import read_input, write_references

_TYPES = {"int8": np.int8, "uint8": np.uint8, "int16": np.int16, "int32": np.int32}


@dataclass
class Format:
    """What codes mean: (code - zero_point) * scale."""

    scale: float
    zero_point: int

    def encode(self, reference: Array) -> Array:
        """The codes of `reference`, unrounded if that has values."""
        if reference.dtype.kind != "f":
            return reference
        return reference / self.scale + self.zero_point


class Tools:
    """The programs mli-run and mli-translate."""

    def __init__(self, folder: str | None, arguments: list[str]) -> None:
        self.folder = folder
        self.arguments = arguments

    def call(self, name: str, *arguments: str) -> str:
        """Runs a program; its diagnostics become an exception."""
        folder = self.folder or _capi.tools
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PATH")]))
        program = shutil.which(name, path=path)
        if program is None:
            raise CaseError(
                f"expected '{name}' in --tools, near the library or in PATH, but got none"
            )
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise CaseError(f"{name} failed:\n{done.stderr.strip()}")
        return done.stdout

    def run(self, network: Path, inputs: list[Path], folder: Path) -> None:
        """Writes results to `folder`/out and those of layers to `folder`/layers."""
        arguments = [f"--input={k}={path}" for k, path in enumerate(inputs)]
        arguments += [f"--output-dir={folder / 'out'}", "--top=1"]
        arguments += [f"--record={folder / 'layers'}", *self.arguments]
        self.call("mli-run", str(network), *arguments)


class Network:
    """Tensors of a .tflite file: inputs, outputs and results of operators."""

    def __init__(self, path: Path, tools: Tools) -> None:
        self.path = path
        report = json.loads(tools.call("mli-translate", "--inspect", "--json", str(path)))
        if "tensors" not in report:
            raise CaseError(f"expected '{path}' to be a .tflite file, but got another")
        self.tensors = report["tensors"]
        self.operators = report["operators"]
        inputs, outputs = _find_ends(report)
        self.inputs = [self.tensors[i] for i in inputs]
        self.outputs = [self.tensors[i] for i in outputs]

    def format_of_layer(self, number: int, type: str) -> Format:
        """The format of the result of an operator, which is `type` in the program.

        The program has powers of two for scales of 16 bits.
        """
        results = self.operators[number]["outputs"]
        tensor = self.tensors[results[0]] if results else {}
        if "fx16" in type and tensor.get("type") == "int16" and "scales" in tensor:
            return self.format_of(tensor)
        return _format(type)

    @staticmethod
    def format_of(tensor: dict[str, Any]) -> Format:
        """The format of a tensor; that of its codes if it has none."""
        scales = tensor.get("scales", [1.0])
        points = tensor.get("zero_points", [0])
        return Format(scales[0], int(points[0]))

    def read_inputs(self, case: Case, folder: Path) -> list[Path]:
        """Writes pictures as tensors; checks that there is one for each input."""
        paths = []
        for number, tensor in enumerate(self.inputs):
            path = case.files.get(number)
            if path is None:
                raise CaseError(f"expected input {number} of '{case.name}', but got none")
            dtype = np.dtype(_TYPES.get(tensor["type"], np.float32))
            values = read_input(path, tuple(tensor["shape"]), dtype)
            if path.suffix != ".npy":
                path = folder / f"input_{number}.npy"
                np.save(path, values)
            paths.append(path)
        return paths


def _find_ends(report: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Inputs and outputs of what is left where the ends of a network are cut off."""
    inputs, outputs, cuts = report["inputs"], report["outputs"], report["cuts"]
    cut = {number for part in cuts for number in part["operators"]}
    computed, read, kept = set(), set(), set()
    for number, operator in enumerate(report["operators"]):
        read.update(operator["inputs"])
        if number in cut:
            computed.update(operator["outputs"])
        else:
            kept.update(operator["inputs"])
    outputs = [i for i in outputs if i not in computed]
    outputs += [i for part in cuts if part["behind"] for i in part["tensors"]]
    kept.update(outputs)
    inputs = [i for i in inputs if i in kept or i not in read]
    inputs += [i for part in cuts if not part["behind"] for i in part["tensors"]]
    return inputs, outputs


def _layers(folder: Path) -> Iterator[tuple[int, str, Array, str]]:
    """Yields number, name, codes and type of each operator that was recorded.

    Of several kernels the last one gives the result of an operator.
    """
    last = {}
    for layer in json.loads((folder / "layers.json").read_text())["layers"]:
        match = re.search(r"operator (\d+) \(", layer["name"])
        if match and "file" in layer:
            last[int(match[1])] = layer
    for number, layer in last.items():
        yield number, layer["name"], np.load(folder / layer["file"]), layer["type"]


def _format(type: str) -> Format:
    """What codes of a tensor of the dialect mean."""
    asymmetric = re.search(r"<(\d+):(-?\d+):(-?\d+)>", type)
    if asymmetric:
        scale = int(asymmetric[1]) * 2.0 ** -int(asymmetric[2])
        return Format(scale, int(asymmetric[3]))
    fixed = re.search(r"fx(?:8|16)<(-?\d+)>", type)
    return Format(2.0 ** -int(fixed[1]) if fixed else 1.0, 0)


class Accuracy:
    """All that is compared."""

    def __init__(self, network: Network, labels: dict[str, int]) -> None:
        self.network = network
        self.labels = labels
        self.outputs = [Comparison(t["name"]) for t in network.outputs]
        self.rankings = [Ranking() for _ in network.outputs]
        self.layers: dict[int, Comparison] = {}

    def add(self, case: Case, references: Path, folder: Path) -> None:
        """Adds the results that `folder` has of `case`."""
        for number, tensor in enumerate(self.network.outputs):
            path = references / f"{case.name}.{number}.npy"
            if number == 0 and not path.exists():
                path = references / f"{case.name}.npy"
            if not path.exists():
                raise CaseError(f"expected '{path}', but got none")
            ours = np.load(folder / "out" / f"output_{number}.npy")
            wanted = self._load(path, ours, Network.format_of(tensor))
            point = Network.format_of(tensor).zero_point
            self.outputs[number].add(case.name, ours, wanted, point)
            self.rankings[number].add(ours, wanted, self.labels.get(case.name))
        for number, name, ours, type in _layers(folder / "layers"):
            found = self.network.format_of_layer(number, type)
            files = sorted((references / case.name).glob(f"op{number:02}_*.npy"))
            if not files:
                continue
            wanted = self._load(files[0], ours, found)
            comparison = self.layers.setdefault(number, Comparison(name))
            comparison.add(case.name, ours, wanted, found.zero_point)

    @staticmethod
    def _load(path: Path, ours: Array, found: Format) -> Array:
        reference = np.load(path, allow_pickle=False)
        if reference.size != ours.size:
            raise CaseError(
                f"expected '{path}' to have {ours.size} elements, "
                f"but got {reference.size}"
            )
        if reference.dtype.kind != "f" and reference.dtype != ours.dtype:
            raise CaseError(
                f"expected '{path}' to be {ours.dtype} or float32, "
                f"but got {reference.dtype}"
            )
        return found.encode(reference)

    def to_json(self) -> dict[str, Any]:
        """What the table has."""
        def describe(part: Comparison) -> dict[str, Any]:
            sqnr = part.sqnr if math.isfinite(part.sqnr) else None
            return {
                "name": part.name,
                "cases": part.cases,
                "elements": part.elements,
                "equal": part.equal,
                "largest": part.largest,
                "sqnr": sqnr,
                "worst": part.worst,
            }

        outputs = []
        for part, ranking in zip(self.outputs, self.rankings):
            outputs.append({**describe(part), **vars(ranking)})
        layers = [
            {"operator": number, **describe(part)}
            for number, part in sorted(self.layers.items())
        ]
        return {"version": 1, "outputs": outputs, "layers": layers}

    def print(self) -> None:
        """Prints the outputs, then the layers, as tables."""
        rows = [["output", "equal", "largest", "SQNR", "worst", "top-1", "top-5"]]
        for part, ranking in zip(self.outputs, self.rankings):
            counts = [f"{n} of {ranking.cases}" for n in (ranking.top1, ranking.top5)]
            rows.append(_row(part) + counts)
        _print_table(rows)
        for ranking in self.rankings:
            if ranking.labelled:
                print(
                    f"right by labels: {ranking.right} of {ranking.labelled}, "
                    f"reference: {ranking.reference_right}"
                )
        if self.layers:
            head = ["layer", "equal", "largest", "SQNR", "worst"]
            _print_table([head] + [_row(self.layers[n]) for n in sorted(self.layers)])


def _row(part: Comparison) -> list[str]:
    sqnr = f"{part.sqnr:.1f} dB" if math.isfinite(part.sqnr) else "exact"
    if part.sqnr == -math.inf:
        sqnr = "no signal"
    largest = f"{part.largest:.3g}"
    share = f"{part.equal} of {part.elements}"
    return [part.name, share, largest, sqnr, part.worst if part.largest else ""]


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        print("  ".join(cells).rstrip())


def _read_labels(path: Path | None) -> dict[str, int]:
    if path is None:
        return {}
    with path.open(newline="") as lines:
        return {row[0]: int(row[1]) for row in csv.reader(lines) if row}


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m mli_mlir.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("network", type=Path, help="a .tflite file")
    parser.add_argument("--inputs", type=Path, required=True, metavar="DIR")
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--references", type=Path, metavar="DIR")
    group.add_argument("--write-references", type=Path, metavar="DIR")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="CSV: case, class")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables here")
    parser.add_argument("--tools", metavar="DIR", help="where mli-run is, if not near the library or in PATH")
    parser.epilog = "What follows -- are options of mli-run."
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.options = arguments[end + 1 :]
    return options


def _show_progress(number: int, count: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if number == count else ""
        print(f"\r{number} of {count} cases", end=end, file=sys.stderr, flush=True)


def measure(options: argparse.Namespace) -> Accuracy:
    """Runs all cases and compares them."""
    tools = Tools(options.tools, options.options)
    cases = find_cases(options.inputs, (".npy", ".png"))
    network = Network(options.network, tools)
    accuracy = Accuracy(network, _read_labels(options.labels))
    for number, case in enumerate(cases):
        _show_progress(number, len(cases))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            tools.run(options.network, network.read_inputs(case, folder), folder)
            accuracy.add(case, options.references, folder)
    _show_progress(len(cases), len(cases))
    return accuracy


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns 0, or 1 where something is not as expected."""
    options = _parse(arguments)
    try:
        if options.write_references:
            cases = find_cases(options.inputs, (".npy", ".png"))
            write_references(options.network, cases, options.write_references)
            return 0
        accuracy = measure(options)
    except (CaseError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    accuracy.print()
    if options.json:
        options.json.write_text(json.dumps(accuracy.to_json(), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
