"""The .cpp of each pass begins with a sentence about its flag, has the flag as its
DEBUG_TYPE and reads every option of the pass. Every option of a pipeline is handed
on to a pass. .ci/check_tree.py asks for the breaches.
"""

import pathlib
import re

PASS = re.compile(r'^def (\w+) : Pass<"([\w-]+)"', re.M)
OPTION = re.compile(r'\bOption<"(\w+)"|^ +(\w+Option),$', re.M)
SHARED_OPTION = re.compile(r'^def (\w+Option)\s*: Option<"(\w+)"', re.M)
PIPELINE_OPTION = re.compile(r"^  Option<[^;]*?> (\w+)\{", re.M)
SHARED = pathlib.Path("include/mli/Transforms/Options.td")
PIPELINES = pathlib.Path("include/mli/Pipelines/Options.h")


def breaches(texts):
    found = []
    shared = dict(SHARED_OPTION.findall(texts[SHARED]))
    code = {
        p.name: t
        for p, t in texts.items()
        if p.parts[0] == "lib" and p.parts[1] in {"Transforms", "Conversion", "Reducer"}
    }
    for path, text in texts.items():
        for name, flag in PASS.findall(text) if path.parts[0] == "include" else []:
            file = f"{name.removeprefix('Convert')}.cpp"
            body = code.get(file, "")
            if not re.match(rf"// .*\n//\n// {flag} ", body):
                found.append(f"{path}: {file} does not begin with what {flag} does")
            if f'#define DEBUG_TYPE "{flag}"' not in body:
                found.append(f"{path}: the DEBUG_TYPE of {file} is not {flag}")
            code_alone = re.sub(r"//.*", "", body)
            for own, other in OPTION.findall(text):
                if not re.search(rf"\b{own or shared[other]}\b", code_alone):
                    found.append(f"{path}: {file} does not read {own or other}")
    for name in PIPELINE_OPTION.findall(texts[PIPELINES]):
        if f" = {name};" not in texts[PIPELINES]:
            found.append(f"{PIPELINES}: '{name}' is handed on to no pass")
    return found
