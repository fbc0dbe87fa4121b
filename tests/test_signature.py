"""The signature of `skyclaim bench`. Whoever changes it on purpose writes the new one here and into the commit."""

from __future__ import annotations

import json

import pytest

from skyclaim_engine._board import LEVELS, instruction_level, use_instruction_level
from skyclaim_engine.cli import main

SIGNATURE = "90da6b74c28d0085"


@pytest.mark.parametrize("level", LEVELS)
def test_the_signature(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    best = instruction_level()
    if use_instruction_level(level) != level:
        pytest.skip(f"{level} is not there on this processor")
    try:
        assert main(["bench", "--json"]) == 0
    finally:
        use_instruction_level(best)
    told = json.loads(capsys.readouterr().out)
    assert told["signature"] == SIGNATURE
    assert told["nodes"] == 553600
