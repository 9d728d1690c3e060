# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel with the libraries of the build that this folder is in.

They are loaded by ctypes: one wheel serves every Python of the machine.
"""

import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # Before setuptools 70.1.
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).absolute().parent


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib, "mli_mlir", "lib")
        folder.mkdir(parents=True, exist_ok=True)
        for path in (HERE / "libraries.txt").read_text().split("\n"):
            if path:
                shutil.copy(path, folder)


class MachineWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class MachineDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": MachineWheel},
    distclass=MachineDistribution,
)
