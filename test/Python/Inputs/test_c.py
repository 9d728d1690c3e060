# SPDX-License-Identifier: Apache-2.0
"""C for other machines: the files of mli-compile."""

import filecmp

import pytest
from conftest import SHAPES, SMALL

import mli_mlir

NETWORK = SHAPES / "shapes.tosa.mlir"


@pytest.mark.parametrize(
    "options, forms, arguments",
    [
        ({}, {}, []),
        ({"arena": "min"}, {"weights": "blob", "tables": "once", "name": "net"},
         ["--arena", "min", "--weights", "blob", "--tables", "once", "--name", "net"]),
        ({"target": "vpx,npu-bytes=16384"}, {"moves": "async"},
         ["--placement", "local", "--target", "vpx,npu-bytes=16384",
          "--moves", "async"]),
        ({"target": SMALL}, {"library": "mli-mlir"},
         ["--placement", "local", "--target", SMALL, "--library", "mli-mlir"]),
    ],
)  # fmt: skip
def test_files(tool, tmp_path, options, forms, arguments):
    tool("mli-compile", NETWORK, "--emit", "c", "-o", "tool", *arguments)
    program = mli_mlir.compile(NETWORK, **options)
    assert program.to_c(tmp_path / "python", **forms) == tmp_path / "python"
    names = sorted(path.name for path in (tmp_path / "tool").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "python").iterdir())
    _, differ, errors = filecmp.cmpfiles(
        tmp_path / "tool", tmp_path / "python", names, shallow=False
    )
    assert names and not differ and not errors


def test_files_of_others(tmp_path):
    program = mli_mlir.compile(NETWORK)
    (tmp_path / "net.c").write_text("mine")
    with pytest.raises(mli_mlir.Error, match="net.c' to be a file of mli-compile"):
        program.to_c(tmp_path, name="net")
    assert [path.name for path in tmp_path.iterdir()] == ["net.c"]
    program.to_c(tmp_path, name="net", overwrite=True)
    assert (tmp_path / "net.h").exists()


def test_wrong_options(tmp_path):
    program = mli_mlir.compile(NETWORK)
    for options, text in [
        ({"weights": "none"}, "'weights' to be one of source, inline, blob, but got"),
        ({"moves": "async"}, "beside kernels with local placement, but got system"),
        ({"name": "2a"}, "an identifier of C and no keyword or header, but got '2a'"),
    ]:
        with pytest.raises(mli_mlir.Error, match=text):
            program.to_c(tmp_path / "c", **options)
    with pytest.raises(mli_mlir.Error, match="expected the path of a folder"):
        program.to_c("")
    assert not (tmp_path / "c").exists()
