# SPDX-License-Identifier: Apache-2.0
"""Reads networks: TFLite, TOSA or mli."""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, Optional, Sequence

from . import _capi
from ._context import Context, Module, Network, parse, read
from ._errors import InputError, fail
from ._options import made_import_options, whole


def is_tflite(contents: bytes) -> bool:
    return bool(_capi.is_tflite(contents, len(contents)))


def _import_tflite(
    context: Context,
    contents: bytes,
    name: str,
    forms: Mapping[str, str],
    outputs: Sequence[str],
) -> Module:
    with context.lock, context.diagnostics() as found:
        with made_import_options(context, dict(forms), outputs, found) as options:
            handle = _capi.import_tflite(
                context.handle, contents, len(contents), _capi.text(name), options
            )
    if not handle:
        raise fail(found, f"importing '{name}'")
    return Module(context, handle)


def _change_tosa(module: Module, batch: Optional[int], outputs: Sequence[str]) -> None:
    """Gives a network in TOSA its batch and other outputs."""
    with module.context.lock, module.context.diagnostics() as found:
        if batch is not None:
            size = whole("batch", batch, 64)
            if not _capi.tosa_set_batch(module.handle, size):
                raise fail(found, "setting the batch")
        texts = (_capi.Text * len(outputs))(*map(_capi.text, map(str, outputs)))
        if outputs and not _capi.tosa_keep_outputs(module.handle, len(texts), texts):
            raise fail(found, "selecting the outputs")


def read_module(
    context: Context,
    contents: bytes,
    name: str,
    forms: Mapping[str, Optional[str]],
    batch: Optional[int],
    outputs: Sequence[str],
) -> Module:
    """The network in `contents`; options that are not for its kind are errors."""
    given = {key: value for key, value in forms.items() if value is not None}
    if is_tflite(contents):
        if batch is not None:
            raise InputError("expected 'batch' with a network of MLIR, but got TFLite")
        return _import_tflite(context, contents, name, given, outputs)
    if given:
        raise InputError(
            f"expected '{next(iter(given))}' with a network of TFLite, but got MLIR"
        )
    module = parse(context, contents, name)
    _change_tosa(module, batch, outputs)
    return module


def inspect(network: Network, *, name: Optional[str] = None) -> Dict[str, Any]:
    """What becomes of each operator of a TFLite file, and why where nothing does.

    As ``mli-translate --inspect --json`` says it. `network` is a path or bytes; `name`
    is what errors call it.
    """
    contents, file = read(network, name)
    context = Context()
    with context.diagnostics() as found:
        with made_import_options(context, {}, (), found) as options:
            done, text = _capi.collect(
                lambda out: _capi.inspect_tflite(
                    context.handle, contents, len(contents), _capi.text(file), options,
                    out, None,
                )  # fmt: skip
            )
    if not done:
        raise fail(found, f"inspecting '{file}'")
    report: Dict[str, Any] = json.loads(text)
    return report
