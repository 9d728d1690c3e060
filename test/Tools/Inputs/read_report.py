"""Prints a report of mli-run: `read_report.py FILE.json`. Checks that numbers of layers
are numbers of layers before, that maps name layers which are there, and that what is
moved, costs and times add up.
"""

import json
import math
import sys


def sum_kernels(layer, key):
    numbers = [kernel.get(key) for kernel in layer["kernels"]]
    return None if None in numbers or not numbers else sum(numbers)


def check_layers(function):
    texts, steps = set(), []
    for number, layer in enumerate(function["layers"]):
        assert all(0 <= i < number for i in layer["inputs"]), layer
        assert layer["inputs"] == sorted(set(layer["inputs"])), layer
        assert not texts & set(layer["texts"]), layer
        texts |= set(layer["texts"])
        steps += layer["steps"]
    for found in function["memories"]:
        assert sorted(steps) == list(range(len(found["steps"]))), steps
        for layer in function["layers"]:
            for step in layer["steps"]:
                text = found["steps"][step]["layer"]
                assert text in layer["texts"] or text not in texts, layer


def check_sums(function):
    layers, moved = function["layers"], function.get("moved")
    if moved:
        assert sum(layer["moved_in"] for layer in layers) == moved["in"], moved
        assert sum(layer["moved_out"] for layer in layers) == moved["out"], moved
    estimate = function.get("estimate")
    if estimate and estimate["steps"]:
        ends = [step[3] for step in estimate["steps"]]
        total = estimate["transfers"] + estimate["kernels"] - estimate["overlapped"]
        assert math.isclose(max(ends), total, rel_tol=1e-6), (max(ends), total)
        for key in ("transfers", "kernels"):
            costs = sum(layer["estimate"][key] for layer in layers)
            assert math.isclose(costs, estimate[key], rel_tol=1e-6, abs_tol=1e-6), (costs, estimate[key])


def main(path):
    report = json.load(open(path, encoding="utf-8"))
    assert report["format"] == 1
    for function in report["functions"]:
        check_layers(function)
        check_sums(function)
        print("function", function["function"])
        for key in ("sizes", "moved"):
            if key in function:
                print(key, *(f"{name} {number}" for name, number in function[key].items()))
        for number, each in enumerate(function.get("results", [])):
            print(f"result {number} differs", *(f"{name} {value}" for name, value in each.items()))
        for number, layer in enumerate(function["layers"]):
            kernels = ", ".join(kernel["kernel"] for kernel in layer["kernels"])
            print(f"{number}: {layer['name']} | {kernels} | reads {layer['inputs']}",
                  f"| calls {sum_kernels(layer, 'calls')} products {sum_kernels(layer, 'products')}",
                  f"bytes {sum_kernels(layer, 'bytes')}",
                  f"| in {layer['moved_in']} out {layer['moved_out']}",
                  "| timed" if sum_kernels(layer, "us") is not None else "| not timed")
            for copies in layer["copies"]:
                print(f"  copies {copies['bytes']} {copies['reason']}")
            for each in layer.get("differences", []):
                print("  differs", *(f"{name} {value}" for name, value in each.items()))
        if "estimate" in function:
            steps = function["estimate"]["steps"]
            print(f"steps: {sum(step[1] for step in steps)} transfers, {sum(not step[1] for step in steps)} kernels")
        if "measured" in function:
            print("measured", function["measured"]["time"], function["measured"]["runs"])
        for found in function["memories"]:
            print(found["space"], "memory:", len(found["buffers"]), "buffers, peak", found["peak"])


main(sys.argv[1])
