# SPDX-License-Identifier: Apache-2.0
"""Writes what another implementation computes for a folder of inputs."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from ._cases import Array, Case, CaseError, read_picture

_INTERPRETERS = (
    "ai_edge_litert.interpreter",
    "tflite_runtime.interpreter",
    "tensorflow.lite.python.interpreter",
)


def _find_interpreter() -> Any:
    for name in _INTERPRETERS:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise CaseError(
        "expected an interpreter of TFLite, but got none: install one of the "
        "packages ai-edge-litert, tflite-runtime and tensorflow"
    )


def _open(network: Path) -> Any:
    module = _find_interpreter()
    resolver = getattr(module, "OpResolverType", None)
    options = {"experimental_preserve_all_tensors": True}
    if resolver is not None:
        # Its other kernels round differently.
        options["experimental_op_resolver_type"] = resolver.BUILTIN_REF
    interpreter = module.Interpreter(model_path=str(network), **options)
    interpreter.allocate_tensors()
    return interpreter


def read_input(path: Path, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Array:
    """Reads one input, a tensor or a picture, as [*shape] of `dtype`."""
    if path.suffix != ".npy":
        return read_picture(path, shape, dtype)
    tensor: Array = np.load(path, allow_pickle=False)
    if tensor.dtype != dtype or tensor.size != int(np.prod(shape)):
        raise CaseError(
            f"expected '{path}' to be {dtype} of {list(shape)}, "
            f"but got {tensor.dtype} of {list(tensor.shape)}"
        )
    return tensor.reshape(shape)


def write_references(network: Path, cases: list[Case], folder: Path) -> None:
    """Writes `CASE.K.npy` for each output and `CASE/opNN_tTT.npy` for operators."""
    interpreter = _open(network)
    inputs = interpreter.get_input_details()
    for case in cases:
        for number, detail in enumerate(inputs):
            if number not in case.files:
                raise CaseError(f"expected input {number} of '{case.name}'")
            shape = tuple(int(extent) for extent in detail["shape"])
            tensor = read_input(case.files[number], shape, np.dtype(detail["dtype"]))
            interpreter.set_tensor(detail["index"], tensor)
        interpreter.invoke()
        (folder / case.name).mkdir(parents=True, exist_ok=True)
        for number, detail in enumerate(interpreter.get_output_details()):
            result = interpreter.get_tensor(detail["index"])
            np.save(folder / f"{case.name}.{number}.npy", result)
        # No public function lists operators.
        for number, operator in enumerate(interpreter._get_ops_details()):
            for index in operator["outputs"]:
                name = f"op{number:02}_t{index}.npy"
                np.save(folder / case.name / name, interpreter.get_tensor(index))
