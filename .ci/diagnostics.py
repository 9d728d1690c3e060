#!/usr/bin/env python3
"""Each diagnostic that the sources emit, or hand on, is expected by a test, and
whole: from its first word to its last, only the values in it left open. What is
streamed later, or made elsewhere and only passed on, stays open, too.

Handed on are the texts of `fail`, `refuse`, `createStringError` and the like, and
every text that begins with `expected`, whatever takes it: put together by `+`,
`<<` or commas, or a format. Who takes such a text may put something around it.

Run alone, prints how many there are. .ci/check_tree.py reports the breaches.
"""

import itertools
import re
import sys

sys.dont_write_bytecode = True
import rules  # noqa: E402

EMIT = re.compile(r"\b(?:emit(?:Op)?(?:Error|Warning|Remark)|attachNote)\s*\(")
HAND = re.compile(
    r"\b(?:fail|failHere|refuse|failures\.add|reject|createStringError|makeError|invalid)\s*\("
)
STRING = r'"(?:[^"\\\n]|\\.)*"'
STRINGS = re.compile(rf"\s*(?:{STRING}\s*)+")
# The last argument of the call that begins the stream.
LAST_TEXT = re.compile(rf"[(,]\s*((?:{STRING}\s*)+)\)\s*$")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# The strings of a format, and macros between them, each of which is a value.
FORMAT = re.compile(rf"\s*(?:(?:{STRING}|PRI[diux]\w+)\s*)+")
FORMAT_PART = re.compile(rf"{LITERAL.pattern}|PRI[diux](\w+)")
# A value in a format of C, which a macro may end, or of formatv.
VALUE = re.compile(
    r"%[-+ 0#]*[\d.]*(?:hh|h|ll|l|z|j|t)?(?:[diuxXcsfgp]|\0)|\{\d[^}]*\}"
)
# Strings of a test, values between them.
JOINED = re.compile(rf'{STRINGS.pattern}(?:\+[^;,"]*\+{STRINGS.pattern})*')
# Where a text begins that no call above takes, nor an assertion.
TEXT = re.compile(r'[^"&\s]\s*(?="expected )')
EXPECTED = re.compile(
    r"expected-(?:error|warning|remark|note)[^{\n]*\{\{(.*?)\}\}(?=$|\s)"
    r"|\b(?:error|warning|remark|note): (.*)$",
    re.M,
)
# Verifiers put this before a message of an operation.
PREFIX = r"(?:'[\w.]+' op )?"
# Whatever stands there, or nothing.
GAP = object()


def tokens(code):
    """Pairs of a position and the sign there, outside of text."""
    for token in re.finditer(
        rf"{STRING}|//[^\n]*|'(?:[^'\\\n]|\\.)'|<<|::|[()\[\]{{}};,+?:]", code
    ):
        if token[0][0] not in "\"/'":
            yield token.start(), token[0]


def parts_of(text, start, separators, ends):
    """The parts of the expression at `start`, each after its separator, and where
    it ends."""
    depth, parts, begin, before = 0, [], start, ""
    for at, token in tokens(text[start : start + 4000]):
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and token in ends):
            return parts + [(before, text[begin : start + at])], start + at
        if depth == 0 and token in separators:
            parts.append((before, text[begin : start + at]))
            begin, before = start + at + len(token), token
    return parts, start


def literal(code):
    return "".join(LITERAL.findall(code)).replace('\\"', '"').replace("\\n", "\n")


def pieces(text, start):
    """The texts of a message that is emitted, None for each value, and its end."""
    parts, end = parts_of(text, start, ["<<"], [";"])
    (_, call), *rest = parts or [("", "")]
    first = LAST_TEXT.search(call)
    # A value that begins the message is an argument after the location.
    found = [literal(first[1])] if first else [None] * ("," in call)
    for _, part in rest:
        found.append(literal(part) if STRINGS.fullmatch(part) else None)
    return found, end


def format_pieces(code):
    """The texts of a format, None for each value."""
    text = "".join(
        "\0" if part[2] else literal(part[0]) for part in FORMAT_PART.finditer(code)
    )
    found, begin = [], 0
    for value in VALUE.finditer(text):
        found += [text[begin : value.start()], None]
        begin = value.end()
    return [piece for piece in found + [text[begin:]] if piece != ""]


def handed_pieces(text, start, separators, ends):
    """The same of a message that is handed on. Between arguments there may be
    something that the call puts there."""
    parts, end = parts_of(text, start, separators, ends)
    found = []
    for before, part in parts:
        if before == "," and found:
            found.append(GAP)
        if not FORMAT.fullmatch(part):
            found.append(None)
            continue
        part_pieces = format_pieces(part)
        found += part_pieces
        if before in {"", ","} and None in part_pieces:
            break  # Its values follow.
    while found and (found[0] is None or found[0] is GAP):
        found.pop(0)
    return found, end


def sites(texts):
    """Path, line, pieces and whether it is handed on of each diagnostic with a text
    of its own."""
    for path, text in sorted(texts.items()):
        if path.suffix not in {".cpp", ".h"} or path.parts[0] == "test":
            continue
        seen = []
        for found, is_handed in [(m, False) for m in EMIT.finditer(text)] + [
            (m, True) for m in HAND.finditer(text)
        ]:
            if is_handed:
                parts, end = handed_pieces(text, found.end(), ["<<", "+", ","], [";"])
            else:
                parts, end = pieces(text, found.end() - 1)
            if any(isinstance(part, str) for part in parts):
                seen.append((found.start(), end))
                yield path, text.count("\n", 0, found.start()) + 1, parts, is_handed
        for found in TEXT.finditer(text):
            if any(begin <= found.end() < end for begin, end in seen):
                continue
            parts, end = handed_pieces(
                text, found.end(), ["<<", "+"], [";", ",", "?", ":"]
            )
            if parts:
                yield path, text.count("\n", 0, found.end()) + 1, parts, True


def expectations(texts):
    """Collects what tests expect: whole messages, and lines that have some in them."""
    found, lines = set(), set()
    for path, text in texts.items():
        if path.parts[0] != "test":
            continue
        for match in EXPECTED.finditer(text):
            rest = (match[2] or "").strip().removesuffix("{{$}}")
            found.add(match[1] if match[1] is not None else rest)
        if path.suffix in {".cpp", ".py"}:
            found |= {literal(match[0]) for match in STRINGS.finditer(text)}
            for match in JOINED.finditer(text):
                line = "\0".join(map(literal, re.split(r"\+[^\"]*\+", match[0])))
                # Tests by tables begin after it.
                lines |= {line, "expected " + line}
        else:
            # Longer ones are data.
            lines |= {line for line in text.splitlines() if len(line) < 500}
    return found, found | lines


def pattern(parts, is_handed=False):
    """Returns what a whole message matches; one that ends in a space goes on later."""
    text = ""
    for is_text, run in itertools.groupby(parts, lambda part: isinstance(part, str)):
        run = list(run)
        text += re.escape("".join(run)) if is_text else ".+?" if None in run else ".*?"
    last = parts[-1] if isinstance(parts[-1], str) else ""
    text += ".+" if last[-1:] == " " else ""
    if is_handed:
        return re.compile(text)
    return re.compile(PREFIX + text)


def shown(parts):
    return "".join(
        part if isinstance(part, str) else "..." for part in parts if part is not GAP
    )


def breaches(texts):
    found = []
    expected, lines = expectations(texts)
    together = "\n".join(line.replace("\n", " ") for line in sorted(lines))
    for path, line, parts, is_handed in sites(texts):
        message = shown(parts)
        # Names that are all capitals stay so.
        is_sentence = re.match(r"[A-Z][a-z ]", message) or message.endswith(".")
        if is_sentence and isinstance(parts[-1], str):
            found.append(f"{path}:{line}: '{message}' starts upper case or ends in '.'")
        whole = pattern(parts, is_handed)
        if is_handed:
            is_expected = whole.search(together)
        else:
            is_expected = any(whole.fullmatch(text) for text in expected)
        if not is_expected:
            found.append(f"{path}:{line}: no test expects all of '{message}'")
    return found


if __name__ == "__main__":
    read = {
        path: path.read_text()
        for path in rules.tracked()
        if path.suffix in {".cpp", ".h", ".mlir", ".test", ".py"} and path.exists()
    }
    missing = breaches(read)
    print("\n".join(missing))
    print(f"{len(list(sites(read)))} diagnostics, {len(missing)} not expected whole")
