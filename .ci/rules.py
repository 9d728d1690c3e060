#!/usr/bin/env python3
"""Writes docs/reference/Rules.md: the limits that checks share, and each rule of
docs/spec, where it is checked and where it is tested. A comment `// Q1`, or of
several rules, marks both places.

Also finds what is wrong with rules, for .ci/check_tree.py.
"""

import collections
import pathlib
import re
import subprocess

SPEC = pathlib.Path("docs/spec")
PAGE = pathlib.Path("docs/reference/Rules.md")
LIMITS = pathlib.Path("include/mli/Contract/Limits.def")
LIMIT = re.compile(r'^MLI_LIMIT\((\w+), ([-\d]+), ([-\d]+), "([^"]*)", "([^"]*)"\)', re.M)
SUFFIXES = {".cpp", ".h", ".td", ".def", ".mlir", ".test", ".py"}
DEFINITION = re.compile(r"^(?:- |\| )\*\*([A-Z]+\d+)\*\*", re.M)
COMMENT = re.compile(r"^ *(?://|#) ([A-Z]+\d+(?:, [A-Z]+\d+)*)$", re.M)
# The name of a function or of a type, which stands before a `{`.
FUNCTION = re.compile(
    r"([~\w:]+)\s*\((?:[^;{}]*)\)\s*(?:const|noexcept|override|final|->[^;{}]*|"
    r":\s[^;{}]*|\s)*$"
)
TYPE = re.compile(r"\b(?:struct|class|enum|union)\s+(?:class\s+)?(\w+)[^;{}()]*$")
KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "sizeof"}


def tracked():
    out = subprocess.check_output(
        ["git", "ls-files", "-co", "--exclude-standard"], text=True
    )
    return [pathlib.Path(line) for line in out.splitlines()]


def definitions():
    """The rules, by the page that has them, in its order."""
    return {
        path: DEFINITION.findall(path.read_text()) for path in sorted(SPEC.glob("*.md"))
    }


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def without_text(code):
    """The code at its place, strings and comments blanked out."""
    return re.sub(
        r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'',
        blank,
        code,
        flags=re.S,
    )


def name_of(header):
    function = FUNCTION.search(header)
    if function and function[1] not in KEYWORDS:
        return function[1].split("mli::")[-1]
    kind = TYPE.search(header)
    return kind[1] if kind else None


def enclosing(code, position):
    """The innermost function, or type, around `position`; else what follows."""
    stack, start = [], 0
    for brace in re.finditer(r"[{};]", code):
        if brace[0] == "{":
            name = name_of(code[start : brace.start()])
            if brace.start() > position and not any(stack) and name:
                return name
            stack.append(name)
        elif brace[0] == "}" and stack:
            stack.pop()
        elif brace.start() > position and not any(stack):
            name = name_of(code[start : brace.start()])
            if name:
                return name
        start = brace.end()
        if brace.end() > position:
            continue
        inside = [name for name in stack if name]
        following = code.find("{", brace.end()), code.find("}", brace.end())
        ends = min((at for at in following if at >= 0), default=len(code))
        if inside and ends > position:
            return inside[-1]
    return None


def place(path, text, position):
    """`file:function` of a check, whose names are stable; the file of a test."""
    if path.parts[0] == "test" or path.suffix not in {".cpp", ".h"}:
        return str(path)
    name = enclosing(without_text(text), position)
    return f"{path}:{name}" if name else str(path)


def marks(texts):
    """Rule -> places, of checks and of tests."""
    checks, tests = collections.defaultdict(list), collections.defaultdict(list)
    for path, text in sorted(texts.items()):
        if path.suffix not in SUFFIXES or path.parts[0] not in {
            "include", "lib", "tools", "test",
        }:
            continue
        kind = tests if path.parts[0] == "test" else checks
        for comment in COMMENT.finditer(text):
            where = place(path, text, comment.end())
            for rule in comment[1].split(", "):
                if where not in kind[rule]:
                    kind[rule].append(where)
    return checks, tests


def breaches(texts):
    """Returns what is wrong with rules: two of one id, none of a comment, no check or
    no test."""
    found = []
    checks, tests = marks(texts)
    pages = collections.defaultdict(list)
    for path, rules in definitions().items():
        for rule in rules:
            pages[rule].append(path)
    for rule, where in pages.items():
        if len(where) > 1:
            found.append(f"{where[1]}: rule {rule} is also in {where[0]}")
        if rule not in checks:
            found.append(f"{where[0]}: no check names rule {rule}")
        if rule not in tests:
            found.append(f"{where[0]}: no test names rule {rule}")
    for kind in (checks, tests):
        for rule in sorted(set(kind) - set(pages)):
            found.append(f"{kind[rule][0]}: rule {rule} is not in docs/spec")
    return found


def page():
    """The text of `PAGE`, as the tree is now."""
    texts = {
        path: path.read_text()
        for path in tracked()
        if path.suffix in SUFFIXES and path.exists()
    }
    checks, tests = marks(texts)
    pages = definitions()
    count = sum(map(len, pages.values()))
    lines = [
        "<!-- Written by .ci/rules.py -->",
        "",
        "# Rules",
        "",
        f"The {count} rules of the specification, each with the functions that hold to it",
        "and the tests that show it.",
    ]
    lines += ["", "## Limits", "", "What numbers are in, both ends included."]
    lines += ["", "| of | least | most | rules |", "|---|---|---|---|"]
    for _, least, most, rules, what in LIMIT.findall(LIMITS.read_text()):
        lines.append(f"| {what} | {least} | {most} | {rules} |")
    for page, rules in pages.items():
        if not rules:
            continue
        lines += ["", f"## [{page.stem}](../spec/{page.name})", ""]
        lines += ["| rule | checks | tests |", "|---|---|---|"]
        for rule in rules:
            cells = ("<br>".join(f"`{p}`" for p in kind[rule]) for kind in (checks, tests))
            lines.append(f"| {rule} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
