# SPDX-License-Identifier: Apache-2.0
"""Runs small networks whole, in the least arena, and as one stream of many shapes, and
compares the bytes: streams-kinds.py MLI-RUN FOLDER"""

import json
import pathlib
import re
import sys

from stream_networks import NETWORKS, Runner

# What a file says of a stream. Not each network has a ring of the kernel that is named.
SHAPES = [
    {},
    {"rows": 2, "room": 3},
    {"rows": 3, "room": 2, "even": True},
    {"rows": 5, "room": 4},
    {"rows": 2, "rings": {"main:0": 7}},
    {"rows": 3, "rings": {"main:1": 9}},
    {"room": 2, "stripes": 2},
    {"rows": 2, "stripes": 3},
]
REFUSAL = re.compile(
    "error: .*expected ('mli.stream' to be a stream, but "
    "|a kernel that is part of a stream to be computed row by row, but "
    "|'overrides' to have (in 'kernels' kernels of the body of|at least 2 kernels))"
)


def main():
    runner = Runner(sys.argv[1], pathlib.Path(sys.argv[2]))
    wrong = 0
    for number, network in enumerate(NETWORKS):
        whole = runner.run(network)
        way = "whole"
        for recompute in (0, 100):
            done = runner.run(network, "--arena", "min", "--recompute", recompute,
                              "--explain-streams")
            if "stream of " in done.remarks:
                way = "in streams"
            wrong += done.differs(whole, f"the least arena with {recompute} % again")
        kernels = [f"main:{i}" for i in range(network.streamed or network.kernels)]
        # Neighbours are alike: each has half of the shapes.
        shapes, count = SHAPES[number % 2 :: 2], 0
        for shape in shapes:
            path = runner.folder / "streams.json"
            path.write_text(json.dumps({"streams": [{"kernels": kernels, **shape}]}))
            done = runner.run(network, "--streams", path, "--arena", 1 << 40, "--recompute", 100,
                              "--explain-streams", refusal=REFUSAL)
            if done.results is not None:
                count += 1
                wrong += done.differs(whole, shape)
                if "stream of" not in done.remarks:
                    sys.exit(f"{network.name}: no stream of {shape}")
        print(f"{network.name}: {way} in the least arena, {count} of {len(shapes)} shapes")
    print(f"{len(NETWORKS)} networks, {wrong} differences")


main()
