"""Every way in which a field of a line can be wrong (rules 11): the reason names the field and quotes the text."""

from __future__ import annotations

from typing import Any

import pytest

from skyclaim_engine.errors import ParseError, RulesError, quote
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.notation import FIELDS

GAME = GAMES["skyclaim"]
STARS = "12345123451/23451234512/34512345123/45123451234/51234512345/1234#123451/23451234512/34512345123/45123451234/\
51234512345/12345123451"
ROWS = STARS.split("/")
LAND = "4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4"
GOOD = {
    "STARS": STARS,
    "DRONES": "Se1=3!1,Mf1!42,Gf3*2,ha5*2=12345!2,te9,mf11",
    "LAND": LAND,
    "SIDE": "S",
    "CLEARED": "0",
    "WRECKS": "a4:7,d4:10",
    "LIT": LAND,
    "TURN": "12",
    "RNG": "0123456789abcdef",
}
OPTIONS = {"Salvage": True, "Fog": "dark"}
#: what South sees of the good line where the top row is dark
DARK_ROW = {
    "STARS": "/".join(["???????????", *ROWS[1:]]),
    "DRONES": "Se1=3!1,Mf1!42,Gf3*2,ha5*2=12345!2,te9",
    "LAND": "/".join(["???????????", *LAND.split("/")[1:]]),
    "LIT": "11/11/11/11/11/11/11/11/4SSS4/4SSS4/4SSS4",
    "RNG": "-",
}


def line(**fields: str) -> str:
    """The good line with some other fields."""
    return " ".join({**GOOD, **fields}.values())


def refused(text: str, options: dict[str, Any] = OPTIONS, observation: bool = False) -> tuple[ParseError, ...]:
    """The reasons for which the line is refused; each is told in the message, with its field and text."""
    with pytest.raises(RulesError) as found:
        GAME.parse(text, options, observation=observation)
    error = found.value
    assert error.code == "bad-position"
    assert error.reasons
    assert str(error) == "; ".join(map(str, error.reasons))
    for reason in error.reasons:
        assert isinstance(reason, ParseError)
        assert reason.field in (*FIELDS, "line")
        assert reason.text in text
        assert str(reason) == f"{reason.field} {quote(reason.text)}: {reason.reason}"
        assert reason.reason
    return error.reasons


def row(number: int, text: str, field: str = STARS) -> str:
    """A field of rows with another row."""
    rows = field.split("/")
    rows[11 - number] = text
    return "/".join(rows)


def drones(*more: str) -> str:
    return ",".join(["Mf1!42", "mf11", *more])


def test_the_good_lines_are_good() -> None:
    assert GAME.parse(line(), OPTIONS).line() == line()
    assert GAME.parse(line(**DARK_ROW), OPTIONS, observation=True).line() == line(**DARK_ROW)


@pytest.mark.parametrize("text", ["", " ", "x", " ".join(list(GOOD.values())[:8]), line() + " x", line() + line()])
def test_a_line_has_nine_fields(text: str) -> None:
    (reason,) = refused(text)
    assert reason.field == "line"
    assert reason.text == text
    assert f"{len(text.split())} fields" in reason.reason


#: field, its wrong text, what of it is quoted (None: all of it), what the reason says
WRONG = [
    ("STARS", "/".join(ROWS[:10]), None, "10 rows"),
    ("STARS", "/".join([*ROWS, ROWS[0]]), None, "12 rows"),
    ("STARS", STARS + "/", None, "12 rows"),
    ("STARS", STARS.replace("/", ""), None, "1 rows"),
    ("STARS", row(4, "1234512345"), "1234512345", "row 4 has 10 squares"),
    ("STARS", row(4, "123451234512"), "123451234512", "row 4 has 12 squares"),
    ("STARS", row(1, ""), "", "row 1 has 0 squares"),
    ("STARS", row(11, "6#345123451"), "6", "a11"),
    ("STARS", row(1, "1234512345S"), "S", "k1"),
    ("STARS", row(6, "12340123451"), "0", "e6"),
    ("STARS", row(6, "1234 123451").replace(" ", "."), ".", "e6"),
    ("STARS", row(6, "1234²123451"), "²", "e6"),
    ("STARS", row(6, "1234?123451"), "?", "e6 is dark"),
    ("DRONES", drones("Qe2"), "Qe2", "no drone"),
    ("DRONES", drones(".e2"), ".e2", "no drone"),
    ("DRONES", drones("e2"), "e2", "no drone"),
    ("DRONES", drones("S"), "S", "no drone"),
    ("DRONES", drones("Sl1"), "Sl1", "no drone"),
    ("DRONES", drones("Se0"), "Se0", "no drone"),
    ("DRONES", drones("Se12"), "Se12", "no drone"),
    ("DRONES", drones("SE1"), "SE1", "no drone"),
    ("DRONES", drones("Se٣"), "Se٣", "no drone"),
    ("DRONES", drones("ſe2"), "ſe2", "no drone"),
    ("DRONES", drones("Se2*"), "Se2*", "no drone"),
    ("DRONES", drones("Se2*0"), "Se2*0", "no drone"),
    ("DRONES", drones("Se2*1"), "Se2*1", "no drone"),
    ("DRONES", drones("Se2*4"), "Se2*4", "no drone"),
    ("DRONES", drones("Se2="), "Se2=", "no drone"),
    ("DRONES", drones("Se2=0"), "Se2=0", "no drone"),
    ("DRONES", drones("Se2=16"), "Se2=16", "no drone"),
    ("DRONES", drones("Se2=31"), "Se2=31", "not ascending"),
    ("DRONES", drones("Se2=11"), "Se2=11", "not ascending"),
    ("DRONES", drones("Se2!"), "Se2!", "no drone"),
    ("DRONES", drones("Se2!0"), "Se2!0", "no drone"),
    ("DRONES", drones("Se2!01"), "Se2!01", "no drone"),
    ("DRONES", drones("Se2!-1"), "Se2!-1", "no drone"),
    ("DRONES", drones("Se2!2"), "Se2!2", "hold 1"),
    ("DRONES", drones("He2!3"), "He2!3", "hold 2"),
    ("DRONES", drones("Ge2!1"), "Ge2!1", "hold 0"),
    ("DRONES", drones("Re2!1"), "Re2!1", "hold 0"),
    ("DRONES", drones("We2!1"), "We2!1", "hold 0"),
    ("DRONES", drones("Xe2!1"), "Xe2!1", "hold 0"),
    ("DRONES", drones("Be2!1"), "Be2!1", "hold 0"),
    ("DRONES", drones("Te2!1"), "Te2!1", "hold 0"),
    ("DRONES", "Mf1!100,mf11", "Mf1!100", "no drone"),
    ("DRONES", "Mf1*2,mf11", "Mf1*2", "neither power nor ride colours"),
    ("DRONES", "Mf1=1,mf11", "Mf1=1", "neither power nor ride colours"),
    ("DRONES", drones("Te2*2"), "Te2*2", "neither power nor ride colours"),
    ("DRONES", drones("te2=5"), "te2=5", "neither power nor ride colours"),
    ("DRONES", drones("Se2!1*2"), "Se2!1*2", "no drone"),
    ("DRONES", drones("Se2*2*2"), "Se2*2*2", "no drone"),
    ("DRONES", drones(""), "", "no drone"),
    ("DRONES", "," + drones(), "", "no drone"),
    ("DRONES", "--", None, "no drone"),
    ("DRONES", drones("Me2"), "Me2", "second Command"),
    ("DRONES", drones("me2"), "me2", "second Command"),
    ("DRONES", drones("Se2", "He2"), "He2", "another drone"),
    ("DRONES", drones("Se2", "te2"), "te2", "another drone"),
    ("DRONES", drones("Se6"), "Se6", "asteroid"),
    ("LAND", "11/11", None, "2 rows"),
    ("LAND", LAND + "/11", None, "12 rows"),
    ("LAND", row(3, "4SSS5", LAND), "4SSS5", "row 3 has 12 squares"),
    ("LAND", row(3, "4SSS3", LAND), "4SSS3", "row 3 has 10 squares"),
    ("LAND", row(3, "", LAND), "", "row 3 has 0 squares"),
    ("LAND", row(3, "SSSSSSSSSSSSSSS", LAND), "SSSSSSSSSSSSSSS", "row 3 has 15 squares"),
    ("LAND", row(3, "4SSB4", LAND), "B", "row 3"),
    ("LAND", row(3, "4SSs4", LAND), "s", "row 3"),
    ("LAND", row(3, "4SSS04", LAND), "04", "row 3"),
    ("LAND", row(3, "0SSS8", LAND), "0", "row 3"),
    ("LAND", row(3, "12", LAND), "12", "row 3"),
    ("LAND", row(3, "47", LAND), "47", "row 3"),
    ("LAND", row(3, "٣SSS5", LAND), "٣", "row 3"),
    ("LAND", row(3, "?10", LAND), None, "dark"),
    ("SIDE", "s", None, "neither S nor N"),
    ("SIDE", "X", None, "neither S nor N"),
    ("SIDE", "SN", None, "neither S nor N"),
    ("SIDE", "1", None, "neither S nor N"),
    ("SIDE", "-", None, "neither S nor N"),
    ("CLEARED", "-1", None, "number"),
    ("CLEARED", "-", None, "number"),
    ("CLEARED", "x", None, "number"),
    ("CLEARED", "01", None, "number"),
    ("CLEARED", "+1", None, "number"),
    ("CLEARED", "1.5", None, "number"),
    ("CLEARED", "1_0", None, "number"),
    ("CLEARED", "٣", None, "number"),
    ("CLEARED", "1000000000", None, "number"),
    ("WRECKS", "d4", None, "no wreck"),
    ("WRECKS", "d4:", None, "no wreck"),
    ("WRECKS", ":5", None, "no wreck"),
    ("WRECKS", "d4:0", None, "no wreck"),
    ("WRECKS", "d4:11", None, "no wreck"),
    ("WRECKS", "d4:07", None, "no wreck"),
    ("WRECKS", "l4:3", None, "no wreck"),
    ("WRECKS", "d12:3", None, "no wreck"),
    ("WRECKS", "d4:3,", "", "no wreck"),
    ("WRECKS", "d4:3,d4:5", "d4:5", "second wreck"),
    ("WRECKS", "e6:3", None, "asteroid"),
    ("WRECKS", "a1:3,f1:10", "f1:10", "drone"),
    ("LIT", "11", None, "1 rows"),
    ("LIT", row(3, "4SSS5", LAND), "4SSS5", "row 3 has 12 squares"),
    ("LIT", row(3, "4SS?4", LAND), "?", "row 3"),
    ("LIT", row(3, "4SSx4", LAND), "x", "row 3"),
    ("LIT", row(3, "4SSb4", LAND), "b", "row 3"),
    ("LIT", row(3, "4SSS0", LAND), "0", "row 3"),
    ("TURN", "0", None, "number 1"),
    ("TURN", "-", None, "number"),
    ("TURN", "-1", None, "number"),
    ("TURN", "01", None, "number"),
    ("TURN", "x", None, "number"),
    ("TURN", "1000000000", None, "number"),
    ("RNG", "0123456789abcde", None, "16 hexadecimal"),
    ("RNG", "0123456789abcdef0", None, "16 hexadecimal"),
    ("RNG", "0123456789ABCDEF", None, "16 hexadecimal"),
    ("RNG", "0x23456789abcdef", None, "16 hexadecimal"),
    ("RNG", "0123456789abcdeg", None, "16 hexadecimal"),
    ("RNG", "+123456789abcdef", None, "16 hexadecimal"),
    ("RNG", "--", None, "16 hexadecimal"),
]


@pytest.mark.parametrize(("field", "text", "quoted", "why"), WRONG)
def test_a_wrong_field(field: str, text: str, quoted: str | None, why: str) -> None:
    (reason,) = refused(line(**{field: text}))
    assert reason.field == field
    assert reason.text == (text if quoted is None else quoted)
    assert why in reason.reason


def test_every_field_has_its_refusals() -> None:
    assert {field for field, *_ in WRONG} == set(FIELDS) == GOOD.keys()


@pytest.mark.parametrize(
    ("field", "text", "quoted", "why"),
    [
        ("WRECKS", "d4:3", "d4:3", "Salvage"),
        ("LIT", row(3, "4SSx4", LAND), "x", "row 3"),
    ],
)
def test_a_wrong_field_without_salvage_and_fog(field: str, text: str, quoted: str, why: str) -> None:
    (reason,) = refused(line(**{"WRECKS": "-", field: text}), {})
    assert (reason.field, reason.text) == (field, quoted)
    assert why in reason.reason


@pytest.mark.parametrize(
    ("fields", "field", "quoted", "why"),
    [
        ({"STARS": row(11, "??????????1", DARK_ROW["STARS"])}, "LAND", DARK_ROW["LAND"], "k11"),
        ({"LAND": row(11, "??????????N", DARK_ROW["LAND"])}, "LAND", row(11, "??????????N", DARK_ROW["LAND"]), "k11"),
        ({"DRONES": DARK_ROW["DRONES"] + ",mf11"}, "DRONES", "mf11", "dark square"),
        ({"WRECKS": "a11:3"}, "WRECKS", "a11:3", "dark square"),
        ({"LIT": row(11, "10B", DARK_ROW["LIT"])}, "LIT", row(11, "10B", DARK_ROW["LIT"]), "k11"),
        ({"LIT": row(11, "10N", DARK_ROW["LIT"])}, "LIT", row(11, "10N", DARK_ROW["LIT"]), "k11"),
        ({"RNG": GOOD["RNG"]}, "RNG", GOOD["RNG"], "no stream"),
        # what the own drones, land and light show cannot be dark
        ({"STARS": row(2, "5123451234?", DARK_ROW["STARS"]), "LAND": row(2, "4SSS3?", DARK_ROW["LAND"]),
          "DRONES": DARK_ROW["DRONES"] + ",Rk1"}, "STARS", row(2, "5123451234?", DARK_ROW["STARS"]), "k2"),
        ({"STARS": row(2, "512?4512345", DARK_ROW["STARS"]), "LAND": row(2, "3?SSS4", DARK_ROW["LAND"])},
         "STARS", row(2, "512?4512345", DARK_ROW["STARS"]), "d2"),
        ({"LIT": row(11, "10S", DARK_ROW["LIT"])}, "STARS", DARK_ROW["STARS"], "k11"),
    ],
)  # fmt: skip
def test_a_wrong_observation(fields: dict[str, str], field: str, quoted: str, why: str) -> None:
    (reason,) = refused(line(**{**DARK_ROW, **fields}), observation=True)
    assert (reason.field, reason.text) == (field, quoted)
    assert why in reason.reason


@pytest.mark.parametrize("options", [{}, OPTIONS])
def test_only_an_observation_under_fog_has_dark_squares(options: dict[str, Any]) -> None:
    fields = {**DARK_ROW, "WRECKS": "-"}
    (reason,) = refused(line(**fields), options)
    assert (reason.field, reason.text) == ("STARS", "?")
    (reason,) = refused(line(**fields), {"Salvage": True}, observation=True)
    assert (reason.field, reason.text) == ("STARS", "?")


def test_in_mode_seam_the_own_half_cannot_be_dark() -> None:
    fields = {"STARS": row(2, "?1234512345", DARK_ROW["STARS"]), "LAND": row(2, "?3SSS4", DARK_ROW["LAND"])}
    assert GAME.parse(line(**{**DARK_ROW, **fields}), OPTIONS, observation=True)
    (reason,) = refused(line(**{**DARK_ROW, **fields}), {**OPTIONS, "Fog": "seam"}, observation=True)
    assert reason.field == "STARS"
    assert "a2" in reason.reason


def test_all_reasons_are_told_at_once_in_the_order_of_the_fields() -> None:
    wrong = {
        "STARS": row(11, "x#345123451"), "DRONES": "Qe2", "LAND": row(3, "4SSS5", LAND), "SIDE": "X", "CLEARED": "-",
        "WRECKS": "d4:0", "LIT": "11", "TURN": "0", "RNG": "z",
    }  # fmt: skip
    reasons = refused(line(**wrong))
    assert [reason.field for reason in reasons] == list(FIELDS)


def test_all_reasons_of_one_field_are_told_at_once() -> None:
    stars = row(7, "1234", row(11, "x#345y23451", row(2, "5123451234z")))
    assert [reason.text for reason in refused(line(STARS=stars))] == ["x", "y", "1234", "z"]
    told = refused(line(DRONES="Qe2,Mf1*2,Se2=31!2,Gk1!1,mf11,,"))
    assert [reason.text for reason in told] == ["Qe2", "Mf1*2", "Se2=31!2", "Se2=31!2", "Gk1!1", "", ""]
    land = row(9, "SSx", row(3, "4SSS5", LAND))
    assert [reason.text for reason in refused(line(LAND=land, LIT=land))] == ["x", "4SSS5"] * 2
    assert [reason.text for reason in refused(line(WRECKS="d4:0,e4:1,e4:2,x"))] == ["d4:0", "e4:2", "x"]


def test_all_contradictions_are_told_at_once() -> None:
    told = refused(line(DRONES=drones("Se6", "Me2", "Tf1"), WRECKS="e6:1,f1:2"))
    assert [(reason.field, reason.text) for reason in told] == [
        ("DRONES", "Se6"), ("DRONES", "Me2"), ("DRONES", "Tf1"), ("WRECKS", "e6:1"), ("WRECKS", "f1:2"),
    ]  # fmt: skip


def test_a_long_text_is_shortened_in_the_message_alone() -> None:
    (reason,) = refused(line(SIDE="S" * 10_000))
    assert len(str(reason)) < 200
    assert reason.text == "S" * 10_000


def test_text_that_would_garble_a_terminal_is_escaped() -> None:
    (reason,) = refused(line(SIDE="\x1b[2J\u202e"))
    assert str(reason) == "SIDE '\\x1b[2J\\u202e': is neither S nor N"


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"Fog": "thick"}, "Fog"), ({"Salvage": "perhaps"}, "Salvage"), ({"LandToWin": 59}, "LandToWin"),
        ({"LandToWin": 101}, "LandToWin"), ({"ClaimRadius": 2}, "ClaimRadius"), ({"TurnLimit": 0}, "TurnLimit"),
        ({"TurnLimit": 10_001}, "TurnLimit"), ({"AsteroidsSouth": 21}, "AsteroidsSouth"),
        ({"AsteroidsNorth": -1}, "AsteroidsNorth"), ({"TurnLimit": "1e3"}, "TurnLimit"), ({"Mist": 1}, "Mist"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named(options: dict[str, Any], name: str) -> None:
    for door in (lambda: GAME.start(1, options), lambda: GAME.parse(line(), options)):
        with pytest.raises(ValueError, match=name) as found:
            door()
        assert found.value.code == "bad-option"


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match=str(seed)):
        GAME.start(seed)
    assert GAME.start((1 << 64) - 1).board.faults() == []
