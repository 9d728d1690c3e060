#!/usr/bin/env python3
"""Each diagnostic that the sources emit is expected by a test, and whole: from
its first word to its last, only the values of the stream left open. What is
streamed later, or made elsewhere and only passed on, stays open, too.

Run alone, prints how many there are. .ci/check_tree.py asks for the breaches.
"""

import re
import sys

sys.dont_write_bytecode = True
import rules  # noqa: E402

EMIT = re.compile(r"\b(?:emit(?:Op)?(?:Error|Warning|Remark)|attachNote)\s*\(")
STRING = r'"(?:[^"\\\n]|\\.)*"'
STRINGS = re.compile(rf"\s*(?:{STRING}\s*)+")
# The last argument of the call that begins the stream.
LAST_TEXT = re.compile(rf"[(,]\s*((?:{STRING}\s*)+)\)\s*$")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
EXPECTED = re.compile(
    r"expected-(?:error|warning|remark|note)[^{\n]*\{\{(.*?)\}\}(?=$|\s)"
    r"|\b(?:error|warning|remark|note): (.*)$",
    re.M,
)
# What verifiers put before a message of an operation.
PREFIX = r"(?:'[\w.]+' op )?"


def tokens(code):
    """Pairs of a position and the bracket, `<<` or `;` there, outside of text."""
    for token in re.finditer(rf"{STRING}|//[^\n]*|<<|[()\[\]{{}};]", code):
        if token[0][0] not in '"/':
            yield token.start(), token[0]


def stream(text, start):
    """The parts of the stream that begins with the bracket at `start`."""
    depth, parts, begin = 0, [], start
    for at, token in tokens(text[start : start + 4000]):
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and token == ";"):
            return parts + [text[begin : start + at]]
        if depth == 0 and token == "<<":
            parts.append(text[begin : start + at])
            begin = start + at + 2
    return parts


def literal(code):
    return "".join(LITERAL.findall(code)).replace('\\"', '"').replace("\\n", "\n")


def pieces(text, start):
    """The texts of a message, None for each value."""
    call, *rest = stream(text, start)
    first = LAST_TEXT.search(call)
    # A value that begins the message is an argument behind the location.
    found = [literal(first[1])] if first else [None] * ("," in call)
    return found + [literal(p) if STRINGS.fullmatch(p) else None for p in rest]


def sites(texts):
    """Path, line and pieces of each diagnostic with a text of its own."""
    for path, text in sorted(texts.items()):
        if path.suffix not in {".cpp", ".h"} or path.parts[0] == "test":
            continue
        for emit in EMIT.finditer(text):
            parts = pieces(text, emit.end() - 1)
            if any(parts):
                yield path, text.count("\n", 0, emit.start()) + 1, parts


def expectations(texts):
    found = set()
    for path, text in texts.items():
        if path.parts[0] != "test":
            continue
        for match in EXPECTED.finditer(text):
            rest = (match[2] or "").strip().removesuffix("{{$}}")
            found.add(match[1] if match[1] is not None else rest)
        if path.suffix == ".cpp":
            found |= {literal(match[0]) for match in STRINGS.finditer(text)}
    return found


def pattern(parts):
    """What a whole message matches; one that ends in a space goes on later."""
    text = "".join(".+?" if part is None else re.escape(part) for part in parts)
    return re.compile(PREFIX + text + (".+" if (parts[-1] or "")[-1:] == " " else ""))


def breaches(texts):
    found = []
    expected = expectations(texts)
    for path, line, parts in sites(texts):
        message = "".join("..." if part is None else part for part in parts)
        # Names that are all capitals stay so.
        is_sentence = re.match(r"[A-Z][a-z ]", message) or message.endswith(".")
        if is_sentence and parts[-1] is not None:
            found.append(f"{path}:{line}: '{message}' starts upper case or ends in '.'")
        whole = pattern(parts)
        if not any(whole.fullmatch(text) for text in expected):
            found.append(f"{path}:{line}: no test expects all of '{message}'")
    return found


if __name__ == "__main__":
    read = {
        path: path.read_text()
        for path in rules.tracked()
        if path.suffix in {".cpp", ".h", ".mlir", ".test"} and path.exists()
    }
    missing = breaches(read)
    print("\n".join(missing))
    print(f"{len(list(sites(read)))} diagnostics, {len(missing)} not expected whole")
