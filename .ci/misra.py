#!/usr/bin/env python3
"""Counts where packages of C violate MISRA C:2012, as cppcheck sees it.

  .ci/misra.py [--allow RULE...] PACKAGE...

A package is a folder that mli-compile wrote with the name `net`. All of its sources
count but net_test.c. Fails where a required or mandatory rule is violated, other than:
  11.8 where READ_ONLY casts const away, the one macro that does
  20.7 where a macro takes what has no parentheses: a type, a member, another macro
  those of --allow, each of which has to be violated still
Tables of constants are shortened first: cppcheck takes minutes for large ones.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# By their numbers; all others are required.
MANDATORY = """9.1 12.5 13.6 17.3 17.4 17.6 19.1 21.13 21.17 21.18 21.19 21.20 22.2 22.4
22.5 22.6""".split()
ADVISORY = """1.2 2.3 2.4 2.5 2.6 2.7 4.2 5.9 8.7 8.9 8.11 8.13 10.5 11.4 11.5 12.1 12.3 12.4
13.3 13.4 15.1 15.4 15.5 17.5 17.8 18.4 18.5 19.2 20.1 20.5 20.10 21.12""".split()

# What a use of the macro that casts const away begins with.
CASTS = re.compile(r"(?:BYTES\(.*?\b)?READ_ONLY\(|PER_AXIS\(", re.S)
# Macros with parameters that are a type, a member or a macro.
UNUSUAL = re.compile(r"#define (?:READ_ONLY|BYTES|\w+_LAYERS)\(")
DECLARED = re.compile(r"(\bextern\s+const\s+\w+\s+\w+\[)(\d+)\]")
DEFINED = re.compile(r"(\w+\[)(\d+)\](\s*=\s*\{)([^}]*)\}")
KEPT_VALUES = 8
RUNTIME = pathlib.Path(__file__).resolve().parents[1] / "include/mli/Runtime/C"


def shorten(package, folder):
    """Copies the sources of `package`, with few values of each constant, and returns
    their names."""

    def declare(match):
        return f"{match[1]}{min(int(match[2]), KEPT_VALUES)}]"

    def define(match):
        values = match[4].split(",")[:KEPT_VALUES]
        return f"{declare(match)}{match[3]}{','.join(values)}}}"

    for path in package.glob("net*.[ch]"):
        if path.name != "net_test.c":
            text = DECLARED.sub(declare, path.read_text())
            if path.suffix == ".c" and path.name.startswith("net_weights"):
                text = DEFINED.sub(define, text)
            (folder / path.name).write_text(text)
    return sorted(path.name for path in folder.glob("*.c"))


def is_deviation(rule, text, line, column):
    """Whether `rule` is violated there on purpose."""
    begin = text[line - 1][column - 1 :]
    if rule == "11.8":
        rest = "\n".join([begin, *text[line : line + 4]]).split(";")[0]
        return CASTS.match(rest) is not None
    return rule == "20.7" and UNUSUAL.match(text[line - 1]) is not None


def find_violations(package):
    """Rule, whether it is a deviation, file and line, of each violation."""
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        names = shorten(package, temp)
        done = subprocess.run(
            ["cppcheck", "--addon=misra", "--std=c99", "--quiet", f"-I{RUNTIME}",
             "--template={file}\t{line}\t{column}\t{id}\t{message}", *names],
            cwd=temp, capture_output=True, text=True)
        texts = {path.name: path.read_text().splitlines() for path in temp.glob("net*.[ch]")}
        for report in done.stderr.splitlines():
            fields = report.split("\t")
            if len(fields) != 5 or (fields[0] in texts and "misra-c2012-" not in fields[3]):
                sys.exit(f"{package}: {report}")
            file, line, column, name, _ = fields
            if file in texts:
                rule = name.removeprefix("misra-c2012-")
                is_known = is_deviation(rule, texts[file], int(line), int(column))
                yield rule, is_known, f"{file}:{line}: {texts[file][int(line) - 1].strip()}"
        if done.returncode != 0:
            sys.exit(f"{package}: cppcheck ended with {done.returncode}: {done.stdout}")


def by_number(rule):
    return [int(part) for part in rule.split(".")]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("packages", nargs="+", type=pathlib.Path)
    parser.add_argument("--allow", action="append", default=[])
    given = parser.parse_args()
    wrong = 0
    allowed = set()
    for package in given.packages:
        counts = collections.defaultdict(collections.Counter)
        for rule, is_known, place in find_violations(package):
            if rule in ADVISORY:
                kind = "advisory"
            elif is_known:
                kind = "deviations"
            elif rule in given.allow:
                kind = "allowed"
                allowed.add(rule)
            else:
                kind = "mandatory" if rule in MANDATORY else "required"
                print(f"{package.name}/{place}: {rule} is {kind}")
                wrong += 1
            counts[kind][rule] += 1
        texts = []
        for kind in sorted(counts):
            rules = sorted(counts[kind], key=by_number)
            listed = ", ".join(f"{rule} ({counts[kind][rule]})" for rule in rules)
            texts.append(f"{kind} {listed}")
        print(f"{package.name}: {'; '.join(texts)}")
    for rule in sorted(set(given.allow) - allowed, key=by_number):
        print(f"{rule} is allowed, but nothing violates it")
        wrong += 1
    print(f"{len(given.packages)} packages, {wrong} violations of required rules")
    sys.exit(1 if wrong else 0)


main()
