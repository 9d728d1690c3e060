# SPDX-License-Identifier: Apache-2.0
"""Compiled networks."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _capi
from ._context import Context, Module, Network, read
from ._errors import Diagnostic, Error, fail
from ._networks import read_module
from ._options import CompileOptions, number
from ._pictures import Layers, MemoryMap, Report
from ._ports import Arrays, Port, read_ports
from ._session import Native, Session

_MAP_JSON, _MAP_SVG = 1, 2


class Program:
    """A network that is compiled for this machine; `compile` makes it.

    All methods can be called from several threads. Those that compile or draw wait for
    each other; so do runs in local memory, of which a process has one.
    """

    def __init__(
        self, module: Module, options: CompileOptions, origin: Tuple[str, bytes]
    ) -> None:
        self._module = module
        self._options = options
        self._origin = origin
        context = module.context
        with context.lock, context.diagnostics() as found:
            with options.made(context, found) as made:
                handle = _capi.program_compile(module.handle, made)
        if not handle:
            raise fail(found, f"compiling '{origin[0]}'")
        self._native = Native(context, handle)
        self._function = self._select(options.entry)
        self._idle: List[Session] = []
        report = self.report()
        #: What the compiler reported besides errors: warnings and remarks.
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(found)
        self.inputs: Tuple[Port, ...] = read_ports(report["inputs"], "input")
        self.results: Tuple[Port, ...] = read_ports(report["results"], "output")

    def _select(self, entry: Optional[str]) -> _capi.Function:
        """The function `entry`, or ``main``, or the only one."""
        handle = self._native.handle
        functions: Dict[str, _capi.Function] = {}
        for i in range(_capi.program_num_functions(handle)):
            function = _capi.program_function(handle, i)
            functions[_capi.function_name(function).read().decode()] = function
        if len(functions) == 1:
            return next(iter(functions.values()))
        if entry is None and "main" in functions:
            return functions["main"]
        if not functions:
            raise Error(
                f"expected '{self._origin[0]}' to have a public function, but got none"
            )
        names = ", ".join(f"'{name}'" for name in functions)
        raise Error(f"expected 'entry' to be one of {names}, but got {entry!r}")

    def __repr__(self) -> str:
        ports = (
            ", ".join(f"{port.name}: {port.dtype}{list(port.shape)}" for port in ports)
            for ports in (self.inputs, self.results)
        )
        return f"<mli_mlir.Program {self._origin[0]}: {' -> '.join(ports)}>"

    def _repr_html_(self) -> str:
        return self.layers._repr_html_()

    # Runs.

    def session(self) -> Session:
        """Begins a sequence of runs, which keeps the state of the network."""
        return Session(self._native, self._function, self.inputs, self.results)

    def run(
        self, inputs: Arrays, out: Optional[Arrays] = None
    ) -> "Dict[str, np.ndarray[Any, Any]]":
        """Runs the network once, from the state that it starts with.

        See `Session.run` for `inputs`, `out` and what is returned.
        """
        # Lists are safe to share among threads.
        try:
            session = self._idle.pop()
            session.reset()
        except IndexError:
            session = self.session()
        try:
            return session.run(inputs, out)
        finally:
            self._idle.append(session)

    def trace(self, inputs: Arrays) -> Dict[str, Any]:
        """See `Session.trace`, of the first run of a sequence."""
        return self.session().trace(inputs)

    # What is known.

    def report(self) -> Report:
        """Inputs and results, kernels, what memory is used, and a page of all that."""
        _, text = _capi.collect(
            lambda out: _capi.function_report(self._function, out, None)
        )
        return Report(json.loads(text), self._write_report)

    def _write_report(self, form: int) -> str:
        context = self._native.context
        with context.lock, context.diagnostics() as found:
            done, text = _capi.collect(
                lambda out: _capi.function_network_report(
                    self._function, form, out, None
                )
            )
        if not done:
            raise fail(found, "the report")
        return text

    @property
    def layers(self) -> Layers:
        """The layers in the order of a run, with their products and bytes."""
        _, text = _capi.collect(
            lambda out: _capi.function_layers(self._function, out, None)
        )
        return Layers(json.loads(text)["layers"])

    def memory_map(self) -> MemoryMap:
        """Where each buffer of the program is, and when."""
        return MemoryMap(
            json.loads(self._draw(_MAP_JSON)), lambda: self._draw(_MAP_SVG)
        )

    def _draw(self, form: int) -> str:
        context = self._native.context
        with context.lock, context.diagnostics() as found:
            done, text = _capi.collect(
                lambda out: _capi.program_memory_map(
                    self._native.handle, form, out, None
                )
            )
        if not done:
            raise fail(found, "the memory map")
        return text

    # C for other machines.

    def to_c(
        self,
        folder: "Union[str, os.PathLike[str]]",
        *,
        name: Optional[str] = None,
        weights: str = "source",
        moves: str = "sync",
        tables: str = "call",
        library: str = "mli",
        overwrite: bool = False,
    ) -> pathlib.Path:
        """Writes the network as C99 to `folder`, as ``mli-compile --emit c`` does.

        With the target, the arena, the modes and the options of the pipeline that this
        program has. `name` is that of files and symbols; `weights` ("source", "inline",
        "blob"), `moves` ("sync", "async", "hook"), `tables` ("call", "once") and
        `library` ("mli", "mli-mlir") are the options of that tool. Files of others are
        written over only if `overwrite`. Returns the folder.
        """
        forms = {
            "Weights": number("weights", weights),
            "Moves": number("moves", moves),
            "Tables": number("tables", tables),
            "Library": number("library", library),
        }
        context = self._module.context
        with context.lock, context.diagnostics() as found:
            written = _capi.c_options_create(context.handle)
            try:
                self._set_c_options(written, name, forms, overwrite, found)
                with self._options.made(context, found) as made:
                    path = _capi.text(os.fspath(folder))
                    if not _capi.write_c(self._module.handle, made, written, path):
                        raise fail(found, "writing C")
            finally:
                _capi.c_options_destroy(written)
        return pathlib.Path(folder)

    def _set_c_options(
        self,
        options: _capi.COptions,
        name: Optional[str],
        forms: Dict[str, int],
        overwrite: bool,
        found: Sequence[Diagnostic],
    ) -> None:
        path, contents = self._origin
        _capi.c_options_set_origin(options, _capi.text(path), contents, len(contents))
        for option, value in forms.items():
            _capi.c_options_set[option](options, value)
        _capi.c_options_set_overwrite(options, overwrite)
        if name is not None and not _capi.c_options_set_name(options, _capi.text(name)):
            raise fail(found, "naming the C")


def compile(
    network: Network,
    *,
    target: Optional[str] = None,
    entry: Optional[str] = None,
    arena: Union[str, int, None] = None,
    threads: Optional[int] = None,
    pipeline: Optional[str] = None,
    rounding: str = "unset",
    accumulation: str = "unset",
    batch: Optional[int] = None,
    outputs: Sequence[Union[str, int]] = (),
    sums: Optional[str] = None,
    averages: Optional[str] = None,
    floats: Optional[str] = None,
    cut: Optional[str] = None,
    name: Optional[str] = None,
) -> Program:
    """Compiles `network`, the path of a file or its bytes.

    It is in TFLite, or in TOSA or mli as text or bytecode. With a `target`, as
    ``vpx,npu-bytes=65536``, kernels compute in its local memory, else in plain memory,
    where `arena` is the most bytes of buffers, or ``min``, and `threads` share a layer.
    `entry` is the function, ``main`` or the only one by default. `pipeline` has options
    of ``mli-system-pipeline``, or of ``mli-local-pipeline`` with a target. `rounding`
    and `accumulation` are modes of all kernels of the process: while a program lives,
    others have to have the same.

    `outputs` are tensors or operations, by name or number, that the network gives in
    place of its own. Networks of MLIR whose batch is open have it from `batch`; those
    of TFLite are read as `sums`, `averages`, `floats` and `cut` say. `name` is what
    errors call bytes. All words and numbers are those of options of ``mli-run``.

    Fails with an `Error` that has the diagnostics.
    """
    contents, name = read(network, name)
    options = CompileOptions(
        target=target,
        entry=entry,
        arena=None if arena is None else str(arena),
        threads=threads,
        pipeline=pipeline,
        rounding=rounding,
        accumulation=accumulation,
    )
    forms = {"sums": sums, "averages": averages, "floats": floats, "cut": cut}
    module = read_module(
        Context(), contents, name, forms, batch, [str(output) for output in outputs]
    )
    return Program(module, options, (name, contents))
