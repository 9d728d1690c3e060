"""read-layers.py FILE: checks a file of mli-run --per-layer, and prints its layers.

Shares sum to 100 %, totals are sums, a product takes the time that the rate says. Prints
all that no clock decides, the same for JSON and CSV: name, kernel, function, shape, calls,
products and bytes, and then the names of what else a run takes."""

import csv
import json
import math
import sys

COLUMNS = ["kind", "name", "shape", "kernel", "function", "calls", "products", "bytes",
           "us", "products_per_second", "share"]  # fmt: skip


def read_csv(file):
    reader = csv.DictReader(file, strict=True)
    assert reader.fieldnames == COLUMNS, reader.fieldnames
    rows = list(reader)
    for row in rows:
        for name in ["calls", "products", "bytes"]:
            row[name] = int(row[name]) if row[name] else None
        for name in ["us", "products_per_second", "share"]:
            row[name] = float(row[name]) if row[name] else None
    return rows


def read_json(file):
    data = json.load(file)
    assert data["time"] == "this host" and data["runs"] > 0, data
    assert data["latency_us"] > 0, data
    rows = []
    for kind, found in [
        ("layer", data["layers"]),
        ("rest", data["rest"]),
        ("total", [data["total"]]),
    ]:
        for row in found:
            assert kind != "layer" or set(row) == set(COLUMNS) - {"kind"}, row
            shape = row.get("shape")
            row = dict.fromkeys(COLUMNS) | row | {"kind": kind}
            if shape is not None:
                row["shape"] = "x".join(map(str, shape)) or "scalar"
            rows.append(row)
    return rows


def check(rows):
    *others, total = rows
    layers = [row for row in others if row["kind"] == "layer"]
    assert total["kind"] == "total" and total["name"] == "total", total
    assert math.isclose(sum(row["share"] for row in others), 100, abs_tol=0.01), rows
    assert math.isclose(total["share"], 100, abs_tol=0.01), total
    # Times are written with three digits in CSV.
    times = sum(row["us"] for row in others)
    assert math.isclose(times, total["us"], abs_tol=0.001 * len(rows)), rows
    assert total["calls"] == sum(row["calls"] or 0 for row in others), rows
    for name in ["products", "bytes"]:
        assert total[name] == sum(row[name] for row in layers), name
    for row in layers:
        rate = row["products_per_second"]
        if rate and row["us"] > 1:
            assert math.isclose(rate * row["us"] / 1e6, row["products"], rel_tol=0.01), row


with open(sys.argv[1], newline="") as opened:
    table = read_json(opened) if sys.argv[1].endswith(".json") else read_csv(opened)
check(table)
for entry in table:
    if entry["kind"] == "layer":
        columns = ["name", "kernel", "function", "shape", "calls", "products", "bytes"]
        print(" | ".join(str(entry[column]) for column in columns))
for entry in table:
    if entry["kind"] == "rest":
        print("rest:", entry["name"])
