# SPDX-License-Identifier: Apache-2.0
"""Inputs and results of a network, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

import numpy as np

from ._errors import InputError, InputTypeError

#: Arrays by name, or in the order of the inputs.
Arrays = Union[Mapping[str, "np.ndarray[Any, Any]"], Sequence["np.ndarray[Any, Any]"]]


@dataclass(frozen=True)
class Port:
    """An input or a result of a network.

    ``scales`` and ``zero_points`` are those of its quantisation: one of each for the
    whole tensor, one for each index of dimension ``axis``, or none for plain numbers.
    """

    name: str
    #: As the compiled function has it. A caller may hold uint8 for its int8.
    type: str
    dtype: "np.dtype[Any]"
    shape: Tuple[int, ...]
    scales: Tuple[float, ...]
    zero_points: Tuple[int, ...]
    axis: int
    nbytes: int = field(repr=False)

    def check(self, array: "np.ndarray[Any, Any]") -> None:
        """Fails unless `array` is one of this shape and type."""
        if array.dtype != self.dtype:
            raise InputTypeError(
                f"expected '{self.name}' to have elements of {self.dtype}, "
                f"but got {array.dtype}"
            )
        if array.shape != self.shape:
            raise InputError(
                f"expected '{self.name}' to have the shape {self.shape}, "
                f"but got {array.shape}"
            )

    def dequantize(
        self, array: "np.ndarray[Any, Any]"
    ) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The real numbers that `array`, one of this port, stands for.

        ``(element - zero_point) * scale``, in float64; the elements themselves where
        there is no quantisation.
        """
        self.check(array)
        if not self.scales:
            return array.astype(np.float64)
        scales, zeros = np.array(self.scales), np.array(self.zero_points, np.int64)
        if self.axis >= 0:
            shape = [1] * len(self.shape)
            shape[self.axis] = -1
            scales, zeros = scales.reshape(shape), zeros.reshape(shape)
        reals: "np.ndarray[Any, np.dtype[np.float64]]" = (array - zeros) * scales
        return reals


def read_ports(described: Sequence[Dict[str, Any]], what: str) -> Tuple[Port, ...]:
    """The ports of a report.

    What the network has no name of its own for is called by its number, as ``input_0``,
    with an underscore more where another port has that name.
    """
    names = [port["name"] for port in described]
    own = {name for name in names if name and names.count(name) == 1}
    ports: List[Port] = []
    for i, port in enumerate(described):
        name = names[i]
        if name not in own:
            name = f"{what}_{i}"
            while name in own:
                name += "_"
        ports.append(
            Port(
                name=name,
                type=port["type"],
                dtype=np.dtype(port["element"]),
                shape=tuple(port["shape"]),
                scales=tuple(float(scale) for scale in port["scales"]),
                zero_points=tuple(port["zero_points"]),
                axis=port["axis"],
                nbytes=port["bytes"],
            )
        )
    return tuple(ports)


def order(
    ports: Sequence[Port], arrays: Arrays, what: str
) -> List["np.ndarray[Any, Any]"]:
    """`arrays` in the order of `ports`; fails unless there is one for each."""
    if isinstance(arrays, Mapping):
        given = [arrays.get(port.name) for port in ports]
        if len(arrays) == len(ports) and all(array is not None for array in given):
            return given  # type: ignore[return-value]
        got = ", ".join(repr(name) for name in arrays) or "none"
    elif isinstance(arrays, (list, tuple)):
        if len(arrays) == len(ports):
            return list(arrays)
        got = str(len(arrays))
    else:
        got = type(arrays).__name__
    names = ", ".join(f"'{port.name}'" for port in ports) or "none"
    raise InputError(
        f"expected arrays for the {what} {names}, by name or as a list, but got {got}"
    )
