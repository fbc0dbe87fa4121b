"""Compiled parts of the benchmarks: a .pyx file is built when it is needed, and leaves nothing behind."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import skyclaim_engine
from skyclaim_engine.errors import SkyclaimError

ROOT = Path(skyclaim_engine.__file__).resolve().parents[1]
#: as in setup.py
FLAGS = ["-O3", "-fno-tree-slp-vectorize", "-ffp-contract=off", "-Wno-psabi"]


@cache
def compiled(source: Path) -> ModuleType:
    """The module made of a .pyx file, against the engine that is imported.

    Raises SkyclaimError if Cython or a C compiler is missing, or the file does not fit the engine.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            library = _build(source, Path(folder))
        except (Exception, SystemExit) as error:
            raise SkyclaimError(f"{source.name} cannot be compiled: {type(error).__name__}: {error}") from error
        spec = importlib.util.spec_from_file_location(source.stem, library)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def _build(source: Path, folder: Path) -> Path:
    from Cython import Build
    from setuptools import Distribution, Extension

    copy = folder / source.name
    shutil.copy(source, copy)
    include = [str(ROOT / "skyclaim_engine")]
    extension = Extension(source.stem, [str(copy)], include_dirs=include, extra_compile_args=FLAGS)
    modules: list[Extension] = Build.cythonize([extension], include_path=[str(ROOT)], quiet=True)  # type: ignore[no-untyped-call]
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    command.run()
    return next(folder.glob("*.so"))
