"""memory-table.py MLI_OPT MLI_TRANSLATE SHARED: what the activations of each network take in
the memory of each target if all of them lie there, untiled, whatever there is.

TOSA networks are read by mli-opt, .tflite ones by mli-translate, if it takes
them. Prints one line for each network and target, and how many lines
have a ratio of peak and bound above 1.
"""

import json
import pathlib
import subprocess
import sys

TARGETS = ["vpx", "bm1684", "bm1684x", "bm1688", "bm1690",
           "custom,npus=4,npu-bytes=16384"]


def run(command, data=None):
    return subprocess.run(command, input=data, capture_output=True, text=True)


def networks(translate, shared):
    for path in sorted((shared / "models" / "tosa").glob("*.mlir")):
        yield path.name.removesuffix(".mlir"), path.read_text()
    for path in sorted((shared / "models").glob("*/*.tflite")):
        imported = run([translate, "--import-tflite", str(path)])
        if imported.returncode == 0:
            yield path.parent.name, imported.stdout


def maps(mli_opt, text, options):
    result = run([mli_opt, "-", "-o", "/dev/null", *options], text)
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
                peak, bound = found["peak"], found["lower_bound"]
                lines += 1
                above += peak > bound
                print(f"| {name} | {target} | {peak} | {bound} "
                      f"| {peak / bound:.4f} |")
    print(f"{above} of {lines} above 1")


main()
