# SPDX-License-Identifier: Apache-2.0
"""Calls and stack of functions, as `gcc -fcallgraph-info=su` writes them beside objects."""

import collections
import re
import sys

NODE = re.compile(r'node: \{ title: "([^"]*)" label: "[^"]*?(?:\\n(\d+) bytes \((\w+)[^"]*)?"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
# What a call by address calls.
BY_ADDRESS = "__indirect_call"


class CallGraph:
    """The bytes of stack of each function that is compiled, what each one calls, and which
    of `files` it is in. A local function is named by its source and itself, `SOURCE:NAME`.
    Ends the program if the stack of one is of unknown size."""

    def __init__(self, files):
        self.frames = {}
        self.callees = collections.defaultdict(set)
        self.files = collections.defaultdict(set)
        for file in files:
            text = file.read_text()
            for name, size, kind in NODE.findall(text):
                if kind == "dynamic":
                    sys.exit(f"{name}: a stack of unknown size")
                if size:
                    self.frames[name] = max(int(size), self.frames.get(name, 0))
                    self.files[name].add(file)
            for caller, callee in EDGE.findall(text):
                self.callees[caller].add(callee)
