# SPDX-License-Identifier: Apache-2.0
"""Runs small networks in local memory, from about the least that holds them on, and
compares the bytes with those of system memory, and what parts tell of their moves
with what moves: parts.py MLI-RUN FOLDER"""

import collections
import json
import pathlib
import re
import sys

from stream_networks import NETWORKS, Runner, network

# Neighbours are alike: each runs on one of them, of which sizes are multiples of 16.
TARGETS = ["vpx", "custom,npus=4,unit=16"]
UNIT = 16
# Of the least size.
FACTORS = [1, 1.4, 2]
# More parts are streams where calls cost nothing; their rows move meanwhile, or not.
FREE_CALLS = {"call": 0, "code": 0}
WAYS = [("off", {}), ("off", FREE_CALLS), ("auto", {}), ("on", FREE_CALLS)]
MOVED = re.compile(r"^moved (\S+) bytes", re.M)
TOLD = re.compile(r"^\d+ parts, which move (\S+) B", re.M)
REFUSAL = re.compile(
    r"error: .*expected its smallest tile .* to fit \d+ bytes of each NPU, but got (\d+)"
)


@network("another shape in front", 12, 4, 12)
def _(n, x):
    a = n.reshape(x, (12, 8, 6))
    b = n.combine("add", a, n.convolve(a, (1, 1), pad=(0, 0, 0, 0)))
    return n.convolve(b, filters=16)


@network("readers of which one waits", 33, 2, 5)
def _(n, x):
    a = n.depthwise(x, strides=(2, 1))
    b = n.combine("sub", n.relu(a), a)
    return n.relu(n.convolve(b, (5, 2), (3, 1), (2, 2, 0, 1)))


class LocalRuns:
    """Runs of one network in the local memory of `target`."""

    def __init__(self, runner, network, target, counts):
        self.runner, self.network, self.target, self.counts = runner, network, target, counts
        self.whole = runner.run(network)

    def run(self, size, doubling="off", costs=None):
        """Runs with `size` bytes of each NPU."""
        tiles = self.runner.folder / "costs.json"
        tiles.write_text(json.dumps({"cost": costs or {}}))
        done = self.runner.run(
            self.network, "--placement", "local", "--target", f"{self.target},npu-bytes={size}",
            "--double-buffer", doubling, "--tiles", tiles, "--explain=full", "--stats",
            refusal=REFUSAL)
        if done.results is None:
            self.counts["refused"] += 1
            return done
        self.counts["runs"] += 1
        self.counts["in streams"] += "stream of " in done.remarks
        moved, told = (int(pattern.search(done.output)[1].replace(",", ""))
                       for pattern in (MOVED, TOLD))
        self.counts["told"] += moved == told
        # What two tiles one behind the other read may stay.
        if moved > told:
            print(f"{self.network.name}: {self.target} with {size} bytes, {doubling}, {costs}: "
                  f"{moved} bytes move, {told} are told")
        self.counts["differ"] += done.differs(
            self.whole, f"{self.target} with {size} bytes, {doubling}, {costs}")
        return done

    def find_least(self):
        """The fewest bytes in which the smallest tile of each kernel fits."""
        needs = [int(need) for need in REFUSAL.findall(self.run(UNIT).remarks)]
        return max((need + UNIT - 1) // UNIT * UNIT for need in [UNIT, *needs])


def main():
    runner = Runner(sys.argv[1], pathlib.Path(sys.argv[2]))
    counts = {target: collections.Counter() for target in TARGETS}
    for number, network in enumerate(NETWORKS):
        target = TARGETS[number % 2]
        runs = LocalRuns(runner, network, target, counts[target])
        least = runs.find_least()
        for i, factor in enumerate(FACTORS):
            size = int(least * factor) // UNIT * UNIT
            if runs.run(size, *WAYS[(number // 2 + i) % 4]).results is None:
                print(f"{network.name}: {target} refuses {size} bytes, and {least} are enough")
    for target, count in counts.items():
        print(f"{target}:", ", ".join(
            f"{count[word]} {word}" for word in ("runs", "in streams", "told", "refused", "differ")))


main()
