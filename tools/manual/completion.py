#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what shells complete after a tool, of what its `--help` says:
  completion.py PROGRAM bash|zsh|fish OUTPUT

Names of options and passes are completed, values where they are listed, and files
elsewhere."""

import pathlib
import re
import shlex
import sys

import help_text

BASH = """\
# Options and values of {tool} for bash, written from what its --help says.
_{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}}
  # Bash makes three words of --NAME=VALUE.
  if [[ $word == '=' ]]; then
    word='' option+='='
  elif [[ $option == '=' ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}=
  fi
  local names=''
  case $option in
{cases}    *)
      [[ $word != -* ]] || names='{names}' ;;
  esac
  # Without a name readline completes files.
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
  [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace
}}
complete -o bashdefault -o default -F _{function} {tool}
"""


def has_value(option):
    return option.argument is not None


def is_short(option):
    return not option.name.startswith("--")


def name_forms(option):
    """The option as it is typed: with a sign before a value, which may be left out."""
    if not has_value(option) or is_short(option):
        return [option.name]
    return [option.name, option.name + "="] if option.is_optional else [option.name + "="]


def value_forms(option):
    """What stands before a value: where that may be left out, it follows the sign."""
    if is_short(option):
        return [option.name]
    return [option.name + "="] if option.is_optional else [option.name, option.name + "="]


def bash(help):
    names = [name for option in help.options for name in name_forms(option)]
    names += ["--" + name for name, _ in help.passes]
    cases = ""
    for option in help.options:
        if option.values:
            values = " ".join(value for value, _ in option.values)
            cases += f"    {' | '.join(value_forms(option))}) names='{values}' ;;\n"
    return BASH.format(tool=help.tool, function=help.tool.replace("-", "_"),
                       names=" ".join(names), cases=cases)


def zsh_text(text):
    """Between brackets of a specification, in single quotes of the shell."""
    return re.sub(r"([\\\[\]:])", r"\\\1", text)


def zsh(help):
    lines = []
    for option in help.options:
        name, tail = option.name, ""
        if has_value(option):
            sign = "" if is_short(option) else "=-" if option.is_optional else "="
            values = " ".join(value for value, _ in option.values)
            action = f"({values})" if values else "_files"
            separator = "::" if option.is_optional else ":"
            name, tail = name + sign, f"{separator}{zsh_text(option.argument)}:{action}"
        lines.append(shlex.quote(f"*{name}[{zsh_text(option.text)}]{tail}"))
    lines += [shlex.quote(f"*--{name}=-[{zsh_text(text)}]::options:") for name, text in help.passes]
    lines.append("'*:file:_files'")
    return (f"#compdef {help.tool}\n# Options and values, written from what --help says.\n"
            "_arguments \\\n  " + " \\\n  ".join(lines) + "\n")


def fish(help):
    lines = []
    for option in help.options:
        form = "-s" if is_short(option) else "-l"
        name = option.name.lstrip("-")
        line = f"complete -c {help.tool} {form} {name} -d {shlex.quote(option.text)}"
        if has_value(option) and not option.is_optional:
            line += " -r"
        if option.values:
            line += " -f -a " + shlex.quote(" ".join(value for value, _ in option.values))
        lines.append(line)
    for name, text in help.passes:
        lines.append(f"complete -c {help.tool} -l {name} -d {shlex.quote(text)}")
    return "# Options and values, written from what --help says.\n" + "\n".join(lines) + "\n"


WRITERS = {"bash": bash, "zsh": zsh, "fish": fish}


def main():
    program, shell, output = sys.argv[1:]
    text = WRITERS[shell](help_text.read(program))
    pathlib.Path(output).write_text(text, encoding="utf-8")


main()
