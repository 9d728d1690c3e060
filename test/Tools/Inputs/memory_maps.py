"""Checks the forms of one memory map: `memory_maps.py NAME`, of the files NAME.json,
NAME.txt and NAME.svg.

All have the same buffers; the peak is where the last byte of any buffer is, no fewer
bytes than the buffers of any time take together; and buffers that live at one time lie
apart, unless one is written where the other is read. Prints a line for each map.
"""

import collections
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

ROLES = {"weights", "input", "result", "moved", "tables", "scratch", "callee"}
TITLE = "{http://www.w3.org/2000/svg}title"


def overlaps(a, b, lower, upper):
    return lower(a) < upper(b) and lower(b) < upper(a)


def check_places(found):
    """Buffers with the same bytes are both there in one kernel at most, which works in
    place, and in what moves beside it."""
    kernels = [step["lower"] for step in found["steps"] if not step["moves"]]
    for i, a in enumerate(found["buffers"]):
        for b in found["buffers"][:i]:
            if overlaps(a, b, lambda x: x["offset"], lambda x: x["offset"] + x["bytes_per_npu"]):
                lower, upper = max(a["lower"], b["lower"]), min(a["upper"], b["upper"])
                assert sum(lower <= kernel < upper for kernel in kernels) <= 1, (a, b)


def check_bound(found):
    """Buffers that are computed in place count once, so that the most bytes are at
    most those of all, and at least those of the largest."""
    sizes = [b["bytes_per_npu"] for b in found["buffers"]]
    assert max(sizes, default=0) <= found["lower_bound"] <= found["peak"]
    ends = [b["offset"] + b["bytes_per_npu"] for b in found["buffers"]]
    assert max(ends, default=0) == found["peak"], (max(ends), found["peak"])


def check_steps(found):
    steps = found["steps"]
    for a, b in zip(steps, steps[1:]):
        assert a["lower"] < a["upper"] <= b["lower"]
    assert all(step["runs"] >= 0 for step in steps)


def main(name):
    maps = json.load(open(name + ".json", encoding="utf-8"))
    text = open(name + ".txt", encoding="utf-8").read()
    picture = ElementTree.parse(name + ".svg").getroot()
    titles = collections.Counter(
        title.text.rsplit("; ")[-1] for title in picture.iter(TITLE) if "; " in title.text
    )
    for found in maps:
        check_places(found)
        check_bound(found)
        check_steps(found)
        for buffer in found["buffers"]:
            assert buffer["role"] in ROLES, buffer
            called = buffer["name"]
            if "operand" in buffer:
                called = f"{buffer['operand']} of {buffer['layer']}"
            first, size = buffer["offset"], buffer["bytes_per_npu"]
            row = rf"^ *{first} +{first + size - 1} +{buffer['start_npu']} +"
            row += rf"{buffer['lower']} +{buffer['upper']}  .*{re.escape(called)}(, |$)"
            assert re.search(row, text, re.M), buffer
            time = f"time [{buffer['lower']},{buffer['upper']})"
            end = f"{size} bytes at [{first},{first + size})"
            matching = [t for t in titles if t.startswith(end) and t.endswith(time)]
            assert len(matching) > 0, buffer
        for fixed in found["fixed"]:
            assert fixed["role"] in ROLES, fixed
            row = rf"^ *{fixed['bytes']} +{fixed['lower']} +{fixed['upper']}  "
            assert re.search(row + re.escape(fixed["name"]), text, re.M), fixed
        roles = collections.Counter(b["role"] for b in found["buffers"] + found["fixed"])
        weights = sum(f["bytes"] for f in found["fixed"] if f["role"] == "weights")
        print(
            found["space"], found["npus"], "NPUs,", len(found["buffers"]), "buffers,",
            len(found["fixed"]), "fixed,", weights, "bytes of weights,",
            " ".join(f"{role} {count}" for role, count in sorted(roles.items())),
        )


if __name__ == "__main__":
    main(sys.argv[1])
