"""The engines behind the page: what they are asked, and that a bad one is replaced and never believed."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gui_adapter import engines as module
from gui_adapter.engines import Engines
from gui_adapter.errors import EngineDown, Refused

DOUBLE = Path(__file__).parents[1] / "doubles" / "engine.py"
GAME, DARK = "skyclaim", {"Fog": "dark"}


def bad(kind: str, at: int = 1) -> list[str]:
    """The command of a bad engine, bad from its ``at``-th search on."""
    return [sys.executable, str(DOUBLE), kind, str(at)]


def run(
    test: Callable[[Engines, list[tuple[str, str]]], Awaitable[None]],
    bots: list[str] | None = None,
    size: int = 1,
    patience: float = 1.0,
) -> None:
    """Run a test with engines, and the list of what is told of their state."""

    async def main() -> None:
        told: list[tuple[str, str]] = []
        engines = Engines(lambda *words: told.append(words), bots=bots, size=size, patience=patience)
        try:
            await test(engines, told)
        finally:
            await engines.close()
        for pid in engines.bots.pids() + engines.referee.pids():
            assert not os.path.exists(f"/proc/{pid}")

    asyncio.run(main())


async def view_of(engines: Engines, options: dict[str, str] | None = None, seat: int = 1) -> str:
    line = await engines.start(GAME, options or {}, 1)
    return await engines.observe(GAME, options or {}, line, seat)


def test_the_referee_knows_the_rules() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        line = await engines.start(GAME, {}, 1)
        steps = await engines.legal(GAME, {}, line)
        assert "claim:e1" in steps
        assert await engines.legal(GAME, {}, line, seat=2) == []
        applied = await engines.apply(GAME, {}, line, "claim:e1")
        assert applied.events[0] == {"type": "claim", "square": "e1", "taken": ["d1", "d2"]}
        assert applied.line.split()[3] == "N"
        assert applied.result is None
        assert "claims 2 squares" in await engines.explain(GAME, {}, line, "claim:e1")
        assert (await engines.evaluate(GAME, {}, line))["land"] == 0
        survey = await engines.survey(GAME, {}, line, (1, 2))
        assert survey.legal == {1: steps, 2: []}
        assert survey.seen[1] == await engines.observe(GAME, {}, line, 1)
        assert told == []

    run(test)


def test_requests_depend_on_nothing_but_what_they_say() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        plain = await engines.start(GAME, {}, 1)
        few = await engines.start(GAME, {"AsteroidsSouth": 0, "AsteroidsNorth": 0}, 1)
        assert few.count("#") == 0
        assert await engines.start(GAME, {}, 1) == plain
        islands = await engines.start("islands", {"Seats": 3}, 1)
        assert islands.startswith("3 ")
        assert await engines.start("rockets", {"Pilots": 2, "Wormholes": True}, 1) != plain
        assert await engines.start(GAME, {}, 1) == plain

    run(test)


def test_a_game_is_won_in_the_words_of_the_engine() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        options = {"TurnLimit": 1}
        line = await engines.start(GAME, options, 1)
        assert (await engines.apply(GAME, options, line, "claim:e1")).result == "S wins turns"

    run(test)


@pytest.mark.parametrize(
    ("line", "step", "code"),
    [
        (None, "claim:a1", "illegal-step"),
        (None, "x", "illegal-step"),
        (None, "claim:e1\nquit", "bad-argument"),
        (None, "claim:\x00", "bad-argument"),
        (None, "x" * 10_000, "bad-argument"),
        ("nonsense", "claim:e1", "bad-position"),
        ("", "claim:e1", "bad-position"),
    ],
)
def test_a_wrong_request_is_refused_in_a_sentence(line: str | None, step: str, code: str) -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        start = await engines.start(GAME, {}, 1)
        (pid,) = engines.referee.pids()
        with pytest.raises(Refused) as caught:
            await engines.apply(GAME, {}, start if line is None else line, step)
        assert caught.value.code == code
        assert "\n" not in caught.value.text
        assert engines.referee.pids() == [pid]

    run(test)


def test_a_wrong_option_is_refused_and_forgotten() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        plain = await engines.start(GAME, {}, 1)
        for options in ({"Fog": "thick"}, {"Rain": True}, {"Fog\nquit": "off"}):
            with pytest.raises(Refused, match=r"Fog|Rain"):
                await engines.start(GAME, options, 1)
        with pytest.raises(Refused, match="chess"):
            await engines.start("chess", {}, 1)
        assert await engines.start(GAME, {}, 1) == plain

    run(test)


def test_a_referee_that_dies_is_started_again() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        chosen = {"Fog": "dark", "AsteroidsNorth": 0}
        line = await engines.start(GAME, chosen, 1)
        seen = await engines.observe(GAME, chosen, line, 1)
        (pid,) = engines.referee.pids()
        os.kill(pid, 9)
        assert await engines.observe(GAME, chosen, line, 1) == seen  # the options were sent again before the position
        assert "?" in seen
        assert [state for state, _ in told] == ["restarting", "ok"]
        assert "\n" not in told[0][1]
        assert engines.referee.pids() != [pid]

    run(test)


def test_the_bot_plays_for_its_seat_by_its_seed() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines, DARK)
        lease, same = (engines.lease(lambda *words: told.append(words), 7) for _ in range(2))
        first = await engines.go(lease, GAME, DARK, view, "nodes 200", 10)
        assert first.step in await engines.legal(GAME, DARK, view, seen=True)
        other = engines.lease(lambda *words: None, 8)
        await engines.go(other, GAME, DARK, view, "nodes 200", 100, {"MultiPV": 3})
        again = await engines.go(same, GAME, DARK, view, "nodes 200", 10)
        assert again.step == first.step
        assert told == []

    run(test)


def test_several_lines_where_they_are_asked_for() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: None)
        answer = await engines.go(lease, GAME, {}, view, "nodes 3000", extra={"MultiPV": 3})
        assert any(" multipv 3 " in info for info in answer.infos)
        answer = await engines.go(lease, GAME, {}, view, "nodes 3000")
        assert not any(" multipv 2 " in info for info in answer.infos)

    run(test)


def test_a_hint_is_a_swap() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        hint = await engines.hint(engines.lease(lambda *words: None), GAME, {}, view, 50)
        assert hint
        assert hint.startswith("swap:")

    run(test)


@pytest.mark.parametrize(
    "kind",
    "mute deaf chatty half-line crasher killed closes orphans liar binary long-line no-id misspelt no-step "
    "refuses".split(),
)
def test_a_bot_that_goes_bad_is_replaced_in_the_middle_of_the_game(kind: str) -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        legal = await engines.legal(GAME, {}, view, seen=True)
        for _ in range(2):  # the second search is the bad one, and is put to a new process as its first
            assert (await engines.go(lease, GAME, {}, view, "nodes 50", seconds=0.2)).step in legal
        assert [state for state, _ in told] == ["restarting", "ok"]
        assert all("\n" not in text for _, text in told)
        assert len(engines.bots.pids()) == 1

    run(test, bad(kind, 2))


@pytest.mark.parametrize("kind", ["crlf", "noisy", "fork", "doubled", "ignores-quit"])
def test_what_is_odd_and_no_fault_is_borne(kind: str) -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        for _ in range(2):
            assert (await engines.go(lease, GAME, {}, view, "nodes 50")).step
        assert told == []

    run(test, bad(kind), patience=5)


def test_a_bot_that_is_always_bad_gets_three_restarts_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        downs = []
        for _ in range(4):
            with pytest.raises(EngineDown) as caught:
                await engines.go(lease, GAME, {}, view, "nodes 50")
            downs.append(caught.value.seconds)
        assert len(engines.bots._faults) == 1 + module.RESTARTS
        assert told[-1][0] == "down"
        assert 1 < downs[-1] <= module.MINUTE
        assert engines.bots.pids() == []
        # and when the minute is over, it is tried again
        monkeypatch.setattr(module, "MINUTE", 0.0)
        engines.bots._engines[0]._command = module.COMMAND
        assert (await engines.go(lease, GAME, {}, view, "nodes 50")).step
        assert told[-1][0] == "ok"

    run(test, bad("crasher"))


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_bot_may_take_memory_but_not_all_of_it(share: float, tmp_path: Path) -> None:
    program = tmp_path / "hoarder.py"
    program.write_text(f"""
import runpy, select
select.select([0], [], [])
hoard = bytearray({int(share * module.MEMORY)})
runpy.run_module("skyclaim_engine", run_name="__main__")
""")

    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        if share < 1:
            assert (await engines.go(lease, GAME, {}, view, "nodes 50")).step
        else:
            with pytest.raises(EngineDown):
                await engines.go(lease, GAME, {}, view, "nodes 50")

    run(test, [sys.executable, str(program)])


def test_a_program_that_is_no_engine() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        with pytest.raises(EngineDown, match="no such program"):
            await engines.go(engines.lease(lambda *words: told.append(words)), GAME, {}, view)
        assert told[-1][0] == "down"

    run(test, ["/nowhere/engine"])


def test_a_search_that_is_cancelled_ends_at_once() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        await engines.go(lease, GAME, {}, view, "nodes 50")
        (pid,) = engines.bots.pids()
        search = asyncio.create_task(engines.go(lease, GAME, {}, view, "infinite", seconds=60))
        await asyncio.sleep(0.1)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert not os.path.exists(f"/proc/{pid}")
        assert (await engines.go(lease, GAME, {}, view, "nodes 50")).step
        assert told == []  # it was no fault of the engine

    run(test)


def test_who_is_cancelled_while_waiting_leaves_the_others_alone() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        first, second, third = (
            asyncio.create_task(engines.go(lease, GAME, {}, view, "movetime 200")) for _ in range(3)
        )
        await asyncio.sleep(0.05)
        second.cancel()
        assert (await first).step
        assert (await third).step
        with pytest.raises(asyncio.CancelledError):
            await second
        assert told == []

    run(test)


def test_many_at_once_share_few_processes() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        leases = [engines.lease(lambda *words: told.append(words), seed) for seed in range(1, 13)]
        together = await asyncio.gather(*(engines.go(lease, GAME, {}, view, "nodes 100", 50) for lease in leases))
        assert len(engines.bots.pids()) == 2
        alone = [await engines.go(lease, GAME, {}, view, "nodes 100", 50) for lease in leases]
        assert [answer.step for answer in together] == [answer.step for answer in alone]

    run(test, size=2)


def test_idle_processes_are_ended() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        await engines.go(lease, GAME, {}, view, "nodes 50")
        await engines.end_idle()
        assert len(engines.bots.pids()) == 1
        await engines.bots.end_idle(0)
        assert engines.bots.pids() == []
        assert (await engines.go(lease, GAME, {}, view, "nodes 50")).step
        assert told == []

    run(test)


def test_the_end_comes_at_once_whatever_they_do() -> None:
    async def test(engines: Engines, told: list[tuple[str, str]]) -> None:
        view = await view_of(engines)
        lease = engines.lease(lambda *words: told.append(words))
        search = asyncio.create_task(engines.go(lease, GAME, {}, view, "infinite", seconds=60))
        await asyncio.sleep(0.5)
        await engines.close()
        with pytest.raises(EngineDown):
            await search

    run(test)
