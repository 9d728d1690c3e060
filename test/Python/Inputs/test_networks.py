# SPDX-License-Identifier: Apache-2.0
"""Networks of TFLite from public repositories, in the folder of MLI_SHARED."""

import os
import pathlib

import numpy as np
import pytest

import mli_mlir

MODELS = pathlib.Path(os.environ.get("MLI_SHARED", "/nowhere"), "models")
NETWORKS = {
    "kws_dscnn": "sample.0",
    "person_detect": "person.0",
    "resnet8_cifar10": "cifar00.0",
    "mobilenet_v2_tf2_ptq": "cat.0",
}


@pytest.mark.skipif(not MODELS.is_dir(), reason="there are no shared networks")
@pytest.mark.parametrize("target", [None, "vpx,npu-bytes=65536"])
@pytest.mark.parametrize("name", NETWORKS)
def test_answers_are_those_of_mli_run(tool, tmp_path, name, target):
    model = MODELS / name / "model.tflite"
    picture = MODELS / name / "inputs" / f"{NETWORKS[name]}.npy"
    tool("mli-run", model, "--input", picture, "--output-dir", "out")
    program = mli_mlir.compile(model, target=target)
    (answer,) = program.run({program.inputs[0].name: np.load(picture)}).values()
    wanted = np.load(tmp_path / "out" / "output_0.npy")
    assert answer.dtype == wanted.dtype and (answer == wanted).all()
    assert len(program.layers) > 5 and program.memory_map().svg.startswith("<svg")
