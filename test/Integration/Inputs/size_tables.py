# SPDX-License-Identifier: Apache-2.0
"""Tables of bytes by network in Markdown: printed, compared with those of a file, or
written there. Its options are

  --check FILE   compares with the table of FILE in place of printing it: what the
                 compiler for C decides may be 5 % larger
  --fix FILE     writes the table of FILE
"""

import pathlib
import sys


def add_options(parser):
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--fix", type=pathlib.Path)


def print_table(rows):
    columns = list(next(iter(rows.values())))
    lines = ["| network | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, row in rows.items():
        lines.append(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")
    return lines


def find_table(text, heading):
    """Where the table that begins with `heading` is in the lines `text`, and its rows."""
    first = text.index(heading)
    last = first
    while last < len(text) and text[last].startswith("|"):
        last += 1
    columns = [cell.strip() for cell in text[first].split("|")[2:-1]]
    rows = {}
    for line in text[first + 2 : last]:
        name, *cells = [cell.strip() for cell in line.split("|")[1:-1]]
        rows[name] = dict(zip(columns, map(int, cells)))
    return first, last, rows


def check(rows, known, of_compiler):
    """Whether `rows` are as the table `known` has them."""
    wrong = 0
    for name, row in rows.items():
        for column, got in row.items():
            expected = known.get(name, {}).get(column, -1)
            limit = expected * 1.05 if column in of_compiler else expected
            if got > limit or (got != expected and column not in of_compiler):
                print(f"{name}: expected {column} of {expected} bytes, but got {got}")
                wrong += 1
    print(f"{len(rows)} networks, {wrong} numbers that are not in the table")
    return wrong == 0


def finish(rows, given, of_compiler):
    """Does with `rows` what the options `given` say. The compiler for C decides on the
    columns `of_compiler`."""
    table = print_table(rows)
    if given.check:
        text = given.check.read_text().splitlines()
        sys.exit(0 if check(rows, find_table(text, table[0])[2], of_compiler) else 1)
    if given.fix:
        text = given.fix.read_text().splitlines()
        first, last, _ = find_table(text, table[0])
        given.fix.write_text("\n".join(text[:first] + table + text[last:]) + "\n")
        sys.exit()
    print("\n".join(table))
