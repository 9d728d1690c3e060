# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a section of a page, in their order:
  run-commands.py PAGE HEADING BUILD TEMP [SKIPPED...]

A command is a line of a code block, with those that a backslash joins to it; what is
behind four spaces and a number sign is a part of what it prints. Commands that begin
with SKIPPED are left out: they install packages, or configure what is built already.
They run in TEMP, which gets links to all that the project has, and a build folder.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```\n(.*?)^```|^((?: {4}[^\n]*\n|\n)+)", re.M | re.S)


def find_commands(page, heading):
    """The commands of the section, and what each prints."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        sys.exit(f"error: expected a section '{heading}' in '{page}', but got none")
    for match in FENCED.finditer(section[1]):
        block = textwrap.dedent(match[1] or match[2]).strip()
        for command in re.sub(r"\\\n\s*", "", block).splitlines():
            command, _, printed = command.partition("    # ")
            yield command.strip(), printed.strip()


def link_project(build, temp):
    """Makes a folder of the project, whose folder `build` can be written to."""
    (temp / "build").mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("build", ".git"):
            (temp / path.name).symlink_to(path)
    for name in ("bin", "lib"):
        (temp / "build" / name).symlink_to(build / name)


def main():
    page, heading = sys.argv[1:3]
    build, temp = map(pathlib.Path, sys.argv[3:5])
    link_project(build, temp)
    count = 0
    # Variables of one command are those of the next ones.
    variables = ""
    for command, printed in find_commands(page, heading):
        if any(command.startswith(skipped) for skipped in sys.argv[5:]):
            continue
        if re.match(r"\w+=\S+$", command):
            variables += command + "\n"
            continue
        done = subprocess.run(
            ["bash", "-c", variables + command], cwd=temp, capture_output=True, text=True
        )
        if done.returncode != 0 or printed not in done.stdout:
            sys.exit(
                f"{command}\n{done.stdout}{done.stderr}"
                f"exit code {done.returncode}, expected '{printed}'"
            )
        count += 1
    print(f"{count} commands")


main()
