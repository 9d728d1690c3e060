# SPDX-License-Identifier: Apache-2.0
"""Packages of C for tests: makes them, and finds the networks to make them of."""

import collections
import pathlib
import subprocess
import sys

WARNINGS = "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror".split()
RUNTIME = pathlib.Path(__file__).resolve().parents[3] / "include/mli/Runtime/C"


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


def emit(tool, network, folder, options=()):
    """Writes the package `net` of `network` to `folder`."""
    call(tool, network, "--emit", "c", "-o", folder, "--name", "net", *options)
    return folder


def find_importable(tool, models, temp):
    """The networks of the folder `models` that mli-compile takes."""
    found = []
    for network in sorted(pathlib.Path(models).glob("*/model.tflite")):
        command = [tool, network, "--emit", "c", "-o", temp / network.parent.name, "--name", "net"]
        if subprocess.run(command, capture_output=True).returncode == 0:
            found.append(network)
    return found


def find_cases(network):
    """The inputs of each case of `network`, from files CASE.NUMBER.npy beside it."""
    cases = collections.defaultdict(list)
    for path in sorted((network.parent / "inputs").glob("*.npy")):
        cases[path.name.rsplit(".", 2)[0]].append(path)
    return cases
