# SPDX-License-Identifier: Apache-2.0
"""How networks are read and compiled: words of the tools, and their numbers in C."""

from __future__ import annotations

import operator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _capi
from ._context import Context
from ._errors import Diagnostic, InputError, InputTypeError, fail

FORMS: Dict[str, Tuple[str, ...]] = {
    "sums": ("near", "kernel", "exact"),
    "averages": ("near", "kernel", "exact"),
    "floats": ("cut", "keep", "refuse"),
    "cut": ("ends", "none"),
    "rounding": ("unset", "up", "convergent"),
    "accumulation": ("unset", "narrow", "full-products", "full-averages", "full"),
    "weights": ("source", "inline", "blob"),
    "moves": ("sync", "async", "hook"),
    "tables": ("call", "once"),
    "library": ("mli", "mli-mlir"),
}


def number(option: str, value: str) -> int:
    """The number that the C API has for `value` of `option`."""
    words = FORMS[option]
    if value not in words:
        raise InputError(
            f"expected '{option}' to be one of {', '.join(words)}, but got {value!r}"
        )
    return words.index(value)


def whole(option: str, value: Any, bits: int) -> int:
    """`value` of `option` as an integer of C, which has `bits`."""
    try:
        found = operator.index(value)
    except TypeError:
        raise InputTypeError(
            f"expected '{option}' to be a whole number, but got {value!r}"
        ) from None
    if not -(1 << (bits - 1)) <= found < 1 << (bits - 1):
        raise InputError(f"expected '{option}' to have {bits} bits, but got {found}")
    return found


@dataclass(frozen=True)
class CompileOptions:
    """The options of `compile` for a program."""

    target: Optional[str] = None
    entry: Optional[str] = None
    arena: Optional[str] = None
    threads: Optional[int] = None
    pipeline: Optional[str] = None
    rounding: str = "unset"
    accumulation: str = "unset"

    def _list(self) -> List[Tuple[Any, Any]]:
        """Setters of the C API, and values for them."""
        texts = _capi.compile_options_set_text
        numbers = _capi.compile_options_set_number
        calls: List[Tuple[Any, Any]] = [
            (numbers["SetRounding"], number("rounding", self.rounding)),
            (numbers["SetAccumulation"], number("accumulation", self.accumulation)),
        ]
        if self.target is not None:
            calls += [(numbers["SetPlacement"], 1)]
        for name, value in (
            ("SetTarget", self.target),
            ("AddEntry", self.entry),
            ("SetArena", self.arena),
            ("SetPipelineOptions", self.pipeline),
        ):
            if value is not None:
                calls += [(texts[name], _capi.text(str(value)))]
        if self.threads is not None:
            calls += [(numbers["SetThreads"], whole("threads", self.threads, 32))]
        return calls

    @contextmanager
    def made(
        self, context: Context, found: Sequence[Diagnostic]
    ) -> Iterator[_capi.CompileOptions]:
        """The options in C, whose errors are in `found`."""
        handle = _capi.compile_options_create(context.handle)
        try:
            for setter, value in self._list():
                if not setter(handle, value):
                    raise fail(found, "setting an option")
            yield handle
        finally:
            _capi.compile_options_destroy(handle)


@contextmanager
def made_import_options(
    context: Context,
    forms: Dict[str, str],
    outputs: Sequence[str],
    found: Sequence[Diagnostic],
) -> Iterator[_capi.ImportOptions]:
    """The same for reading TFLite."""
    handle = _capi.import_options_create(context.handle)
    try:
        calls: List[Tuple[Any, Any]] = [
            (_capi.import_options_set[name.capitalize()], number(name, value))
            for name, value in forms.items()
        ]
        for output in outputs:
            calls += [(_capi.import_options_add_output, _capi.text(output))]
        if not all(setter(handle, value) for setter, value in calls):
            raise fail(found, "setting an option")
        yield handle
    finally:
        _capi.import_options_destroy(handle)
