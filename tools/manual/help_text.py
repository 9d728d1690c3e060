# SPDX-License-Identifier: Apache-2.0
"""Reads what `--help` of a tool prints (tools/Help.cpp): man pages and completion are
made of nothing else, so they say what the tool says."""

import dataclasses
import re
import subprocess

HEADING = re.compile(r"^([A-Z][A-Z ]+)\b(.*):$")
OPTION = re.compile(r"^  (--?[\w-]+)(\[?)(?:[= ]<(.*?)>)?\]? +- (.*)$")
VALUE = re.compile(r"^    =(\S+) +- +(.*)$")
ENTRY = re.compile(r"^  --([\w-]+) {2,}(\S.*)$")


@dataclasses.dataclass
class Option:
    """One option with all its forms: what `argument` stands for is None where it takes
    none, and `is_optional` says that it may be left out."""
    name: str
    argument: str = None
    is_optional: bool = False
    text: str = ""
    values: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Help:
    tool: str
    purpose: str
    usage: str
    sections: dict
    options: list
    passes: list


def ask(program, option):
    return subprocess.run([program, option], check=True, stdin=subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8").stdout


def split_sections(text):
    """The lines of each section by its heading; those before all headings have none."""
    sections, heading = {"": []}, ""
    for line in text.splitlines():
        match = HEADING.match(line)
        if match:
            heading = match[1].strip()
            sections[heading] = []
        else:
            sections[heading].append(line)
    return sections


def read_options(lines):
    """Options in their order. One that may go without its value is listed in two
    forms, which are one here."""
    options, last = {}, None
    for line in lines:
        option, value = OPTION.match(line), VALUE.match(line)
        if option:
            name, bracket, argument, text = option.groups()
            last = options.setdefault(name, Option(name))
            last.is_optional = bool(bracket) or last.text != ""
            last.argument, last.text = argument, text
        elif value:
            last.values.append(list(value.groups()))
        elif last and line.strip():
            if last.values:
                last.values[-1][1] += " " + line.strip()
            else:
                last.text += " " + line.strip()
    for option in options.values():
        option.values = [value for value in option.values if value[0] != "<empty>"]
    return list(options.values())


def read(program):
    """The help of `program`, a path."""
    text = ask(program, "--help")
    sections = split_sections(text)
    head = "\n".join(sections.pop(""))
    purpose, _, usage = head.partition("\nUSAGE: ")
    usage = usage.strip()
    options = read_options(sections.pop("OPTIONS"))
    passes = [match.groups() for name in ("PASSES", "TRANSLATIONS")
              for line in sections.get(name, []) if (match := ENTRY.match(line))]
    return Help(usage.split()[0], purpose.strip(), usage, sections, options, passes)
