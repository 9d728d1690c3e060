"""copy-table.py MLI_OPT MLI_TRANSLATE SHARED [TARGET...]: what the compiler copies
of each network, and why: in plain memory, or in the local memory of each target.

TOSA networks are read by mli-opt, .tflite ones by mli-translate, if it takes
them. Of each network prints: the slices it has, those that the query calls
views, the copies of slices that were inserted, all copies that were inserted with
their bytes, the reasons, and the moves without one: those of the network itself,
and in local placement those between the memories. Then how many networks have
a copy of a slice that the query calls a view, a copy that says nothing, or, in
plain memory, a move without a reason that nobody wrote.
"""

import collections
import pathlib
import re
import sys

from networks import networks, run

RAISE = ["--convert-tosa-to-mli=full", "--mli-legalize-layouts",
         "--mli-legalize-conversions"]
SLICES = "--mli-legalize-subtensors=explain"
LOWER = [SLICES, "--mli-bufferize=explain", SLICES, "--cse", "--canonicalize"]
REMARK = re.compile(r"remark: (.*); this copies (\S+) bytes, .+ would copy none$",
                    re.M)
REASON = re.compile(r"reason = #mli\.copy_reason<(\w+)>")
OF_SLICES = ("strided_step", "inner_unit_dims")


def checked(mli_opt, text, options):
    result = run([mli_opt, "-", *options], text)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result


def moves(text):
    """How many moves have each reason; None stands for none."""
    found = collections.Counter()
    for line in text.splitlines():
        if re.search(r"\bmli\.mov ", line):
            reason = REASON.search(line)
            found[reason and reason[1]] += 1
    return found


def row(mli_opt, name, target, text):
    """Prints the row of a network on a target; whether it is as it should be."""
    raised = checked(mli_opt, text, RAISE).stdout
    passes = LOWER
    if target:
        placed = checked(mli_opt, raised, [
            f"--mli-attach-target=target={target}", SLICES, "--mli-tile-to-fit",
            "--mli-insert-moves"])
        raised = placed.stdout
        passes = LOWER + ["--mli-assign-layouts=explain"]
    judged = checked(mli_opt, raised, ["--mli-explain-slices"]).stderr
    views = judged.count("remark: a view: ")
    needed = judged.count("remark: a copy: ")
    before = moves(raised)
    lowered = checked(mli_opt, raised, passes)
    copies = REMARK.findall(lowered.stderr)
    after = moves(lowered.stdout)
    reasons = {why: count for why, count in after.items()
               if why and count > before[why]}
    of_slices = sum(reasons.get(why, 0) for why in OF_SLICES)
    total = sum(int(size) for _, size in copies if size.isdigit())
    told = ", ".join(f"{count} {why}" for why, count in sorted(reasons.items()))
    print(f"| {name} | {target or 'system'} | {views + needed} | {views} "
          f"| {of_slices} | {sum(reasons.values())} | {total} | {told or '-'} "
          f"| {after[None]} |")
    return (of_slices <= needed and sum(reasons.values()) <= len(copies)
            and after[None] <= before[None])


def main():
    mli_opt, translate, shared, *targets = sys.argv[1:]
    print("| network | memory | slices | views | copies of slices | copies "
          "| bytes | reasons | other moves |\n|---|---|---|---|---|---|---|---|---|")
    rows = [row(mli_opt, name, target, text)
            for name, text in networks(translate, pathlib.Path(shared))
            for target in targets or [None]]
    print(f"{rows.count(False)} of {len(rows)} with a copy that is not needed "
          f"or says nothing")


main()
