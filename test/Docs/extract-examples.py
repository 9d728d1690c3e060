# SPDX-License-Identifier: Apache-2.0
"""Prints every ```mlir block below the given folder, split by `// -----`.

Each is preceded by where it stands, so that a diagnostic leads to the page.
"""

import pathlib
import re
import sys
import textwrap

FENCE = re.compile(r"^ *```mlir *\n(.*?)^ *```", re.M | re.S)

folder = pathlib.Path(sys.argv[1])
blocks = [
    f"// {page}:{text.count(chr(10), 0, match.start()) + 1}\n"
    + textwrap.dedent(match[1])
    for page in sorted(folder.rglob("*.md"))
    for text in [page.read_text(encoding="utf-8")]
    for match in FENCE.finditer(text)
]
print("\n// -----\n".join(blocks), end="")
