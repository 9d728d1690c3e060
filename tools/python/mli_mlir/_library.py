# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the compiler, ``libmli-c.so``."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
from typing import List, Optional, Tuple

from . import _config
from ._errors import LibraryError

VARIABLE = "MLI_MLIR_LIBRARY"
PACKAGE = pathlib.Path(__file__).parent


def _candidates() -> List[str]:
    """Files that may be the compiler, the first that is there is taken."""
    found = [str(PACKAGE / folder / _config.LIBRARY) for folder in _config.FOLDERS]
    if os.environ.get(VARIABLE):
        found.append(os.environ[VARIABLE])
    return found


def _load_from(path: str) -> Tuple[ctypes.CDLL, ctypes.CDLL]:
    """Loads the library `path`, and MLIR's own C API.

    That is loaded first if it is beside: what is in memory is not looked for elsewhere.
    """
    upstream = os.path.join(os.path.dirname(path), _config.UPSTREAM)
    if os.path.dirname(path) and os.path.exists(upstream):
        ctypes.CDLL(upstream)
    compiler = ctypes.CDLL(path)
    return compiler, ctypes.CDLL(_config.UPSTREAM)


def load() -> Tuple[ctypes.CDLL, ctypes.CDLL]:
    """The compiler and MLIR's C API; fails with all places that were tried."""
    tried: List[str] = []
    for path in _candidates():
        path = os.path.normpath(path)
        if not os.path.exists(path):
            tried.append(f"{path}: no such file")
            continue
        try:
            return _load_from(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
    try:
        return _load_from(_config.LIBRARY)
    except OSError as error:
        tried.append(f"the loader: {error}")
    lines = "\n  ".join(tried)
    raise LibraryError(
        f"expected to find {_config.LIBRARY}, which {VARIABLE} can name, but got:"
        f"\n  {lines}"
    )


def tools_folder(compiler: ctypes.CDLL) -> Optional[str]:
    """Where the tools that were built or installed with `compiler` would be.

    Nothing is known of those beside a library that the loader found.
    """
    folder = os.path.dirname(compiler._name)
    return os.path.normpath(os.path.join(folder, "..", "bin")) if folder else None


def check_version(found: str) -> None:
    """Fails unless the compiler has the interface of this package, and all of it."""

    def split(version: str) -> Tuple[int, ...]:
        numbers = re.match(r"\d+(?:\.\d+)*", version)
        return tuple(int(part) for part in numbers[0].split(".")) if numbers else (0,)

    # Before 1.0 each minor version may change the interface.
    digits = 2 if split(_config.VERSION)[0] == 0 else 1
    wanted, got = split(_config.VERSION), split(found)
    if got[:digits] != wanted[:digits] or got < wanted:
        raise LibraryError(
            f"expected a compiler with the interface of {_config.VERSION}, "
            f"but got {found}"
        )
