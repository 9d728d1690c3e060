# SPDX-License-Identifier: Apache-2.0
#
# Runs networks from public repositories, as TFLite and as TOSA where both are
# there, and compares them with the reference kernels of single rounding:
# tflite-table.py MLI_RUN MODELS FOLDER [NETWORK...]
#
# Prints tables in Markdown: each layer of the first case with its exact input,
# by kinds of operators; then all cases to the end, over all runs of those with
# state; then networks of one operator, and why some do not run. Fails if
# something is outside the rules.

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import read_npy  # noqa: E402

LAYER = re.compile(r"^\d+ +mli\.\S+ +op\d+_(\w+)_t\d+\.npy +(\d+) +(\d+) +(\S+) +\S+ +(\w+)$")
REFUSED = re.compile(r"note: (operator \d+ \(\w+\)) at byte 0x[0-9a-f]+, .*?: (expected.*|no kernel.*)")


class Table:
    def __init__(self, tool, models, folder):
        self.tool, self.models, self.folder = tool, models, folder
        self.wrong = 0

    def path(self, *parts):
        return os.path.join(self.models, *parts)

    def run(self, file, case, *options):
        command = [self.tool, self.path(file)]
        for i, path in enumerate(case["inputs"]):
            command += ["--input", "%d=%s" % (i, self.path(path))]
        done = subprocess.run(
            command + list(options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        return done.returncode, done.stdout

    def fail(self, text):
        self.wrong += 1
        print("\n%s\n" % text)

    def layers(self, name, file, case):
        """One row for each kind of operator that was recorded."""
        records = self.path(name, "intermediate_single", case["name"])
        if not os.path.isdir(records):
            return
        _, text = self.run(file, case, "--layers", records)
        kinds = {}
        for found in filter(None, map(LAYER.match, text.splitlines())):
            kind, elements, differing, greatest, verdict = found.groups()
            sums = kinds.setdefault(kind, [0, 0, 0, 0, 0])
            sums[0] += 1
            sums[1] += int(elements)
            sums[2] += int(differing)
            sums[3] = max(sums[3], float(greatest))
            sums[4] += verdict != "within"
        if not kinds:
            self.fail("%s: no layers\n%s" % (file, text))
        for kind, (layers, elements, differing, greatest, outside) in kinds.items():
            self.wrong += outside
            print(
                "| %s | %s | %d | %d | %d | %.3f | %g | %d |"
                % (
                    front_end(file), kind, layers, elements, differing, 100 * differing / elements,
                    greatest, outside,
                )
            )

    def compare(self, case):
        """Elements, those that differ, the greatest distance, and the codes."""
        elements = differing = greatest = 0
        for i, path in enumerate(case["expected_single_rounding"]):
            _, wanted = read_npy(self.path(path))
            _, found = read_npy(os.path.join(self.folder, "output_%d.npy" % i))
            distances = [abs(a - b) for a, b in zip(wanted, found)]
            elements += len(wanted)
            differing += sum(d > 0 for d in distances)
            greatest = max([greatest] + distances)
        return elements, differing, greatest, wanted, found

    def ends(self, name, file, cases):
        """All cases, and for those with a class whether it is the reference's."""
        right = labelled = differing = elements = greatest = 0
        for case in cases:
            code, text = self.run(file, case, "--output-dir", self.folder)
            if code != 0:
                return self.fail("%s: %s: %s" % (file, case["name"], text))
            counts = self.compare(case)
            elements, differing = elements + counts[0], differing + counts[1]
            greatest = max(greatest, counts[2])
            wanted, found = counts[3:]
            if "top1" in case:
                labelled += 1
                right += found.index(max(found)) == wanted.index(max(wanted)) == case["top1"]
        self.wrong += right != labelled
        print(
            "| %s | %s | %d | %d | %d | %d | %d of %d |"
            % (name, front_end(file), len(cases), elements, differing, greatest, right, labelled)
        )

    def single(self, name, file, case):
        """A network of one operator: within 1, sums within their share too."""
        code, text = self.run(file, case, "--output-dir", self.folder)
        if code != 0:
            found = REFUSED.search(text)
            self.wrong += found is None
            print("| %s | refused: %s | | | |" % (name, ": ".join(found.groups()) if found else text))
            return
        elements, differing, greatest, _, _ = self.compare(case)
        self.wrong += greatest > 1
        print(
            "| %s | runs | %d | %.3f %% | %d |"
            % (name, elements, 100 * differing / elements, greatest)
        )


def front_end(file):
    return "TFLite" if file.endswith(".tflite") else "TOSA"


def head(*columns):
    print("\n| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))


def main():
    tool, models, folder, *names = sys.argv[1:]
    with open(os.path.join(models, "manifest.json")) as file:
        manifest = json.load(file)
    table = Table(tool, models, folder)
    networks = [n for n in manifest["models"] if not names or n["name"] in names]
    singles = [n for n in networks if n["name"].startswith("seanet_")]
    # One without an end of 8 bits: see the test of its scores.
    whole = [n for n in networks if n not in singles and not n.get("steps")]
    files = lambda n: [n["model"]] + [
        t["file"] for t in manifest["tosa"] if t["name"] == n["name"]
    ]
    for network in whole:
        print("\n%s, layers with exact inputs:" % network["name"])
        head("front end", "operator", "layers", "elements", "differ", "%", "max", "outside")
        for file in files(network):
            table.layers(network["name"], file, network["cases"][0])
    if whole:
        print("\nTo the end:")
        head("network", "front end", "cases", "elements", "differ", "max", "classes")
    for network in whole:
        for file in files(network):
            table.ends(network["name"], file, network["cases"])
    if singles:
        print("\nOne operator of 16 bits:")
        head("network", "", "elements", "differ", "max")
    for network in singles:
        table.single(network["name"], network["model"], network["cases"][0])
    print("\n%d outside" % table.wrong)
    sys.exit(table.wrong > 0)


main()
