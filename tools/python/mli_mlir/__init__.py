# SPDX-License-Identifier: Apache-2.0
"""The compiler for quantised networks on embARC MLI DSPs and NPUs, in Python.

>>> import mli_mlir
>>> program = mli_mlir.compile("net.tflite", target="vpx,npu-bytes=65536")
>>> results = program.run({"input": array})

Everything is done by ``libmli-c.so``, the compiler in C, which is looked for in the
package, where the package was built or installed, by the variable ``MLI_MLIR_LIBRARY``
and by the loader.
"""

from __future__ import annotations

from ._config import VERSION as __version__
from ._errors import Diagnostic, Error, InputError, InputTypeError, LibraryError
from ._networks import inspect
from ._opt import opt
from ._pictures import Layers, MemoryMap, Report
from ._ports import Port
from ._program import Program, compile
from ._session import Session

__all__ = [
    "Diagnostic",
    "Error",
    "InputError",
    "InputTypeError",
    "Layers",
    "LibraryError",
    "MemoryMap",
    "Port",
    "Program",
    "Report",
    "Session",
    "__version__",
    "compile",
    "inspect",
    "opt",
]
