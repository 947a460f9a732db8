"""Builds the package: the extension module comes from the tree's own CMake."""

import os
import pathlib
import subprocess
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TREE = pathlib.Path(__file__).resolve().parent.parent
BUILD = TREE / "build" / "python"  # nothing is written beside the sources
BUILD.mkdir(parents=True, exist_ok=True)


class build_by_cmake(build_ext):
    def build_extension(self, ext):
        build = pathlib.Path(self.build_temp).resolve()
        made = build / "python" / "freshet" / "_freshet.abi3.so"
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        configure = [
            "cmake", "-S", str(TREE), "-B", str(build), "-DFRESHET_TESTS=OFF",
            "-DFRESHET_PYTHON=" + sysconfig.get_path("include"),
        ]
        compile = [
            "cmake", "--build", str(build), "--target", "freshet-python",
            "--parallel", str(os.cpu_count()),
        ]
        subprocess.check_call(configure)
        subprocess.check_call(compile)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(made), str(target))


setup(
    name="freshet",
    version=(TREE / "VERSION").read_text().strip(),
    description="Tell new keys from repeats in streams that never end, in fixed memory",
    license="MIT",
    python_requires=">=3.11",
    packages=["freshet"],
    package_data={"freshet": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("freshet._freshet", sources=[], py_limited_api=True)],
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build": {"build_base": str(BUILD)},
        "egg_info": {"egg_base": str(BUILD)},
    },
    cmdclass={"build_ext": build_by_cmake},
)
