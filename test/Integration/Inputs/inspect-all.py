# SPDX-License-Identifier: Apache-2.0
#
# Inspects each network of a manifest, as a table and as JSON:
# inspect-all.py MLI_TRANSLATE MODELS
#
# Both have the operators that the manifest lists, in order; each is imported or
# says why not; and the sums are those of the operators.

import collections
import json
import os
import subprocess
import sys


def inspect(tool, path, *options):
    command = [tool, "--inspect", path] + list(options)
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def main():
    tool, models = sys.argv[1:]
    with open(os.path.join(models, "manifest.json")) as file:
        networks = json.load(file)["models"]
    wrong = 0
    for network in networks:
        path = os.path.join(models, network["model"])
        found = json.loads(inspect(tool, path, "--json"))
        table = inspect(tool, path).splitlines()
        operators = found["operators"]
        names = [op["operator"] for op in operators]
        rows = [line.split() for line in table if line[:4].strip().isdigit()]
        refused = [op for op in operators if op["state"] == "refused"]
        checks = [
            names == (network["op_sequence"] or names),
            collections.Counter(names) == network["ops"],
            [row[1] for row in rows] == names,
            found["macs"] == sum(op["macs"] for op in operators),
            all(op["state"] == "imported" or op.get("reason") for op in operators),
            all(op["offset"] < network["bytes"] for op in operators + found["tensors"]),
            "%d operators, %d MACs" % (len(names), found["macs"]) in "\n".join(table),
        ]
        wrong += checks.count(False)
        print(
            "%s: %d operators, %d MACs, %d refused%s"
            % (network["name"], len(names), found["macs"], len(refused), "" if all(checks) else " wrong")
        )
    print("%d wrong" % wrong)
    sys.exit(wrong > 0)


main()
