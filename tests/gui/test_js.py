"""The pure modules of the page have their tests in JavaScript; Node runs them where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).parent / "js").glob("*.test.mjs"))


@pytest.mark.skipif(
    shutil.which("node") is None, reason="Node is not installed: the page's pure modules are not tested"
)
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_module(path: Path) -> None:
    run = subprocess.run(["node", "--test", str(path)], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# fail 0" in run.stdout
    assert "# pass 0" not in run.stdout
