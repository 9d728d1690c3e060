# SPDX-License-Identifier: Apache-2.0
"""Passes on texts: what mli-opt prints."""

import subprocess
import sys

import pytest
from conftest import NET, SHAPES

import mli_mlir


@pytest.mark.parametrize("network", [NET, SHAPES / "shapes.tosa.mlir"])
def test_pipelines(tool, network):
    text = network.read_text()
    wanted = tool("mli-opt", network, "--mli-local-buffer-pipeline=target=vpx", "--cse")
    inside = "mli-local-buffer-pipeline{target=vpx},cse"
    for pipeline in (inside, f"builtin.module({inside})"):
        assert mli_mlir.opt(text, pipeline).strip() == wanted.strip()
    # Nothing to do, in the text of MLIR itself.
    assert mli_mlir.opt(mli_mlir.opt(text, ""), "") == mli_mlir.opt(text.encode(), "")


def test_errors():
    with pytest.raises(mli_mlir.Error, match="'nopass' does not refer to a registered"):
        mli_mlir.opt("module {}", "nopass")
    with pytest.raises(mli_mlir.Error, match="^net.mlir:1:7: error: ") as caught:
        mli_mlir.opt("module (", "cse", name="net.mlir")
    assert len(caught.value.diagnostics) == 1
    with pytest.raises(mli_mlir.Error, match="expected 'mli.target' to be on a module"):
        mli_mlir.opt(NET.read_text(), "mli-local-pipeline")
    with pytest.raises(mli_mlir.Error, match="at most 500 levels of nesting"):
        mli_mlir.opt("func.func private @f() loc(" + "fused[" * 20000, "cse")


FIRST_CALLS = """
import threading
import mli_mlir
barrier = threading.Barrier(8)
done = []
def call():
    barrier.wait()
    done.append(mli_mlir.opt("module {}", "canonicalize"))
threads = [threading.Thread(target=call) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(done))
"""


def test_first_calls_of_threads():
    """They do not register passes at the same time, which MLIR cannot take."""
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (0, "8\n"), done.stderr
