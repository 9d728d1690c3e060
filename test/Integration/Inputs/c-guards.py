# SPDX-License-Identifier: Apache-2.0
#
# Runs the C of a network with each of its memories between guard bytes, poisoned
# before each call, in two threads, under ASan and UBSan, and compares with mli-run.
#   c-guards.py BUILD TEMP NETWORK INPUT.npy... [-- OPTION...]
#   c-guards.py BUILD TEMP NETWORK --cases [-- OPTION...]
#   c-guards.py BUILD TEMP NETWORK --streams INPUT.npy... [-- OPTION...]
# Streams take turns, each with a state of its own; a file is the input of one.
# The options are for mli-compile, --entry for mli-run as well.

import pathlib
import sys

import guards
from packages import emit, find_cases, split_options


def main():
    arguments, options = split_options(sys.argv[1:])
    build, temp, network = map(pathlib.Path, arguments[:3])
    temp.mkdir(parents=True)
    selected = [pathlib.Path(path) for path in arguments[3:] if not path.startswith("--")]
    # The streams of each run.
    runs = [[selected]]
    if arguments[3] == "--cases":
        runs = [[inputs] for inputs in find_cases(network).values()]
    if arguments[3] == "--streams":
        runs = [[[path] for path in selected]]
    if not all(files for streams in runs for files in [streams, *streams]):
        sys.exit(f"error: expected files for the inputs of '{network}', but got none")
    flags = []
    if "--entry" in options:
        at = options.index("--entry")
        flags = options[at : at + 2]
    package = emit(build / "bin/mli-compile", network, temp / "package", options)
    guarded = guards.Guards(build, package)
    program = guarded.link(package / "net.c")
    for i, streams in enumerate(runs):
        files = []
        for j, inputs in enumerate(streams):
            folder = temp / f"{i}_{j}"
            files += guards.prepare(build, guarded, network, inputs, folder, flags)
        ended = guards.run(program, files)
        if ended.returncode != 0:
            sys.exit(f"{program} {' '.join(map(str, files))}\n{ended.stderr}")
    streams = len(runs[0])
    print(f"{len(runs)} runs{f' of {streams} streams' if streams > 1 else ''}: the same")


main()
