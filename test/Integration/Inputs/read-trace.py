"""read-trace.py TRACE.json: checks the events of mli-run --profile, and counts them.

All events are complete ones; the first is the run, and the calls lie in it one behind
the other."""

import collections
import json
import sys

with open(sys.argv[1]) as file:
    run, *calls = json.load(file)["traceEvents"]
assert run["cat"] == "run" and run["ts"] == 0, run
assert run["args"] == {"calls": len(calls)}, run
end = 0
for i, call in enumerate(calls):
    assert call["ph"] == "X" and call["args"] == {"call": i}, call
    assert (call["pid"], call["tid"]) == (run["pid"], run["tid"]), call
    # Times are written with some digits only.
    assert call["ts"] > end - 0.01 and call["dur"] > 0, call
    end = call["ts"] + call["dur"]
assert end < run["dur"] + 0.01, run
print(run["name"])
for name, count in collections.Counter((c["cat"], c["name"]) for c in calls).items():
    print("%d x %s %s" % (count, *name))
