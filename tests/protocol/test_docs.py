"""The page about the protocol says what the engine does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skyclaim_engine.protocol import grammar
from skyclaim_engine.protocol.client import Client

from .host import CODES, GUARD
from .processes import ENGINES, ROOT
from .transcript import Turn, answer, transcripts

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("turns", transcripts(PAGE), ids=lambda turns: turns[-1].line)
def test_transcript_with_the_real_engine(turns: list[Turn]) -> None:
    with Client(ENGINES["real"], cwd=str(ROOT)) as client:
        for turn in turns:
            said = answer(client, turn.line, GUARD)
            assert turn.fits(said), f"> {turn.line}\nexpected: {turn.expected}\nsaid: {said}"


def test_every_command_and_its_help_stand_there() -> None:
    for command in grammar.COMMANDS:
        assert f"\n{command.usage}: {command.help}\n" in TEXT


def test_every_word_of_go_stands_there() -> None:
    for word in (*grammar.GO_NUMBERS, *grammar.GO_LISTS, *grammar.GO_FLAGS, "searchmoves", "id"):
        assert re.search(rf"`{word}[ `]", TEXT), word


def test_every_code_of_an_error_stands_there() -> None:
    table = TEXT.split("## Errors")[1].split("## Life cycle")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.M)) == CODES


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", TEXT):
        assert (Path(PAGE.parent) / link).exists(), link
