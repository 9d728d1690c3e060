#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the man page of a tool, by help2man, of what its `--help` says:
  man.py PROGRAM VERSION OUTPUT.gz

The date is SOURCE_DATE_EPOCH, or else that of the last commit, so that the same sources
make the same bytes."""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import help_text

SECTIONS = {"EXIT CODES": "Exit status", "FILES": "Files", "PASSES": "Passes",
            "TRANSLATIONS": "Translations"}
# Of paths that `--help` has from the top of the sources.
DOCS = "docs is the folder ../share/doc/mli-mlir, seen from that of this program."
# The columns where texts begin: help2man takes what is further left as one word.
COLUMN = 34


def entry(indent, name, text):
    """A name with its text, as help2man reads it."""
    name = " " * indent + name
    if len(name) + 2 > COLUMN:
        return f"{name}\n{'':{COLUMN}}{text}\n"
    return f"{name:{COLUMN}}{text}\n"


def option_text(option):
    name = option.name
    if option.argument is not None:
        form = " <%s>" if len(name) == 2 else "[=<%s>]" if option.is_optional else "=<%s>"
        name += form % option.argument
    values = [entry(4, "=" + value, text) for value, text in option.values]
    return entry(2, name, option.text) + "".join(values)


def usual_text(help):
    """What `--help` would print if it had the form of GNU."""
    text = f"{help.purpose}\n\nUsage: {help.usage}\n\nExamples:\n"
    for line in help.sections["EXAMPLES"]:
        text += re.sub(r"^ +", "  $ ", line) + "\n"
    for heading, title in SECTIONS.items():
        if heading in help.sections:
            text += f"\n*{title}*\n" + "\n".join(help.sections[heading]) + "\n"
        if heading == "FILES" and "docs/" in "".join(help.sections[heading]):
            text += f"{DOCS}\n"
    return text + "\nOptions:\n" + "".join(map(option_text, help.options))


def polish(page):
    """Values of options stand further right than options; no words are broken, nor lines
    of examples."""
    values = r"((?:\.TP\n(?:\\fB)?=.*\n(?!\.TP).*\n)+)"
    page = re.sub(values, r".RS\n\1.RE\n", page)
    page = re.sub(r"(^\.TH .*\n)", r"\1.nh\n.ad l\n", page, flags=re.M)
    # What is copied from the page has the sign of commands, not that of words.
    page = re.sub(r"^\\f\(CW.*", lambda line: line[0].replace("-", r"\-"), page, flags=re.M)
    return re.sub(r"^(\.SH EXAMPLES\n)((?:\.IP\n|\.br\n|\\f\(CW.*\n)+)", r"\1.nf\n\2.fi\n",
                  page, flags=re.M)


def name_of(help):
    """A line of NAME: the first words of the purpose, up to a full stop, or a colon."""
    words = re.split(r"[.:;]\s", " ".join(help.purpose.split()))[0].rstrip(".")
    return words[0].lower() + words[1:]


def date():
    """Seconds, as text."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    run = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True,
                         cwd=pathlib.Path(__file__).parent, text=True, check=False)
    return run.stdout.strip() or "0"


def write(help, version, folder):
    """The page of help2man, which runs a program."""
    text = pathlib.Path(folder, "text")
    text.write_text(usual_text(help), encoding="utf-8")
    program = pathlib.Path(folder, help.tool)
    program.write_text(f'#!/bin/sh\ncat "{text}"\n')
    program.chmod(0o755)
    command = ["help2man", "--no-info", "--no-discard-stderr", "--locale=C.UTF-8",
               "--name", name_of(help), "--source", f"mli-mlir {version}",
               "--version-string", version, program]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8",
                          env={**os.environ, "SOURCE_DATE_EPOCH": date()}).stdout


def main():
    program, version, output = sys.argv[1:]
    help = help_text.read(program)
    with tempfile.TemporaryDirectory() as folder:
        page = polish(write(help, version, folder))
    with open(output, "wb") as file:
        # Without a name and a time of its own.
        file.write(gzip.compress(page.encode(), 9, mtime=0))


main()
