"""What a seat may know (gui_adapter/view.py): nothing that it is sent depends on what is hidden from it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from gui_adapter.facts import Move
from gui_adapter.readers import READERS
from gui_adapter.view import LISTED
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.games.skyclaim.position import GAME
from tests.gui.stage import Message, Phone, Stage

READER = READERS["skyclaim"]
STARS, DRONES, CLEARED = 0, 1, 4


def positions(fog: str, count: int) -> Iterator[str]:
    """Positions of random games, where either side is on turn."""
    for seed in range(count):
        chance = random.Random(seed)
        position = GAME.start(seed, {"Fog": fog})
        for _ in range(chance.randrange(4, 40)):
            position.apply(chance.choice(position.legal()))
            if position.result:
                break
        if not position.result:
            yield position.line()


def unknown_changes(line: str, options: dict[str, object], viewer: int, chance: random.Random) -> Iterator[str]:
    """The position with another stream, and a few other stars or a drone less where ``viewer`` sees nothing.

    Few, since many would lie in matches that then all clear at once.
    """
    seen = GAME.parse(line, options).observe(viewer).line()
    words, dark = line.split(), seen.split()[STARS]
    for _ in range(30):
        changed = list(words)
        changed[-1] = f"{chance.getrandbits(64):016x}"
        stars = list(words[STARS])
        for at in chance.sample(range(len(stars)), chance.choice([0, 0, 6])):
            if dark[at] == "?" and stars[at] in "12345":
                stars[at] = chance.choice("12345")
        changed[STARS] = "".join(stars)
        if chance.random() < 0.5:
            drones = words[DRONES].split(",")
            known = seen.split()[DRONES].split(",")
            hidden = [drone for drone in drones if drone not in known and drone[0] not in "Mm"]
            gone = chance.choice(hidden) if hidden else ""
            changed[DRONES] = ",".join(drone for drone in drones if drone != gone)
        try:
            other = GAME.parse(" ".join(changed), options)
        except SkyclaimError:
            continue
        if not other.result and other.observe(viewer).line() == seen:
            yield other.line()


async def told(
    stage: Stage, line: str, options: dict[str, object], viewer: int, step: str
) -> tuple[list[str], list[str], list[Message]]:
    """After a step of the other side: the board, the viewer's board, and all that was sent to the viewer."""
    match = await stage.at(line, options)
    phone = Phone(match, viewer)
    sent = [phone.state]
    await match.act(3 - viewer, "x", 1, step)
    words = GAME.parse(match.facts.line, options).observe(viewer).line().split()
    board = [word for field, word in enumerate(words) if field != CLEARED]
    return match.facts.line.split()[:CLEARED], [*board, str(match.over)], [*sent, *phone.got, match.snapshot(viewer)]


@pytest.mark.parametrize("fog", ["seam", "dark"])
def test_what_is_sent_depends_on_nothing_hidden(stage: Stage, fog: str) -> None:
    """Only hidden facts are changed and the same step is played: the other phone is sent the same, byte by byte.

    Where what is seen afterwards is not the same, the step itself has shown the difference.
    """
    options: dict[str, object] = {"Fog": fog}

    async def work(stage: Stage) -> tuple[int, int]:
        secret = shown = 0
        for number, line in enumerate(positions(fog, 25)):
            chance = random.Random(number)
            viewer = 3 - READER.turn(line)[1]
            others = list(unknown_changes(line, options, viewer, chance))[:3]
            legal = GAME.parse(line, options).legal()
            chancy = [step for step in legal if step.startswith(("swap:", "fire:"))]
            for step in chance.sample(chancy, min(6, len(chancy))) + chance.sample(legal, 1):
                truth, seen, sent = await told(stage, line, options, viewer, step)
                for other in others:
                    if step not in GAME.parse(other, options).legal():
                        continue
                    other_truth, other_seen, other_sent = await told(stage, other, options, viewer, step)
                    if other_seen == seen:
                        assert json.dumps(other_sent) == json.dumps(sent), (line, other, step)
                        secret += other_truth != truth
                    else:
                        shown += 1
        return secret, shown

    secret, shown = stage.play(work)
    assert secret > 30 and shown > 30, (secret, shown)


def test_a_step_in_the_dark_is_not_told_at_all(stage: Stage) -> None:
    """A shot into the dark that the other side cannot see: no message, no number, no line in the list."""

    async def work(stage: Stage) -> None:
        line = GAME.start(10, {"Fog": "seam"}).line()
        match = await stage.at(line, {"Fog": "seam"})
        shooter, other = Phone(match, 1), Phone(match, 2)
        before = match.snapshot(2)
        await shooter.act(next(step for step in shooter.state["legal"] if is_dark_for_north(line, step)))
        assert shooter.seq == 2 and other.got == [] and match.snapshot(2) == before
        await shooter.act("claim:e1")
        assert other.seq == 2 and other.last("event")["events"] == [] and "step" not in other.last("event")
        assert other.state["moves"] == [{"turn": 1, "seat": 1, "step": None, "text": ""}]
        assert [move["step"] for move in shooter.state["moves"]] == [move.step for move in match.facts.moves]

    stage.play(work)


def is_dark_for_north(line: str, step: str) -> bool:
    """Whether it is a shot of which North sees nothing, and which clears stars of South."""
    position = GAME.parse(line, {"Fog": "seam"})
    seen = position.observe(2).line().split()
    position.apply(step)
    after = position.observe(2).line().split()
    return step.startswith("fire:") and after[CLEARED] != "0" and seen[:CLEARED] == after[:CLEARED]


def test_the_list_of_moves_is_cut_the_same_however_many_were_hidden(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        lists = []
        for shots in (1, 3):
            match = await stage.pair(options={"Fog": "dark"})
            for turn in range(1, 2 * LISTED, 2):
                match.facts.moves += [Move(turn, 1, "fire:e1e4", "x", 0, True)] * shots
                match.facts.moves.append(Move(turn + 1, 2, "claim:g11", "y", 0, False))
            lists.append(match.view(2)["moves"])
        assert lists[0] == lists[1] and len(lists[0]) == LISTED

    stage.play(work)


def test_stars_cleared_by_the_other_side_are_not_counted_for_one(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair(options={"Fog": "seam"})
        line = match.facts.line.split()
        line[4] = "5"
        again = await stage.at(" ".join(line), {"Fog": "seam"})
        assert again.view(1)["line"].split()[4] == "5" and again.view(2)["line"].split()[4] == "0"

    stage.play(work)


@pytest.mark.parametrize("fog", ["off", "seam", "dark"])
def test_no_state_has_the_stream_or_what_is_dark(stage: Stage, fog: str) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair(options={"Fog": fog})
        phones = {seat: Phone(match, seat) for seat in (1, 2)}
        chance = random.Random(5)
        for _ in range(30):
            streams = {match.facts.line.split()[-1], f"{match.facts.seed:016x}", str(match.facts.seed)}
            mover = phones[match.facts.mover]
            await mover.act(chance.choice(mover.state["legal"]))
            streams.add(match.facts.line.split()[-1])
            for seat, phone in phones.items():
                text = json.dumps(phone.got)
                assert not any(stream in text for stream in streams)
                assert phone.state["line"] == match.facts.seen[seat] and phone.state["line"].endswith(" -")
                assert ("?" in phone.state["line"]) == (fog != "off")
            if match.over:
                break

    stage.play(work)


def test_own_steps_are_told_as_far_as_they_are_seen(stage: Stage) -> None:
    """Every square in the events of an own step was seen before it and is seen after it."""

    async def work(stage: Stage) -> int:
        told = 0
        for line in positions("seam", 30):
            match = await stage.at(line, {"Fog": "seam"})
            phone = Phone(match, match.facts.mover)
            before = phone.state["line"]
            await phone.act(next((s for s in phone.state["legal"] if s.startswith("swap:")), phone.state["legal"][0]))
            event = phone.last("event")
            assert event["text"] and event["step"]
            light = lit(before) & lit(phone.state["line"])
            for square in squares_in(event["events"]):
                assert square in light
                told += 1
            waves = [each["wave"] for each in event["events"] if each["type"] == "clear"]
            assert waves == list(range(1, len(waves) + 1))
        return told

    assert stage.play(work) > 100


def lit(line: str) -> set[str]:
    rows = line.split()[STARS].split("/")
    return {f"{'abcdefghijk'[x]}{11 - y}" for y, row in enumerate(rows) for x, star in enumerate(row) if star != "?"}


def squares_in(value: object) -> Iterator[str]:
    """All texts in a value that are squares."""
    if isinstance(value, dict):
        for each in value.values():
            yield from squares_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from squares_in(each)
    elif isinstance(value, str) and value[:1] in "abcdefghijk" and value[1:].isdigit():
        yield value


def test_what_is_noticed_of_the_other_side_is_the_difference_of_what_is_seen() -> None:
    start = GAME.start(5, {"Fog": "seam"}).observe(1).line()
    assert READER.noticed(start, start, 1) == ""
    for changes, text in (
        ({"Se1=1!1,": ""}, "Your scout on e1 is gone."),
        ({"Gf3*2": "Gf3"}, "Your shield on f3 has power 1 left."),
        ({"Se1=1!1": "re1"}, "Your scout on e1 is gone; raider of the other side in sight on e1."),
        ({"Xg1": "Xg1,hh8=12345"}, "Hunter of the other side in sight on h8."),
        ({"4SSS4/4SSS4/4SSS4": "4SS5/4SSS4/4SNS4"}, "2 squares of yours lost."),
    ):
        after = start
        for old, new in changes.items():
            assert old in after
            after = after.replace(old, new)
        assert READER.noticed(start, after, 1) == text


def test_what_was_noticed_stays_in_the_list_of_moves(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda bits: 10)  # a match in which there is something to notice

    async def work(stage: Stage) -> int:
        match, noticed = await stage.pair(options={"Fog": "seam"}), 0
        phones = {seat: Phone(match, seat) for seat in (1, 2)}
        chance = random.Random(8)
        while not match.over and len(match.facts.moves) < 120:
            mover = phones[match.facts.mover]
            await mover.act(chance.choice(mover.state["legal"]))
            if match.over or match.facts.mover != mover.seat:
                other = phones[3 - mover.seat]
                turn = match.facts.moves[-1].turn
                texts = [move.noticed for move in match.facts.moves if move.turn == turn]
                listed = {"turn": turn, "seat": mover.seat, "step": None, "text": " ".join(filter(None, texts))}
                assert other.state["moves"][-1] == listed
                noticed += bool(listed["text"])
        return noticed

    assert stage.play(work) > 5


@pytest.mark.parametrize(("result", "winner", "loser"), [
    ("S wins land", "You win: enough of the sky is yours.", "You lose: enough of the sky is the other side's."),
    ("S wins siege", "You win: your siege drone stands beside the other Command, and no shield does.",
     "You lose: a siege drone stands beside your Command, and no shield does."),
    ("S wins asteroid", "You win: an asteroid has landed on the other Command.",
     "You lose: an asteroid has landed on your Command."),
    ("S wins turns", "You win: that was the last turn, and you own more.",
     "You lose: that was the last turn, and the other side owns more."),
    ("draw turns", "A draw: that was the last turn, and both own as much.",
     "A draw: that was the last turn, and both own as much."),
])  # fmt: skip
def test_the_end_is_told_to_each_side_in_its_words(result: str, winner: str, loser: str) -> None:
    assert (READER.sentence(result, 1), READER.sentence(result, 2)) == (winner, loser)
    assert READER.scores(result) == ((0.5, 0.5) if "draw" in result else (1.0, 0.0))


def test_what_stands_on_a_square_of_dark_and_light(stage: Stage) -> None:
    async def work(stage: Stage) -> None:
        match = await stage.pair(options={"Fog": "seam"})
        assert (await match.about(1, "f11")) == {
            "square": "f11", "text": "This square is in the dark.", "go": [], "take": [], "fire": [],
        }  # fmt: skip
        assert (await match.about(1, "e1"))["go"]

    stage.play(work)
