"""One step of the set-up: ``python3 tools/prepare.py STEP``. The Makefile knows which step is due.

A step prints one line with its seconds, keeps its output in .venv/setup.log and shows the end of that
when it fails. It needs any python3 and nothing else, so that the first step can say what is missing.
Nothing outside this folder is changed and nothing needs root.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOG = VENV / "setup.log"
PYTHON = VENV / "bin" / "python"
PIP = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]
VERSION = sysconfig.get_python_version()
COMPILER = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


class SetupError(Exception):
    """The set-up cannot go on; the message is for the person at the screen."""


@contextmanager
def step(words):
    """Say what is being done, and how long it took."""
    print(f"{words} ...", end=" ", flush=True)
    began = time.monotonic()
    try:
        yield
    except BaseException:
        print("stopped")
        raise
    print(f"{time.monotonic() - began:.1f} s", flush=True)


def run(*command, cwd=ROOT):
    """Run a command with its output in the log, and return that output."""
    command = [str(word) for word in command]
    with LOG.open("ab") as log:
        log.write(f"\n$ {shlex.join(command)}\n".encode())
        log.flush()
        start = log.tell()
        code = subprocess.call(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    output = LOG.read_bytes()[start:].decode(errors="replace")
    if code:
        told = output.partition("error: subprocess-exited-with-error")[0]  # pip speaks of itself after the cause
        if "Error compiling Cython file" in told:
            told = told.partition("Traceback")[0]  # so does Cython
        tail = "\n".join(told.splitlines()[-20:])
        raise SetupError(f"{tail}\n\nThat command failed. All of its output is in {LOG.relative_to(ROOT)}")
    return output


def compiles(text):
    """Whether the compiler accepts this C text, with the places where Python.h may be."""
    places = [sysconfig.get_config_var("INCLUDEPY"), VENV / "include"]
    command = [*COMPILER, "-fsyntax-only", *(f"-I{place}" for place in places), "-xc", "-"]
    return subprocess.run(command, input=text.encode(), stderr=subprocess.DEVNULL, check=False).returncode == 0


def check():
    """Name everything that is missing here, each by the package that brings it."""
    if sys.version_info < (3, 11):
        raise SetupError(f"Skyclaim needs Python 3.11 or newer and this is {VERSION}. Try: make PYTHON=python3.11 play")
    missing = []
    try:
        import ensurepip  # noqa: F401  (Debian keeps it in a package of its own)
    except ImportError:
        missing.append("python3-venv")
    if not shutil.which(COMPILER[0]):
        missing += ["gcc", "libc6-dev"]
    elif not compiles("#include <stdio.h>"):
        missing.append("libc6-dev")
    if missing:
        raise SetupError(f"Something is missing here. On Debian or Ubuntu, as root: apt install {' '.join(missing)}")


def fetch_headers():
    """Put Python.h into .venv/include, where every build of this .venv looks first.

    apt gets lists and a cache of its own, because those of the system need root and may be empty.
    """
    package = f"libpython{VERSION}-dev"
    if not shutil.which("apt-get"):
        raise SetupError(f"Python.h is missing: please install your system's {package} (python3-devel on Fedora)")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for part in ("lists/partial", "archives/partial"):
            (work / part).mkdir(parents=True)
        own = (f"Dir::State::Lists={work}/lists", f"Dir::Cache={work}", "APT::Sandbox::User=root", "Debug::NoLocking=1")
        apt = ["apt-get", "-q", *(f"-o{setting}" for setting in own)]
        try:
            run(*apt, "update")
            run(*apt, "download", package, cwd=work)
            run("dpkg-deb", "-x", *work.glob("*.deb"), work / "files")
        except SetupError as error:
            raise SetupError(f"{error}\n\nPython.h could not be fetched. As root: apt install {package}") from None
        include = work / "files" / "usr" / "include"
        for place in (include / f"python{VERSION}", include):
            shutil.copytree(place, VENV / "include", dirs_exist_ok=True)


def made():
    shutil.rmtree(VENV, ignore_errors=True)  # what an interrupted set-up left
    VENV.mkdir()
    with step("checking this machine"):
        check()
    with step("making .venv"):
        run(sys.executable, "-m", "venv", VENV)
    if not compiles("#include <Python.h>"):
        with step("fetching Python's headers"):
            fetch_headers()


def install(name, words):
    with step(words):
        run(*PIP, "install", "--require-hashes", "-r", ROOT / "requirements" / f"{name}.lock")


def build(words, *command):
    """Compile. What Cython warns of is a failure: hints of slow spots are easily lost among the other lines."""
    with step(words):
        warnings = re.findall("(?:performance hint|warning): skyclaim_engine/.*", run(*command))
        if warnings:
            for made_by_cython in ROOT.glob("skyclaim_engine/**/*.c"):
                made_by_cython.unlink()  # or the next build would have nothing to say
            raise SetupError("\n".join(warnings))


STEPS = {
    "made": made,
    "run": lambda: install("run", "installing what the game needs"),
    # -v shows the compiler's words; the modules land beside their sources
    "installed": lambda: build("compiling", *PIP, "install", "-v", "--no-deps", "--no-build-isolation", "-e", "."),
    # with this build-lib the very modules of the editable install are checked, and only old ones made again
    "ready": lambda: build("compiling what changed", PYTHON, "setup.py", "build_ext", "--build-lib", "."),
    "test": lambda: install("test", "installing what the tests need"),
    "lint": lambda: install("lint", "installing the linters"),
}


def main():
    name = sys.argv[1]
    try:
        STEPS[name]()
    except SetupError as error:
        print(error)
        return 1
    except KeyboardInterrupt:
        return 130
    (VENV / f".{name}").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
