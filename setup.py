"""The compiled modules: a list of extensions and one call of cythonize. Everything else is in pyproject.toml."""

import os
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

# -O3 by name: distributions differ in their default, and the lane loops are four times slower at -O2.
# No contraction of floating point: evaluations are the same on every processor.
# No -march: a build runs on every processor of its kind.
FLAGS = ["-O3", "-fno-tree-slp-vectorize", "-ffp-contract=off", "-Wno-psabi"]
SANITIZERS: list[str] = []
DIRECTIVES: dict[str, bool] = {}  # the files that need speed ask for it in their first line

# SKYCLAIM_DEBUG=1: asserts on and every access watched. `make debug-test` does it, in a copy of the tree.
DEBUG = os.environ.get("SKYCLAIM_DEBUG") == "1"
if DEBUG:
    SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    FLAGS = ["-UNDEBUG", "-O1", "-ffp-contract=off", "-g", "-fno-omit-frame-pointer", "-Wno-psabi", *SANITIZERS]
    DIRECTIVES = {"boundscheck": True, "initializedcheck": True, "nonecheck": True}

HEADERS = glob("skyclaim_engine/**/*.h", recursive=True)

setup(
    ext_modules=cythonize(
        [
            Extension(
                path.removesuffix(".pyx").replace(os.sep, "."),
                [path],
                include_dirs=["skyclaim_engine"],
                depends=[*HEADERS, "setup.py"],
                extra_compile_args=FLAGS,
                extra_link_args=SANITIZERS,
            )
            for path in sorted(glob("skyclaim_engine/**/*.pyx", recursive=True))
        ],
        compiler_directives=DIRECTIVES,
        force=DEBUG,  # cythonize looks at times only and would keep C that the other mode made
    )
)
