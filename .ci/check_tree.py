"""Rules about the tree that no compiler checks. Prints each breach; exits 1.

  check_tree.py            the rules that hold
  check_tree.py --all      also those that the tree does not keep yet
  check_tree.py RULE...    these alone, of `ENFORCED`

Top       nothing at the top level but what belongs there.
Size      no source file over 800 lines.
Mirror    every pass has its .td, .cpp and .mlir of one name.
Passes    passes introduce themselves, options reach what reads them: passes.py.
Negative  every diagnostic is expected by some test, and whole.
Rules     every rule of docs/spec has an id of its own, a check and a test, which
          a comment (`// Q1`) marks; every such comment names a rule.
Pages     docs/reference/Rules.md, Kernels.md and Coverage.md are as the tree is now.
Examples  every operation, attribute and type has an example in its description,
          every operation a formula before it.
Links     every path that a .td or .md names exists.
And those of `ENFORCED`, described where they are.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
import commits  # noqa: E402
import coverage  # noqa: E402
import diagnostics  # noqa: E402
import idioms  # noqa: E402
import kernels  # noqa: E402
import passes  # noqa: E402
import rooms  # noqa: E402
import rules  # noqa: E402

MAX_LINES = 800
TOP = {"CMakeLists.txt", "LICENSE", "README.md", "docs", "include", "lib", "test", "tools"}
SUFFIXES = {".cpp", ".h", ".td", ".def", ".mlir", ".md", ".test", ".py"}
PASS = re.compile(r'^def (\w+) : Pass<"([\w-]+)"', re.M)
ENTRY = re.compile(r"^(##+) (.*?)\n(.*?)(?=^##|\Z)", re.M | re.S)
SYNTAX = re.compile(r"^Syntax:\n+```.*?^```$", re.M | re.S)
FORMULA = re.compile(r"`[^`]* =\s[^`]*`")
NAME_IN_TD = re.compile(r"\bMLI_[A-Z]\w*Doc\b")
PATH = re.compile(r"(?<![\w/.-])((?:include|lib|test|tools|docs)/[\w./-]+\.\w+)")

# Rules by name, and whether the tree keeps them.
ENFORCED = {
    rooms.rooms: True,
    rooms.folders: True,
    rooms.headers: True,
    idioms.lists: True,
    idioms.defaults: True,
    idioms.options: True,
    idioms.words: True,
    coverage.operators: True,
    commits.commits: True,
}


def tree(texts):
    """Breaches of the rules that are described above."""
    tests = {p: t for p, t in texts.items() if p.parts[0] == "test"}
    sources = {
        p: t for p, t in texts.items() if p.parts[0] in {"include", "lib", "tools"}
    }
    breaches = []

    top = {path.parts[0] for path in rules.tracked() if path.exists()}
    for name in sorted(top - TOP):
        if not name.startswith("."):
            breaches.append(f"{name}: does not belong at the top level")

    for path, text in (sources | tests).items():
        lines = text.count("\n")
        if lines > MAX_LINES:
            breaches.append(f"{path}: {lines} lines, over {MAX_LINES}")

    for path, text in sources.items():
        for name, flag in PASS.findall(text):
            stem = name.removeprefix("Convert")
            for root, file in (
                ("include/mli", f"{stem}.td"),
                ("lib", f"{stem}.cpp"),
                ("test", f"{flag.removeprefix('mli-')}.mlir"),
            ):
                folder = pathlib.Path(root, path.parts[2])
                if not any(p.name == file and folder in p.parents for p in texts):
                    breaches.append(f"{path}: pass '{flag}' has no {file} in {folder}")

    breaches += passes.breaches(texts) + diagnostics.breaches(texts)
    breaches += rules.breaches(texts) + kernels.breaches()

    for written in (rules, kernels, coverage):
        if texts.get(written.PAGE) != written.page():
            breaches.append(f"{written.PAGE}: out of date, run `ninja mli-doc`")

    part = ""
    dialect = pathlib.Path("docs/reference/Dialect.md")
    for level, title, body in ENTRY.findall(texts[dialect]):
        part = title if level == "##" else part
        if level != "###" or part == "Enums":
            continue
        text, *example = SYNTAX.sub("", body).split("```mlir")
        if not example:
            breaches.append(f"{dialect}: {title} has no example")
        if part == "Operations" and not FORMULA.search(text):
            breaches.append(f"{dialect}: {title} has no formula")
        for name in NAME_IN_TD.findall(text):
            breaches.append(f"{dialect}: {title} has the name {name}, not its text")

    for path, text in texts.items():
        if path.suffix in {".td", ".md"}:
            for name in PATH.findall(text):
                if not pathlib.Path(name).exists():
                    breaches.append(f"{path}: names {name}, which does not exist")

    return breaches


def main(arguments):
    by_name = {rule.__name__: rule for rule in [tree, *ENFORCED]}
    if arguments == ["--all"]:
        selected = list(by_name.values())
    elif arguments:
        unknown = [name for name in arguments if name not in by_name]
        if unknown:
            sys.exit(f"unknown rule '{unknown[0]}': one of {', '.join(by_name)}")
        selected = [by_name[name] for name in arguments]
    else:
        selected = [tree] + [rule for rule in ENFORCED if ENFORCED[rule]]

    texts = {
        path: path.read_text()
        for path in rules.tracked()
        if path.suffix in SUFFIXES and path.exists()
    }
    breaches = [breach for rule in selected for breach in rule(texts)]
    print("\n".join(breaches) or "tree: ok")
    sys.exit(bool(breaches))


if __name__ == "__main__":
    main(sys.argv[1:])
