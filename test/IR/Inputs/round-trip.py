# SPDX-License-Identifier: Apache-2.0
"""round-trip.py MLI_OPT TESTS DOCS: text -> bytecode -> text of every program.

A program is a `// -----` part of TESTS/*.mlir that verifies, or an example of
DOCS. Prints those that differ from what they are without bytecode.
"""

import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^ *```mlir *\n(.*?)^ *```", re.M | re.S)

tool, tests, docs = sys.argv[1:]
programs = [
    (path, part)
    for path in sorted(pathlib.Path(tests).glob("*.mlir"))
    if not path.name.endswith("-invalid.mlir")
    for part in path.read_text().split("// -----")
]
programs += [
    (path, match[1])
    for path in sorted(pathlib.Path(docs).rglob("*.md"))
    for match in FENCE.finditer(path.read_text())
]


def run(arguments, data):
    return subprocess.run([tool, *arguments], input=data, capture_output=True, check=True).stdout



for path, text in programs:
    plain = run(["--mlir-print-op-generic"], text.encode())
    again = run(["--mlir-print-op-generic"], run(["--emit-bytecode"], text.encode()))
    if plain != again:
        print(f"{path}: differs\n{plain.decode()}\n{again.decode()}")
print(f"files: {len({path for path, _ in programs})}, programs: {len(programs)}")
