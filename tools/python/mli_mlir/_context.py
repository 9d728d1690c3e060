# SPDX-License-Identifier: Apache-2.0
"""Contexts of the compiler, whose diagnostics become Python's, and modules in them."""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from typing import Iterator, List, Optional, Tuple, Union

from . import _capi
from ._errors import Diagnostic, fail

#: A path, or the bytes of a network.
Network = Union[str, "os.PathLike[str]", bytes]

_SEVERITIES = ("error", "warning", "note", "remark")
_DUMP = "see current operation:"


#: Forms of places as MLIR prints them, and how people write them. Of several the first.
_PLACES = (
    (re.compile(r'loc\("([^"]*)":0:0\)'), r"\1"),
    (re.compile(r'loc\("([^"]*)"((?::\d+){2})\)'), r"\1\2"),
    (re.compile(r'loc\(fused<"([^"]*)">\["([^"]*)"\]\)'), r"\2, \1"),
    (re.compile(r'loc\(fused\["([^"]*)"((?::\d+){2}), .*\)', re.S), r"\1\2"),
    (re.compile(r'loc\("([^"]*)"\)'), r"\1"),
    (re.compile(r"loc\(unknown\)"), ""),
)


def _read_location(handle: _capi.DiagnosticHandle) -> str:
    location = _capi.diagnostic_location(handle)
    _, found = _capi.collect(lambda out: _capi.location_print(location, out, None))
    for form, plain in _PLACES:
        match = form.fullmatch(found)
        if match:
            return match.expand(plain)
    return found


def _read_diagnostic(handle: _capi.DiagnosticHandle) -> Diagnostic:
    _, message = _capi.collect(lambda out: _capi.diagnostic_print(handle, out, None))
    count = _capi.diagnostic_num_notes(handle)
    notes = (_read_diagnostic(_capi.diagnostic_note(handle, i)) for i in range(count))
    severity = _SEVERITIES[_capi.diagnostic_severity(handle)]
    # The verifier prints whole operations, with their weights.
    kept = tuple(note for note in notes if not note.message.startswith(_DUMP))
    return Diagnostic(severity, message, _read_location(handle), kept)


class Context:
    """A context with all dialects.

    It reports to the thread that calls it, so that runs in several threads do not get
    the errors of each other.
    """

    def __init__(self) -> None:
        registry = _capi.registry_create()
        _capi.register_dialects(registry)
        self.handle = _capi.context_create(registry, True)
        _capi.registry_destroy(registry)
        local = self._local = threading.local()

        def record(diagnostic: _capi.DiagnosticHandle, _: object) -> int:
            found = getattr(local, "found", None)
            if found is not None:
                found.append(_read_diagnostic(diagnostic))
            return 1

        handler = _capi.Handler(record)
        _capi.context_attach_handler(self.handle, handler, None, None)
        #: Held by what changes the context, or makes something in it.
        self.lock = threading.RLock()
        # The handler has to live as long as the context.
        _capi.destroy_with(self, _capi.context_destroy, self.handle, handler)

    @contextmanager
    def diagnostics(self) -> Iterator[List[Diagnostic]]:
        """The list of what is reported in this thread meanwhile."""
        before = getattr(self._local, "found", None)
        found: List[Diagnostic] = []
        self._local.found = found
        try:
            yield found
        finally:
            self._local.found = before


class Module:
    """A network in a context."""

    def __init__(self, context: Context, handle: _capi.Module) -> None:
        self.context = context
        self.handle = handle
        _capi.destroy_with(self, _capi.module_destroy, handle, context)


def read(network: Network, name: Optional[str]) -> Tuple[bytes, str]:
    """The bytes of `network` and the name of their file, which may be `name`."""
    if isinstance(network, (bytes, bytearray, memoryview)):
        return bytes(network), name or "network"
    path = os.fsdecode(network)
    with open(path, "rb") as file:
        return file.read(), name or path


def parse(context: Context, contents: bytes, name: str) -> Module:
    """The module in `contents`, text or bytecode."""
    with context.lock, context.diagnostics() as found:
        handle = _capi.parse_module(
            context.handle, contents, len(contents), _capi.text(name)
        )
    if not handle:
        raise fail(found, f"parsing '{name}'")
    return Module(context, handle)
