# SPDX-License-Identifier: Apache-2.0
"""What Python adds to a run in C, and what the first answer takes:
  call_costs.py BUILD NETWORK [RUNS]

NETWORK has one input and one result. BUILD has the package, and a program in C that runs
the network in the same way. All are run in turns, on zeros, in one thread each; of the
medians of each turn, the median is printed.
"""

import pathlib
import statistics
import subprocess
import sys
from time import perf_counter

TURNS = 5
FIRST = """
from time import perf_counter
begin = perf_counter()
import mli_mlir
imported = perf_counter()
import numpy
program = mli_mlir.compile({network!r})
program.run([numpy.zeros(port.shape, port.dtype) for port in program.inputs])
print(imported - begin, perf_counter() - imported)
"""


def call(command, **options):
    """The numbers of the last line that it prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, **options)
    return [float(number) for number in done.stdout.splitlines()[-1].split()]


def measure(run, runs):
    """The median microseconds of `runs` calls of `run`."""
    times = []
    for _ in range(runs):
        begin = perf_counter()
        run()
        times.append(perf_counter() - begin)
    return statistics.median(times) * 1e6


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    network = sys.argv[2]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    sys.path.insert(0, str(build / "python"))
    import mli_mlir
    import numpy

    program = mli_mlir.compile(network)
    session = program.session()
    arrays = [numpy.zeros(port.shape, port.dtype) for port in program.inputs]
    in_c = [build / "bin" / "mli-capi-test", "cost", network, str(runs)]
    times = {
        "mliInvocationRun in C": lambda: call(in_c)[0],
        "session.run": lambda: measure(lambda: session.run(arrays), runs),
        "program.run": lambda: measure(lambda: program.run(arrays), runs),
    }
    found = {name: [] for name in times}
    for _ in range(TURNS):
        for name, take in times.items():
            found[name].append(take())
    for name, medians in found.items():
        print(f"{name}: {statistics.median(medians):.1f} microseconds")
    first = [sys.executable, "-c", FIRST.format(network=network)]
    taken = [call(first, env={"PYTHONPATH": str(build / "python")}) for _ in range(TURNS)]
    imported, answered = map(statistics.median, zip(*taken))
    print(f"import: {imported:.2f} seconds, then the first answer: {answered:.2f}")


main()
