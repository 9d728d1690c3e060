# SPDX-License-Identifier: Apache-2.0
"""Prints the most stack that a function of the plain runtime takes with all that it calls,
and by which calls, without running them: see stacks.py.

  c-stack.py LIBRARY LIMIT

LIBRARY is libmli.a in its build folder. Fails above LIMIT bytes.
"""

import pathlib
import sys

from stacks import Stacks


def main():
    library, limit = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    stacks = Stacks(library)
    entries = [name for name in stacks.graph.frames if name.startswith("mli_")]
    most, chain = max(stacks.bound(name) for name in entries)
    for name in chain:
        print(f"{stacks.get_frame(name):5} {name.rpartition(':')[2]}")
    largest = max(stacks.graph.frames.values())
    print(f"{len(entries)} functions: at most {most} bytes of stack, {largest} in one function")
    sys.exit(most > limit)


main()
