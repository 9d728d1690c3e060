# SPDX-License-Identifier: Apache-2.0
"""Packages of C for tests: makes them, and finds the networks to make them of."""

import collections
import pathlib
import re
import subprocess
import sys

WARNINGS = "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror".split()
RUNTIME = pathlib.Path(__file__).resolve().parents[3] / "include/mli/Runtime/C"
# What the importer says of networks with operators that MLI has no kernels for.
REFUSAL = re.compile(r"error: expected kernels for all of \d+ operators, but got none for \d+$", re.M)


def call(*command):
    """What `command` prints; ends the program if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def split_options(arguments):
    """The arguments before `--`, and those for mli-compile after it."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def emit(tool, network, folder, options=(), form="c"):
    """Writes the package `net` of `network`, with C or an object, to `folder`."""
    call(tool, network, "--emit", form, "-o", folder, "--name", "net", *options)
    return folder


def find_importable(tool, models, temp):
    """The networks of the folder `models` that mli-compile takes; ends the program if it
    fails on one for another reason than REFUSAL."""
    found = []
    for network in sorted(pathlib.Path(models).glob("*/model.tflite")):
        command = [tool, network, "--emit", "c", "-o", temp / network.parent.name, "--name", "net"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            found.append(network)
        elif done.returncode != 1 or not REFUSAL.search(done.stderr):
            sys.exit(f"{tool} {network}: exit code {done.returncode}\n{done.stderr}")
    return found


def find_cases(network):
    """The inputs of each case of `network`, from files CASE.NUMBER.npy beside it; ends
    the program if there are none."""
    cases = collections.defaultdict(list)
    folder = network.parent / "inputs"
    for path in sorted(folder.glob("*.npy")):
        cases[path.name.rsplit(".", 2)[0]].append(path)
    if not cases:
        sys.exit(f"error: expected inputs of '{network}' in '{folder}', but got none")
    return cases


def find_vectors(network):
    """Options with which the program of `network` has its first case inside."""
    inputs = next(iter(find_cases(network).values()))
    return [flag for path in inputs for flag in ("--vectors", path)]
