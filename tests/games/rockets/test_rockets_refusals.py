"""The one door (rules 7): every field, and every way in which it can be wrong, named and quoted."""

from __future__ import annotations

from typing import Any

import pytest

from skyclaim_engine.errors import IllegalStep, ParseError, RulesError, SkyclaimError, StreamUnknown, quote
from skyclaim_engine.games.rockets.notation import FIELDS
from skyclaim_engine.games.rockets.position import GAME

#: 25 tiles in a row from -12,0 to 12,0, and those below its left end
ROW = [f"{q},0" for q in range(-12, 13)] + [f"{q},1" for q in range(-12, -5)]


def tiles(names: list[str] = ROW, **changes: str) -> str:
    """The TILES field with a tile changed: `tiles(q5="5,0w")`, `tiles(q_5="")` for -5,0 left out."""
    texts = {f"{q},0": changes.get(f"q{q}".replace("-", "_")) for q in range(-12, 13)}
    words = [name if texts.get(name) is None else texts[name] for name in names]
    return ";".join(word for word in words if word) + "+"


TILES = tiles()
GOOD = {
    "OPTIONS": "n=3;shields=1;wormholes=0;asteroids=0;upto=0", "PHASE": "fly:4", "TILES": TILES,
    "ROCKETS": "0,0:1;3,0:2;x", "BOARDED": "1@5,0;3@-3,0", "ORDER": "7:21", "STATS": "1.1.3;0.0.-;2.0.12",
    "RNG": "0123456789abcdef",
}  # fmt: skip
#: the same with wormholes and asteroids; the wormhole space is written -12,0
FULL = {
    **GOOD, "OPTIONS": "n=3;shields=1;wormholes=1;asteroids=1;upto=1",
    "TILES": tiles([*ROW, "-5,1", "-4,1", "-3,1", "-2,1"], q_12="-12,0w", q9="9,0w", q_9="-9,0w", q12="12,0a"),
}  # fmt: skip
#: seven tiles lie, so pilot 2 of 3 lays the eighth
LAID = ["0,0", "1,0", "2,0", "3,0", "4,0", "5,0", "6,0"]
LAYING = {
    "OPTIONS": "n=3;shields=2;wormholes=0;asteroids=1;upto=0", "PHASE": "tile:o",
    "TILES": f"{';'.join(LAID)}+a{'o' * 24}",
    "ROCKETS": "off:2;off:2;off:2", "BOARDED": "-", "ORDER": "0:23", "STATS": "0.0.-;0.0.-;0.0.-", "RNG": "-",
}  # fmt: skip
#: the order was 2 1 3: 2 is done, its shield is still to come, and 1 is next
PLACING = {
    **LAYING, "OPTIONS": "n=3;shields=2;wormholes=0;asteroids=0;upto=0", "TILES": TILES, "PHASE": "rocket",
    "ROCKETS": "off:2;0,0:2;off:2", "BOARDED": "1@4,0", "ORDER": "0:13",
}  # fmt: skip
OVER = {**GOOD, "PHASE": "over:2:last", "ROCKETS": "x;3,0:2;x", "ORDER": "7:"}


def line(base: dict[str, str] = GOOD, **fields: str) -> str:
    return " ".join({**base, **fields}.values())


def refused(text: str, observation: bool = False) -> tuple[ParseError, ...]:
    """The reasons of a refusal, each checked for its form."""
    with pytest.raises(RulesError) as found:
        GAME.parse(text, observation=observation)
    error = found.value
    assert error.code == "bad-position"
    assert error.reasons
    for reason in error.reasons:
        assert reason.field in (*FIELDS, "line")
        assert reason.text in text
        assert str(reason) == f"{reason.field} {quote(reason.text)}: {reason.reason}"
    return error.reasons


@pytest.mark.parametrize("base", [GOOD, FULL, LAYING, PLACING, OVER], ids=["good", "full", "laying", "placing", "over"])
def test_the_good_lines_are_good(base: dict[str, str]) -> None:
    position = GAME.parse(line(base))
    assert GAME.parse(position.line()) == position
    assert position.board.faults() == []
    assert position.line() == line(base)


@pytest.mark.parametrize("text", ["", " ", "x", " ".join(list(GOOD.values())[:7]), line() + " x", line() + line()])
def test_a_line_has_eight_fields(text: str) -> None:
    (reason,) = refused(text)
    assert (reason.field, reason.text) == ("line", text)
    assert f"{len(text.split())} fields" in reason.reason


def options(**values: object) -> str:
    given = {"n": 3, "shields": 1, "wormholes": 0, "asteroids": 0, "upto": 0, **values}
    return ";".join(f"{name}={value}" for name, value in given.items())


#: base, field, its wrong text, what of it is quoted (None: all of it), what the reason says
WRONG = [
    (GOOD, "OPTIONS", "n=3", None, "has 1 options"),
    (GOOD, "OPTIONS", options() + ";", None, "has 6 options"),
    (GOOD, "OPTIONS", options(n=1), "n=1", "n= with one of 2 3 4 5 6"),
    (GOOD, "OPTIONS", options(n=7), "n=7", "n="),
    (GOOD, "OPTIONS", options(n="03"), "n=03", "n="),
    (GOOD, "OPTIONS", options(n=""), "n=", "n="),
    (GOOD, "OPTIONS", options(n="٣"), "n=٣", "n="),
    (GOOD, "OPTIONS", options(shields=0), "shields=0", "shields="),
    (GOOD, "OPTIONS", options(shields=6), "shields=6", "shields="),
    (GOOD, "OPTIONS", options(wormholes=2), "wormholes=2", "wormholes="),
    (GOOD, "OPTIONS", options(asteroids="true"), "asteroids=true", "asteroids="),
    (GOOD, "OPTIONS", options(upto="-1"), "upto=-1", "upto="),
    (GOOD, "OPTIONS", options().replace("n=", "N="), "N=3", "n="),
    (GOOD, "OPTIONS", options().replace("upto=0", "upto"), "upto", "upto="),
    (GOOD, "PHASE", "fly", None, "no phase"),
    (GOOD, "PHASE", "fly:0", None, "no phase"),
    (GOOD, "PHASE", "fly:7", None, "no phase"),
    (GOOD, "PHASE", "fly:4**", None, "no phase"),
    (GOOD, "PHASE", "FLY:4", None, "no phase"),
    (GOOD, "PHASE", "aim:3", None, "no phase"),
    (GOOD, "PHASE", "trace:2:1", None, "no phase"),
    (GOOD, "PHASE", "trace:5", None, "no phase"),
    (GOOD, "PHASE", "trace:5:7", None, "no phase"),
    (GOOD, "PHASE", "after*", None, "no phase"),
    (GOOD, "PHASE", "tile:x", None, "no phase"),
    (GOOD, "PHASE", "tile", None, "no phase"),
    (GOOD, "PHASE", "-", None, "no phase"),
    (OVER, "PHASE", "over:2", None, "no phase"),
    (OVER, "PHASE", "over::last", None, "no phase"),
    (OVER, "PHASE", "over:2:won", None, "no phase"),
    (OVER, "PHASE", "over:22:last", None, "ascending"),
    (OVER, "PHASE", "over:21:last", None, "ascending"),
    (GOOD, "PHASE", "fly:4*", None, "no asteroids"),
    (GOOD, "PHASE", "after", None, "no asteroids"),
    (GOOD, "PHASE", "trace:4:2", None, "not a rival"),
    (GOOD, "PHASE", "trace:4:3", None, "not a rival"),
    (GOOD, "PHASE", "trace:4:6", None, "only 3 pilots"),
    (OVER, "PHASE", "over:1:last", None, "does not fit"),
    (OVER, "PHASE", "over:12:together", None, "does not fit"),
    (OVER, "PHASE", "over:2:rounds", None, "does not fit"),
    (OVER, "PHASE", "over:4:last", None, "only 3 pilots"),
    (GOOD, "TILES", TILES[:-1], None, "one +"),
    (GOOD, "TILES", TILES + "+", None, "one +"),
    (GOOD, "TILES", tiles(q5="5.0"), "5.0", "no tile"),
    (GOOD, "TILES", tiles(q5="13,0"), "13,0", "no tile"),
    (GOOD, "TILES", tiles(q5="+5,0"), None, "one +"),
    (GOOD, "TILES", tiles(q5="05,0"), "05,0", "no tile"),
    (GOOD, "TILES", tiles(q0="-0,0"), "-0,0", "no tile"),
    (GOOD, "TILES", tiles(q5="5,0o"), "5,0o", "no tile"),
    (GOOD, "TILES", tiles(q5="5,0aw"), "5,0aw", "no tile"),
    (GOOD, "TILES", tiles(q5=";"), "", "no tile"),
    (GOOD, "TILES", tiles(q5="4,0"), "4,0", "another tile"),
    (GOOD, "TILES", tiles(q5="5,0w"), None, "wormhole tiles"),
    (GOOD, "TILES", tiles(q5="5,0a"), "5,0a", "no asteroids"),
    (GOOD, "TILES", TILES + "x", "x", "no stack"),
    (GOOD, "TILES", TILES + "-", "-", "no stack"),
    (GOOD, "TILES", TILES + "o0w0", "o0w0", "no stack"),
    (GOOD, "TILES", TILES + "o33w0a0", "o33w0a0", "no stack"),
    (GOOD, "TILES", TILES + "o0w0a0", "o0w0a0", "only an observation"),
    (GOOD, "TILES", tiles(q12=""), None, "31 tiles"),
    (GOOD, "TILES", tiles(q12="12,12"), tiles(q12="12,12")[:-1], "hang together"),
    (LAYING, "TILES", LAYING["TILES"] + "o", None, "34 tiles"),
    (LAYING, "TILES", LAYING["TILES"].replace("ao", "aa"), f"aa{'o' * 23}", "2 asteroid tiles"),
    (LAYING, "TILES", LAYING["TILES"].replace("ao", "ow"), None, "wormhole tiles"),
    (LAYING, "TILES", LAYING["TILES"].replace("0,0;", "0,0a;"), LAYING["TILES"].split("+")[0].replace("0,0;", "0,0a;"),
     "before its tile"),
    (LAYING, "TILES", LAYING["TILES"].replace("ao", "oo"), LAYING["TILES"].split("+")[0], "no token although"),
    (GOOD, "ROCKETS", "0,0:1;3,0:2", None, "2 pilots, not 3"),
    (GOOD, "ROCKETS", "0,0:1;3,0:2;x;x", None, "4 pilots, not 3"),
    (GOOD, "ROCKETS", "0,0;3,0:2;x", "0,0", "no rocket"),
    (GOOD, "ROCKETS", "0,0:;3,0:2;x", "0,0:", "no rocket"),
    (GOOD, "ROCKETS", "0,0:01;3,0:2;x", "0,0:01", "no rocket"),
    (GOOD, "ROCKETS", "0,0:-1;3,0:2;x", "0,0:-1", "no rocket"),
    (GOOD, "ROCKETS", "0,0:37;3,0:2;x", "0,0:37", "no rocket"),
    (GOOD, "ROCKETS", "0,13:1;3,0:2;x", "0,13:1", "no rocket"),
    (GOOD, "ROCKETS", "0,0:1;3,0:2;X", "X", "no rocket"),
    (GOOD, "ROCKETS", "0,0:1;3,0:2;x:0", "x:0", "no rocket"),
    (GOOD, "ROCKETS", "0,0:1;;x", "", "no rocket"),
    (GOOD, "ROCKETS", "0,5:1;3,0:2;x", "0,5:1", "no tile at 0,5"),
    (GOOD, "ROCKETS", "off:1;3,0:2;x", "off:1", "not on the board"),
    (FULL, "ROCKETS", "9,0:1;3,0:2;x", "9,0:1", "written -12,0"),
    (FULL, "ROCKETS", "12,0:1;3,0:2;x", "12,0:1", "asteroid token"),
    (LAYING, "ROCKETS", "off:2;off:1;off:2", "off:1", "each holds 2"),
    (LAYING, "ROCKETS", "off:2;x;off:2", "x", "each holds 2"),
    (LAYING, "ROCKETS", "off:2;0,0:2;off:2", "0,0:2", "while tiles are laid"),
    (GOOD, "BOARDED", "5,0", "5,0", "no boarded shield"),
    (GOOD, "BOARDED", "7@5,0", "7@5,0", "no boarded shield"),
    (GOOD, "BOARDED", "1@5,13", "1@5,13", "no boarded shield"),
    (GOOD, "BOARDED", "1@5,0;", "", "no boarded shield"),
    (GOOD, "BOARDED", "1@5,0;1@4,0", "1@4,0", "second boarded shield"),
    (GOOD, "BOARDED", "4@5,0", None, "only 3 pilots"),
    (GOOD, "BOARDED", "1@5,5", "1@5,5", "no tile at 5,5"),
    (FULL, "BOARDED", "1@9,0", "1@9,0", "written -12,0"),
    (LAYING, "BOARDED", "1@0,0", "1@0,0", "while tiles are laid"),
    (PLACING, "BOARDED", "-", None, "have boarded"),
    (PLACING, "BOARDED", "3@4,0", None, "have boarded"),
    (PLACING, "BOARDED", "1@4,0;2@4,0", None, "have boarded"),
    (GOOD, "ORDER", "7", None, "no order"),
    (GOOD, "ORDER", "07:21", None, "no order"),
    (GOOD, "ORDER", "201:21", None, "no order"),
    (GOOD, "ORDER", "-1:21", None, "no order"),
    (GOOD, "ORDER", "7:27", None, "no order"),
    (GOOD, "ORDER", "7:2,1", None, "no order"),
    (GOOD, "ORDER", "7:212", None, "twice"),
    (GOOD, "ORDER", "7:24", None, "only 3 pilots"),
    (GOOD, "ORDER", "7:", None, "nobody is to move"),
    (GOOD, "ORDER", "7:23", None, "pilot 3 is destroyed"),
    (GOOD, "ORDER", "0:21", None, "count from 1"),
    (OVER, "ORDER", "7:2", None, "nobody is to move"),
    (LAYING, "ORDER", "1:23", None, "the round is 0"),
    (LAYING, "ORDER", "0:3", None, "still to lay are 23"),
    (LAYING, "ORDER", "0:123", None, "still to lay are 23"),
    (LAYING, "ORDER", "0:32", None, "still to lay are 23"),
    (PLACING, "ORDER", "0:1", None, "whose rockets are off"),
    (GOOD, "STATS", "1.1.3;0.0.-", None, "2 pilots, not 3"),
    (GOOD, "STATS", "1.1;0.0.-;2.0.12", "1.1", "hits.kills.victims"),
    (GOOD, "STATS", "1.1.;0.0.-;2.0.12", "1.1.", "hits.kills.victims"),
    (GOOD, "STATS", "01.1.3;0.0.-;2.0.12", "01.1.3", "hits.kills.victims"),
    (GOOD, "STATS", "10000.1.3;0.0.-;2.0.12", "10000.1.3", "hits.kills.victims"),
    (GOOD, "STATS", "1.1.7;0.0.-;2.0.12", "1.1.7", "hits.kills.victims"),
    (GOOD, "STATS", "1.1.3;0.0.-;2.0.21", "2.0.21", "ascending"),
    (GOOD, "STATS", "1.1.3;0.0.-;2.0.11", "2.0.11", "ascending"),
    (GOOD, "STATS", "1.1.4;0.0.-;2.0.12", None, "only 3 pilots"),
    (GOOD, "STATS", "1.1.1;0.0.-;2.0.12", "1.1.1", "hit itself"),
    (GOOD, "STATS", "1.1.23;0.0.-;2.0.12", "1.1.23", "at least as many"),
    (GOOD, "STATS", "1.2.3;0.0.-;2.0.12", "1.2.3", "at least as many"),
    (GOOD, "STATS", "1.0.-;0.0.-;2.0.12", "1.0.-", "at least as many"),
    (LAYING, "STATS", "1.0.2;0.0.-;0.0.-", "1.0.2", "before the first round"),
    (GOOD, "RNG", "0123456789abcde", None, "16 hexadecimal"),
    (GOOD, "RNG", "0123456789ABCDEF", None, "16 hexadecimal"),
    (GOOD, "RNG", "0x23456789abcdef", None, "16 hexadecimal"),
    (GOOD, "RNG", "--", None, "16 hexadecimal"),
]


@pytest.mark.parametrize(("base", "field", "text", "quoted", "why"), WRONG)
def test_a_wrong_field(base: dict[str, str], field: str, text: str, quoted: str | None, why: str) -> None:
    reasons = refused(line(base, **{field: text}))
    told = [reason for reason in reasons if reason.field == field and why in reason.reason]
    assert told, reasons
    assert told[0].text == (text if quoted is None else quoted)


def test_every_field_has_its_refusals() -> None:
    assert {field for _, field, *_ in WRONG} == set(FIELDS) == GOOD.keys()


def test_phases_that_do_not_fit_what_stands() -> None:
    (reason,) = refused(line(FULL, PHASE="after", TILES=FULL["TILES"].replace("a", "")))
    assert "no token left" in reason.reason
    (reason,) = refused(line(PHASE="aim", ROCKETS="3,0:1;3,0:2;x"))
    assert (reason.field, reason.text) == ("PHASE", "aim")
    (reason,) = refused(line(ROCKETS="x;3,0:2;x", ORDER="7:2"))
    assert "the game is over" in reason.reason
    (reason,) = refused(line(PHASE="over:2:rounds", ORDER="7:"))
    assert "after round 200" in reason.reason
    assert GAME.parse(line(PHASE="over:2:rounds", ORDER="200:")).result
    reasons = refused(line(PHASE="tile:o"))
    assert {"TILES", "ROCKETS", "BOARDED", "ORDER", "STATS"} <= {reason.field for reason in reasons}


def test_tokens_that_are_due() -> None:
    laid = {**LAYING, "TILES": f"{';'.join(LAID)}+{'o' * 26}", "PHASE": "rock", "ORDER": "0:123"}
    one = laid["TILES"].replace("0,0;", "0,0a;")
    assert GAME.parse(line(laid, TILES=one)).legal() == ["rock:1,0"]
    (reason,) = refused(line(laid, TILES=one.replace("1,0;2,0;3,0", "1,0a;2,0a;3,0a")))
    assert "more than 3" in reason.reason
    (reason,) = refused(line(laid, TILES=one.replace("1,0;2,0", "1,0a;2,0a")))
    assert "all its tokens" in reason.reason
    alone = {**laid, "OPTIONS": options(shields=2, asteroids=1), "TILES": f"0,0a+{'o' * 32}"}
    (reason,) = refused(line(alone))
    assert "no place for the token" in reason.reason


def test_all_reasons_are_told_at_once_in_the_order_of_the_fields() -> None:
    wrong = {
        "OPTIONS": "n=9", "PHASE": "x", "TILES": "x+x", "ROCKETS": "y", "BOARDED": "z", "ORDER": "-", "STATS": "0",
        "RNG": "r",
    }  # fmt: skip
    reasons = refused(line(**wrong))
    assert list(dict.fromkeys(reason.field for reason in reasons)) == list(FIELDS)
    reasons = refused(line(OPTIONS=options(n=8, upto=7), ROCKETS="a;b;x", STATS="1;2;0.0.-"))
    assert [reason.text for reason in reasons] == ["n=8", "upto=7", "a", "b", "1", "2"]


def test_all_contradictions_are_told_at_once() -> None:
    reasons = refused(line(ROCKETS="0,7:1;1,7:2;x", BOARDED="1@2,7", ORDER="7:23", STATS="1.1.1;0.0.-;2.0.12"))
    assert [(reason.field, reason.text) for reason in reasons] == [
        ("ROCKETS", "0,7:1"), ("ROCKETS", "1,7:2"), ("BOARDED", "1@2,7"), ("ORDER", "7:23"), ("STATS", "1.1.1"),
    ]  # fmt: skip


def test_observations() -> None:
    seen = GAME.parse(line(LAYING)).observe(2)
    assert seen.line().split()[2].endswith("+o24w0a1")
    assert GAME.parse(seen.line(), observation=True) == seen
    (reason,) = refused(seen.line())
    assert (reason.field, reason.text) == ("TILES", "o24w0a1")
    (reason,) = refused(line(LAYING), observation=True)
    assert "counts the stack" in reason.reason
    (reason,) = refused(" ".join([*seen.line().split()[:7], GOOD["RNG"]]), observation=True)
    assert (reason.field, reason.text) == ("RNG", GOOD["RNG"])


def test_tiles_and_shields_may_stand_in_any_order() -> None:
    tiles = ";".join(reversed(ROW)) + "+"
    assert GAME.parse(line(TILES=tiles, BOARDED="3@-3,0;1@5,0")).line() == line()


STEPS = [
    ("", "is not a step"), ("jump", "is not a step"), ("fly", "is not a step"), ("stay:", "is not a step"),
    ("fly:", "'' is not a place"), ("fly:x", "'x' is not a place"), ("fly:1", "'1' is not a place"),
    ("fly:1,0;", "'' is not a place"), ("fly:-1,0;-2,0;-3,0;-4,0;-5,0;-6,0;-7,0", "has 7 spaces"),
    ("fly:13,0", "'13,0' is not a place"), ("aim:7", "'7' is not a pilot"), ("aim:", "'' is not a pilot"),
    ("drift:1,0", "is not a drift"), ("drift:->1,0", "is not a drift"), ("drift:1,0>x", "'x' is not a place"),
    ("tile:1,0;2,0", "is not a place"), ("tile:0,1", "not a step of the phase fly"),
    ("aim:1", "not a step of the phase fly"),
    ("trace:-", "not a step of the phase fly"), ("stay", "not a step of the phase fly"),
    ("drift:1,0>2,0", "not a step of the phase fly"), ("fly:-", "the way goes on"),
    ("fly:2,0;1,0;0,0", "the way goes on"),
    ("fly:4,0;5,0;6,0;7,0;8,0", "more spaces than the 4"), ("fly:5,0", "5,0 does not touch"),
    ("fly:4,0;3,0", "3,0 is visited twice"), ("fly:4,0;5,0;4,0", "4,0 is visited twice"), ("fly:3,1", "no tile at 3,1"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "why"), STEPS)
def test_a_wrong_step_is_refused_and_changes_nothing(step: str, why: str) -> None:
    position = GAME.parse(line())
    for ask in (position.apply, position.explain):
        with pytest.raises(IllegalStep) as found:
            ask(step)
        assert why in found.value.reason
        assert found.value.step == step
        assert found.value.position == line()
    assert position.line() == line()


def test_wrong_steps_of_the_other_phases() -> None:
    rock = FULL["TILES"].replace(";2,0;", ";2,0a;").replace("12,0a", "12,0")
    shot = GAME.parse(line(FULL, PHASE="trace:3:1", TILES=rock, ROCKETS="0,0:1;4,0:2;x"))
    for step, why in (
        ("trace:3,0;2,0;1,0", "bursts before 1,0"), ("trace:3,0;2,0;1,0;0,0", "bursts before 1,0"),
        ("trace:5,0;6,0;7,0;8,0", "more spaces than the 3"), ("trace:4,0", "visited twice"), ("fly:5,0", "phase trace"),
    ):  # fmt: skip
        with pytest.raises(IllegalStep, match=why):
            shot.apply(step)
    assert shot.copy().apply("trace:3,0;2,0")[0]["burst"] is True
    flight = GAME.parse(line(FULL, TILES=rock, ROCKETS="0,0:1;3,0:2;x"))
    with pytest.raises(IllegalStep, match="token is on 2,0"):
        flight.apply("fly:2,0")
    with pytest.raises(IllegalStep, match="not legal here"):
        flight.apply("drift:2,0>-")
    over = GAME.parse(line(OVER))
    for step in ("fly:-", "aim:1", "stay"):
        with pytest.raises(IllegalStep, match="the game is over"):
            over.apply(step)


def test_a_step_needs_the_stream() -> None:
    position = GAME.parse(line(RNG="-"))
    with pytest.raises(StreamUnknown, match="RNG '-'"):
        position.apply(position.legal()[0])
    with pytest.raises(StreamUnknown):
        position.observe(1).apply(position.legal()[0])


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"Pilots": 1}, "Pilots"), ({"Pilots": 7}, "Pilots"), ({"Pilots": "two"}, "Pilots"),
        ({"Shields": 0}, "Shields"), ({"Shields": 6}, "Shields"), ({"Wormholes": 1}, "Wormholes"),
        ({"AsteroidBelt": "perhaps"}, "AsteroidBelt"), ({"UpToRoll": "yes"}, "UpToRoll"), ({"Fog": "seam"}, "Fog"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named(given: dict[str, Any], name: str) -> None:
    for door in (lambda: GAME.start(1, given), lambda: GAME.parse(line(), given)):
        with pytest.raises(SkyclaimError, match=name) as found:
            door()
        assert found.value.code == "bad-option"


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(SkyclaimError, match=str(seed)):
        GAME.start(seed)
    assert GAME.start((1 << 64) - 1).board.faults() == []


@pytest.mark.parametrize("word", ["", "0", "7", "S", "12", "٣"])
def test_a_wrong_seat(word: str) -> None:
    with pytest.raises(SkyclaimError, match="not a pilot"):
        GAME.seat(word)


def test_a_seat_that_does_not_play() -> None:
    with pytest.raises(SkyclaimError, match=r"one of the pilots 1\.\.3"):
        GAME.parse(line()).observe(4)
