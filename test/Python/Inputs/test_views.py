# SPDX-License-Identifier: Apache-2.0
"""What is known of programs, as dicts and as pictures: that of mli-run."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest
from conftest import NET, SHAPES, SMALL

import mli_mlir

NETWORK = SHAPES / "shapes.tosa.mlir"


@pytest.mark.parametrize("target", [None, SMALL])
def test_memory_map(tool, tmp_path, target):
    program = mli_mlir.compile(NETWORK, target=target)
    options = ["--placement", "local", "--target", target] if target else []
    for end in ("json", "svg"):
        tool("mli-run", NETWORK, "--memory-map", f"map.{end}", *options)
    found = program.memory_map()
    assert found == json.loads((tmp_path / "map.json").read_text())
    assert found.svg == found._repr_svg_() == (tmp_path / "map.svg").read_text()
    assert xml.fromstring(found.svg).tag.endswith("svg")
    spaces = [one["space"] for one in found]
    assert spaces == (["system", "local"] if target else ["system"])


def test_no_memory():
    byte = "tensor<4xi8>"
    text = f"func.func @main(%x: {byte}) -> {byte} {{ return %x : {byte} }}"
    program = mli_mlir.compile(text.encode())
    assert program.layers == []
    assert "<table>" in program.layers._repr_html_()


def test_layers(tool, tmp_path):
    tool(
        "mli-run", NETWORK, "--input", SHAPES / "inputs" / "star_1.npy",
        "--benchmark", "1", "--per-layer=layers.json",
    )  # fmt: skip
    measured = json.loads((tmp_path / "layers.json").read_text())["layers"]
    program = mli_mlir.compile(NETWORK)
    assert len(program.layers) == len(measured) == 12
    for layer, other in zip(program.layers, measured):
        assert layer == {key: other[key] for key in layer}
    # 16 x 16 results of 16 channels, each the sum of 3 x 3 products.
    first = program.layers[0]
    assert (first["kernel"], first["shape"]) == ("conv2d", [16, 16, 16])
    assert first["products"] == 16 * 16 * 16 * 3 * 3
    html = program._repr_html_()
    rows = xml.fromstring(html).findall("./tbody/tr")
    assert [cell.text for cell in rows[0]] == [
        first["name"], "16x16x16", "conv2d", "1", "36,864", f"{first['bytes']:,}"
    ]  # fmt: skip
    assert len(rows) == 12


def test_names_are_text_in_pictures():
    head, end, tail = NET.read_bytes().rpartition(b"\n  return")
    program = mli_mlir.compile(head + b' loc("<b>&")' + end + tail)
    assert program.layers[0]["name"] == "<b>&"
    assert "<td>&lt;b&gt;&amp;</td>" in program.layers._repr_html_()
    assert "<b>" not in program.memory_map().svg


def test_report():
    program = mli_mlir.compile(NET, target="vpx,npu-bytes=1024")
    report = program.report()
    assert (report["function"], report["kernels"], report["moves"]) == ("main", 1, 0)
    # Four bytes come in and go out.
    assert report["memory"]["inputs_and_results"] == 8
    assert report["local"]["moved_in"] == report["local"]["moved_out"] == 4
    json.dumps(report)


@pytest.mark.parametrize(
    "target, costs", [(None, {}), (SMALL, {}), (SMALL, {"mac": 3})]
)
def test_page(tool, tmp_path, target, costs):
    options = ["--placement", "local", "--target", target] if target else []
    pipeline = None
    if costs:
        (tmp_path / "costs.json").write_text(json.dumps({"cost": costs}))
        options += ["--tiles", "costs.json"]
        pipeline = f"overrides={tmp_path}/costs.json"
    report = mli_mlir.compile(NETWORK, target=target, pipeline=pipeline).report()
    for end in ("json", "html"):
        tool("mli-run", NETWORK, "--report", f"tool.{end}", *options)
    # What the program was compiled with is known without its file.
    (tmp_path / "costs.json").unlink(missing_ok=True)
    for end in ("json", "html"):
        report.save(tmp_path / f"python.{end}")
        # Only mli-run measures the size of code.
        text = (tmp_path / f"tool.{end}").read_text()
        wanted = re.sub(r',"code":\d+', "", text)
        assert (tmp_path / f"python.{end}").read_text() == wanted
    assert report.page == wanted
    frame = xml.fromstring(report._repr_html_())
    assert frame.tag == "iframe" and frame.get("srcdoc").split() == wanted.split()
    with pytest.raises(mli_mlir.InputError, match="in .html or .json, but got 'a.txt'"):
        report.save("a.txt")


def test_report_is_written_whole(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("before")
    report = mli_mlir.compile(NET).report()

    def fail(*_):
        raise OSError("no space")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", fail)
        with pytest.raises(OSError):
            report.save(path)
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
    report.save(path)
    assert path.read_text() == report.page


def test_report_is_like_other_files(tmp_path):
    """In processes of their own: the mask of new files holds for all threads."""
    code = (
        "import os, mli_mlir; os.umask(0o027); mask = os.umask; os.umask = None; "
        f"mli_mlir.compile({str(NET)!r}).report().save('report.json'); mask(0)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "report.json").stat().st_mode & 0o777 == 0o640
