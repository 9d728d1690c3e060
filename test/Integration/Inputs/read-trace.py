"""read-trace.py TRACE.json [STATS]: checks the events of mli-run --profile, and counts them.

The first process is measured: the run, and the calls lie in it one behind the other. The
second one, if there is one, is estimated: transfers and kernels are threads, in each of
which one step ends before the next begins. STATS is what mli-run --stats printed of the
same program: both have the same costs."""

import collections
import json
import re
import sys

COST = re.compile(
    r"^estimated cost for the target, in bytes moved: (\d+) of moves, (\d+) of kernels, "
    r"(\d+) at the same time: (\d+)$",
    re.M,
)
LAYER = {"layer", "kernel", "products", "bytes"}


def split_names(events):
    names = {}
    for event in events:
        if event["ph"] == "M":
            assert set(event["args"]) == {"name"}, event
            names[event["name"], event["pid"], event["tid"]] = event["args"]["name"]
    return names, [event for event in events if event["ph"] != "M"]


def check_measured(run, calls):
    assert run["cat"] == "run" and run["ts"] == 0, run
    assert run["args"] == {"calls": len(calls)}, run
    end = 0
    for i, call in enumerate(calls):
        assert call["ph"] == "X" and call["args"]["call"] == i, call
        assert set(call["args"]) in ({"call"}, {"call", "shape"} | LAYER), call
        assert (call["pid"], call["tid"]) == (run["pid"], run["tid"]), call
        # Times are written with some digits only.
        assert call["ts"] > end - 0.01 and call["dur"] > 0, call
        end = call["ts"] + call["dur"]
    assert end < run["dur"] + 0.01, run
    print(run["name"])
    for name, count in collections.Counter((c["cat"], c["name"]) for c in calls).items():
        print("%d x %s %s" % (count, *name))
    layers = collections.defaultdict(lambda: [0, 0, 0])
    for call in calls:
        arguments = call["args"]
        if "layer" in arguments:
            shape = "x".join(map(str, arguments["shape"]))
            sums = layers[arguments["layer"], arguments["kernel"], shape]
            sums[0] += 1
            sums[1] += arguments["products"]
            sums[2] += arguments["bytes"]
    for names, sums in layers.items():
        print("layer %s | %s | %s | %d | %d | %d" % (*names, *sums))


def check_estimated(steps, statistics):
    lanes = collections.defaultdict(list)
    for i, step in enumerate(steps):
        assert step["ph"] == "X" and step["dur"] > 0, step
        assert step["args"]["step"] == i and set(step["args"]) == {"step"} | LAYER, step
        isTransfer = step["cat"] == "estimated transfer"
        assert isTransfer or step["cat"] == "estimated kernel", step
        assert step["tid"] == (1 if isTransfer else 2), step
        assert not isTransfer or step["args"]["bytes"] == step["dur"], step
        lanes[step["tid"]].append((step["ts"], step["ts"] + step["dur"]))
    sums = {}
    for lane, spans in lanes.items():
        for before, after in zip(spans, spans[1:]):
            assert before[1] <= after[0] + 1e-6, (before, after)
        sums[lane] = sum(end - begin for begin, end in spans)
    beside = sum(
        max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in lanes[1] for b in lanes[2]
    )
    end = max(step["ts"] + step["dur"] for step in steps)
    print("estimated: %d transfers, %d kernels, %s" % (
        len(lanes[1]), len(lanes[2]), "some beside each other" if beside else "none beside"))  # fmt: skip
    if statistics:
        found = tuple(round(number) for number in (sums[1], sums[2], beside, end))
        told = tuple(map(int, COST.search(statistics).groups()))
        assert all(abs(a - b) <= 1 for a, b in zip(found, told)), (found, told)


with open(sys.argv[1]) as file:
    labels, events = split_names(json.load(file)["traceEvents"])
assert labels.pop(("process_name", 1, 1)) == "measured on this host", labels
measured = [event for event in events if event["pid"] == 1]
estimated = [event for event in events if event["pid"] == 2]
assert len(measured) + len(estimated) == len(events)
check_measured(measured[0], measured[1:])
if estimated:
    assert labels == {
        ("process_name", 2, 2): "estimate for the target, not measured: 1 us is the cost "
        "of 1 byte moved",
        ("thread_name", 2, 1): "transfers",
        ("thread_name", 2, 2): "kernels",
    }, labels
    text = open(sys.argv[2]).read() if len(sys.argv) > 2 else ""
    check_estimated(estimated, text)
else:
    assert not labels, labels
