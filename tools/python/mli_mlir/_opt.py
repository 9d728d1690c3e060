# SPDX-License-Identifier: Apache-2.0
"""Passes on texts of MLIR, as mli-opt runs them."""

from __future__ import annotations

import functools
import threading
from typing import Union

from . import _capi
from ._context import Context, Module, parse
from ._errors import Error, fail

_ANCHOR = "builtin.module("


@functools.lru_cache(maxsize=None)
def _register_once() -> None:
    _capi.register_our_passes()
    _capi.register_their_passes()


_registering = threading.Lock()


def _register_passes() -> None:
    """Registers all passes; threads that come meanwhile wait for it, as the
    registry of MLIR is one for all."""
    with _registering:
        _register_once()


def _build(manager: _capi.PassManager, pipeline: str) -> None:
    """Adds the passes of `pipeline`."""
    top = _capi.manager_as_op(manager)
    whole = pipeline.lstrip().startswith(_ANCHOR)
    add = _capi.parse_pipeline if whole else _capi.add_pipeline
    done, text = _capi.collect(lambda out: add(top, _capi.text(pipeline), out, None))
    if not done:
        raise Error(text.strip() or f"expected a pipeline, but got {pipeline!r}")


def _run(module: Module, pipeline: str) -> None:
    context = module.context
    manager = _capi.manager_create(context.handle)
    try:
        with context.diagnostics() as found:
            _build(manager, pipeline)
            operation = _capi.module_operation(module.handle)
            if not _capi.manager_run(manager, operation):
                raise fail(found, f"the pipeline {pipeline!r}")
    finally:
        _capi.manager_destroy(manager)


def opt(text: Union[str, bytes], pipeline: str, *, name: str = "text") -> str:
    """Runs `pipeline` on the module `text` and returns what it is then, as text.

    `text` is MLIR, also as bytecode. A pipeline is one for ``mli-opt --pass-pipeline``,
    as ``builtin.module(mli-local-pipeline{target=vpx})``, or what is inside of that
    module, as ``convert-tosa-to-mli{full=true},cse``. Passes are ours and those of
    MLIR. `name` is what errors call the text.
    """
    _register_passes()
    contents = text.encode() if isinstance(text, str) else bytes(text)
    module = parse(Context(), contents, name)
    _run(module, pipeline)
    _, printed = _capi.collect(
        lambda out: _capi.operation_print(
            _capi.module_operation(module.handle), out, None
        )
    )
    return printed
