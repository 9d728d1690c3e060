"""Rules about folders: which includes which, how full one is, and which headers are
too small to stand alone.

A room is a folder with a row in `ROOMS`, and all below it that has no row of its own.
It may include itself, the public headers of its library, and what its row names:
`IR` are the public headers of include/mli/IR, `lib/Layout` private ones, and
`include/mli-c` those for C.
"""

import collections
import os
import pathlib
import re

MAX_SOURCES = 40
MIN_HEADER_LINES = 25

CONTRACT = "Contract Quant Runtime/C"
COMPILER = f"{CONTRACT} Support Layout IR Allocation Analysis"
KERNELS = f"{CONTRACT} lib/Runtime/Core lib/Runtime/Simd"
ROOMS = {
    # Libraries without MLIR.
    "include/mli/Runtime/C": "",
    "include/mli/Contract": "Runtime/C",
    "include/mli/Quant": "Contract Runtime/C",
    "include/mli/Layout": "",
    "include/mli/Support": "",
    "include/mli/Report": "",
    "include/mli/Allocation": "",
    "include/mli/Ordering": "",
    "include/mli/Runtime": "Layout Runtime/C",
    "lib/Quant": "Contract Runtime/C",
    "lib/Support": "",
    "lib/Report": "",
    "lib/Layout": "",
    "lib/Allocation": "Support",
    "lib/Ordering": "",
    "lib/Runtime/Core": CONTRACT,
    "lib/Runtime/Simd": f"{CONTRACT} lib/Runtime/Core",
    "lib/Runtime/Convolution": KERNELS,
    "lib/Runtime/Elementwise": KERNELS,
    "lib/Runtime/Tables": KERNELS,
    "lib/Runtime/Pooling": KERNELS,
    "lib/Runtime/Move": KERNELS,
    "lib/Runtime/Packed": f"{KERNELS} lib/Runtime/Convolution",
    "lib/Runtime/Recurrent": f"{KERNELS} lib/Runtime/Convolution"
    " lib/Runtime/Elementwise lib/Runtime/Tables",
    # Addresses saturate in the device as in its layouts.
    "lib/Runtime/Local": f"{CONTRACT} Layout lib/Layout lib/Runtime/Core",
    # The compiler.
    "include/mli/IR": f"{CONTRACT} Layout",
    "lib/IR": f"{CONTRACT} Layout",
    "include/mli/Analysis": COMPILER,
    "lib/Analysis": COMPILER,
    "include/mli/Calls": f"{CONTRACT} IR",
    "lib/Calls": f"{CONTRACT} IR Layout",
    "include/mli/Frontend": COMPILER,
    "lib/Frontend": COMPILER,
    "include/mli/Transforms": "Allocation IR Layout Report",
    "lib/Transforms": f"{COMPILER} lib/Transforms/Tiling"
    " lib/Transforms/TileSelection lib/Transforms/Slicing lib/Transforms/Bufferization"
    " lib/Transforms/Legalization lib/Transforms/LocalMemory lib/Transforms/Scheduling"
    " lib/Transforms/Addresses lib/Transforms/Ordering Ordering Report",
    "lib/Transforms/Tiling": COMPILER,
    "lib/Transforms/TileSelection": f"{COMPILER} lib/Transforms/Tiling lib/Transforms/LocalMemory",
    "lib/Transforms/Slicing": COMPILER,
    "lib/Transforms/Bufferization": f"{COMPILER} lib/Transforms/Slicing",
    "lib/Transforms/Legalization": f"{COMPILER} lib/Transforms/Slicing",
    "lib/Transforms/LocalMemory": f"{COMPILER} lib/Transforms/Slicing",
    "lib/Transforms/Scheduling": f"{COMPILER} lib/Transforms/TileSelection",
    "lib/Transforms/Addresses": f"{COMPILER} Report",
    "lib/Transforms/Ordering": f"{COMPILER} Ordering lib/Transforms/Bufferization",
    "include/mli/Conversion": "Frontend",
    "lib/Conversion/TosaToMLI": f"{COMPILER} Frontend lib/Conversion/TosaToMLI/Scales",
    "lib/Conversion/TosaToMLI/Scales": f"{COMPILER} Frontend",
    "lib/Conversion/QuantToMLI": f"{CONTRACT} IR",
    "lib/Conversion/MLIToLLVM": f"{COMPILER} Calls",
    "include/mli/Pipelines": "Conversion Transforms",
    "lib/Pipelines": "IR Conversion Transforms Support",
    "lib/Plugin": "Pipelines",
    # For C: headers that include none of C++, and what is behind them.
    "include/mli-c": "",
    "lib/CAPI": "include/mli-c IR Conversion Transforms Pipelines Import Execution Target Report",
    "include/mli/Target": "",
    "lib/Target": f"{CONTRACT} Support Layout IR Calls Pipelines Transforms",
    "include/mli/Reducer": "",
    "lib/Reducer": f"{CONTRACT} IR",
    "include/mli/Import": "Frontend",
    "lib/Import": f"{COMPILER} Frontend lib/Import/Model",
    "lib/Import/Model": "",
    "include/mli/Execution": "IR Pipelines Report Transforms Runtime/C",
    "lib/Execution": "Runtime/C IR Analysis Calls Report Transforms Pipelines",
}
# The passes of lib/Transforms: their names are the .td files of this folder.
PASSES = pathlib.Path("include/mli/Transforms")

INCLUDE = re.compile(r'^[ \t]*#?[ \t]*include[ \t]+["<]([^">\n]+)[">]', re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
GUARD = re.compile(r"#(?:ifndef|define|endif)\b")
SOURCES = {".cpp", ".h", ".def", ".td"}
CHECKED = {"include", "lib", "tools", "test"}


def sources(texts, *roots):
    return {
        path: text
        for path, text in texts.items()
        if path.suffix in SOURCES and path.parts[0] in roots
    }


def folder_of(name):
    """The folder that a name in a row stands for."""
    is_path = name.startswith(("lib/", "include/"))
    return name if is_path else f"include/mli/{name}"


def find_room(path):
    """The row of the innermost folder around `path` that has one, or None."""
    return next((str(p) for p in path.parents if str(p) in ROOMS), None)


def included(path, name, texts):
    """The file of the tree that `path` names, also one that is generated; or None."""
    for folder in (path.parent, "include", "lib"):
        file = pathlib.Path(os.path.normpath(os.path.join(folder, name)))
        if file in texts:
            return file
    is_ours = name.startswith(("mli/", "mli-c/"))
    return pathlib.Path("include", name) if is_ours else None


def includes(path, text, texts):
    """Pairs of a line of `path` and the file of the tree that is included there."""
    for match in INCLUDE.finditer(text):
        file = included(path, match[1], texts)
        if file:
            yield text.count("\n", 0, match.start()) + 1, file


def is_allowed(room, other):
    library = room.split("/")[1]
    own = f"include/mli/{library}" if room.startswith("lib/") else room
    return other in {room, own} | {folder_of(name) for name in ROOMS[room].split()}


def rooms(texts):
    """Includes that no row of the table allows."""
    for path, text in sorted(sources(texts, "include", "lib").items()):
        room = find_room(path)
        if not room:
            yield f"{path}: is in no room of .ci/rooms.py"
            continue
        for line, file in includes(path, text, texts):
            other = find_room(file)
            if other and not is_allowed(room, other):
                yield f"{path}:{line}: {room} may not include {file} of {other}"


def folders(texts):
    """Folders with too many sources, and what lies among the passes."""
    count = collections.Counter(
        path.parent
        for path in sources(texts, "include", "lib", "tools", "test")
        if path.suffix in {".cpp", ".h"}
        and (path.parts[0] != "test" or path.parts[:2] == ("test", "Unit"))
    )
    for folder, number in sorted(count.items()):
        if number > MAX_SOURCES:
            yield f"{folder}: {number} sources, over {MAX_SOURCES}"
    passes = {path.stem for path in texts if path.parent == PASSES}
    for path in sorted(texts):
        if str(path.parent) == "lib/Transforms" and path.suffix in {".cpp", ".h"}:
            if path.stem not in passes or path.suffix == ".h":
                yield f"{path}: is no pass, and belongs in a room below"


def code_lines(text):
    """How many lines are neither empty, nor a comment, include or include guard."""
    lines = (line.strip() for line in COMMENT.sub("", text).splitlines())
    return sum(
        bool(line) and not GUARD.match(line) and not INCLUDE.match(line)
        for line in lines
    )


def headers(texts):
    """Small headers of lib that a single file includes besides their own source. A
    folder may have one: its only header."""
    users = collections.defaultdict(set)
    for path, text in sources(texts, *CHECKED).items():
        for _, file in includes(path, text, texts):
            if file.with_suffix("") != path.with_suffix(""):
                users[file].add(path)
    files = {p: t for p, t in sources(texts, "lib").items() if p.suffix == ".h"}
    folders = collections.Counter(path.parent for path in files)
    for path, text in sorted(files.items()):
        if folders[path.parent] > 1 and len(users[path]) <= 1:
            lines, user = code_lines(text), ", ".join(map(str, users[path]))
            if 0 < lines < MIN_HEADER_LINES:  # None are the precompiled headers.
                yield f"{path}: {lines} lines of code for {user or 'its source'} alone"
