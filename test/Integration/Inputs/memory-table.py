"""memory-table.py MLI_OPT MLI_TRANSLATE SHARED: what the activations of each network take in
the memory of each target if all of them lie there, untiled, whatever there is.

TOSA networks are read by mli-opt, .tflite ones by mli-translate, if it takes
them. Prints one line for each network and target, and how many lines
have a ratio of peak and bound above 1.
"""

import json
import pathlib
import sys

from networks import networks, run

TARGETS = ["vpx", "bm1684", "bm1684x", "bm1688", "bm1690",
           "custom,npus=4,npu-bytes=16384"]


def maps(mli_opt, text, options):
    result = run([mli_opt, "-", "-o", "/dev/null", *options], text)
    # A network of one kernel has no buffers between others.
    if "expected buffers to print, but got none" in result.stderr:
        return []
    if result.returncode != 0:
        sys.exit(result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


def main():
    mli_opt, translate, shared = sys.argv[1:]
    lines = above = 0
    print("| network | target | peak | bound | ratio |\n|---|---|---|---|---|")
    for name, text in networks(translate, pathlib.Path(shared)):
        rows = [("arena", ["--mli-print-memory-map=format=json"])]
        rows += [(target, [f"--mli-print-memory-map=format=json as-local"])
                 for target in TARGETS]
        for target, options in rows:
            attach = [] if target == "arena" else [
                f"--mli-attach-target=target={target}"]
            for found in maps(mli_opt, text,
                              [*attach, "--mli-buffer-pipeline", *options]):
                if not found["buffers"]:
                    continue
                peak, bound = found["peak"], found["lower_bound"]
                lines += 1
                # Local addresses are those of words: 3 bytes between any two
                # of three small buffers.
                above += peak > bound + (0 if target == "arena" else 6)
                print(f"| {name} | {target} | {peak} | {bound} "
                      f"| {peak / bound:.4f} |")
    print(f"{above} of {lines} above the bound")


main()
