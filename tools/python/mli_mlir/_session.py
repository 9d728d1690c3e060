# SPDX-License-Identifier: Apache-2.0
"""Runs a compiled function on arrays."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _capi
from ._context import Context
from ._errors import InputError, fail
from ._ports import Arrays, Port, order


class Native:
    """A compiled program, alive as long as this is."""

    def __init__(self, context: Context, handle: _capi.Program) -> None:
        self.context = context
        self.handle = handle
        _capi.destroy_with(self, _capi.program_destroy, handle, context)


class Session:
    """A sequence of runs, which goes on from the state of the last one.

    Networks without state give the same for the same inputs. Runs of one session in
    several threads wait for each other; those of several sessions do not, unless their
    program computes in local memory, of which a process has one.
    """

    def __init__(
        self,
        native: Native,
        function: _capi.Function,
        inputs: Sequence[Port],
        results: Sequence[Port],
    ) -> None:
        self.inputs = tuple(inputs)
        self.results = tuple(results)
        self._native = native
        self._lock = threading.Lock()
        self._handle = _capi.invocation_create(function)
        self._inputs = (_capi.Buffer * len(inputs))()
        self._results = (_capi.Buffer * len(results))()
        for buffers, ports in ((self._inputs, inputs), (self._results, results)):
            for buffer, port in zip(buffers, ports):
                buffer.numBytes = port.nbytes
        _capi.destroy_with(self, _capi.invocation_destroy, self._handle, native)

    def _take(self, arrays: Arrays) -> List["np.ndarray[Any, Any]"]:
        """Points the buffers at `arrays`, which have to stay as long as these do.

        What does not lie in one piece is copied.
        """
        held = order(self.inputs, arrays, "inputs")
        for i, port in enumerate(self.inputs):
            array = held[i] = np.asarray(held[i])
            port.check(array)
            if not array.flags.c_contiguous:
                array = held[i] = np.ascontiguousarray(array)
            self._inputs[i].data = array.ctypes.data
        return held

    def _give(self, out: Optional[Arrays]) -> List["np.ndarray[Any, Any]"]:
        """The arrays for results: those of `out`, or new ones."""
        if out is None:
            held = [np.empty(port.shape, port.dtype) for port in self.results]
        else:
            held = order(self.results, out, "results")
        for i, port in enumerate(self.results):
            array = held[i]
            if out is not None:
                _check_output(port, array)
            self._results[i].data = array.ctypes.data
        return held

    def run(
        self, inputs: Arrays, out: Optional[Arrays] = None
    ) -> Dict[str, "np.ndarray[Any, Any]"]:
        """Runs the network once and returns its results by name.

        `inputs` are arrays by name, or a list of them in order. They are read where
        they are, without a copy, if they lie in one piece. Results are written to the
        arrays of `out`, if these are given. Fails with an `InputError` or an
        `InputTypeError` if they are not those of the network; nothing is converted.
        """
        with self._lock:
            held = self._take(inputs)
            results = self._give(out)
            self._call(_capi.invocation_run, len(results), self._results)
        del held
        return {port.name: array for port, array in zip(self.results, results)}

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls `function` of the invocation with the inputs and `arguments`."""
        with self._native.context.diagnostics() as found:
            if not function(self._handle, len(self.inputs), self._inputs, *arguments):
                raise fail(found, "the run")

    def trace(self, inputs: Arrays) -> Dict[str, Any]:
        """When each call of a kernel or a move of one run begins and ends.

        On this host, in the Trace Event Format that https://ui.perfetto.dev shows. The
        state of the session stays as it is; other runs of the process wait meanwhile.
        """
        with self._lock:
            held = self._take(inputs)
            _, text = _capi.collect(
                lambda out: self._call(_capi.invocation_trace, out, None)
            )
        del held
        trace: Dict[str, Any] = json.loads(text)
        return trace

    def reset(self) -> None:
        """Begins another sequence, with the state that the network starts with."""
        with self._lock:
            _capi.invocation_reset(self._handle)


def _check_output(port: Port, array: Any) -> None:
    """Fails unless results can be written to `array`."""
    if not isinstance(array, np.ndarray):
        raise InputError(
            f"expected '{port.name}' of 'out' to be an array, "
            f"but got {type(array).__name__}"
        )
    port.check(array)
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise InputError(
            f"expected '{port.name}' of 'out' to be writable and in one piece"
            ", but got another array"
        )
