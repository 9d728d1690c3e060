# SPDX-License-Identifier: Apache-2.0
"""Prints the row of a preset in the table of a page as the preset with all its numbers."""

import sys

page, name = sys.argv[1:]
rows = [line.strip("|\n ").split(" | ") for line in open(page) if line.startswith("| ")]
head = next(row for row in rows if row[0] == "preset")
row = next(row for row in rows if row[0] == name)
print(name + "," + ",".join(f"{key.strip('`')}={value}" for key, value in zip(head[1:], row[1:])))
