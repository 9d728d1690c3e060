# SPDX-License-Identifier: Apache-2.0
"""How the package finds the compiler, in processes of their own."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import mli_mlir
from mli_mlir import _capi, _config, _library, accuracy
from mli_mlir._cases import CaseError

PACKAGE = pathlib.Path(mli_mlir.__file__).parent
LIBRARY = pathlib.Path(mli_mlir._capi._compiler._name)
SHOW = "import mli_mlir; print(mli_mlir._capi._compiler._name)"


@pytest.fixture
def copied(tmp_path):
    """The package alone, where no library is near."""
    shutil.copytree(PACKAGE, tmp_path / "far" / "mli_mlir")

    def run(**variables):
        base = {k: v for k, v in os.environ.items() if not k.startswith("MLI_MLIR")}
        variables = base | {"PYTHONPATH": str(tmp_path / "far")} | variables
        return subprocess.run(
            [sys.executable, "-c", SHOW], env=variables, capture_output=True, text=True
        )

    return run


def test_nowhere(copied):
    done = copied()
    assert done.returncode == 1
    assert f"LibraryError: expected to find {LIBRARY.name}, which" in done.stderr
    assert f"{LIBRARY.name}: no such file" in done.stderr
    assert "the loader: " in done.stderr


def test_variable(copied):
    done = copied(MLI_MLIR_LIBRARY=str(LIBRARY))
    assert done.stdout.strip() == str(LIBRARY), done.stderr
    done = copied(MLI_MLIR_LIBRARY="/nowhere/libmli-c.so")
    assert "/nowhere/libmli-c.so: no such file" in done.stderr
    done = copied(MLI_MLIR_LIBRARY=__file__)
    assert "test_library.py: " in done.stderr and "invalid ELF header" in done.stderr


def test_loader(copied):
    done = copied(LD_LIBRARY_PATH=str(LIBRARY.parent))
    assert done.stdout.strip() == LIBRARY.name, done.stderr


def test_own_folder_goes_first(copied, tmp_path):
    folder = tmp_path / "far" / "mli_mlir" / _config.FOLDERS[0]
    folder.mkdir(parents=True, exist_ok=True)
    for name in (_config.LIBRARY, _config.UPSTREAM, "libmli.so"):
        (folder / name).symlink_to(LIBRARY.parent / name)
    done = copied(MLI_MLIR_LIBRARY="/nowhere/libmli-c.so")
    assert done.stdout.strip() == os.path.normpath(folder / LIBRARY.name), done.stderr


def test_versions():
    assert mli_mlir.__version__ == _config.VERSION == mli_mlir._capi.VERSION
    major, minor, patch = map(int, _config.VERSION.split("."))
    _library.check_version(f"{major}.{minor}.{patch + 1}")
    _library.check_version(f"{major}.{minor}.{patch + 1}rc1")
    for other in (f"{major}.{minor + 1}.{patch}", f"{major + 1}.0.0", "unknown"):
        with pytest.raises(
            mli_mlir.LibraryError,
            match=f"the interface of {_config.VERSION}, but got {other}",
        ):
            _library.check_version(other)


def test_other_version(copied, tmp_path):
    config = tmp_path / "far" / "mli_mlir" / "_config.py"
    config.write_text(config.read_text().replace(_config.VERSION, "0.999.0"))
    done = copied(MLI_MLIR_LIBRARY=str(LIBRARY))
    text = f"with the interface of 0.999.0, but got {_config.VERSION}"
    assert f"LibraryError: expected a compiler {text}" in done.stderr


def test_tools_are_near_the_library(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    tools = accuracy.Tools(None, [])
    assert os.path.samefile(_capi.tools, os.environ["MLI_TOOLS"])
    assert _config.VERSION in tools.call("mli-run", "--version")
    # Where there are none, PATH has them.
    monkeypatch.setattr(_capi, "tools", None)
    with pytest.raises(
        CaseError, match="'mli-run' in --tools, near the library or in PATH, but got"
    ):
        tools.call("mli-run", "--version")
    monkeypatch.setenv("PATH", os.environ["MLI_TOOLS"])
    assert _config.VERSION in tools.call("mli-run", "--version")
    # A folder that is given goes first.
    (tmp_path / "mli-run").write_text("#!/bin/sh\necho mine\n")
    (tmp_path / "mli-run").chmod(0o755)
    assert accuracy.Tools(str(tmp_path), []).call("mli-run") == "mine\n"
