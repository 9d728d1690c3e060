"""Rules about the code's text: lists of kernels by hand, silent defaults, options by
position, and identifiers that the glossary replaces.

Names come from where they are defined: operations from the .td files of
include/mli/IR, options from those of passes and from C++ structs.
"""

import pathlib
import re

import rooms

MAX_NAMED_KERNELS = 2
IR = {("include", "mli", "IR"), ("lib", "IR")}
IDENTIFIERS = pathlib.Path(__file__).with_name("identifiers.txt")

RECORD = re.compile(r"^(class|def) MLI_(\w+)[^:{;]*?(?:<[^{;]*?>)?\s*:\s*MLI_(\w+)", re.M)
PASS = re.compile(r"^def (\w+) : (?:Interface)?Pass<.*?^}", re.M | re.S)
OPTION_STRUCT = re.compile(r"\bstruct (\w+Options)\b(?=[^;()]*\{)")
DERIVED = re.compile(r"\b(?:struct|class) \w+(?: final)? : (?:public )?$")
PIPELINE_STRUCT = re.compile(r"\bstruct (\w+)\s*\{")
# Ends of a list of template arguments, and what no such list has.
ANGLE = re.compile(r"[<>;{}]")
TEXT = re.compile(
    r"""'(?:[^'\\\n]|\\.)'|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/""", re.S
)
JOINED_WORDS = re.compile("[a-z][A-Z]")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def blank(text):
    """`text` without comments and strings; what is left keeps its place."""
    return TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def operations(texts, base=None):
    """The C++ classes of operations, or of those derived from the ODS class `base`."""
    records = {}
    for path, text in texts.items():
        if path.suffix == ".td" and path.parts[:3] == ("include", "mli", "IR"):
            for kind, name, parent in RECORD.findall(text):
                records[name] = kind, parent

    def ancestors(name):
        while name in records:
            name = records[name][1]
            yield name

    return {
        name
        for name, (kind, _) in records.items()
        if kind == "def" and (base or "Op") in ancestors(name)
    }


def names(code, operations):
    """Which of our operations `code` names: those of other dialects are qualified."""
    return {
        word[0]
        for word in WORD.finditer(code)
        if word[0] in operations
        and (code[: word.start()][-2:] != "::" or code[: word.start()].endswith("mli::"))
    }


def code(texts):
    """Path and code of our C++ sources, without comments and strings."""
    for path, text in sorted(rooms.sources(texts, "include", "lib", "tools").items()):
        if path.suffix in {".cpp", ".h"}:
            yield path, blank(text)


def balanced(text, start, pairs):
    """The end of the bracket that opens at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == pairs[0]) - (text[at] == pairs[1])
        if depth == 0:
            return at + 1
    return len(text)


def template_arguments(text):
    """Lists of template arguments and their positions. A comparison opens none that
    ends, or one around others."""
    stack, found = [], []
    for token in ANGLE.finditer(text):
        if token[0] == "<":
            stack.append(token.start())
        elif token[0] == ">" and text[token.start() - 1] != "-" and stack:
            start = stack.pop()
            found.append((start, text[start : token.end()]))
        elif token[0] in ";{}":
            stack = []
    return sorted(found)


def lists(texts):
    """Lists of kernels outside of the dialect."""
    kernels = operations(texts, "KernelOp")
    if not kernels:
        yield "include/mli/IR: no operation is a KernelOp"
    for path, text in code(texts):
        if path.parts[:3] in IR or path.parts[:2] in IR:
            continue
        end = 0
        for start, arguments in template_arguments(text):
            named = names(arguments, kernels)
            if len(named) > MAX_NAMED_KERNELS and start >= end:
                end = start + len(arguments)
                yield (
                    f"{path}:{line_of(text, start)}: lists {len(named)} kernels by hand:"
                    f" ask KernelOpInterface or a trait instead of {min(named)}, ..."
                )


def defaults(texts):
    """Switches over our operations in which a new one is forgotten silently."""
    ours = operations(texts)
    for path, text in code(texts):
        for start in (match.start() for match in re.finditer(r"\bTypeSwitch<", text)):
            end = start
            while end < len(text) and text[end] not in ";}":
                brackets = {"(": "()", "{": "{}"}.get(text[end])
                end = balanced(text, end, brackets) if brackets else end + 1
            switch = text[start:end]
            default = switch.find(".Default(")
            if default >= 0 and names(switch, ours):
                yield (
                    f"{path}:{line_of(text, start + default)}: .Default( of a TypeSwitch"
                    " over mli ops hides those that are forgotten"
                )


def option_structs(texts):
    """The structs of options, and the functions that make passes of them."""
    structs, functions = set(), set()
    for path, text in texts.items():
        if path.suffix == ".td":
            for match in PASS.finditer(text):
                if "let options" in match[0]:
                    structs.add(match[1] + "Options")
                    functions.add("create" + match[1])
        elif path.suffix in {".h", ".cpp"}:
            structs |= set(OPTION_STRUCT.findall(text))
            if path.parts[:3] == ("include", "mli", "Pipelines"):
                structs |= set(PIPELINE_STRUCT.findall(text))
    return structs, functions


def options(texts):
    """Structs of options whose members are filled by position."""
    structs, functions = option_structs(texts)
    if not structs:
        return
    struct = rf"\b({'|'.join(sorted(structs))})\b"
    value = r"\{(?!\s*[}.])"
    created = "|".join(sorted(functions)) or "(?!)"
    filled = re.compile(
        rf"(?<!struct ){struct}(?:\s+\w+)?\s*(?:=\s*)?{value}|\b({created})\(\s*{value}"
    )
    returned = re.compile(rf"{struct}\s+[\w:]+\([^;{{}}()]*\)\s*(?:const\s*)?\{{")
    for path, text in code(texts):
        for match in filled.finditer(text):
            if DERIVED.search(text, 0, match.start()):
                continue
            name = match[1] or match[2].removeprefix("create") + "Options"
            yield f"{path}:{line_of(text, match.start())}: {name} is filled by position"
        for match in returned.finditer(text):
            end = balanced(text, match.end() - 1, "{}")
            for made in re.finditer(rf"\breturn\s+{value}", text[match.end() : end]):
                line = line_of(text, match.end() + made.start())
                yield f"{path}:{line}: {match[1]} is filled by position"


def replaced():
    """Identifier -> what the glossary says instead."""
    lines = (line.strip() for line in IDENTIFIERS.read_text().splitlines())
    pairs = (line.split(None, 1) for line in lines if line and line[0] != "#")
    return {name: instead for name, instead in pairs}


def words(texts):
    """Identifiers that no correct use has. In comments only those that are no words."""
    instead = replaced()
    for path, text in sorted(rooms.sources(texts, "include", "lib", "tools").items()):
        lines = zip(text.splitlines(), blank(text).splitlines())
        for number, (line, code_line) in enumerate(lines, 1):
            used = set(WORD.findall(code_line))
            for name in dict.fromkeys(WORD.findall(line)):
                if name in instead and (name in used or JOINED_WORDS.search(name)):
                    yield f"{path}:{number}: '{name}': say {instead[name]}"
