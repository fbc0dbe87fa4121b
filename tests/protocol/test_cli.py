"""The `skyclaim` command: its subcommands, its exit status, and what goes where."""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import types
from collections.abc import Callable

import pytest

from skyclaim_engine import cli
from skyclaim_engine.errors import LimitError

from .host import GUARD
from .processes import ROOT


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[argparse.Namespace], int]], None]:
    """Makes a function the subcommand `toy`, which takes one number."""

    def make(run: Callable[[argparse.Namespace], int]) -> None:
        module = types.ModuleType("toy_command")
        module.add_arguments = lambda parser: parser.add_argument("number", type=int)  # type: ignore[attr-defined]
        module.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "toy_command", module)
        monkeypatch.setitem(cli.SUBCOMMANDS, "toy", ("toy_command", "a toy"))

    return make


def raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


def test_a_command_gets_its_arguments(command, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    command(lambda args: print(args.number) or 0)  # type: ignore[func-returns-value]
    assert cli.main(["toy", "7"]) == 0
    assert capsys.readouterr() == ("7\n", "")


def test_a_terminal_with_few_letters_gets_the_others(command, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    command(lambda args: print("+17 ± 9") or 0)  # type: ignore[func-returns-value]
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii", newline=""))
    assert cli.main(["toy", "7"]) == 0
    assert sys.stdout.buffer.getvalue() == b"+17 ? 9\n"  # type: ignore[attr-defined]


def test_a_difference_found_is_status_1(command) -> None:  # type: ignore[no-untyped-def]
    command(lambda args: 1)
    assert cli.main(["toy", "7"]) == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (LimitError("more than 5 nodes"), "skyclaim: more than 5 nodes\n"),
        (FileNotFoundError(2, "No such file or directory", "x.epd"), "skyclaim: x.epd: No such file or directory\n"),
        (ImportError("no module\nnamed x"), "skyclaim: no module named x\n"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(command, error, sentence, capsys) -> None:  # type: ignore[no-untyped-def]
    command(raising(error))
    assert cli.main(["toy", "7"]) == 1
    assert capsys.readouterr() == ("", sentence)


def test_an_interrupt_is_status_130(command) -> None:  # type: ignore[no-untyped-def]
    command(raising(KeyboardInterrupt()))
    assert cli.main(["toy", "7"]) == 130


@pytest.mark.parametrize("words", [[], ["joho"], ["toy"], ["toy", "x"], ["toy", "7", "8"], ["--joho"]])
def test_a_wrong_command_line_is_status_2(command, words, capsys) -> None:  # type: ignore[no-untyped-def]
    command(lambda args: 0)
    with pytest.raises(SystemExit) as caught:
        cli.main(words)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("skyclaim")
    assert err.count("\n") == 1


def test_help_and_version_import_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["--version"]):
        with pytest.raises(SystemExit) as caught:
            cli.main(words)
        assert caught.value.code == 0
    out = capsys.readouterr().out
    assert all(name in out for name in cli.SUBCOMMANDS)
    assert out.splitlines()[-1].startswith("skyclaim ")


def test_a_reader_that_has_had_enough() -> None:
    script = """
import sys, types
from skyclaim_engine import cli
module = types.ModuleType("toy_command")
module.add_arguments = lambda parser: None
def run(args):
    while True:
        print("x" * 1000)
module.run = run
sys.modules["toy_command"] = module
cli.SUBCOMMANDS["toy"] = ("toy_command", "a toy")
sys.exit(cli.main(["toy"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stderr
    with process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(GUARD) == 1


def test_the_real_engine_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skyclaim_engine.cli", "engine"],
        input="isready\nquit\n",
        capture_output=True,
        cwd=ROOT,
        timeout=GUARD,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "readyok\n")
