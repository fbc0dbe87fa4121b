"""The ledger: appended, locked, mended, compared."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from skyclaim_engine.arena.ledger import Ledger, differing, is_begun, read_games, read_header
from skyclaim_engine.arena.records import VERSION, Record
from skyclaim_engine.errors import SkyclaimError

HEADER: Record = {
    "record": "match", "version": VERSION, "game": "skyclaim", "rules": {"Fog": "off"}, "seed": 1,
    "blocks": 2, "seats": 2,
    "engines": [{"name": "a", "options": {"Skill": "20"}}, {"name": "b", "options": {}}],
}  # fmt: skip


def game(block: int, number: int, **more: object) -> Record:
    return {
        "record": "game", "block": block, "game": number, "seed": 3, "engines": ["a", "b"], "start": "", "steps": ["x"],
        "seats": [1], "times": [0.5], "result": [1.0, 0.0], "ended": "rules", "how": "S", "turns": 1, **more,
    }  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def test_what_is_appended_is_there(path: Path) -> None:
    with Ledger(path, HEADER) as ledger:
        ledger.append(game(0, 0))
        assert read_header(path) == HEADER
        assert list(ledger.games()) == [game(0, 0)]
        ledger.append(game(0, 1, name="Ж\n"))
    assert list(read_games(path)) == [game(0, 0), game(0, 1, name="Ж\n")]
    assert path.read_bytes().count(b"\n") == 3


def test_a_ledger_is_not_begun_twice(path: Path) -> None:
    Ledger(path, HEADER).close()
    before = path.read_bytes()
    with pytest.raises(SkyclaimError, match=r"match.jsonl' is there already; --resume"):
        Ledger(path, HEADER)
    assert path.read_bytes() == before


def test_one_match_writes_at_a_time(path: Path) -> None:
    with Ledger(path, HEADER), pytest.raises(SkyclaimError, match="another match is writing"):
        Ledger(path, HEADER, resume=True)
    Ledger(path, HEADER, resume=True).close()


def test_resuming_what_is_not_there_begins_it(path: Path) -> None:
    with Ledger(path, HEADER, resume=True) as ledger:
        assert (list(ledger.games()), ledger.notes) == ([], [])
    assert read_header(path) == HEADER


def test_a_torn_last_line_is_cut_off_at_every_length(path: Path) -> None:
    with Ledger(path, HEADER) as ledger:
        ledger.append(game(0, 0))
        ledger.append(game(0, 1))
    whole = path.read_bytes()
    header, first, _ = (len(line) + 1 for line in whole.splitlines())
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        kept = (length >= header) + (length >= header + first)
        with Ledger(path, HEADER, resume=True) as ledger:
            assert list(ledger.games()) == [game(0, number) for number in range(max(0, kept - 1))]
            assert bool(ledger.notes) == (length not in (0, header, header + first))
            ledger.append(game(0, 1))
        assert list(read_games(path))[-1] == game(0, 1)


def test_the_note_tells_what_was_cut(path: Path) -> None:
    Ledger(path, HEADER).close()
    path.write_bytes(path.read_bytes() + b'{"record":')
    assert len(list(read_games(path))) == 0
    with Ledger(path, HEADER, resume=True) as ledger:
        assert ledger.notes == [f"ledger '{path}': a last line of 10 bytes was torn and is cut off"]


def test_begun_is_what_has_a_whole_first_line(path: Path) -> None:
    assert not is_begun(path)
    path.write_bytes(b'{"record":')
    assert not is_begun(path)
    Ledger(path, HEADER, resume=True).close()
    assert is_begun(path)


def test_a_game_counts_once(path: Path) -> None:
    with Ledger(path, HEADER) as ledger:
        ledger.append(game(0, 0, how="first"))
        ledger.append(game(0, 0, how="second"))
    assert list(read_games(path)) == [game(0, 0, how="first")]


def test_another_match_is_refused_field_by_field(path: Path) -> None:
    Ledger(path, HEADER).close()
    before = path.read_bytes()
    other = json.loads(json.dumps(HEADER))
    other["seed"] = 2
    other["rules"]["Fog"] = "dark"
    other["engines"][0]["options"]["Skill"] = "30"
    with pytest.raises(SkyclaimError) as caught:
        Ledger(path, other, resume=True)
    said = str(caught.value)
    assert "rules.Fog was '\"off\"' and is '\"dark\"'; seed was '1' and is '2'; engines 1.options.Skill was" in said
    assert path.read_bytes() == before


def test_differences() -> None:
    assert differing(HEADER, {**HEADER, "version": 2}) == []
    assert differing({"a": 1}, {"b": 1}) == ["a was '1' and is 'null'", "b was 'null' and is '1'"]
    assert differing({"a": [1, 2]}, {"a": [1]}) == ["a was '[1, 2]' and is '[1]'"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "its first line is not about a match"),
        ('{"record":"game"}\n', "its first line is not about a match"),
        ('{"record":"match","version":99}\n', "version '99' is not 1"),
        ('{"record":"match","version":1}\n', "game is missing"),
        ("no json\n", "line 1 is not a JSON object"),
        ("[1]\n", "line 1 is not a JSON object"),
    ],
)
def test_what_is_no_ledger(path: Path, text: str, words: str) -> None:
    path.write_text(text)
    with pytest.raises(SkyclaimError, match=words):
        read_header(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "'chess'"),
        ({"rules": 3}, "rules '3' are not options by name"),
        ({"rules": {"Fog": "thick"}}, "option Fog: 'thick'"),
        ({"seed": "x"}, "seed '\"x\"' is not a whole number"),
        ({"engines": [{"name": "a"}]}, "is not a list of two engines or more with names"),
        ({"engines": [3, 4]}, "engines '.3, 4.' is not a list"),
        ({"blocks": True}, "blocks 'true' is not a whole number"),
        ({"seats": 1}, "seats '1' is not a number of seats"),
        ({"sprt": "elo2=3"}, "sprt 'elo2=3'"),
    ],
)
def test_a_first_line_that_nobody_can_use(path: Path, change: Record, words: str) -> None:
    path.write_text(json.dumps({**HEADER, **change}) + "\n")
    with pytest.raises(SkyclaimError, match=words):
        read_header(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"block": "x"}, "block '\"x\"' is not a whole number"),
        ({"block": -1}, "block '-1' is not a whole number"),
        ({"block": 2}, "block '2' is not one of the match's 2"),
        ({"game": 2}, "game '2' is not the number of a game in a block"),
        ({"game": 10**15}, "game '1000000000000000' is not"),
        ({"engines": ["a", "c"]}, "engines 'c' is not one of the match"),
        ({"engines": ["a"]}, "is not a name for each seat"),
        ({"result": [1.0]}, "result '.1.0.' is not a share of the win for each seat"),
        ({"result": [1.0, 1.0]}, "is not a share"),
        ({"result": [float("nan"), 1.0]}, "result '.NaN, 1.0.' is not a share"),
        ({"result": ["1", 0]}, "is not a share"),
        ({"seats": [3]}, "seats '.3.' is not a list of seats"),
        ({"times": [None]}, "is not a list of milliseconds"),
        ({"times": [10**400]}, "is not a list of milliseconds"),
        ({"times": []}, "steps, seats and times are not equally many"),
        ({"ended": "dinner"}, "ended '\"dinner\"' is not one of rules"),
        ({"turns": 1.5}, "turns '1.5' is not a whole number"),
        ({"fault": 3}, "fault '3' is not an object"),
        ({"fault": {"seat": 1, "engine": "a", "kind": "hang"}}, "text is missing"),
    ],
)
def test_a_game_that_cannot_be_of_the_match(path: Path, change: Record, words: str) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in (HEADER, {**game(0, 0), **change})))
    with pytest.raises(SkyclaimError, match=f"line 2: .*{words}"):
        list(read_games(path))


@pytest.mark.parametrize("text", ["my diary", "my diary\nhas no last line's end", '{"record":"game"}'])
def test_a_file_of_somebody_else_is_left_as_it_is(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(SkyclaimError):
        Ledger(path, HEADER, resume=True)
    assert path.read_text() == text


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_a_ledger_is_a_file(device: str) -> None:
    with pytest.raises(SkyclaimError, match=f"ledger '{device}' is not a file that can be read again"):
        Ledger(device, HEADER)


def test_a_disk_that_is_full_is_told_with_the_name(path: Path) -> None:
    with Ledger(path, HEADER) as ledger, open("/dev/full", "wb") as full:
        os.dup2(full.fileno(), ledger._file)
        with pytest.raises(SkyclaimError, match=r"match.jsonl' cannot be written: No space left on device"):
            ledger.append(game(0, 0))


def test_a_line_of_endless_depth_is_no_record(path: Path) -> None:
    Ledger(path, HEADER).close()
    path.write_bytes(path.read_bytes() + b"[" * 100_000 + b"]" * 100_000 + b"\n")
    with pytest.raises(SkyclaimError, match="line 2 is not a JSON object"):
        list(read_games(path))


def test_a_broken_line_in_the_middle_is_told(path: Path) -> None:
    Ledger(path, HEADER).close()
    path.write_bytes(path.read_bytes() + b"\x00\xff\n{}\n")
    with pytest.raises(SkyclaimError, match="line 2 is not a JSON object"):
        list(read_games(path))
