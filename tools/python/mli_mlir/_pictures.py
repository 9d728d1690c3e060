# SPDX-License-Identifier: Apache-2.0
"""Lists and dicts of what is known of a program, which notebooks draw."""

from __future__ import annotations

import html
import os
import pathlib
import secrets
from typing import Any, Callable, Dict, Iterable, List, Sequence, Union

from ._errors import InputError


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in HTML."""

    def line(tag: str, cells: Sequence[Any]) -> str:
        return "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)

    head = f"<tr>{line('th', columns)}</tr>"
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _count(number: Any) -> str:
    return "" if number is None else f"{number:,}"


def _join(shape: Iterable[int]) -> str:
    return "x".join("?" if size < 0 else str(size) for size in shape) or "scalar"


class Layers(List[Dict[str, Any]]):
    """The layers in the order of a run, a dict for each.

    ``name``, ``kernel`` and ``shape`` of the result, and as sums over all calls
    ``calls``, ``products`` and ``bytes``.
    """

    def _repr_html_(self) -> str:
        columns = ("layer", "result", "kernel", "calls", "products", "bytes")
        return _table(
            columns,
            (
                (layer["name"], _join(layer["shape"]), layer["kernel"])
                + tuple(_count(layer[key]) for key in columns[3:])
                for layer in self
            ),
        )


class MemoryMap(List[Dict[str, Any]]):
    """Where each buffer is and when: a dict for each memory of each function.

    The keys are those of ``mli-run --memory-map`` in JSON. `svg` is the picture of it.
    """

    def __init__(self, maps: Iterable[Dict[str, Any]], draw: Callable[[], str]) -> None:
        super().__init__(maps)
        self._draw = draw

    @property
    def svg(self) -> str:
        """The picture that ``mli-run --memory-map map.svg`` draws."""
        return self._draw()

    def _repr_svg_(self) -> str:
        return self.svg


class Report(Dict[str, Any]):
    """What is known of a compiled function, with the keys of the C API.

    A notebook shows the page of ``mli-run --report``.
    """

    def __init__(self, values: Dict[str, Any], draw: Callable[[int], str]) -> None:
        super().__init__(values)
        self._draw = draw

    @property
    def page(self) -> str:
        """The page for browsers, with the layers, their memory and what they cost."""
        return self._draw(1)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to `path`, which ends in .html, or its content as .json."""
        end = os.path.splitext(os.fspath(path))[1]
        if end not in (".html", ".json"):
            raise InputError(
                f"expected a name that ends in .html or .json, but got {path!r}"
            )
        text = self.page if end == ".html" else self._draw(0)
        # All of it or nothing: a file that is there stays as it is until then. What `open`
        # makes has the mode of new files.
        folder = os.path.dirname(os.fspath(path))
        draft = pathlib.Path(folder, f".{secrets.token_hex(8)}{end}")
        try:
            with open(draft, "x", encoding="utf-8") as file:
                file.write(text)
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts" '
            'width="100%" height="800"></iframe>'
        )
