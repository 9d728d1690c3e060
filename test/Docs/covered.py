# SPDX-License-Identifier: Apache-2.0
"""Checks that a test names each page with commands: `covered.py ROOT`.

The test runs them, or says where they run. Prints how many pages there are.
"""

import pathlib
import re
import sys

COMMAND = re.compile(
    r"^(?:    )?(?:\$ )?(?:\w+=\S+ +)*(?:build/bin/|mli-\w+ |mlir-opt|python3 |\./tools/|cmake |cc )", re.M
)


def main(root):
    tests = [path for path in (root / "test").rglob("*") if path.suffix in (".test", ".sh", ".py")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    pages = [root / "README.md", *root.glob("docs/*.md"), *root.glob("docs/guides/*.md")]
    pages = [page for page in sorted(pages) if COMMAND.search(page.read_text(encoding="utf-8"))]
    for page in pages:
        if not re.search(rf"(?<![\w-]){re.escape(page.name)}\b", texts):
            print(f"{page}: expected a test that names it, as it has commands, but got none")
    print(f"{len(pages)} pages")


main(pathlib.Path(sys.argv[1]))
