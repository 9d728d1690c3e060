# SPDX-License-Identifier: Apache-2.0
"""A bound of the stack that functions of the plain runtime take with all that they call,
from what GCC writes beside their objects.

Handlers, and callbacks of moves, are the program's own and do not count. Of the C library
every function has LIBRARY_STACK. Calls by address reach each function whose address is
taken, but local ones only in their file; what is called so calls nothing by address but
handlers."""

import collections
import functools
import re
import sys

from call_graphs import BY_ADDRESS, CallGraph
from packages import call

# More than any function takes that the library calls of the C library and of libgcc, with
# what that calls: 40 bytes are measured.
LIBRARY_STACK = 64
# Where functions that are not local can be called by address.
ANY_FILE = ""
SECTION = re.compile(r"Relocation section '\.rel\.(\S+)'")
# Branches, and entries of tables that unwind.
CALLS = ("R_ARM_THM_CALL", "R_ARM_THM_JUMP24", "R_ARM_PREL31", "R_ARM_NONE")


def find_graphs(library):
    """What each object of `library`, which is in its build folder, calls."""
    members = call("ar", "t", library).split()
    files = {file.with_suffix(".obj").name: file for file in library.parent.rglob("*.ci")}
    if not files.keys() >= set(members):
        sys.exit(f"{library}: expected calls beside each of its objects")
    return [files[name] for name in members]


def find_taken(library):
    """The names of functions whose address is taken."""
    symbols = call("readelf", "-sW", library).splitlines()
    functions = {parts[7] for parts in map(str.split, symbols)
                 if len(parts) > 7 and parts[3] == "FUNC"}
    taken, section = set(), ""
    for line in call("readelf", "-rW", library).splitlines():
        if started := SECTION.match(line):
            section = started[1]
        parts = line.split()
        if len(parts) < 5 or section.startswith(".debug") or parts[2] in CALLS:
            continue
        # Of a local function GCC may name the section, which is its own.
        name = parts[4].removeprefix(".text.")
        if name in functions:
            taken.add(name)
    return taken


class Stacks:
    """Of the functions of `library`, and of those that the files `graphs` describe. Ends
    the program if a function calls itself."""

    def __init__(self, library, graphs=()):
        self.graph = CallGraph([*find_graphs(library), *graphs])
        self.by_address = collections.defaultdict(set)
        taken = find_taken(library)
        for name in self.graph.frames:
            source, _, function = name.rpartition(":")
            if function in taken:
                for file in self.graph.files[name] if source else [ANY_FILE]:
                    self.by_address[file].add(name)

    def get_frame(self, name):
        """The bytes that `name` takes without what it calls."""
        return self.graph.frames.get(name, LIBRARY_STACK)

    def bound(self, name):
        """The most bytes that `name` takes, and the chain of calls that takes them."""
        try:
            return self._bound(name, True)
        except RecursionError:
            sys.exit(f"{name}: a function that it calls calls itself")

    @functools.cache
    def _bound(self, name, is_direct):
        """The same, of a function that is called by address unless `is_direct`."""
        calls = [(callee, is_direct) for callee in self.graph.callees[name]
                 if callee != BY_ADDRESS]
        if is_direct and BY_ADDRESS in self.graph.callees[name]:
            for file in (ANY_FILE, *self.graph.files[name]):
                calls += [(callee, False) for callee in self.by_address[file]]
        most, chain = max((self._bound(*call) for call in calls), default=(0, ()))
        return self.get_frame(name) + most, (name, *chain)
