"""streams-bound.py MLI_OPT MLI_TRANSLATE SHARED: the least arena of networks in streams, and
its bound, with 0 and 2 per cent of the products computed again. Prints a line for each,
and how many are at least the bound, and at most 1.04 of it.
"""

import pathlib
import re
import sys

from networks import run

NETWORKS = ["resnet8_cifar10", "person_detect", "kws_dscnn", "micro_speech",
            "mobilenet_v2_tf2_ptq"]
ARENA = re.compile(r"arena: ([\d,]+) B, [\d.]+ of the bound ([\d,]+) B")


def main():
    mli_opt, translate, shared = sys.argv[1:]
    lines = above = near = 0
    for name in NETWORKS:
        path = next((pathlib.Path(shared) / "models" / name).glob("*.tflite"))
        text = run([translate, "--import-tflite", str(path)]).stdout
        for recompute in (0, 2):
            result = run([mli_opt, "-", "-o", "/dev/null",
                          "--mli-buffer-pipeline=arena=min explain-streams "
                          f"recompute={recompute}"], text)
            arena, bound = (int(number.replace(",", "")) for number in
                            ARENA.search(result.stderr).groups())
            lines += 1
            above += arena >= bound
            near += arena <= 1.04 * bound
            print(f"{name}, {recompute} % again: {arena} of {bound}")
    print(f"{above} of {lines} at least the bound, {near} within 4 %")


main()
