# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page, in their order:
  run-commands.py PAGE HEADING BUILD TEMP [SKIPPED...]

HEADING is that of a section, or `-` for the whole page. A command is a line of a code
block, with those that a backslash joins to it: in a block that begins with `$`, each
line that does; in others each line, if the first is a call of a program. What is behind
four spaces and a number sign is a part of what a command prints; in a block that begins
with `$`, all that it prints is below it, where `...` is for any lines, or for any text.
A block that is introduced by `NAME`: becomes a file, for the commands to find.
Commands that begin with SKIPPED are left out: they install packages, say, or
configure what is built already. All run in TEMP, which gets links to what the project
has, a build folder, and networks with the names that pages use.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

import pages_networks

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```(?:sh)?\n(.*?)^```$|^```\w+\n.*?^```$|^((?: {4}[^\n]*\n|\n)+)", re.M | re.S)
PROGRAM = re.compile(
    r"(?:\w+=\S+ +)*(?:\./|build/|mli-|mlir-|python3 |cmake |cat |cc |cd |cp |export |grep "
    r"|qemu-|sed |\.ci/|\w+=\S+$)",
    re.M,
)


def find_section(page, heading):
    text = (ROOT / page).read_text(encoding="utf-8")
    if heading == "-":
        return text
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        sys.exit(f"error: expected a section '{heading}' in '{page}', but got none")
    return section[1]


def find_commands(page, heading):
    """The commands of the section, a part of what each prints, and all of it or None."""
    for match in FENCED.finditer(find_section(page, heading)):
        block = textwrap.dedent(match[1] or match[2] or "").strip()
        lines = re.sub(r"\\\n\s*", "", block).splitlines()
        if block.startswith("$ "):
            yield from find_transcript(lines)
        elif PROGRAM.match(block):
            for command in lines:
                command, _, printed = command.partition("    # ")
                yield command.strip(), printed.strip(), None


def find_transcript(lines):
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        command, _, printed = lines[start][2:].partition("    # ")
        whole = "\n".join(lines[start + 1 : end]).rstrip() or None
        yield command.strip(), printed.strip(), whole


def matches(whole, text):
    """Whether `text` is `whole`, with anything for `...`."""
    return re.fullmatch(re.escape(whole).replace(r"\.\.\.", ".*"), text, re.S)


def link_project(build, temp):
    """Makes a folder of the project, whose folder `build` can be written to."""
    (temp / "build").mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("build", ".git"):
            (temp / path.name).symlink_to(path)
    for name in ("bin", "lib", "python", "cmake_install.cmake"):
        (temp / "build" / name).symlink_to(build / name)


def write_files(page, temp):
    """Writes the blocks that a page introduces by the name of a file."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, content in re.findall(r"`([\w.-]+)`:\n\n```\w*\n(.*?)^```$", text, re.M | re.S):
        (temp / name).write_text(content)
        (temp / name).chmod(0o755 if content.startswith("#!") else 0o644)


def main():
    page, heading = sys.argv[1:3]
    build, temp = map(pathlib.Path, sys.argv[3:5])
    link_project(build, temp)
    pages_networks.write(temp, build / "bin")
    write_files(page, temp)
    count = 0
    # Variables of one command are those of the next ones.
    variables = (
        "export PATH=$PWD/build/bin:$PATH\n"
        f"python3() {{ '{sys.executable}' \"$@\"; }}\n"
    )
    for command, printed, whole in find_commands(page, heading):
        if any(command.startswith(skipped) for skipped in sys.argv[5:]):
            continue
        if re.match(r"(export )?\w+=\S+( \w+=\S+)*$", command):
            variables += command + "\n"
            continue
        done = subprocess.run(
            ["bash", "-c", variables + command], cwd=temp, capture_output=True, text=True
        )
        # An error is all that a failure prints.
        text = (done.stdout or done.stderr if whole else done.stdout).rstrip()
        is_right = matches(whole, text) if whole else done.returncode == 0
        if not is_right or printed not in text:
            sys.exit(
                f"{command}\n{done.stdout}{done.stderr}"
                f"exit code {done.returncode}, expected:\n{whole or printed}"
            )
        count += 1
    print(f"{count} commands")


main()
