"""The command with its standard streams closed, and an environment that is not right: words, never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMAND = f"{sys.executable} -m skyclaim_engine.cli"


@pytest.mark.parametrize("command", ["play --seed 1", "engine", "bench --json", "--version"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-"])
def test_closed_streams(command: str, closed: str) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"{COMMAND} {command} {closed}"], input="quit\n", capture_output=True, text=True, timeout=120
    )
    assert "Traceback" not in ran.stderr + ran.stdout


def test_an_engine_whose_host_has_gone_ends() -> None:
    ran = subprocess.run(
        ["sh", "-c", f"yes uci | {COMMAND} engine | head -n 1"], capture_output=True, text=True, timeout=120
    )
    assert ran.stdout.startswith("id name")


def test_a_wrong_level_in_the_environment_is_told() -> None:
    ran = subprocess.run(
        ["sh", "-c", f"SKYCLAIM_LEVEL=foo {COMMAND} --version"], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0
    assert ran.stderr.startswith("SKYCLAIM_LEVEL 'foo' is not one of portable, sse2, avx2")
    assert "Traceback" not in ran.stderr
