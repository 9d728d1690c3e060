# SPDX-License-Identifier: Apache-2.0
"""Folders of inputs: one case for each name, one file for each input of it."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Tensors of any element type.
Array = NDArray[Any]


class CaseError(ValueError):
    """A folder or a file that is not what was expected."""


@dataclass
class Case:
    """The files of one case, by the number of the input or output."""

    name: str
    files: dict[int, Path] = field(default_factory=dict)


def find_cases(folder: Path, endings: tuple[str, ...]) -> list[Case]:
    """Finds `NAME.npy`, of one tensor, and `NAME.K.npy`, of tensor K, by name."""
    if not folder.is_dir():
        raise CaseError(f"expected '{folder}' to be a folder, but got none")
    cases: dict[str, Case] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix not in endings:
            continue
        match = re.fullmatch(r"(.+)\.(\d+)", path.stem)
        name, number = (match[1], int(match[2])) if match else (path.stem, 0)
        case = cases.setdefault(name, Case(name))
        if number in case.files:
            raise CaseError(
                f"expected one file for tensor {number} of '{name}', "
                f"but got '{case.files[number].name}' and '{path.name}'"
            )
        case.files[number] = path
    if not cases:
        kinds = " or ".join(f"*{ending}" for ending in endings)
        raise CaseError(f"expected {kinds} in '{folder}', but got none")
    return list(cases.values())


def read_picture(path: Path, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Array:
    """Reads a picture as the input of `shape`, [1, H, W, C].

    Of int8 the code is the pixel less 128, which is what the scales 1/255 from
    -128 and 1/127.5 from -1 make of pixels; of uint8 it is the pixel.
    """
    try:
        image_module: Any = importlib.import_module("PIL.Image")
    except ImportError:
        raise CaseError(
            f"expected Pillow, which reads '{path}', but got none: "
            "install python3-pil, or give .npy files"
        ) from None
    modes = {1: "L", 3: "RGB", 4: "RGBA"}
    if len(shape) != 4 or shape[0] != 1 or shape[3] not in modes:
        raise CaseError(f"expected an input [1, H, W, 1, 3 or 4], but got {shape}")
    if dtype not in (np.int8, np.uint8):
        raise CaseError(f"expected an input of int8 or uint8, but got {dtype}")
    with image_module.open(path) as image:
        if image.size != (shape[2], shape[1]):
            raise CaseError(
                f"expected '{path}' to be {shape[2]} x {shape[1]} pixels, "
                f"but got {image.size[0]} x {image.size[1]}"
            )
        pixels = np.asarray(image.convert(modes[shape[3]])).reshape(shape)
    if dtype == np.uint8:
        return pixels
    return (pixels.astype(np.int16) - 128).astype(np.int8)
