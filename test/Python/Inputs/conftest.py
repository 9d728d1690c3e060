# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share.

They import it from PYTHONPATH, and find the tools in the folder of MLI_TOOLS.
"""

import os
import pathlib
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[2]
NET = TESTS / "Embedding" / "Inputs" / "net.mlir"
AXIS = TESTS / "CAPI" / "Inputs" / "axis.mlir"
FAILING = TESTS / "Integration" / "failing-kernel.mlir"
OPEN = TESTS / "CAPI" / "Inputs" / "open.mlir"
SUM = TESTS / "Integration" / "Inputs" / "running-sum.mlir"
TWO = TESTS / "Tools" / "Inputs" / "two-entries.mlir"
SHAPES = TESTS / "Models" / "shapes"
SMALL = "custom,npus=4,npu-bytes=16384"


@pytest.fixture
def tool(tmp_path):
    """Runs a tool in a folder of the test's own."""

    def run(name, *arguments):
        command = [os.path.join(os.environ["MLI_TOOLS"], name), *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def tflite(tmp_path):
    """Writes a network of one operator of TFLite."""

    def write(case):
        path = tmp_path / "net.tflite"
        script = TESTS / "Import" / "Inputs" / "write.py"
        subprocess.run([sys.executable, script, case, path], check=True)
        return path

    return write
