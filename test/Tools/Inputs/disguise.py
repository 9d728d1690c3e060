#!/usr/bin/env python3
"""disguise.py PLANNER TABLE CAPACITY COUNT DIRECTORY: plans a table and disguises of it.

A disguise has time run backwards, moments at other distances, rows in another
order, or all of these. Each has to fit the capacity, with the peak and the
nodes of the table itself, and is checked as a plan of its own table.
"""
import csv
import json
import os
import random
import subprocess
import sys


def planned(planner, path, capacity):
    """The report of the plan, whose plan has been checked."""
    run = subprocess.run(
        [planner, path, "--capacity", capacity, "--json", "-o", path + ".plan"],
        capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{path}: {run.stderr}")
    subprocess.run([planner, "--check", path + ".plan", path, "--capacity", capacity],
                   check=True, capture_output=True)
    return json.loads(run.stdout)


def disguised(rows, kind, chance):
    rows = [dict(row) for row in rows]
    if kind in ("mirrored", "all"):
        for row in rows:
            row["lower"], row["upper"] = -row["upper"], -row["lower"]
    if kind in ("warped", "all"):
        moment, moments = 0, {}
        for time in sorted({row[end] for row in rows for end in ("lower", "upper")}):
            moment += chance.randint(1, 1000)
            moments[time] = moment
        for row in rows:
            row["lower"], row["upper"] = moments[row["lower"]], moments[row["upper"]]
    if kind in ("shuffled", "all"):
        chance.shuffle(rows)
        for number, row in enumerate(rows):
            row["id"] = f"buffer {number}"
    return rows


def main():
    planner, table, capacity, count, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["lower"], row["upper"] = int(row["lower"]), int(row["upper"])
    path = os.path.join(directory, os.path.basename(table))
    results = set()
    for seed in range(int(count) + 1):
        kind = ("none", "mirrored", "warped", "shuffled", "all")[(seed - 1) % 4 + 1 if seed else 0]
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(disguised(rows, kind, random.Random(seed)))
        report = planned(planner, path, capacity)
        results.add((report["peak"], report["nodes"]))
    for peak, nodes in sorted(results):
        print(f"{os.path.basename(table)}: peak={peak} nodes={nodes}")


main()
