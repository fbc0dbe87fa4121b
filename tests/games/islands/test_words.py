"""The picture, the explanations and the narration: what a person reads."""

from __future__ import annotations

import re

import pytest

from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.facts import Choice, Facts, Reply
from skyclaim_engine.games.islands.narrate import narrate
from skyclaim_engine.games.islands.orders import STRUCTURES
from skyclaim_engine.games.islands.position import GAME

from .games import SEATS, scene, walk


@pytest.mark.parametrize("seats", SEATS)
def test_the_picture_shows_every_island_and_bridge(seats: int) -> None:
    for seed in range(3):
        for position, _ in walk(seats, 20 + seed):
            for shown in (position, position.observe(1)):
                lines = shown.picture().splitlines()
                assert max(map(len, lines)) <= 86
                board = shown.board
                picture = "\n".join(lines)
                for island, structure in enumerate(STRUCTURES[seats]):
                    if structure:
                        assert re.search(rf"(?<!\d){island} {structure}\b", picture)
                head = picture.partition("round" if not position.result else "the game")[0]
                # where two strokes meet side by side, with four columns between islands, is a bridge to the east
                assert len(re.findall(r"-- ?--", head)) >= sum(bits & 1 for bits in board.bridges())
                assert f"seen by seat {board.seen_by}" in picture or not board.seen_by
                owned = [owner for owner in board.owners if owner]
                assert len(re.findall(r"\d:(?:\d+|\?)!?", head)) >= len(owned)


def test_a_whole_picture() -> None:
    position = scene(
        {7: "1.234.5", 1: "1.024.12", 8: "0.145.0", 18: "2.012.3"}, energy="4,11", influence="2.5,0", scans="1@7"
    )
    lines = position.picture().splitlines()
    assert "round 2 of 12" in lines
    assert "seat  influence  energy  squads  beacons  factories  generators" in lines
    assert "   1        2.5       4      17        0          0           1" in lines
    assert "   2          0      11       8        0          0           0" in lines
    assert "seat 1 scanned island 7" in lines
    assert any("2:3!" in line for line in lines)
    seen = position.observe(1).picture()
    assert "seen by seat 1" in seen
    assert "   2          0       ?      3+        0          0           0" in seen
    plain = re.sub(r"\x1b\[[0-9;]*m", "", position.picture(colour=True))
    assert [line.rstrip() for line in plain.splitlines()] == lines
    assert position.picture(colour=True) != plain


@pytest.mark.parametrize("seats", SEATS)
def test_every_order_can_be_explained(seats: int) -> None:
    for position, step in walk(seats, 31):
        if step is None:
            continue
        view = position.observe(seats)
        for text in position.legal(seats)[::5]:
            order = text.partition("/")[0]
            told = position.explain(f"{seats}:{order}")
            assert told.startswith(f"{order}: ")
            assert told == view.explain(order) == view.explain(text)
            assert "\n" not in told
        told = position.explain(step)
        assert all(f"Seat {seat}: " in told for seat in position.deciders)


def test_an_explanation() -> None:
    position = scene({7: "1.234.5", 1: "0.024.0", 2: "2.035.3"}, energy="5,5")
    told = position.explain("recruit:7 march:7>1*3")
    assert "march:7>1*3: 3 squads to island 1, a neutral generator; the bridge is open" in told
    assert "recruit:7: up to 2 new squads on island 7, your own home, for 2 energy." in told
    assert "That costs 2 of 5 energy." in told
    assert "If the others stand still: Seat 1 takes island 1, which was neutral." in told
    assert re.search(r"Good: \+\d+\.\d points of influence beside no orders", told)
    assert "in defence" in position.explain("fortify:7")
    assert "within two hexagons" in position.explain("scan:7")
    assert "turns one step right" in position.explain("rotate:7-")
    assert position.explain("-").startswith("No orders")
    assert position.explain("2:-").startswith("No orders")
    with pytest.raises(IllegalStep, match="does not own"):
        position.explain("2:recruit:7")


def test_what_a_search_found_out_is_told() -> None:
    position = scene({7: "1.234.5", 1: "0.024.0", 2: "2.035.3"}, energy="5,5")
    asked = []

    def found(view: object, seat: int, number: int) -> Facts:
        asked.append((view, seat, number))
        reply = Reply(2, "march:2>1*3", 0.2)
        return Facts("asked", 100, Choice("fortify:7", 0.4, None), Choice("-", 0.5, None), reply, reply)

    told = position.explain("fortify:7", found)
    assert told.endswith(
        " It prevents worse: without it seat 2 could order at the same time march:2>1*3, which would cost 20 % of the "
        "win more. The best set of orders, no orders, is 10 % of the win ahead. Seat 2 could order at the same time "
        "march:2>1*3, which would cost you 20 % of the win."
    )
    assert asked == [(position.observe(1), 1, position.number("fortify:7", 1))]
    position.explain("1:- | 2:-", found)
    assert [seat for _, seat, _ in asked] == [1, 1, 2]
    random = position.explain("fortify:7", lambda *_: Facts("random"))
    assert random.endswith("That costs 1 of 5 energy. This turn is a random one.")


def test_what_is_not_seen_is_not_explained() -> None:
    # no bridge to island 1: its three squads are dark
    position = scene({7: "1.124.5", 1: "2.035.3"})
    told = position.explain("march:7>1*5 rotate:7+")
    assert "with a number of squads that you do not see; the bridge is not there yet" in told
    assert "What the battle on island 1 brings depends on numbers that you do not see." in told or "fails" in told
    assert "3 squads" not in told
    position = scene({7: "1.234.5", 1: "2.024.3"}, number=12)
    told = position.explain("march:7>1*5")
    assert "with 3 squads; the bridge is open" in told
    assert "battle on island 1" in told.lower()
    assert "In the last round this makes" in told


def test_the_narration_of_a_round() -> None:
    position = scene({7: "1.234.5", 1: "2.024.3", 2: "1.345.0"}, number=12)
    told = narrate(position.apply("1:march:7>1*4 rotate:7+ | 2:recruit:13"))
    for sentence in (
        "Seat 1 gives march:7>1*4 rotate:7+ for 1 energy.",
        "Seat 2 gives recruit:13 for 2 energy.",
        "The hub of island 7 turns 1 step left, by seat 1.",
        "The squads of seat 2 on island 1 are cut off.",
        "Seat 2 recruits 2 squads on island 13, 7 are there now.",
        "4 squads march from island 7 to island 1 for seat 1.",
        "Battle on island 1: seat 1 with 4 squads, strength 4 and seat 2 with 3 squads, strength 2; "
        "seat 1 wins, 2 squads are left.",
        "Seat 1 takes island 1, from seat 2.",
        "The contest for beacons: seat 1 with 1 beacon gets 4 influence.",
        "Seat 1 wins 7 influence and has 7.",
        "Seat 1 wins.",
    ):
        assert sentence in told, told


def test_the_evaluation_has_terms_that_add_up() -> None:
    for position, _ in walk(3, 12):
        *terms, (name, total) = position.evaluate()
        assert name == "sum"
        if position.result is None:
            assert total == pytest.approx(sum(value for _, value in terms), abs=0.01)
        assert terms[0][0] == "influence"
    assert GAME.start(5).evaluate()[-1] == ("sum", 0.0)
