# SPDX-License-Identifier: Apache-2.0
"""Runs: answers, arrays that are taken as they are, and those that are not taken."""

import gc
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import AXIS, FAILING, NET, SHAPES, SMALL, SUM, TESTS

import mli_mlir
from mli_mlir import _ports, accuracy


def row(*values, dtype=np.int8):
    return np.array(values, dtype)


@pytest.mark.parametrize("target", [None, "vpx,npu-bytes=1024"])
def test_relu(target):
    program = mli_mlir.compile(NET, target=target)
    results = program.run({"input_0": row(-3, -1, 0, 2)})
    assert list(results) == ["output_0"]
    assert results["output_0"].dtype == np.int8
    assert results["output_0"].tolist() == [0, 0, 0, 2]
    # The type has four bits of fraction.
    assert program.results[0].dequantize(row(0, 0, 0, 2)).tolist() == [0, 0, 0, 0.125]


@pytest.mark.parametrize("target", [None, SMALL])
def test_picture(target):
    program = mli_mlir.compile(SHAPES / "shapes.tosa.mlir", target=target)
    labels = (SHAPES / "labels.txt").read_text().split()
    for name in ("star_1", "heart_0"):
        picture = np.load(SHAPES / "inputs" / f"{name}.npy")
        (scores,) = program.run([picture]).values()
        assert labels[scores.argmax()] == name.split("_")[0]


def test_names_and_axis():
    program = mli_mlir.compile(AXIS)
    (port,) = program.inputs
    assert (port.name, port.shape, port.axis) == ("picture", (2, 2), 1)
    assert (port.scales, port.zero_points) == ((0.5, 0.75), (0, 0))
    values = row(-3, -1, 0, 2).reshape(2, 2)
    # Columns are halves and three quarters.
    assert port.dequantize(values).tolist() == [[-1.5, -0.75], [0, 1.5]]
    assert (program.run({"picture": values})["picture"] == values).all()


@pytest.mark.parametrize(
    "element, dtype, least",
    [
        ("i8", np.int8, -128),
        ("i16", np.int16, -(1 << 15)),
        ("i32", np.int32, -(1 << 31)),
        ("f32", np.float32, -0.25),
        ("!mli.fx16<12>", np.int16, -(1 << 15)),
    ],
)
def test_types(element, dtype, least):
    """What comes in goes out, in each type that a network may have."""
    type_ = f"tensor<2x1x{element}>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}"
    program = mli_mlir.compile(text.encode())
    array = row(least, 7, dtype=dtype).reshape(2, 1)
    result = program.run([array])["output_0"]
    assert result.dtype == dtype and result.tolist() == array.tolist()
    scale = 2.0**-12 if "12" in element else 1
    assert program.results[0].dequantize(result).tolist() == [
        [least * scale],
        [7 * scale],
    ]


@pytest.mark.parametrize("target", [None, "vpx"])
def test_types_of_the_quant_dialect(target):
    """Codes under the zero point become it, then have half the scale."""
    path = TESTS / "Pipelines" / "quant.mlir"
    program = mli_mlir.compile(path, target=target, pipeline="quant")
    array = row(-128, 2, 5, 60).reshape(2, 2)
    (codes,) = program.run([array]).values()
    assert codes.ravel().tolist() == [-1, -1, 3, 113]
    (port,) = program.inputs
    assert (port.scales, port.zero_points) == ((0.5,), (3,))


def test_kernels_that_fail():
    program = mli_mlir.compile(FAILING)
    out = np.full(program.results[0].shape, 9, np.int8)
    array = np.ones(program.inputs[0].shape, np.int8)
    for _ in range(2):
        with pytest.raises(
            mli_mlir.Error, match="to be less than the effective kernel"
        ):
            program.run([array], out=[out])
    assert (out == 9).all()


def test_sessions_have_states():
    program = mli_mlir.compile(SUM)
    assert program.inputs[0].dtype == np.uint8
    assert program.inputs[0].zero_points == (133,)

    def step(runs, first, second):
        (sums,) = runs.run([row(first, second, dtype=np.uint8)]).values()
        return sums.tolist()

    one, two = program.session(), program.session()
    assert step(one, 134, 143) == [134, 143]
    assert step(two, 133, 133) == [133, 133]
    assert step(one, 134, 123) == [135, 133]
    trace = one.trace([row(134, 143, dtype=np.uint8)])
    assert any(event.get("cat") == "kernel" for event in trace["traceEvents"])
    assert step(one, 133, 133) == [135, 133]
    one.reset()
    assert step(one, 134, 143) == [134, 143]
    # Each run of a program is the first of a sequence.
    assert step(program, 134, 143) == [134, 143]
    assert step(program, 134, 143) == [134, 143]
    assert "traceEvents" in program.trace([row(134, 143, dtype=np.uint8)])


def test_arrays_are_read_where_they_are():
    session = mli_mlir.compile(NET).session()
    array = row(-3, -1, 0, 2)
    array.flags.writeable = False
    session.run([array])
    assert session._inputs[0].data == array.ctypes.data
    reversed_view = row(2, 0, -1, -3)[::-1]
    assert session.run([reversed_view])["output_0"].tolist() == [0, 0, 0, 2]


def test_results_are_written_where_they_should_be():
    program = mli_mlir.compile(NET)
    out = np.empty(4, np.int8)
    results = program.run([row(-3, -1, 0, 2)], out=[out])
    assert results["output_0"] is out and out.tolist() == [0, 0, 0, 2]
    # Also over the input, and others keep what they have.
    kept = program.run([row(1, 2, 3, 4)])["output_0"]
    array = row(-3, -1, 0, 2)
    program.run({"input_0": array}, out={"output_0": array})
    assert array.tolist() == [0, 0, 0, 2] and kept.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "inputs, got",
    [
        ({}, "none"),
        ({"x": row(1, 2, 3, 4)}, "'x'"),
        ({"input_0": row(1, 2, 3, 4), "x": 0}, "'input_0', 'x'"),
        ({"input_0": None}, "'input_0'"),
        ([], "0"),
        ([row(1, 2, 3, 4)] * 2, "2"),
        (row(1, 2, 3, 4), "ndarray"),
    ],
)
def test_other_names(inputs, got):
    program = mli_mlir.compile(NET)
    text = "expected arrays for the inputs 'input_0', by name or as a list, but got "
    with pytest.raises(ValueError, match=f"^{text}{got}$") as caught:
        program.run(inputs)
    assert isinstance(caught.value, mli_mlir.InputError)


@pytest.mark.parametrize(
    "array, error, text",
    [
        (row(1, 2, 3), ValueError, r"to have the shape \(4,\), but got \(3,\)"),
        (row(1, 2, 3, 4).reshape(2, 2), ValueError, r"\(4,\), but got \(2, 2\)"),
        (row(1, 2, 3, 4, dtype=np.uint8), TypeError, "of int8, but got uint8"),
        (row(1, 2, 3, 4, dtype=np.float32), TypeError, "of int8, but got float32"),
        ([1, 2, 3, 4], TypeError, "of int8, but got int64"),
        (["a", "b"], TypeError, "of int8, but got <U1"),
    ],
)
def test_other_arrays(array, error, text):
    program = mli_mlir.compile(NET)
    with pytest.raises(error, match=text) as caught:
        program.run([array])
    assert isinstance(caught.value, mli_mlir.Error)
    # It goes on to work.
    assert program.run([row(-3, -1, 0, 2)])["output_0"].tolist() == [0, 0, 0, 2]


def test_other_results():
    program, array = mli_mlir.compile(NET), row(1, 2, 3, 4)
    fixed = np.zeros(4, np.int8)
    fixed.flags.writeable = False
    for out, text in [
        ([np.zeros(5, np.int8)], "to have the shape"),
        ([np.zeros(4, np.int16)], "elements of int8, but got int16"),
        ([np.zeros(8, np.int8)[::2]], "writable and in one piece"),
        ([fixed], "writable and in one piece"),
        ([[0, 0, 0, 0]], "to be an array, but got list"),
        ({"y": array}, "for the results 'output_0', by name or as a list, but got 'y'"),
    ]:
        with pytest.raises(mli_mlir.Error, match=text):
            program.run([array], out=out)


@pytest.mark.parametrize("target", [None, "vpx,npu-bytes=1024"])
def test_threads(target):
    """Runs of one program, and errors, in several threads at a time."""
    program, wrong = mli_mlir.compile(NET, target=target), []

    def work(number):
        for i in range(200):
            value = (number * 31 + i) % 127
            if program.run([row(-1, value, 0, 1)])["output_0"].tolist() != [
                0, value, 0, 1
            ]:  # fmt: skip
                wrong.append(value)
            try:
                program.run([row(1)])
                wrong.append("none")
            except mli_mlir.InputError as error:
                if "(1,)" not in str(error):
                    wrong.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


EXIT = """
import sys, threading
import numpy as np
import mli_mlir
program = mli_mlir.compile(sys.argv[1])
session, maps = program.session(), program.memory_map()
inputs = [np.zeros(4, np.int8)]
work = lambda: [program.run(inputs) for _ in range(1000)]
threading.Thread(target=work, daemon=True).start()
session.run(inputs)
print("ended")
"""


def test_processes_end_while_programs_live():
    done = subprocess.run(
        [sys.executable, "-c", EXIT, NET], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


def test_cycles_are_collected():
    for _ in range(20):
        program = mli_mlir.compile(NET)
        cycle = [program, program.session(), program.memory_map()]
        cycle.append(cycle)
        program.own = cycle
    del program, cycle
    gc.collect()
    mli_mlir.compile(NET, rounding="convergent").run([row(1, 2, 3, 4)])


def test_sessions_outlive_their_programs():
    session = mli_mlir.compile(NET).session()
    assert session.run([row(-3, -1, 0, 2)])["output_0"].tolist() == [0, 0, 0, 2]


def test_names_of_ports_differ():
    names = ["", "output_0", "twin", "twin"]
    described = [
        {"name": name, "type": "", "element": "int8", "shape": [1], "scales": [],
         "zero_points": [], "axis": -1, "bytes": 1}
        for name in names
    ]
    ports = _ports.read_ports(described, "output")
    assert [port.name for port in ports] == ["output_0_", "output_0", "output_2", "output_3"]


def test_scales_of_ports_are_those_of_the_file(tflite):
    """Whatever power of two the type has instead."""
    program = mli_mlir.compile(tflite("wide_pool_average_pool_2d_3_2_same_relu_0.0007"))
    for port in [*program.inputs, *program.results]:
        assert port.scales == pytest.approx([0.0007])


def test_accuracy_of_what_is_left_of_a_network(tmp_path, capsys, monkeypatch):
    """Its ends of float32 are cut off; its scales are no powers of two."""
    monkeypatch.syspath_prepend(str(TESTS / "Import" / "Inputs"))
    import islands

    islands.wide_function().write(tmp_path / "net.tflite")
    codes = np.arange(-16, 16, dtype=np.int16).reshape(1, 4, 4, 2)
    wanted = np.tanh(codes * 0.1).astype(np.float32)
    for folder, values in ("inputs", codes), ("wanted", wanted), ("wanted/a", wanted):
        (tmp_path / folder).mkdir()
        name = "op01_t.npy" if folder == "wanted/a" else "a.npy"
        np.save(tmp_path / folder / name, values)
    monkeypatch.chdir(tmp_path)
    command = ["net.tflite", "--inputs", "inputs", "--references", "wanted",
               "--tools", os.environ["MLI_TOOLS"], "--json", "found.json"]
    assert accuracy.main(command) == 0, capsys.readouterr().err
    found = json.loads((tmp_path / "found.json").read_text())
    for part in found["outputs"] + found["layers"]:
        assert (part["elements"], part["name"][0]) == (32, "t")
        assert part["largest"] <= 1


def test_formats_of_recorded_layers():
    read = accuracy._format
    assert read("tensor<4x!mli.fx16<7>>") == accuracy.Format(2.0**-7, 0)
    assert read("tensor<4x!mli.sa8<3:1:-5>>") == accuracy.Format(1.5, -5)
    assert read("tensor<4xf32>") == accuracy.Format(1.0, 0)
