"""One game: keyed chance, clocks, faults, adjudication, random starts. Engines are scripted, in this process."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from skyclaim_engine import GAMES, Position, game
from skyclaim_engine.arena import referee
from skyclaim_engine.arena.adjudicate import Adjudicator, Rule
from skyclaim_engine.arena.engines import Spec
from skyclaim_engine.arena.player import Player
from skyclaim_engine.arena.records import game_record, replay
from skyclaim_engine.arena.referee import Fault, Played, Terms, key_chance, play, random_start
from skyclaim_engine.errors import SkyclaimError, StreamUnknown
from skyclaim_engine.protocol.client import Answer, EngineDied, EngineTimeout
from skyclaim_engine.search.onestep import random_step
from skyclaim_engine.search.skill import mix

Choice = Callable[[Position, int], Answer]


def at_random(salt: int = 0) -> Choice:
    """Plays at random, by what it sees alone."""

    def choose(view: Position, seat: int) -> Answer:
        return Answer(view.text(random_step(view, seat, mix(view.key, seat, salt))), [], 0.001)

    return choose


class Script(Player):
    """An engine that is a function of what its seat sees."""

    def __init__(self, name: str, choose: Choice, seat: int, start: Position, **words: str) -> None:
        self.spec, self.client = Spec(name, name, words=words), None
        self.of, self.rules = start.game, dict(start.options)
        self._choose_step, self.seat = choose, seat
        self.views: list[str] = []
        self.asked: list[str] = []
        self.seeds: list[int] = []
        self.dropped = 0
        self.odd: tuple[str, str] | None = None
        self.unsettled: Exception | None = None

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, view: str, limits: str, deadline: float) -> Answer:
        self.views.append(view)
        self.asked.append(limits)
        return self._choose_step(self.of.parse(view, self.rules, observation=True), self.seat)

    def settle(self) -> None:
        if self.unsettled:
            raise self.unsettled

    def oddity(self) -> tuple[str, str] | None:
        return self.odd

    def drop(self) -> None:
        self.dropped += 1


VARIANTS: list[tuple[str, dict[str, object]]] = [
    ("skyclaim", {}),
    ("skyclaim", {"Fog": "dark", "Salvage": True}),
    ("islands", {"Seats": "3"}),
    ("rockets", {"Pilots": 4, "Wormholes": True, "AsteroidBelt": True}),
]


def players_for(start: Position, choices: list[Choice], **words: str) -> list[Script]:
    seats = range(1, start.seats + 1)
    return [Script(f"p{seat}", choices[(seat - 1) % len(choices)], seat, start, **words) for seat in seats]


def played(start: Position, players: list[Script], terms: Terms | None = None, seed: int = 5) -> Played:
    return play(start, seed, players, [7] * len(players), terms or Terms())


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_whole_game_and_its_replay(name: str, options: dict[str, object]) -> None:
    start = game(name).start(3, options)
    players = players_for(start, [at_random()])
    result = played(start, players)
    assert result.ended == "rules"
    assert sum(result.result) == pytest.approx(1)
    assert len(result.steps) == len(result.seats) == len(result.times) > 10
    record = game_record(4, 1, 5, [p.spec.name for p in players], start.line(), result)
    header = {"game": name, "rules": dict(start.options)}
    *moments, last = [(m.number, m.steps, m.position.line()) for m in replay(record, header)]
    assert moments[0] == (0, {}, start.line())
    end = start.game.parse(last[2], start.options)
    assert end.result
    assert end.result.scores == result.result
    assert sum(len(steps) for _, steps, _ in (*moments, last)) == len(result.steps)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_an_engine_gets_its_own_observation_and_nothing_else(name: str, options: dict[str, object]) -> None:
    start = game(name).start(3, options)
    players = players_for(start, [at_random()])
    result = played(start, players)
    record = game_record(0, 0, 5, ["x"] * start.seats, start.line(), result)
    views: list[list[str]] = [[] for _ in players]
    before = start.copy()
    for moment in replay(record, {"game": name, "rules": dict(start.options)}):
        for seat in moment.steps:
            views[seat - 1].append(before.observe(seat).line())
        before = moment.position.copy()
    assert [player.views for player in players] == views
    assert all(view.split()[-1] == "-" for player in players for view in player.views)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_restream(name: str, options: dict[str, object]) -> None:
    position = game(name).start(3, options)
    line, key = position.line(), position.key
    position.restream(5)
    assert (position.stream, position.key) == (5, key)
    assert position.line().split()[:-1] == line.split()[:-1]
    for wrong in (-1, 1 << 64):
        with pytest.raises(SkyclaimError, match="stream"):
            position.restream(wrong)
    with pytest.raises(StreamUnknown):
        position.observe(1).restream(5)


@pytest.mark.parametrize(
    ("name", "options", "tally", "seats"),
    [
        ("skyclaim", {}, (9, 9), 2),
        ("islands", {"Seats": "3"}, (0.0, 0.0, 0.0), 3),
        ("rockets", {"Pilots": 4}, None, 4),
    ],
)
def test_what_a_game_says_of_itself(name: str, options: dict[str, object], tally: object, seats: int) -> None:
    position = game(name).start(3, options)
    assert (position.tally, position.seats) == (tally, seats)
    players = players_for(position, [at_random()])
    result = played(position, players)
    record = game_record(0, 0, 5, ["x"] * seats, position.line(), result)
    told = [
        sentence
        for moment in replay(record, {"game": name, "rules": dict(position.options)})
        for sentence in position.game.narrate(moment.events, next(iter(moment.steps), 0))
    ]
    assert len(told) > 10
    assert all(sentence.endswith(".") and " " in sentence for sentence in told)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_chance_is_keyed_by_the_turn(name: str, options: dict[str, object]) -> None:
    """However the stream stood, the turn's chance is that of the seed, the turn and the seat."""
    one = game(name).start(3, options)
    other = one.copy()
    other.restream(99)
    key_chance(one, 5)
    key_chance(other, 5)
    assert one == other
    key_chance(other, 6)
    assert one != other


def test_games_of_a_block_meet_the_same_chance_as_long_as_they_play_the_same() -> None:
    start = game("rockets").start(1, {"Pilots": 2})
    same = [played(start, players_for(start, [at_random(salt)])) for salt in (0, 0, 1)]
    assert same[0].steps == same[1].steps
    assert same[0].steps != same[2].steps
    assert same[0].steps != played(start, players_for(start, [at_random()]), seed=6).steps


def fault_of(result: Played) -> tuple[int, str]:
    assert isinstance(result.fault, Fault)
    assert result.ended == "fault"
    assert len(result.steps) == len(result.seats) == len(result.times)
    return result.fault.seat, result.fault.kind


def failing(after: int, answer: Answer | Exception) -> Choice:
    good, count = at_random(), itertools.count()

    def choose(view: Position, seat: int) -> Answer:
        if next(count) < after:
            return good(view, seat)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return choose


FAULTS: list[tuple[Answer | Exception, str]] = [
    (EngineDied("gone"), "crash"),
    (EngineTimeout("silent"), "hang"),
    (Answer("swap:a1k11"), "illegal"),
    (Answer("nonsense"), "illegal"),
    (Answer(None), "illegal"),
    (Answer("-", [], 10.0), "time"),
]


@pytest.mark.parametrize(("answer", "kind"), FAULTS)
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_faults_lose(name: str, options: dict[str, object], answer: Answer | Exception, kind: str) -> None:
    start = game(name).start(3, options)
    players = players_for(start, [at_random()], st="1")
    players[1]._choose_step = failing(2, answer)
    result = played(start, players)
    assert fault_of(result) == (2, kind)
    others = start.seats - 1
    assert result.result == (1 / others, 0.0, *(1 / others,) * (others - 1))
    assert result.how.endswith(f"loses by {kind}")
    assert players[1].dropped == isinstance(answer, Exception)
    # what was played until then can be played again
    record = game_record(0, 0, 5, ["x"] * start.seats, start.line(), result)
    assert len(list(replay(record, {"game": name, "rules": dict(start.options)}))) > 1


def test_an_answer_too_many_is_a_fault_also_after_the_last_step() -> None:
    start = game("skyclaim").start(3)
    players = players_for(start, [at_random()])
    players[1].odd = ("doubled", "bestmove x id 3")
    assert fault_of(played(start, players)) == (2, "doubled")
    players = players_for(start, [at_random()])
    players[0].unsettled = EngineTimeout("silent")
    result = played(start, players)
    assert fault_of(result) == (1, "hang")
    assert result.result == (0.0, 1.0)
    assert players[0].dropped == 1


def test_an_engine_that_does_not_begin() -> None:
    class Broken(Script):
        def begin(self, seed: int) -> None:
            raise EngineDied("cannot be started")

    start = game("skyclaim").start(3)
    players = [Broken("a", at_random(), 1, start), Script("b", at_random(), 2, start)]
    result = played(start, players)
    assert (fault_of(result), result.steps, result.result) == ((1, "crash"), [], (0.0, 1.0))


def test_clocks_run_down_and_the_increment_comes_once_a_turn() -> None:
    def slow(view: Position, seat: int) -> Answer:
        return Answer(at_random()(view, seat).step, [], 0.25)

    start = game("rockets").start(1, {"Pilots": 3})
    players = players_for(start, [slow], tc="3+0.25", timemargin="0")
    result = played(start, players, Terms(max_turns=60))
    clocks = [3000.0] * 3
    asked = [iter(player.asked) for player in players]
    turn, moved = start.turn, set[int]()
    record = game_record(0, 0, 5, ["x"] * 3, start.line(), result)
    for moment in itertools.islice(replay(record, {"game": "rockets", "rules": dict(start.options)}), 1, None):
        [(seat, _)] = moment.steps.items()
        if moment.turn != turn:  # the laying of the tiles is one turn of all pilots
            clocks = [clock + 250 * (number in moved) for number, clock in enumerate(clocks, 1)]
            turn, moved = moment.turn, set()
        moved.add(seat)
        assert next(asked[seat - 1]) == f"clocks {','.join(str(int(c)) for c in clocks)} incs 250,250,250"
        clocks[seat - 1] -= 250


def test_the_longest_game() -> None:
    start = game("skyclaim").start(3)
    result = played(start, players_for(start, [at_random()]), Terms(max_turns=4))
    assert (result.ended, result.result, result.turns, result.how) == ("limit", (0.5, 0.5), 4, "4 turns")


def says(win: str) -> Choice:
    def choose(view: Position, seat: int) -> Answer:
        return Answer(at_random()(view, seat).step, ["depth 1 score win 0.5", f"score win {win} pv x", "string odd"])

    return choose


@pytest.mark.parametrize(
    ("wins", "ended"), [(("0.990", "0.010"), True), (("0.990", "0.030"), False), (("0.5", "0.5"), False)]
)
def test_adjudication_when_all_agree(wins: tuple[str, str], ended: bool) -> None:
    start = game("skyclaim").start(3)
    terms = Terms(max_turns=8, adjudication=(Rule.parse("win=0.98 turns=3"),))
    result = played(start, players_for(start, [says(win) for win in wins]), terms)
    if ended:  # after the second turn both have said it, and three turn ends in a row are needed
        assert (result.ended, result.turns, result.result) == ("adjudication", 4, (1.0, 0.0))
        assert result.how == "S wins by win 0.98 for 3 turns"
    else:
        assert (result.ended, result.turns) == ("limit", 8)


def test_adjudication_by_lead() -> None:
    class Counted:
        game = GAMES["skyclaim"]

        def __init__(self, *tally: float) -> None:
            self.tally = tally

    adjudicator = Adjudicator([Rule.parse("lead=10 turns=2")], 2)
    ends = [(30, 20), (30, 21), (20, 30), (30, 20), (31, 20)]
    decided = [adjudicator.end_turn(Counted(*tally)) for tally in ends]  # type: ignore[arg-type]
    assert decided == [None, None, None, None, (1, "S wins by lead 10 for 2 turns")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lead=40", "is neither"), ("lead=40 turns=6 win=1", "is neither"), ("turns=6", "is neither"),
        ("lead=x turns=6", "lead 'x' is not a number"), ("lead=1 turns=0", "turns '0' is not a number above 0"),
        ("lead=1 turns=1.5", "turns '1.5' is not a whole"), ("win=0.5 turns=1", "win '0.5' is not above 0.5"),
    ],
)  # fmt: skip
def test_rules_that_are_none(text: str, words: str) -> None:
    with pytest.raises(SkyclaimError, match=words):
        Rule.parse(text)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_random_starts(name: str, options: dict[str, object]) -> None:
    start = game(name).start(3, options)
    line = start.line()
    one = random_start(start, 4, 1)
    assert one == random_start(start, 4, 1)
    assert one != random_start(start, 4, 2)
    assert one != start
    assert start.line() == line


def test_a_random_start_that_is_over_is_drawn_again() -> None:
    start = game("islands").start(3, {"Seats": "2"})
    assert random_start(start, 11, 1).deciders
    with pytest.raises(SkyclaimError, match="random-plies '12': no game goes on for so long"):
        random_start(start, 12, 1)


def test_what_an_engine_said_is_kept_within_bounds() -> None:
    fault = Fault(1, "crash", "x" * (referee.LONGEST_TEXT + 10))
    assert len(fault.text) == referee.LONGEST_TEXT + 1
