# SPDX-License-Identifier: Apache-2.0
#
# Trains the `shapes` network from drawn pictures, quantises it to int8 and
# writes shapes.tosa.mlir, labels.txt, inputs/ and expected/. Needs numpy only
# (1.24 or later); about seven minutes on one core. All seeds are fixed.

import argparse
import os
import pathlib

# One thread: matrix products on several would add in an order of their own.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

import network  # noqa: E402
import pictures  # noqa: E402
import quantize  # noqa: E402
import tosa  # noqa: E402

STEPS, BATCH, RATE = 2000, 64, 4e-3
HELD_OUT, CALIBRATION = 4000, 1000
NETWORK_SEED, HELD_OUT_SEED, CALIBRATION_SEED, SAMPLE_SEED, TRAINING_SEED = 1, 2, 3, 4, 1000

# The pictures that are kept: (label, number, wanted probability of the winner).
SURE, UNSURE = 0.99, 0.7
SAMPLES = [("arrow", 0, SURE), ("circle", 0, SURE), ("heart", 0, SURE), ("ring", 0, SURE),
           ("crescent", 1, UNSURE), ("cross", 1, UNSURE), ("square", 1, UNSURE),
           ("star", 1, UNSURE)]


def pixels(codes):
    return (codes.astype(np.float32) - quantize.INPUT.zero) * np.float32(quantize.INPUT.scale)


def in_parts(function, codes, size=250):
    parts = [function(codes[start:start + size]) for start in range(0, len(codes), size)]
    return np.concatenate(parts)


def train():
    """The float network, its normalisation folded."""
    layers = network.build(len(pictures.LABELS), NETWORK_SEED)
    trainer = network.Trainer(layers, STEPS, RATE)
    block, total = 20, 0.0
    for step in range(STEPS):
        position = step % block * BATCH
        if position == 0:  # new pictures: none is seen twice
            codes, labels = pictures.draw(block * BATCH, TRAINING_SEED + step)
        chosen = slice(position, position + BATCH)
        total += trainer.train(pixels(codes[chosen]), labels[chosen])
        if step % 100 == 99:
            print(f"step {step + 1}: loss {total / 100:.4f}", flush=True)
            total = 0.0
    for layer in layers:
        layer.fold()
    return layers


def report(layers, quantized):
    codes, labels = pictures.draw(HELD_OUT, HELD_OUT_SEED)
    floating = in_parts(lambda part: network.run(layers, pixels(part)), codes).argmax(axis=1)
    exact = in_parts(lambda part: quantize.predict(quantized, part), codes).argmax(axis=1)
    print(f"held out: {HELD_OUT} pictures; float {100 * (floating == labels).mean():.2f} %,"
          f" int8 {100 * (exact == labels).mean():.2f} %,"
          f" same answer {100 * (floating == exact).mean():.2f} %")


def write_samples(quantized, folder):
    """One picture for every entry of SAMPLES, and what the network says to it."""
    codes, labels = pictures.draw(HELD_OUT, SAMPLE_SEED)
    results = in_parts(lambda part: quantize.predict(quantized, part), codes)
    winners = results.max(axis=1).astype(np.float64)
    best = (winners - quantize.PROBABILITY.zero) * quantize.PROBABILITY.scale
    right = results.argmax(axis=1) == labels
    (folder / "inputs").mkdir(exist_ok=True)
    (folder / "expected").mkdir(exist_ok=True)
    for label, number, wanted in SAMPLES:
        fits = right & (labels == pictures.LABELS.index(label))
        index = int(np.where(fits, abs(best - wanted), np.inf).argmin())
        name = f"{label}_{number}.npy"
        np.save(folder / "inputs" / name, codes[index:index + 1])
        np.save(folder / "expected" / name, results[index:index + 1])
        print(f"{name}: {best[index]:.3f}")


def main():
    parser = argparse.ArgumentParser(description="train, quantise and write the shapes network")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent,
                        help="folder to write to (default: the script's)")
    arguments = parser.parse_args()
    layers = train()
    parameters = sum(getattr(*slot).size for layer in layers for slot in layer.parameters())
    print(f"{parameters} parameters")
    codes, _ = pictures.draw(CALIBRATION, CALIBRATION_SEED)
    quantized = quantize.quantize(layers, pixels(codes))
    report(layers, quantized)
    folder = arguments.output
    shape = (1, pictures.SIZE, pictures.SIZE, 1)
    (folder / "shapes.tosa.mlir").write_text(tosa.text(quantized, shape), encoding="ascii")
    (folder / "labels.txt").write_text("\n".join(pictures.LABELS) + "\n", encoding="ascii")
    write_samples(quantized, folder)


if __name__ == "__main__":
    main()
