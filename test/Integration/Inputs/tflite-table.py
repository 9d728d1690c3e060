# SPDX-License-Identifier: Apache-2.0
#
# Runs networks of TFLite from public repositories and compares them with the
# reference kernels of single rounding:
# tflite-table.py MLI_RUN MODELS [--layers-only] [NETWORK...]
#
# A line for each kind of operator of the first case, each layer with its exact
# input: elements that differ, of all, and the greatest difference; then all
# cases to the end.

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import read_npy  # noqa: E402

LAYER = re.compile(r"^\d+ +mli\.\S+ +op\d+_(\w+)_t\d+\.npy +(\d+) +(\d+) +(\S+) +\S+ +(\w+)$")


class Table:
    def __init__(self, tool, models):
        self.tool, self.models = tool, models
        with open(os.path.join(models, "manifest.json")) as file:
            self.networks = json.load(file)["models"]
        self.wrong = 0

    def run(self, network, case, *options):
        command = [self.tool, os.path.join(self.models, network["model"])]
        for i, path in enumerate(case["inputs"]):
            command += ["--input", "%d=%s" % (i, os.path.join(self.models, path))]
        done = subprocess.run(
            command + list(options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        return done.returncode, done.stdout

    def layers(self, network):
        case = network["cases"][0]
        records = os.path.join(
            self.models, network["name"], "intermediate_single", case["name"]
        )
        if not os.path.isdir(records):
            return
        _, text = self.run(network, case, "--layers", records)
        kinds = {}
        for line in text.splitlines():
            found = LAYER.match(line)
            if not found:
                continue
            name, elements, differing, greatest, verdict = found.groups()
            kind = kinds.setdefault(name, [0, 0, 0, 0, 0])
            kind[0] += 1
            kind[1] += int(differing)
            kind[2] += int(elements)
            kind[3] = max(kind[3], float(greatest))
            kind[4] += verdict != "within"
        if not kinds:
            print("%s: no layers\n%s" % (network["name"], text))
            self.wrong += 1
        for name, (layers, differing, elements, greatest, outside) in kinds.items():
            self.wrong += outside
            print(
                "%s: %s in %d layers: %d of %d elements differ (%.3f %%), max |d| %g%s"
                % (
                    network["name"], name, layers, differing, elements, 100 * differing / elements,
                    greatest, ", %d outside the rules" % outside if outside else "",
                )
            )

    def ends(self, network, folder):
        """All cases, and for those with a class whether it is the reference's."""
        right = labelled = differing = elements = greatest = 0
        for case in network["cases"]:
            code, text = self.run(network, case, "--output-dir", folder)
            if code != 0:
                print("%s: %s: %s" % (network["name"], case["name"], text))
                self.wrong += 1
                return
            for i, path in enumerate(case["expected_single_rounding"]):
                _, wanted = read_npy(os.path.join(self.models, path))
                _, found = read_npy(os.path.join(folder, "output_%d.npy" % i))
                distances = [abs(a - b) for a, b in zip(wanted, found)]
                elements += len(wanted)
                differing += sum(d > 0 for d in distances)
                greatest = max([greatest] + distances)
            if "top1" in case:
                labelled += 1
                right += found.index(max(found)) == wanted.index(max(wanted)) == case["top1"]
        self.wrong += right != labelled
        print(
            "%s: outputs of %d cases: %d of %d elements differ, max |d| %d; "
            "%d of %d classes as the reference's"
            % (
                network["name"], len(network["cases"]), differing, elements, greatest, right,
                labelled,
            )
        )


def main():
    tool, models, folder, *names = sys.argv[1:]
    table = Table(tool, models)
    for network in table.networks:
        if network["name"] in names:
            table.layers(network)
            table.ends(network, folder)
    print("%d outside" % table.wrong)
    sys.exit(table.wrong > 0)


main()
