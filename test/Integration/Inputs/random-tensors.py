# SPDX-License-Identifier: Apache-2.0
"""Runs random programs on tensors in several ways, and compares with an exact reference.

random-tensors.py BINARIES FOLDER [--seed N] [--count N]

Prints each seed that is wrong: its program, how it ran, what was expected and found, and
how to run it alone. Exits with 1 if there is one.
"""

import argparse
import dataclasses
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "Import" / "Inputs"))
from tflite import read_npy, write_npy  # noqa: E402
from tensor_control import module_text  # noqa: E402
from tensor_programs import VECTOR, make_function  # noqa: E402

# One module holds so many programs: a process takes longer to start than to run one.
BATCH = 20
LOCAL = ["--placement", "local", "--target"]


@dataclasses.dataclass
class Configuration:
    """Passes of mli-opt that a module goes through first, and options of mli-run."""

    passes: list
    options: list


CONFIGURATIONS = [
    Configuration([], []),
    Configuration(["--cse", "--canonicalize"], []),
    Configuration([], LOCAL + ["vpx"]),
    Configuration([], LOCAL + ["vpx,npu-bytes=64", "--double-buffer=on"]),
    Configuration(["--cse"], LOCAL + ["vpx,npu-bytes=48"]),
]


@dataclasses.dataclass
class Program:
    seed: int
    function: object
    expected: list


class Runner:
    """Runs modules on one input, with files in `folder`."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder = pathlib.Path(binaries), pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        rng = random.Random(0)
        self.input = [rng.randrange(-60, 60) for _ in range(VECTOR[0])]
        write_npy(self.folder / "in.npy", "INT8", VECTOR, self.input)

    def make(self, seed):
        return Program(seed, *make_function(seed, self.input))

    def execute(self, tool, *arguments):
        command = [str(part) for part in (self.binaries / tool, *arguments)]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)

    def run(self, programs, configuration):
        """The results of all programs one after another, and the input as it is then; or None
        and the text of an error."""
        module = self.folder / "module.mlir"
        module.write_text(module_text([program.function for program in programs]))
        if configuration.passes:
            done = self.execute("mli-opt", module, *configuration.passes, "-o", module)
            if done.returncode != 0:
                return None, done.stderr
        done = self.execute("mli-run", module, "--input", self.folder / "in.npy",
                            "--output-dir", self.folder, *configuration.options)
        if done.returncode != 0:
            return None, done.stderr or f"exit code {done.returncode}"
        count = sum(len(program.expected) for program in programs) + 1
        return [read_npy(self.folder / f"output_{i}.npy")[1] for i in range(count)], ""

    def find_fault(self, programs, configuration):
        """What is wrong, as text; empty if nothing is."""
        results, error = self.run(programs, configuration)
        if results is None:
            return f"error: {error}"
        expected = [tensor for program in programs for tensor in program.expected] + [self.input]
        for number, (wanted, found) in enumerate(zip(expected, results)):
            if any(a is not None and a != b for a, b in zip(wanted, found)):
                return f"result {number}:\n  expected {wanted}\n  found    {found}\n"
        return ""

    def report(self, programs, configuration):
        """Prints the faults of programs that fail together, each of one alone if it fails so.
        Returns how many there are."""
        faults = [(group, self.find_fault(group, configuration))
                  for group in [[program] for program in programs]]
        faults = [fault for fault in faults if fault[1]]
        faults = faults or [(programs, self.find_fault(programs, configuration))]
        how = " ".join(configuration.passes + configuration.options)
        for group, fault in faults:
            text = module_text([program.function for program in group])
            print(f"seed {group[0].seed}, {len(group)} programs, options '{how}':\n{fault}{text}"
                  f"Again: random-tensors.py {self.binaries} {self.folder} "
                  f"--seed {group[0].seed} --count {len(group)}\n")
        return len(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    arguments = parser.parse_args()
    runner = Runner(arguments.binaries, arguments.folder)
    end = arguments.seed + arguments.count
    wrong = 0
    for first in range(arguments.seed, end, BATCH):
        programs = [runner.make(seed) for seed in range(first, min(first + BATCH, end))]
        for configuration in CONFIGURATIONS:
            if runner.find_fault(programs, configuration):
                wrong += runner.report(programs, configuration)
    print(f"{arguments.count} programs, {wrong} faults")
    sys.exit(wrong > 0)


main()
