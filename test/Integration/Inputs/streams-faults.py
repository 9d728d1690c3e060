# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the streams of small networks, one row at a time, by edits of what
mli-form-streams prints, and prints what notices them: an error or other results.
Fails if nothing notices one, or if there is no place for a kind of faults.
    streams-faults.py MLI-OPT MLI-RUN FOLDER"""

import pathlib
import re
import subprocess
import sys

from stream_networks import NETWORKS, Runner

NAMES = ["a window", "a window and a skip", "two skips across one another"]
ERROR = re.compile("error: ")


# Each takes the lines and the number of one, and gives faulty lines, or nothing where the
# fault does not fit.


def replace(lines, at, span, new):
    line = f"{lines[at][:span[0]]}{new}{lines[at][span[1]:]}"
    return [*lines[:at], line, *lines[at + 1 :]]


def is_read(lines, at, name):
    """Whether line `at` defines what is read: what a kernel writes into is not."""
    use = next(line for line in lines[at + 1 :] if re.search(re.escape(name) + r"\b", line))
    return not re.search(r"outs\(" + re.escape(name) + r"\b", use)


def read_behind(step):
    """Rows are read `step` rows behind where they are."""
    def edit(lines, at):
        found = re.search(r"(%\S+) = tensor\.extract_slice \S+\[(\d+),", lines[at])
        if not found or not is_read(lines, at, found[1]) or int(found[2]) + step < 0:
            return None
        return replace(lines, at, found.span(2), int(found[2]) + step)
    return edit


def write_behind(step):
    """Rows are written `step` rows behind where they are read."""
    def edit(lines, at):
        found = re.search(r"tensor\.insert_slice \S+ into \S+\[(\d+),", lines[at])
        if not found or int(found[1]) + step < 0:
            return None
        return replace(lines, at, found.span(1), int(found[1]) + step)
    return edit


def swap_padding(lines, at):
    """The rows of padding are on the other side."""
    found = re.search(r"pad \[((\d+), (\d+)),", lines[at])
    if not found or found[2] == found[3]:
        return None
    return replace(lines, at, found.span(1), f"{found[3]}, {found[2]}")


def move_more(lines, at):
    """Rows move up by one row more, and one less is kept."""
    found = re.search(r"mli\.advance .* \{.*rows = (\d+)", lines[at])
    return found and replace(lines, at, found.span(1), int(found[1]) + 1)


def forget_move(lines, at):
    found = re.search(r"mli\.advance outs\((\S+) : (.*)\) \{.*\} -> .*", lines[at])
    if not found:
        return None
    same = f"tensor.cast {found[1]} : {found[2]} to {found[2]}"
    return replace(lines, at, found.span(), same)


def shift_calls(step):
    """What runs under one condition makes its calls `step` iterations early: there are other
    rows than those that it reads."""
    def edit(lines, at):
        found = re.match(r"( +)%\S+ = scf\.if", lines[at])
        if not found:
            return None
        inner, outer = found[1], found[1][2:]
        loop = at - 1
        while lines[loop].startswith(inner):
            loop -= 1
        index = re.match(outer + r"%\S+ = scf\.for (%\S+) =", lines[loop])
        if not index:
            return None
        # Its conditions are in front of it.
        begin = at
        while re.match(inner + r"%\S+ = arith\.", lines[begin - 1]):
            begin -= 1
        end = lines.index(inner + "}", at) + 1
        body = [re.sub(re.escape(index[1]) + r"\b", "%shifted", line) for line in lines[begin:end]]
        shift = [f"{inner}%by = arith.constant {step} : index",
                 f"{inner}%shifted = arith.addi {index[1]}, %by : index"]
        return [*lines[:begin], *shift, *body, *lines[end:]]
    return edit


FAULTS = {
    "rows read one early": read_behind(-1),
    "rows read one late": read_behind(1),
    "rows written one early": write_behind(-1),
    "rows written one late": write_behind(1),
    "padding on the other side": swap_padding,
    "rows kept minus one": move_more,
    "a shift forgotten": forget_move,
    "calls one iteration early": shift_calls(1),
    "calls one iteration late": shift_calls(-1),
}


def plant(runner, network, whole, lines, edit):
    """What notices each of the faults that `edit` makes in `lines`."""
    noticed = []
    for at, line in enumerate(lines):
        faulty = edit(lines, at)
        if faulty is None:
            continue
        done = runner.run(network, text="\n".join(faulty), refusal=ERROR)
        if done.results == whole.results:
            sys.exit(f"{network.name}: nothing notices a fault at\n{line}")
        noticed.append("other results" if done.results else "an error")
    return noticed


def main():
    runner = Runner(sys.argv[2], pathlib.Path(sys.argv[3]))
    noticed = {name: [] for name in FAULTS}
    for network in NETWORKS:
        if network.name not in NAMES:
            continue
        whole = runner.run(network)
        command = [sys.argv[1], runner.folder / "network.mlir", "--mli-form-streams=arena=min"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = done.stdout.split("\n")
        if runner.run(network, text=done.stdout).differs(whole, "what is formed"):
            sys.exit(1)
        for name, edit in FAULTS.items():
            noticed[name] += plant(runner, network, whole, lines, edit)
    for name, ways in noticed.items():
        if not ways:
            sys.exit(f"no place for {name}")
        print(f"{name}: {', '.join(sorted(set(ways)))}")
    print("all faults are noticed")


main()
