"""The benchmarks' own parts: peers play by the rules, pairs add up, and the watched table tells what happened."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from benchmarks import belief, priors, regret, search
from benchmarks.build import compiled
from benchmarks.strength import __main__ as strength
from benchmarks.strength import peers
from benchmarks.strength.match import Match, play_game, play_match
from benchmarks.strength.peers import PEERS, FullStrength, Greedy, Halving, Peer
from skyclaim_engine import GAMES, Position, game

MS = 5
STEPS = 6
#: South's siege on d9 can step beside the enemy Command on f11
WIN = (
    "21431123344/434#3354155/#21531551#2/2354541#244/54334#551#4/14342123115/#25214155#3/45#5211521#/23##3454542/"
    "12134153323/33414545113 Se1=4!1,Mf1,Xd9,Gf3*2,xb4,mf11,sg11=2!1 "
    "4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4 S 0 - - 41 c83888ad2a34a5ee"
)


def made(name: str, monkeypatch: pytest.MonkeyPatch) -> Peer:
    if name == "openspiel":
        pytest.importorskip("pyspiel", reason="open-spiel is not installed (the extra 'bench')")
        from benchmarks.strength import openspiel

        monkeypatch.setattr(openspiel, "SIMULATIONS", 200)
    return PEERS[name][0]()


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_plays_legal_steps_in_either_seat(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = made(name, monkeypatch)
    try:
        peer.begin(3)
        position, seats = game("skyclaim").start(5), set()
        for _ in range(STEPS):
            step = peer.choose(position.observe(position.seat), MS)
            assert step in position.legal()
            seats.add(position.seat)
            position.apply(step)
        assert seats == {1, 2}
        if name == "openspiel":
            assert peer.simulations == 200 * STEPS
        elif name.startswith("uct"):
            assert peer.simulations is not None and peer.simulations >= STEPS
    finally:
        peer.close()


def test_uct_finds_a_win_in_one_step_and_repeats_itself() -> None:
    position, winning = win_in_one()
    view = position.observe(position.seat)
    for plies in (-1, peers.SHORT):
        chosen = set()
        for _ in range(2):
            search = peers.uct().Uct(view)
            chosen.add(search.choose(view, view.seat, 1, 1e9, plies, 2000))
            assert search.simulations == 2000
        assert {view.text(number) for number in chosen} <= winning
        assert len(chosen) == 1


def test_halving_finds_a_win_in_one_step_with_one_sample_a_round() -> None:
    position, winning = win_in_one()
    peer = Halving()
    peer.begin(1)
    assert peer.choose(position.observe(position.seat), 0) in winning


def win_in_one() -> tuple[Position, set[str]]:
    """A siege two steps from a Command without a shield, and the steps that win at once."""
    position = game("skyclaim").parse(WIN)
    winning = set()
    for step in position.legal():
        after = position.copy()
        after.apply(step)
        if after.result and after.result.scores[position.seat - 1] == 1:
            winning.add(step)
    assert 0 < len(winning) < len(position.legal())
    return position, winning


class Counter(Greedy):
    """A greedy player, with a count of its games."""

    games = 0

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.games += 1


def test_a_pair_of_games_between_equals_is_even() -> None:
    ours, theirs, match = Counter(), Counter(), Match("greedy")
    assert sum(1 for _ in play_match(match, ours, theirs, 3, 7, MS)) == 4
    assert ours.games == theirs.games == 4
    # chance is keyed, and whatever a greedy player draws depends on its seat
    assert match.scores[0] + match.scores[1] == match.scores[2] + match.scores[3] == 1
    assert match.pairs == {Fraction(1, 2): 2}
    figures = match.figures()
    assert figures["score"] == 0.5
    assert figures["games"] == 4
    assert figures["steps"] == [match.ours.steps, match.theirs.steps]
    assert match.ours.steps == match.theirs.steps > 0
    assert match.line().split()[:2] == ["greedy", "4"]


def test_what_is_scored_is_what_we_did() -> None:
    """Against a player that plays the last step of the alphabet, full strength wins in both seats."""

    class Last(Peer):
        def choose(self, view: Position, ms: float) -> str:
            return max(view.legal())

    match = Match("last")
    for _ in play_match(match, FullStrength(), Last(), 2, 1, 20):
        pass
    assert match.scores == [1.0, 1.0]


def test_half_a_pair_has_no_interval() -> None:
    match = Match("greedy")
    match.add(1.0)
    figures = match.figures()
    assert (figures["games"], figures["won"]) == (1, 1)
    assert figures["score"] is figures["interval"] is figures["elo"] is None


def test_the_first_weights_are_those_of_the_game() -> None:
    name, values = peers.weights.read(peers.FIRST_WEIGHTS)
    assert name == "skyclaim"
    game(name).use(values, rival=True)


def test_playing_a_game_does_not_change_its_start() -> None:
    start = game("skyclaim").start(9)
    before = start.line()
    play_game(start, 9, (Greedy(), Greedy()), (Match("a").ours, Match("b").ours), MS)
    assert start.line() == before


@pytest.mark.parametrize("algorithm", ["expectimax", "onestep"])
def test_a_watched_table_counts_and_changes_nothing(algorithm: str) -> None:
    # without fog, since a belief plays on what it supposes by steps that are none of the search
    places = [place for place in search.positions("skyclaim") if place.options["Fog"] == "off"][:2]
    assert len(places) == 2
    own = GAMES["skyclaim"].table
    plain = search.decide(places, algorithm, 2000)
    parts = search.shares("skyclaim", places, algorithm, 2000)
    assert GAMES["skyclaim"].table is own
    assert list(parts) == ["rules", "evaluation", "priors", "search"]
    assert sum(parts.values()) == pytest.approx(1)
    spent = compiled(search.TABLE).spent()
    assert spent["apply"][1] == plain.nodes
    assert spent["evaluate"][1] > 0
    assert (spent["priors"][1] > 0) == (algorithm == "expectimax")


@pytest.mark.parametrize("variant", GAMES)
def test_every_game_has_positions_to_search(variant: str) -> None:
    places = search.positions(variant)
    assert len(places) >= 5
    assert all(place.deciders for place in places)


@pytest.mark.parametrize("variant", GAMES)
def test_the_time_of_answers_is_told(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert search.main(["--variant", variant, "--movetime", "1", "--tries", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["movetime"], told["tries"]) == (1, 3)
    quantiles = list(told["quantiles"].values())
    assert len(quantiles) == len(search.QUANTILES)
    assert quantiles == sorted(quantiles) and quantiles[0] > 0


def test_a_match_is_told_as_a_table_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--peer", "greedy", "--games", "1", "--ms", "1"]
    assert strength.main(words) == 0
    title, header, row = capsys.readouterr().out.splitlines()
    assert "1 ms a step" in title and header.startswith("peer")
    assert row.split()[:2] == ["greedy", "2"]
    assert strength.main([*words, "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert (figures["peer"], figures["games"]) == ("greedy", 2)
    assert figures["won"] + figures["drawn"] + figures["lost"] == 2


def test_the_priors_are_measured_and_hold() -> None:
    rows = priors.measure(30, 2)
    assert [width for width, _, _ in rows] == list(priors.WIDTHS)
    assert [found for _, found, _ in rows] == sorted(found for _, found, _ in rows)
    assert [lost for _, _, lost in rows] == sorted((lost for _, _, lost in rows), reverse=True)
    _, found, lost = rows[priors.WIDTHS.index(8)]
    assert found > 0.8
    assert 0 <= lost < 0.5


def test_what_a_choice_loses_is_measured() -> None:
    position, winning = win_in_one()
    values = regret.valued(position, 20_000, [3, 2, 2, 2], 1)
    assert len(values) == 20
    assert position.text(max(values, key=values.__getitem__)) in winning
    assert position.text(regret.chosen(position, 2000, 1)) in winning
    (few, same_few, lost_few), (many, same, lost) = regret.measure(4, [60, 30_000], 1, 30_000, [3, 2, 2, 2])
    assert (few, many) == (60, 30_000)
    assert 0 <= same_few <= same <= 1
    assert 0 <= lost < lost_few <= 1


def test_a_belief_is_measured() -> None:
    count = belief.measure(1, 5, turns=20)
    assert 0 < count.right <= min(count.supposed, count.true)
    assert 0 < count.found <= count.hidden
