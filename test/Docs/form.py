# SPDX-License-Identifier: Apache-2.0
"""Each page begins with what its reader can do after it, long ones with a summary, and
ends with what to read next."""

import pathlib
import sys

# Lists of what has changed, and what this page leads to.
OTHERS = {"CHANGELOG.md"}
LONG = 130

docs = pathlib.Path(sys.argv[1])
count = 0
for page in sorted(docs.glob("*.md")) + sorted((docs / "guides").glob("*.md")):
    if page.name in OTHERS:
        continue
    paragraphs = page.read_text(encoding="utf-8").strip().split("\n\n")
    if not paragraphs[1].startswith("After this page you "):
        print(f"{page}: expected to begin with 'After this page you'")
    lines = sum(paragraph.count("\n") + 2 for paragraph in paragraphs)
    if lines > LONG and paragraphs[2].count("\n- ") + 1 < 4:
        print(f"{page}: expected a summary of four or five points, as it has {lines} lines")
    if not paragraphs[-1].startswith("Next: "):
        print(f"{page}: expected to end with 'Next: '")
    count += 1
print(f"{count} pages")
