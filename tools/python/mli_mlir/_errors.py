# SPDX-License-Identifier: Apache-2.0
"""The exceptions of this package, and the diagnostics of the compiler in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Tuple


@dataclass(frozen=True)
class Diagnostic:
    """An error, warning, remark or note of the compiler."""

    severity: str
    message: str
    #: ``file:line:column``, another place, or nothing.
    location: str = ""
    notes: Tuple["Diagnostic", ...] = ()

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        lines = [f"{place}{self.severity}: {self.message}"]
        return "\n".join(lines + [str(note) for note in self.notes])


class Error(Exception):
    """All that goes wrong here.

    ``diagnostics`` has what the compiler reported, with places and notes.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)


class LibraryError(Error, ImportError):
    """The compiler was not found, or is of another version."""


class InputError(Error, ValueError):
    """Names or shapes of arrays that are not those of the network."""


class InputTypeError(Error, TypeError):
    """Arrays whose elements are not of the type that the network has."""


def fail(diagnostics: Sequence[Diagnostic], what: str) -> Error:
    """The exception for `what`, which failed with `diagnostics`."""
    errors = [found for found in diagnostics if found.severity == "error"]
    text = "\n".join(str(found) for found in errors)
    return Error(text or f"{what} failed without a report", diagnostics)
