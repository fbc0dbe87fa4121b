"""Every way in which a line, an order or a joint step can be wrong (rules 2, 7): all reasons at once, each quoted."""

from __future__ import annotations

import pytest

from skyclaim_engine.errors import IllegalStep, OptionError, ParseError, RulesError, SkyclaimError, StreamUnknown, quote
from skyclaim_engine.games.islands.notation import FIELDS
from skyclaim_engine.games.islands.position import GAME

from .games import scene

ISLANDS = (
    "-,G.1.023.2,B.0.134.0,F.0.024.0,G.2.035.3,B.0.014.0,F.0.135.0,H1.1.034.2,G.0.135.0,B.0.034.0,P.0.023.0,F.0.035.0,"
    "P.2.014.1,H2.2.124.1,G.0.024.0,B.0.013.0,P.0.035.0,F.0.023.0,P.1.134.3"
)
GOOD = {
    "SEATS": "2",
    "ROUND": "4",
    "ISLANDS": ISLANDS,
    "ENERGY": "9,11",
    "INFLUENCE": "0,2.5",
    "SCANS": "1@7,2@13",
    "RNG": "8ff34785799e5d85",
}
SEEN = (
    "-,G.1.023.2,B.0.134.0,F.0.024.?,G.2.035.?,B.0.014.?,F.0.135.0,H1.1.034.2,G.0.135.0,B.0.034.0,P.0.023.?,F.0.035.?,"
    "P.2.014.?,H2.2.124.?,G.0.024.?,B.0.013.?,P.0.035.?,F.0.023.0,P.1.134.3"
)
OBSERVED = {**GOOD, "ISLANDS": SEEN, "ENERGY": "9,?", "SCANS": "1@7", "RNG": "-"}


def line(**fields: str) -> str:
    return " ".join({**GOOD, **fields}.values())


def observed(**fields: str) -> str:
    return " ".join({**OBSERVED, **fields}.values())


def islands(number: int, text: str, field: str = ISLANDS) -> str:
    words = field.split(",")
    words[number] = text
    return ",".join(words)


def refused(text: str, observation: bool = False) -> tuple[ParseError, ...]:
    with pytest.raises(RulesError) as found:
        GAME.parse(text, observation=observation)
    error = found.value
    assert error.code == "bad-position"
    assert str(error) == "; ".join(map(str, error.reasons))
    for reason in error.reasons:
        assert isinstance(reason, ParseError)
        assert reason.field in (*FIELDS, "line")
        assert reason.text in text
        assert str(reason) == f"{reason.field} {quote(reason.text)}: {reason.reason}"
    return error.reasons


def test_the_good_lines_are_good() -> None:
    assert GAME.parse(line()).line() == line()
    assert GAME.parse(line(RNG="-")).line() == line(RNG="-")
    assert GAME.parse("  " + line().replace(" ", " \t ") + " ").line() == line()
    assert GAME.parse(line()).observe(1).line() == observed()
    assert GAME.parse(observed(), observation=True).line() == observed()
    assert GAME.parse(line(ROUND="13")).result is not None


@pytest.mark.parametrize("text", ["", " ", "x", " ".join(list(GOOD.values())[:6]), line() + " x", line() + line()])
def test_a_line_has_seven_fields(text: str) -> None:
    (reason,) = refused(text)
    assert reason.field == "line"
    assert f"{len(text.split())} fields" in reason.reason


WRONG = [
    *(("SEATS", text, text, "none of 2, 3, 6") for text in ("1", "4", "5", "7", "02", "x", "-2", "²", "٢", "-")),
    *(("ROUND", text, text, "1..12") for text in ("0", "14", "01", "-1", "x", "1.5", "100", "١", "-")),
    ("ISLANDS", ISLANDS.rpartition(",")[0], None, "18 islands, not 19"),
    ("ISLANDS", ISLANDS + ",-", None, "20 islands"),
    ("ISLANDS", islands(0, "P.0.012.0"), "P.0.012.0", "open sky"),
    ("ISLANDS", islands(0, ""), "", "open sky"),
    ("ISLANDS", islands(1, "-"), "-", "no open sky, but G"),
    ("ISLANDS", islands(1, "G.1.023"), "G.1.023", "structure.owner.ports.squads"),
    ("ISLANDS", islands(1, "G.1.023.2.1"), "G.1.023.2.1", "structure.owner.ports.squads"),
    ("ISLANDS", islands(1, ""), "", "structure.owner.ports.squads"),
    ("ISLANDS", islands(1, "F.1.023.2"), "F.1.023.2", "structure of island 1 is G"),
    ("ISLANDS", islands(1, "g.1.023.2"), "g.1.023.2", "structure of island 1 is G"),
    ("ISLANDS", islands(7, "H.1.034.2"), "H.1.034.2", "structure of island 7 is H1"),
    ("ISLANDS", islands(7, "H2.1.034.2"), "H2.1.034.2", "structure of island 7 is H1"),
    ("ISLANDS", islands(1, "G.3.023.2"), "G.3.023.2", "owner of island 1"),
    ("ISLANDS", islands(1, "G.x.023.2"), "G.x.023.2", "owner of island 1"),
    ("ISLANDS", islands(1, "G.-1.023.2"), "G.-1.023.2", "owner of island 1"),
    ("ISLANDS", islands(1, "G..023.2"), "G..023.2", "owner of island 1"),
    ("ISLANDS", islands(1, "G.01.023.2"), "G.01.023.2", "owner of island 1"),
    *(
        ("ISLANDS", islands(1, f"G.1.{ports}.2"), f"G.1.{ports}.2", "ports of island 1")
        for ports in ("", "02", "0234", "032", "022", "026", "0x3", "٠١٢")
    ),
    *(
        ("ISLANDS", islands(1, f"G.1.023.{squads}"), f"G.1.023.{squads}", "squads of island 1")
        for squads in ("", "21", "02", "-1", "x", "100", "²", "2?")
    ),
    ("ISLANDS", islands(2, "B.0.134.1"), "B.0.134.1", "neutral"),
    ("ISLANDS", islands(2, "B.0.134.?"), "B.0.134.?", "hidden"),
    ("ISLANDS", islands(1, "G.1.023.16"), None, "seat 1 has 21 squads"),
    ("ENERGY", "9", None, "1 numbers"),
    ("ENERGY", "9,11,3", None, "3 numbers"),
    *(("ENERGY", f"9,{text}", text, "energy of seat 2") for text in ("13", "-1", "x", "", "01", "1.5")),
    ("ENERGY", "9,?", None, "hidden"),
    ("INFLUENCE", "1", None, "1 numbers"),
    ("INFLUENCE", "1,2,3", None, "3 numbers"),
    *(
        ("INFLUENCE", f"{text},0", text, "influence of seat 1")
        for text in ("", "x", "-1", "01", "1.", ".5", "1.0", "1.25", "10000", "9999.5", "٣")
    ),
    *(("SCANS", text, text.split(",")[-1], "no scan") for text in ("x", "1@", "@7", "0@7", "1@07", "1@7,", "1-7")),
    ("SCANS", "3@7", "3@7", "no seat 3"),
    ("SCANS", "1@19", "1@19", "no island 19"),
    ("SCANS", "1@0", "1@0", "no island 0"),
    ("SCANS", "2@7,1@7", "1@7", "order of the seats"),
    ("SCANS", "1@7,1@8", "1@8", "second scan of seat 1"),
    *(
        ("RNG", text, text, "16 hexadecimal digits")
        for text in ("0", "8FF34785799E5D85", "8ff34785799e5d8", "--", "x" * 16)
    ),
]


@pytest.mark.parametrize(("field", "text", "quoted", "why"), WRONG)
def test_each_field(field: str, text: str, quoted: str | None, why: str) -> None:
    reasons = refused(line(**{field: text}))
    assert any(r.field == field and r.text == (text if quoted is None else quoted) and why in r.reason for r in reasons)
    if field != "SEATS":
        assert {reason.field for reason in reasons} == {field}


WRONG_OBSERVATIONS = [
    ("ISLANDS", islands(7, "H1.1.034.?", SEEN), "H1.1.034.?", "hides the squads of seat 1"),
    ("ISLANDS", islands(2, "B.0.134.?", SEEN), "B.0.134.?", "which seat 1 sees"),
    ("ISLANDS", islands(4, "G.2.035.3", SEEN), "G.2.035.3", "does not see"),
    ("ISLANDS", islands(3, "F.0.024.0", SEEN), "F.0.024.0", "does not see"),
    ("ENERGY", "9,11", "9,11", "no other"),
    ("ENERGY", "?,?", "?,?", "no other"),
    ("SCANS", "1@7,2@13", "2@13", "another's scan"),
    ("RNG", GOOD["RNG"], GOOD["RNG"], "no stream"),
]


@pytest.mark.parametrize(("field", "text", "quoted", "why"), WRONG_OBSERVATIONS)
def test_each_field_of_an_observation(field: str, text: str, quoted: str, why: str) -> None:
    reasons = refused(observed(**{field: text}), observation=True)
    assert any(r.field == field and r.text == quoted and why in r.reason for r in reasons)


def test_an_observation_is_no_position() -> None:
    reasons = refused(observed())
    assert {reason.field for reason in reasons} == {"ISLANDS", "ENERGY"}
    assert sum("hidden" in reason.reason for reason in reasons) == SEEN.count("?") + 1


def test_all_reasons_at_once() -> None:
    wrong = {
        "SEATS": "5",
        "ROUND": "99",
        "ISLANDS": "x,y",
        "ENERGY": "77,x",
        "INFLUENCE": "q",
        "SCANS": "no",
        "RNG": "no",
    }
    reasons = refused(" ".join(wrong.values()))
    assert [reason.field for reason in reasons] == [
        "SEATS",
        "ROUND",
        "ISLANDS",
        "ISLANDS",
        "ENERGY",
        "ENERGY",
        "INFLUENCE",
        "SCANS",
        "RNG",
    ]


def test_options_and_seats() -> None:
    assert GAME.start(1).board.seats == 2
    assert GAME.start(1, {"seats": 3}).options == {"Seats": "3"}
    assert GAME.parse(line(), {"Seats": 6}).options == {"Seats": "2"}
    for wrong in ("1", "4", "x", ""):
        with pytest.raises(OptionError, match="Seats"):
            GAME.start(1, {"Seats": wrong})
    with pytest.raises(OptionError, match="Fog"):
        GAME.start(1, {"Fog": "dark"})
    with pytest.raises(OptionError, match="Fog"):
        GAME.parse(line(), {"Fog": "dark"})
    for seed in (-1, 1 << 64):
        with pytest.raises(SkyclaimError, match="seed"):
            GAME.start(seed)
    assert [GAME.seat(str(seat)) for seat in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    for word in ("0", "7", "S", "", "01", "1 "):
        with pytest.raises(SkyclaimError, match="seat"):
            GAME.seat(word)


def test_seats_that_do_not_play() -> None:
    position = GAME.start(1)
    for seat in (0, 3, 6, -1):
        assert position.legal(seat) == []
        for ask in (position.orders, position.order_sets, position.observe):
            with pytest.raises(SkyclaimError, match="seat"):
                ask(seat)
    seen = position.observe(1)
    assert seen.legal(2) == []
    for ask in (seen.orders, seen.order_sets, seen.observe):
        with pytest.raises(SkyclaimError, match="observation of seat 1"):
            ask(2)


# -- orders

#: around home 1: 1 is a generator of seat 1, 2 a beacon, 8 another generator, 18 plain and seat 2's; 6 is neutral
FIELDS_OF_SEAT_1 = {
    7: "1.234.5",
    1: "1.024.2",
    2: "1.135.2",
    8: "1.012.1",
    18: "2.015.1",
    6: "0.023.0",
    3: "1.345.0",
    11: "1.012.0",
}
WRONG_ORDERS = [
    ("x", "is no order"),
    ("march", "is no order"),
    ("march:", "is no order"),
    ("March:7>1*3", "is no order"),
    ("march:7>1", "is no order"),
    ("march:7>1*0", "is no order"),
    ("march:7>1*01", "is no order"),
    ("march:7>1*-1", "is no order"),
    ("march:07>1*1", "is no order"),
    ("march:7-1*1", "is no order"),
    ("march:7>1*x", "is no order"),
    ("march:7>1*100", "is no order"),
    ("march:7>1*3/0", "is no order"),
    ("recruit:", "is no order"),
    ("recruit:7+", "is no order"),
    ("rotate:7", "is no order"),
    ("rotate:7*", "is no order"),
    ("rotate:7++", "is no order"),
    ("scan:x", "is no order"),
    ("fortify:-7", "is no order"),
    ("hold:7", "is no order"),
    (":7", "is no order"),
    ("recruit:٧", "is no order"),
    ("recruit:100", "is no order"),
    ("recruit:19", "there is no island 19"),
    ("recruit:0", "there is no island 0"),
    ("march:0>1*1", "there is no island 0"),
    ("march:7>19*1", "there is no island 19"),
    ("march:1>0*1", "there is no island 0"),
    ("scan:99", "there is no island 99"),
    ("march:7>2*1", "islands 7 and 2 are not neighbours"),
    ("march:7>7*1", "islands 7 and 7 are not neighbours"),
    ("march:7>1*21", "nobody has 21 squads"),
    ("march:7>1*6", "only 5 of the squads of seat 1 stand on island 7"),
    ("march:3>2*1", "no squads of seat 1 stand on island 3"),
    ("march:18>7*1", "no squads of seat 1 stand on island 18"),
    ("recruit:18", "seat 1 does not own island 18"),
    ("recruit:6", "seat 1 does not own island 6"),
    ("recruit:8", "island 8 is not supplied"),
    ("recruit:2", "island 2 is a beacon"),
    ("recruit:11", "island 11 is not supplied"),
    ("rotate:18+", "island 18 is seat 2's"),
    ("rotate:6-", "island 6 is not one open bridge"),
    ("rotate:13+", "island 13 is seat 2's"),
    ("fortify:8", "island 8 is not supplied"),
    ("fortify:13", "seat 1 does not own island 13"),
    ("fortify:3", "no squads of seat 1 stand on island 3"),
    ("scan:3", "no squads of seat 1 stand on island 3"),
    ("scan:13", "no squads of seat 1 stand on island 13"),
    ("scan:6", "no squads of seat 1 stand on island 6"),
]
WRONG_SETS = [
    ("", "orders are missing"),
    ("- scan:7", "is no order"),
    ("scan:7 -", "is no order"),
    ("- -", "is no order"),
    ("scan:7 scan:7", "'scan:7' is given twice"),
    ("scan:7 scan:1", "more than one scan"),
    ("march:7>1*1 march:7>1*2", "2 marches from island 7 to island 1"),
    ("march:7>1*3 march:7>8*3", "take 6 squads, and 5"),
    ("march:7>1*2 march:7>8*2 march:7>18*2", "take 6 squads, and 5"),
    ("recruit:7 fortify:7", "more than one recruit, rotate or fortify for island 7"),
    ("rotate:7+ rotate:7-", "more than one recruit, rotate or fortify for island 7"),
    ("rotate:7+ fortify:7 recruit:7", "more than one recruit, rotate or fortify for island 7"),
    ("rotate:7+ fortify:1 scan:7 scan:8", "4 orders, and 3 are the most"),
]


@pytest.mark.parametrize(("text", "why"), [*WRONG_ORDERS, *WRONG_SETS])
def test_orders_that_are_refused(text: str, why: str) -> None:
    position = scene(FIELDS_OF_SEAT_1)
    before = position.line()
    with pytest.raises(IllegalStep) as found:
        position.number(text, 1)
    assert why in str(found.value)
    assert found.value.step == text
    with pytest.raises(IllegalStep) as found:
        position.apply(f"1:{text} | 2:-")
    assert "seat 1: " in str(found.value)
    assert why in str(found.value)
    assert found.value.code == "illegal-step"
    assert found.value.position == before == position.line()


def test_recruits_need_squads_elsewhere_but_not_at_a_factory() -> None:
    position = scene({7: "1.234.0", 1: "1.024.0", 2: "1.345.0", 3: "1.024.0"})
    assert position.board.supplied(1) >= {1, 2, 3, 7}
    assert "recruit:7/2" in position.legal(1)
    assert "recruit:3/2" in position.legal(1)
    with pytest.raises(IllegalStep, match="no squads of seat 1 stand on island 1"):
        position.number("recruit:1", 1)


def test_the_limit_of_squads_and_energy() -> None:
    position = scene({7: "1.234.20"})
    with pytest.raises(IllegalStep, match="seat 1 has 20 squads already"):
        position.number("recruit:7", 1)
    position = scene({7: "1.234.5", 1: "1.024.2"}, energy="4,3")
    with pytest.raises(IllegalStep, match="the orders cost 5, and the energy of seat 1 is 4"):
        position.number("recruit:7 recruit:1", 1)
    assert position.number("recruit:7 rotate:1+ scan:7", 1)


def test_all_reasons_of_a_joint_step() -> None:
    position = scene(FIELDS_OF_SEAT_1)
    with pytest.raises(IllegalStep) as found:
        position.apply("1:x recruit:18 scan:7 scan:1 | 2:recruit:7 march:13>12*9")
    text = str(found.value)
    for part in (
        "seat 1: 'x': is no order",
        "seat 1: 'recruit:18': seat 1 does not own",
        "seat 1: 4 orders",
        "seat 1: there is more than one scan",
        "seat 2: 'recruit:7': seat 2 does not own",
        "seat 2: 'march:13>12*9': only 5",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("", "1 parts"),
        ("-", "1 parts"),
        ("1:-", "1 parts"),
        ("1:- | 2:- | 3:-", "3 parts"),
        ("1:- || 2:-", "3 parts"),
        ("2:- | 1:-", "does not begin with 1:"),
        ("1:- | -", "does not begin with 2:"),
        ("1 - | 2:-", "does not begin with 1:"),
        ("1:- | 2:", "orders are missing"),
        ("1: | 2:-", "orders are missing"),
        ("01:- | 2:-", "does not begin with 1:"),
    ],
)
def test_joint_steps_that_are_refused(step: str, why: str) -> None:
    position = GAME.start(1)
    before = position.line()
    with pytest.raises(IllegalStep, match=r".") as found:
        position.apply(step)
    assert why in str(found.value)
    assert position.line() == before


def test_joint_steps_may_be_written_freely() -> None:
    one, two = GAME.start(200), GAME.start(200)
    one.apply("1:march:7>8*5 recruit:7 scan:7 | 2:-")
    two.apply(" 1: scan:7  recruit:7 march:7>8*5|2: -  ")
    assert one == two


def test_what_cannot_be_played() -> None:
    seen = GAME.start(1).observe(2)
    with pytest.raises(StreamUnknown, match="observation"):
        seen.apply("1:- | 2:-")
    over = GAME.parse(line(ROUND="13"))
    for play in (lambda: over.apply("1:- | 2:-"), lambda: over.number("-", 1), lambda: over.explain("-")):
        with pytest.raises(SkyclaimError, match="over"):
            play()
