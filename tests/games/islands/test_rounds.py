"""The parts of a round by hand-made scenes (rules 4 and 5), with what the events say of them.

Around home 1 (island 7) of the map for two seats lie island 8 (port 2 of the hub), 1 (port 3) and 18 (port 4).
Island 1, a generator, has 7 at port 0, 8 at 1, 2 at 2, 6 at 4 and 18 at 5. Around home 2 (13) lie 12 (port 1), 4 (0)
and 14 (5).
"""

from __future__ import annotations

from typing import Any

import pytest

from skyclaim_engine.games.islands.position import GAME, IslandsPosition

from .games import force, scene


def events_of(found: list[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    return [event for event in found if event["type"] in types]


def play(position: IslandsPosition, *sets: str) -> list[dict[str, Any]]:
    """Play a round; seats without orders give none."""
    return position.apply(position.joint(dict(enumerate(sets, 1))))


# -- battles

#: seat 2 holds island 1 without supply; from 7 seat 1 comes over the bridge
ATTACK = {7: "1.234.9", 1: "2.024.3"}


@pytest.mark.parametrize(
    ("squads", "after", "winner", "left"),
    [(1, (2, 1), 2, 1 + 1), (2, (2, 0), 0, 0), (3, (1, 1), 1, 1), (9, (1, 7), 1, 7)],
)
def test_the_strongest_must_beat_all_others(squads: int, after: tuple[int, int], winner: int, left: int) -> None:
    position = scene(ATTACK)
    events = play(position, f"march:7>1*{squads}")
    (battle,) = events_of(events, "battle")
    # the three squads of seat 2 are cut off and count 2
    assert battle["sides"] == [
        {"seat": 1, "squads": squads, "strength": squads, "fortified": False},
        {"seat": 2, "squads": 3, "strength": 2, "fortified": False},
    ]
    assert (battle["winner"], battle["left"]) == (winner, left)
    assert force(position, 1) == (after[0], left)
    assert events_of(events, "cut_off") == [{"type": "cut_off", "seat": 2, "islands": [1]}]
    captures = [{"type": "capture", "island": 1, "seat": 1, "from": 2}] if winner == 1 else []
    assert events_of(events, "capture") == captures


def test_each_contingent_that_is_cut_off_loses_one() -> None:
    # from 8 and 18, neither joined to the home, two squads each: 1 + 1 against 2
    position = scene({7: "1.013.0", 8: "1.045.2", 18: "1.012.2", 1: "2.135.3"})
    events = play(position, "march:8>1*2 march:18>1*2")
    (battle,) = events_of(events, "battle")
    assert [side["strength"] for side in battle["sides"]] == [2, 2]
    assert [side["squads"] for side in battle["sides"]] == [4, 3]
    assert force(position, 1) == (2, 0)


def test_sides_of_strength_0_are_wiped_out_together() -> None:
    position = scene({7: "1.013.0", 8: "1.045.1", 1: "2.135.1"})
    (battle,) = events_of(play(position, "march:8>1*1"), "battle")
    assert [side["strength"] for side in battle["sides"]] == [0, 0]
    assert battle["winner"] == 0
    assert force(position, 1) == (2, 0)


def test_strength_0_loses_to_1_without_a_loss() -> None:
    position = scene({7: "1.013.0", 8: "1.045.2", 1: "2.135.1"})
    (battle,) = events_of(play(position, "march:8>1*2"), "battle")
    assert (battle["winner"], battle["left"]) == (1, 2)
    assert force(position, 1) == (1, 2)


#: seat 1 on island 4, cut off there, beside home 2 with 3 squads
SIEGE = {4: "1.013.8", 13: "2.015.3", 7: "1.234.1"}


@pytest.mark.parametrize(
    ("squads", "owner", "left"),
    # strength squads - 1 against 3 + 2; of the loss the fortification takes 2
    [(1, 2, 3), (2, 2, 3), (3, 2, 3), (4, 2, 2), (5, 2, 1), (6, 2, 0), (7, 1, 2), (8, 1, 3)],
)
def test_fortify(squads: int, owner: int, left: int) -> None:
    position = scene(SIEGE)
    events = play(position, f"march:4>13*{squads}", "fortify:13")
    (battle,) = events_of(events, "battle")
    assert battle["sides"][1] == {"seat": 2, "squads": 3, "strength": 5, "fortified": True}
    assert force(position, 13) == (owner, left)


def test_a_fortification_needs_squads_that_stay() -> None:
    position = scene(SIEGE)
    events = play(position, "march:4>13*2", "fortify:13 march:13>14*3")
    assert events_of(events, "fortify")
    assert events_of(events, "battle") == []
    assert force(position, 13) == (1, 2)


def test_a_fortification_does_not_count_for_those_that_only_arrive() -> None:
    position = scene({**SIEGE, 14: "2.123.4"})
    (battle,) = events_of(play(position, "march:4>13*3", "fortify:13 march:13>14*3 march:14>13*4"), "battle")
    assert battle["sides"][1] == {"seat": 2, "squads": 4, "strength": 4, "fortified": False}


def test_armies_pass_each_other() -> None:
    position = scene({7: "1.234.5", 1: "2.024.4"})
    events = play(position, "march:7>1*5", "march:1>7*4")
    assert events_of(events, "battle") == []
    assert (force(position, 1), force(position, 7)) == ((1, 5), (2, 4))
    # seat 1 is without its home, and so without supply
    assert position.board.supplied(1) == frozenset()


def test_three_sides_on_an_island_that_one_of_them_holds() -> None:
    # island 7 of the map for six, with 8 at its port 2 and 1 at its port 3; nobody is supplied there
    position = scene({7: "3.023.4", 8: "1.025.3", 1: "2.023.3"}, seats=6)
    (battle,) = events_of(play(position, "march:8>7*3", "march:1>7*3"), "battle")
    assert [(side["seat"], side["strength"]) for side in battle["sides"]] == [(1, 2), (2, 2), (3, 3)]
    assert (battle["winner"], battle["left"]) == (0, 0)
    assert force(position, 7) == (3, 0)


def test_all_others_count_together() -> None:
    # on the centre of the map for three: seat 1 with 5, seats 2 and 3 with 3 each, all cut off where they come from
    position = scene({0: "0.024.0", 1: "1.035.5", 3: "2.125.3", 5: "3.014.3"}, seats=3)
    (battle,) = events_of(play(position, "march:1>0*5", "march:3>0*3", "march:5>0*3"), "battle")
    assert [side["strength"] for side in battle["sides"]] == [4, 2, 2]
    assert battle["winner"] == 0
    assert force(position, 0) == (0, 0)
    position = scene({0: "0.024.0", 1: "1.035.6", 3: "2.125.3", 5: "3.014.3"}, seats=3)
    (battle,) = events_of(play(position, "march:1>0*6", "march:3>0*3", "march:5>0*3"), "battle")
    assert (battle["winner"], battle["left"]) == (1, 2)
    assert force(position, 0) == (1, 2)


def test_an_empty_island_is_taken_and_an_own_one_entered() -> None:
    position = scene({7: "1.234.5", 1: "2.024.0", 18: "1.012.1", 8: "0.134.0"})
    events = play(position, "march:7>1*2 march:7>18*1 march:7>8*1")
    assert [(event["island"], event["from"]) for event in events_of(events, "capture")] == [(1, 2)]
    assert [event["order"] for event in events_of(events, "failed")] == ["march:7>8*1"]
    assert force(position, 1) == (1, 2)
    assert force(position, 18) == (1, 2)
    assert force(position, 7) == (1, 2)


# -- rotations, supply, recruits


def test_turns_of_a_neutral_hub_add_up() -> None:
    # 6 is neutral and one bridge from 1 (seat 1) and from 5 (seat 2)
    fields = {1: "1.014.1", 6: "0.135.0", 5: "2.012.1"}
    position = scene(fields)
    assert "rotate:6+/1" in position.legal(1)
    events = play(position, "rotate:6+", "rotate:6+")
    (turn,) = events_of(events, "rotate")
    assert turn == {"type": "rotate", "island": 6, "by": 2, "ports": [1, 3, 5], "seats": [1, 2]}
    position = scene(fields)
    (turn,) = events_of(play(position, "rotate:6+", "rotate:6-"), "rotate")
    assert (turn["by"], turn["seats"]) == (0, [1, 2])
    assert position.board.hubs[6] == 0b101010


@pytest.mark.parametrize(("way", "ports"), [("+", "045"), ("-", "234")])
def test_a_hub_turns_its_ports(way: str, ports: str) -> None:
    position = scene({7: "1.345.5"})
    (turn,) = events_of(play(position, f"rotate:7{way}"), "rotate")
    assert turn["by"] == {"+": 1, "-": -1}[way]
    assert "".join(map(str, turn["ports"])) == ports
    assert position.line().split()[2].split(",")[7] == f"H1.1.{ports}.5"


def test_bridges_open_and_go_and_the_marches_follow_them() -> None:
    position = scene({7: "1.234.5", 1: "1.024.2", 2: "0.013.0", 18: "0.015.0", 8: "0.012.0", 6: "0.234.0"})
    # 1 turns left from 024 to 135: its bridge to 7 goes, that to 18 is not there yet
    events = play(position, "rotate:1+ march:7>1*2 march:1>7*1")
    assert events_of(events, "bridge") == [{"type": "bridge", "islands": [1, 7], "open": False}]
    assert [(event["order"], event["reason"]) for event in events_of(events, "failed")] == [
        ("march:1>7*1", "bridge"),
        ("march:7>1*2", "bridge"),
    ]
    assert force(position, 7) == (1, 5)
    # 18 turns to have port 2 then: both open a bridge between them, and the march planned over it goes
    events = play(position, "march:1>18*1")
    assert events_of(events, "failed")[0]["reason"] == "bridge"
    position = scene({7: "1.234.5", 1: "1.035.2", 18: "1.013.0"})
    events = play(position, "rotate:18+ march:1>18*1")
    assert events_of(events, "bridge") == [{"type": "bridge", "islands": [1, 18], "open": True}]
    assert force(position, 18) == (1, 1)


def test_a_fortification_holds_while_its_bridge_does() -> None:
    # 7 turns right from 234 to 123: the bridge at port 3 stays
    position = scene({7: "1.234.5", 1: "1.024.2"}, energy="5,0")
    events = play(position, "rotate:7- fortify:1")
    assert events_of(events, "fortify", "failed") == [{"type": "fortify", "seat": 1, "island": 1}]


@pytest.mark.parametrize(("order", "cost"), [("recruit:1", 3), ("fortify:1", 1)])
def test_what_needs_supply_fails_when_it_is_cut_and_is_refunded(order: str, cost: int) -> None:
    # 7 turns left from 034 to 145: the bridge at port 3 goes
    position = scene({7: "1.034.5", 1: "1.024.2"}, energy="5,0")
    events = play(position, f"{order} rotate:7+")
    assert events_of(events, "failed") == [
        {"type": "failed", "seat": 1, "order": order, "reason": "supply", "refund": cost, "energy": 4},
    ]
    assert position.board.energy[0] == 4 + 3
    assert force(position, 1) == (1, 2)
    assert events_of(events, "cut_off") == [{"type": "cut_off", "seat": 1, "islands": [1]}]


def test_a_recruit_makes_at_most_20() -> None:
    position = scene({7: "1.234.17", 1: "1.024.2"}, energy="12,0")
    assert {"recruit:7/2", "recruit:1/3"} <= set(position.legal(1))
    events = play(position, "recruit:1 recruit:7")
    # on the map as seat 1 sees it island 1 comes before island 7
    assert events_of(events, "recruit") == [{"type": "recruit", "seat": 1, "island": 1, "added": 1, "squads": 3}]
    (failed,) = events_of(events, "failed")
    assert (failed["reason"], failed["refund"], failed["energy"]) == ("limit", 2, 12 - 3)
    assert position.board.total(1) == 20
    assert not any(order.startswith("recruit") for order in position.legal(1))


def test_the_order_of_recruits_is_that_of_the_turned_map() -> None:
    # for seat 2 island 4 is number 1 and island 3 number 6
    fields = {13: "2.015.15", 4: "2.134.2", 3: "2.145.2"}
    position = scene(fields)
    assert {"recruit:3/2", "recruit:4/3"} <= set(position.legal(2))
    events = play(position, "-", "recruit:3 recruit:4")
    assert events_of(events, "recruit") == [{"type": "recruit", "seat": 2, "island": 4, "added": 1, "squads": 3}]
    assert [event["order"] for event in events_of(events, "failed")] == ["recruit:3"]


def test_new_squads_cannot_march_this_round() -> None:
    position = scene({7: "1.234.1", 1: "0.024.0"})
    assert "march:7>1*2/0" not in position.legal(1)
    play(position, "recruit:7 march:7>1*1")
    assert force(position, 7) == (1, 2)
    assert force(position, 1) == (1, 1)


def test_another_seats_home_is_elsewhere() -> None:
    # a chain of bridges from home 1 over 1, 2, 3 and 4 to home 2
    chain = {7: "1.234.5", 1: "1.024.0", 2: "1.035.0", 3: "1.034.0", 4: "1.135.0", 13: "1.015.1"}
    position = scene(chain)
    assert position.board.supplied(1) == set(chain)
    assert "recruit:13/3" in position.legal(1)
    chain[13] = "1.015.0"
    assert "recruit:13/3" not in scene(chain).legal(1)
    # a seat without its home has no supply, and so no recruits
    assert not any(order.startswith("recruit") for order in position.legal(2))


# -- influence, contests, income, the end


@pytest.mark.parametrize(("number", "each"), [(2, 2), (9, 2), (10, 3), (11, 3), (12, 3)])
def test_beacons(number: int, each: int) -> None:
    # 2 and 9 are beacons; 2 is joined to the home over 1, 9 is not
    fields = {7: "1.234.1", 1: "1.024.0", 2: "1.345.0", 9: "1.012.0"}
    position = scene(fields, number=number)
    events = play(position)
    assert events_of(events, "beacon") == [
        {"type": "beacon", "island": 2, "seat": 1, "points": each},
        {"type": "beacon", "island": 9, "seat": 1, "points": each - 1},
    ]
    won = 2 * each - 1 + (4 if number == 12 else 0)
    assert {"type": "influence", "seat": 1, "points": won, "influence": won} in events
    assert position.board.influence[0] == 2 * won


def test_the_contest_for_generators() -> None:
    # 1 is supplied for seat 1; 4 and 14 are owned by seat 2, only 4 is supplied
    fields = {7: "1.234.1", 1: "1.024.0", 13: "2.015.1", 4: "0.135.0"}
    position = scene(fields, number=4)
    (contest,) = events_of(play(position), "contest")
    assert contest == {"type": "contest", "objective": "generators", "counts": [1, 0], "seats": [1], "points": 3}
    assert position.board.influence == (6, 0)
    fields[4] = "2.135.0"
    position = scene(fields, number=4, influence="0,0.5")
    (contest,) = events_of(play(position), "contest")
    assert (contest["seats"], contest["points"], contest["counts"]) == ([1, 2], 1.5, [1, 1])
    assert position.line().split()[4] == "1.5,2"


def test_a_contest_for_nothing_pays_nobody() -> None:
    position = scene({}, number=8)
    (contest,) = events_of(play(position), "contest")
    assert contest == {"type": "contest", "objective": "factories", "counts": [0, 0], "seats": [], "points": 0}
    assert position.board.influence == (0, 0)


def test_contests_come_after_rounds_4_8_and_12_only() -> None:
    for number in range(1, 13):
        assert bool(events_of(play(scene({}, number=number)), "contest")) == (number in (4, 8, 12))


def test_income() -> None:
    position = scene({7: "1.234.1", 1: "1.024.0"}, energy="2,10")
    events = play(position)
    assert events_of(events, "income") == [
        {"type": "income", "seat": 1, "added": 4, "energy": 6},
        {"type": "income", "seat": 2, "added": 2, "energy": 12},
    ]
    assert events[-1] == {"type": "round", "round": 3}


@pytest.mark.parametrize(
    ("fields", "influence", "result"),
    [
        ({}, "0,0", "1:1/2 2:1/2"),
        ({}, "3,3.5", "1:0 2:1"),
        ({1: "1.024.0"}, "3,3", "1:1 2:0"),
        ({10: "1.024.0"}, "3,3", "1:1/2 2:1/2"),
        ({1: "1.024.0", 13: "2.015.9"}, "3,3", "1:1 2:0"),
        ({13: "2.015.6"}, "3,3", "1:0 2:1"),
    ],
)
def test_the_end(fields: dict[int, str], influence: str, result: str) -> None:
    position = scene(fields, number=12, influence=influence, energy="4,5")
    events = play(position)
    assert events[-1] == {"type": "win", "result": result}
    assert events_of(events, "income", "round") == []
    assert position.result is not None
    assert position.result.lines == (f"result {result}",)
    assert sum(position.result.scores) == 1
    assert position.board.energy == (4, 5)
    assert position.turn == 13
    assert (position.deciders, position.seat) == ((), 0)
    assert position.legal() == position.legal(1) == []
    assert position.orders(1) == position.orders(2) == 0
    assert position.order_sets(1) == []
    assert GAME.parse(position.line()) == position


def test_six_share_a_win() -> None:
    position = scene({}, seats=6, number=12)
    events = play(position)
    assert events[-1]["result"] == "1:1/6 2:1/6 3:1/6 4:1/6 5:1/6 6:1/6"
    assert position.result is not None
    assert position.result.scores == (1 / 6,) * 6


def test_influence_stops_where_the_line_does() -> None:
    position = scene({7: "1.234.1", 1: "1.024.0", 2: "1.345.0"}, influence="9998,0")
    play(position)
    assert position.line().split()[4] == "9999,0"
    assert GAME.parse(position.line()) == position


# -- what is seen


def test_a_scan_shows_two_hexagons_around_for_one_round() -> None:
    position = scene({7: "1.234.5", 1: "1.135.2", 4: "2.024.3"})
    assert 4 not in position.board.seen(1)
    play(position, "scan:1")
    # from (1, 0) to (-1, 0) are two hexagons, across the open sky
    assert 4 in position.board.seen(1)
    assert position.line().split()[5] == "1@1"
    assert position.observe(2).line().split()[5] == "-"
    play(position)
    assert 4 not in position.board.seen(1)


def test_a_bridge_shows_what_stands_behind_it() -> None:
    position = scene({7: "1.234.5", 1: "2.024.3", 18: "2.012.4", 8: "2.024.2"})
    shown = position.observe(1).board.squads
    assert shown[1] == 3
    assert shown[8] is None
    position = scene({7: "1.234.0", 1: "2.024.3"})
    assert position.observe(1).board.squads[1] is None
