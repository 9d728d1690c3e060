"""all-layers.py MLI-RUN MODELS FILE.csv: measures the layers of some networks in each
placement. All calls have one. Cut ones compute some products again, and leave out few: rows
behind the last window of a pool, for example."""

import csv
import pathlib
import subprocess
import sys

NETWORKS = ["person_detect", "resnet8_cifar10", "emnist_letters"]
PLACEMENTS = [
    [],
    ["--arena=min"],
    ["--placement=local", "--target=vpx,npu-bytes=16384"],
    ["--placement=local", "--target=custom,npus=4,npu-bytes=16384"],
]


def count_products(program, folder, options, path):
    source = sorted((folder / "inputs").glob("*.npy"))[0]
    command = [program, folder / "model.tflite", "--input", source, "--top=1"]
    command += ["--benchmark=1", f"--per-layer={path}", *options]
    subprocess.run(command, check=True, capture_output=True)
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "layer"]
    assert all(row["function"] and row["shape"] for row in rows), command
    return sum(int(row["products"]) for row in rows)


runs = 0
for network in NETWORKS:
    whole = None
    for placement in PLACEMENTS:
        model = pathlib.Path(sys.argv[2]) / network
        products = count_products(sys.argv[1], model, placement, sys.argv[3])
        whole = whole or products
        assert products > 0.9 * whole > 0, (network, placement, products, whole)
        runs += 1
print(runs, "runs of", ", ".join(NETWORKS))
