# SPDX-License-Identifier: Apache-2.0
"""What is compiled, how it is read, and errors with the compiler's diagnostics."""

import numpy as np
import pytest
from conftest import AXIS, NET, OPEN, SHAPES, SMALL, TWO

import mli_mlir


def test_bytes_text_and_bytecode(tool):
    tool("mli-opt", NET, "--emit-bytecode", "-o", "net.mlirbc")
    for network in (NET, str(NET), NET.read_bytes()):
        assert len(mli_mlir.compile(network).layers) == 1


def test_tflite(tflite):
    path = tflite("conv_2d_1_valid_relu_true_true_2_1")
    program = mli_mlir.compile(path)
    assert repr(program).startswith(f"<mli_mlir.Program {path}: ")
    assert [layer["kernel"] for layer in program.layers] == ["conv2d"]
    found = mli_mlir.inspect(path)
    assert found["operators"][0]["operator"] == "CONV_2D", found
    assert mli_mlir.compile(path.read_bytes(), floats="keep").inputs == program.inputs
    with pytest.raises(mli_mlir.Error, match="offsets lie in its 100 bytes"):
        mli_mlir.compile(path.read_bytes()[:100])
    with pytest.raises(mli_mlir.Error, match="half: error: .* lie in its 100 bytes"):
        mli_mlir.inspect(path.read_bytes()[:100], name="half")
    with pytest.raises(mli_mlir.Error, match="to be a tensor, but got 'nowhere'"):
        mli_mlir.compile(path, outputs=["nowhere"])
    with pytest.raises(mli_mlir.Error, match="the name of a tensor, but got an empty"):
        mli_mlir.compile(path, outputs=[""])
    with pytest.raises(mli_mlir.InputError, match="'batch' with a network of MLIR"):
        mli_mlir.compile(path, batch=2)
    with pytest.raises(
        ValueError, match="'sums' to be one of near, kernel, exact, but got 'all'"
    ):
        mli_mlir.compile(path, sums="all")


def test_batch_and_outputs():
    program = mli_mlir.compile(OPEN, batch=3, outputs=[0])
    pictures = np.arange(12, dtype=np.int8).reshape(3, 2, 2, 1)
    # Of 0 to 3, 4 to 7 and 8 to 11.
    (greatest,) = program.run([pictures]).values()
    assert greatest.ravel().tolist() == [3, 7, 11]
    with pytest.raises(mli_mlir.Error, match="of 1 to 2147483647, but got 0"):
        mli_mlir.compile(OPEN, batch=0)
    with pytest.raises(ValueError, match="'batch' to have 64 bits, but got 1844674"):
        mli_mlir.compile(OPEN, batch=(1 << 64) + 3)
    with pytest.raises(TypeError, match="'batch' to be a whole number, but got '3'"):
        mli_mlir.compile(OPEN, batch="3")
    with pytest.raises(mli_mlir.Error, match="an operation, but got 'other'"):
        mli_mlir.compile(OPEN, batch=3, outputs=["other"])
    with pytest.raises(ValueError, match="'cut' with a network of TFLite, but"):
        mli_mlir.compile(OPEN, batch=3, cut="none")


def test_entries():
    first, second = (mli_mlir.compile(TWO, entry=name) for name in ("first", "second"))
    assert first.report()["function"] == "first"
    assert second.report()["function"] == "second"
    with pytest.raises(
        mli_mlir.Error, match="'entry' to be one of 'first', 'second', but got None"
    ):
        mli_mlir.compile(TWO)
    with pytest.raises(mli_mlir.Error, match="'third', but got 'first', 'second'"):
        mli_mlir.compile(TWO, entry="third")
    for contents in (b"", b"// Nothing", b"module {}"):
        with pytest.raises(
            mli_mlir.Error, match="'none' to have a public function, but got none"
        ):
            mli_mlir.compile(contents, name="none")


def test_options():
    path = SHAPES / "shapes.tosa.mlir"
    plain = mli_mlir.compile(path).report()["memory"]
    least = mli_mlir.compile(path, arena="min").report()["memory"]
    assert least["arena"] < plain["arena"]
    given = mli_mlir.compile(path, arena=plain["arena"]).report()["memory"]
    assert given["arena"] == plain["arena"]
    none = mli_mlir.compile(path, pipeline="packed-weights=none", threads=2)
    assert none.report()["memory"]["packed"] == 0
    picture = np.load(SHAPES / "inputs" / "star_1.npy")
    for other in (
        mli_mlir.compile(path, arena="min"),
        mli_mlir.compile(path, threads=2),
        mli_mlir.compile(path, target=SMALL, pipeline="double-buffer=off"),
    ):
        (got,), (wanted,) = other.run([picture]).values(), none.run([picture]).values()
        assert (got == wanted).all()


def test_wrong_options():
    for options, text in [
        ({"target": "vp"}, "'target' to be one of .*vpx.*, but got 'vp'"),
        ({"target": ""}, "expected the text of a target, but got an empty text"),
        ({"arena": "few"}, "min or none, but got 'few'"),
        ({"threads": 0}, r"threads to be in \[1, 2147483647\], but got 0"),
        ({"threads": 2, "target": "vpx"}, "with system placement, but got local"),
        ({"pipeline": "nothing=3"}, "of mli-system-pipeline, but got 'nothing=3'"),
        ({"rounding": "down"}, "'rounding' to be one of unset, up, convergent"),
        ({"threads": 2.5}, "'threads' to be a whole number, but got 2.5"),
        ({"threads": 1 << 32}, "'threads' to have 32 bits, but got 4294967296"),
        ({"accumulation": "wide"}, "but got 'wide'"),
    ]:
        with pytest.raises(mli_mlir.Error, match=text):
            mli_mlir.compile(NET, **options)


def test_modes_are_those_of_the_process():
    program = mli_mlir.compile(NET)
    with pytest.raises(mli_mlir.Error, match="modes of the programs that live"):
        mli_mlir.compile(NET, rounding="convergent")
    del program
    mli_mlir.compile(NET, rounding="convergent")


def test_diagnostics():
    with pytest.raises(mli_mlir.Error) as caught:
        mli_mlir.compile(SHAPES / "shapes.tosa.mlir", target="vpx,npu-bytes=16")
    first, second = caught.value.diagnostics[:2]
    assert first.severity == "error" and first.message.startswith("fits from ")
    assert second.location.endswith("shapes.tosa.mlir:10:10")
    assert "expected its smallest tile" in second.message
    assert second.notes[-1].severity == "note" and "would do" in str(second.notes[-1])
    assert str(caught.value).splitlines()[0] == str(first)
    assert mli_mlir.compile(AXIS).diagnostics == ()


def test_any_path_is_taken(tmp_path):
    for name in ("n\u00e9t.mlir", b"n\xe9t.mlir".decode(errors="surrogateescape")):
        path = tmp_path / name
        path.write_bytes(NET.read_bytes())
        program = mli_mlir.compile(path)
        program.to_c(tmp_path / (name + ".c"))
        path.write_bytes(b"module (")
        with pytest.raises(mli_mlir.Error, match="n.+t.mlir:1:7: error: "):
            mli_mlir.compile(path)


def test_files_that_are_no_networks(tmp_path):
    with pytest.raises(FileNotFoundError):
        mli_mlir.compile(tmp_path / "none.tflite")
    with pytest.raises(mli_mlir.Error, match="^text:1:1: error: "):
        mli_mlir.compile(b"nonsense", name="text")
    with pytest.raises(mli_mlir.Error, match="^network:1:2: error: "):
        mli_mlir.compile(b"\x00\x01\x02")
    with pytest.raises(mli_mlir.Error, match="at most 500 levels of nesting"):
        mli_mlir.compile(b"func.func private @f() loc(" + b"fused[" * 20000)
