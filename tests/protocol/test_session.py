"""The state machine, with toy games: it is generic, whole or not at all, and never left without an answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest

from skyclaim_engine.errors import LimitError, SkyclaimError
from skyclaim_engine.options import Option
from skyclaim_engine.protocol import grammar
from skyclaim_engine.protocol.session import Session, all_options
from skyclaim_engine.search import ENGINE_OPTIONS, Limits

from . import toy
from .host import CODES, GUARD, Host

START = "position startpos seed 1"


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def game(host: Host) -> Host:
    """A host with a position."""
    assert host.send(START) == []
    return host


def refused(host: Host, line: bytes | str, code: str, *words: str) -> None:
    """``line`` brings one error line of ``code`` with ``words`` in it, and changes nothing."""
    before = host.state()
    [answer] = host.send(line)
    assert answer.startswith(f"error {code} ")
    assert code in CODES
    for word in words:
        assert word in answer
    assert host.state() == before
    assert not host.logged


# --- the handshake and the options ---------------------------------------------------------------------------------


def test_uci_declares_everything(host: Host) -> None:
    lines = host.send("uci")
    assert lines[0].startswith("id name ")
    assert lines[1].startswith("id author ")
    assert lines[-1] == "uciok"
    declared = lines[2:-1]
    assert declared[0] == "option name UCI_Variant type combo default dice var dice var bids"
    rules = [option for game in toy.GAMES.values() for option in game.options]
    expected = [option.describe() for option in (*ENGINE_OPTIONS, *rules)]
    assert declared[1:] == list(dict.fromkeys(expected))


def test_games_may_share_an_option_only_if_they_declare_it_alike() -> None:
    class Odd(toy.BidsGame):
        options = (Option("goal", "spin", 21, 2, 900),)

    with pytest.raises(ValueError, match="goal"):
        all_options({**toy.GAMES, "odd": Odd()})


def test_isready(host: Host) -> None:
    assert host.send("isready") == ["readyok"]


@pytest.mark.parametrize("line", ["", " ", "\t", "\r\n", " \t \r", b"", b"\n"])
def test_empty_lines_are_nothing(host: Host, line: bytes | str) -> None:
    assert host.send(line) == []


@pytest.mark.parametrize(
    "line",
    ["isready\r", "isready\r\n", "\tisready\t", "  isready  now", "joho isready", b"\xff isready", "\x00 isready"],
)
def test_white_space_line_ends_and_words_before_a_command(host: Host, line: bytes | str) -> None:
    assert host.send(line) == ["readyok"]


def test_tabs_between_words(host: Host) -> None:
    assert host.send("position\tstartpos \t seed\t1") == []
    assert host.send("\tlegal\t") == ["legal pass roll:1 roll:2 roll:3"]


def test_an_unknown_command(host: Host) -> None:
    refused(host, "joho haha", "unknown-command", "'joho'")
    refused(host, "UCI", "unknown-command", "'UCI'")
    refused(host, "jo\tho\x07\r\n", "unknown-command", "'jo'")
    refused(host, b"\xff\xfe\x00", "unknown-command", "\\x00")


def test_a_long_line_is_refused(host: Host) -> None:
    line = b"isready" + b" " * (grammar.MAX_LINE - 7)
    assert host.send(line) == ["readyok"]
    assert host.send(line + b"\r") == ["readyok"]
    refused(host, line + b" ", "too-long", "isready")
    refused(host, line + b"\r\r", "too-long")
    refused(host, "ü" * (grammar.MAX_LINE // 2 + 1), "too-long")


def test_options_are_matched_without_case(host: Host) -> None:
    assert host.send("setoption name goal value 7") == []
    assert host.send("setoption name UCI_VARIANT value BIDS") == []
    assert host.send("setoption name move  overhead value 50") == []
    assert host.session.values["Goal"] == 7
    assert host.session.values["UCI_Variant"] == "bids"
    assert host.bot.settings.move_overhead == 50


def test_an_unknown_option(host: Host) -> None:
    refused(host, "setoption name Gaol value 7", "bad-option", "'Gaol'")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Goal", "1"),
        ("Goal", "901"),
        ("Goal", "x"),
        ("Goal", ""),
        ("Goal", "1" + "0" * 5000),
        ("Players", "5"),
        ("Sealed", "yes"),
        ("UCI_Variant", "chess"),
        ("Skill", "101"),
    ],
)
def test_a_value_out_of_range(host: Host, name: str, value: str) -> None:
    refused(host, f"setoption name {name} value {value}", "bad-option", name, f"'{value[:20]}")


def test_an_option_without_a_value(host: Host) -> None:
    refused(host, "setoption name Goal", "bad-option", "Goal", "missing")


def test_a_rule_option_applies_from_the_next_position(game: Host) -> None:
    game.send("setoption name Players value 3")
    assert game.session.position is not None
    assert game.session.position.line().startswith("0,0 ")
    game.send(START)
    assert game.session.position.line().startswith("0,0,0 ")


def test_the_variant_applies_from_the_next_position(game: Host) -> None:
    game.send("setoption name UCI_Variant value bids")
    assert game.send("legal") == ["legal pass roll:1 roll:2 roll:3"]
    assert game.bot.games == 0
    game.send(START)
    assert game.send("legal 1") == ["legal bid:1/0 bid:2/0 wait:1/0"]
    assert game.bot.games == 1  # what was learnt in another game is forgotten


def test_ucinewgame_reaches_the_bot_and_leaves_the_position(game: Host) -> None:
    before = game.state()
    assert game.send("ucinewgame") == []
    assert game.bot.games == 1
    assert game.state() == before


# --- positions -----------------------------------------------------------------------------------------------------


def fen(host: Host) -> str:
    return host.send("d")[-1]


def test_startpos_with_a_seed(game: Host) -> None:
    assert fen(game) == "fen 0,0 1 0000000000000001"


def test_startpos_without_a_seed_is_new_each_time(host: Host) -> None:
    seen = set()
    for _ in range(3):
        host.send("position startpos")
        seen.add(fen(host))
    assert len(seen) == 3


def test_startpos_follows_the_option_seed(host: Host) -> None:
    host.send("setoption name Seed value 7")
    host.send("position startpos")
    assert fen(host) == "fen 0,0 1 0000000000000007"
    host.send("position startpos seed 9")
    assert fen(host) == "fen 0,0 1 0000000000000009"


def test_moves_are_played_with_the_stream_of_the_position(game: Host) -> None:
    said = [game.send(f"apply {step}") for step in ("roll:1", "roll:2", "pass")]
    line = said[-1][-1]
    for start in (START, "position fen 0,0 1 0000000000000001"):
        assert game.send(f"{start} moves roll:1 roll:2 pass") == []
        assert fen(game) == line


def test_moves_of_a_game_with_blanks_in_its_steps(host: Host) -> None:
    host.send("setoption name UCI_Variant value bids")
    assert host.send(f"{START} moves 1:bid:1 bid:2 | 2:- 1:- | 2:wait:1") == []
    assert fen(host) == "fen 2,0 3 0000000000000001"


def test_a_wrong_fen_names_every_reason(game: Host) -> None:
    refused(game, "position fen 0;0 zero 12 moves pass", "bad-position", "'0;0'", "'zero'", "'12'")
    refused(game, "position fen", "bad-position", "fields")
    refused(game, "position fen \x07" + "y" * 60_000 + " 1 -", "bad-position", "\\x07yyy")


def test_a_wrong_step(game: Host) -> None:
    refused(game, f"{START} moves roll:1 roll:9 roll:1", "illegal-step", "'roll:9'")
    refused(game, "apply roll:9", "illegal-step", "'roll:9'")
    refused(game, "apply roll:1 roll:1", "illegal-step", "'roll:1 roll:1'")
    refused(game, "apply", "bad-argument", "STEP")
    refused(game, "explain roll:9", "illegal-step", "'roll:9'")
    refused(game, "explain", "bad-argument", "STEP")


def test_observations(game: Host) -> None:
    assert game.send("observe 2") == ["obs 0,0 1 -"]
    assert game.send("position obs 0,0 1 -") == []
    assert game.send("legal") == ["legal pass roll:1 roll:2 roll:3"]
    assert game.finish("go")[-1] == "bestmove roll:3"
    refused(game, "apply roll:1", "bad-position", "stream")
    refused(game, "position obs 0,0 1 - moves roll:1", "bad-position", "'moves'", "stream")
    refused(game, "position fen 0,0 1 - moves roll:1", "bad-position", "'moves'", "stream")
    refused(game, "position obs 0,0 1 0000000000000001", "bad-position", "RNG")
    refused(game, "go perft 1", "bad-position", "'perft'", "stream")


@pytest.mark.parametrize(
    "line", ["go", "go perft 1", "d", "legal", "orders 1", "apply pass", "observe 1", "eval", "explain pass"]
)
def test_without_a_position(host: Host, line: str) -> None:
    refused(host, line, "no-position")


# --- the referee ---------------------------------------------------------------------------------------------------


def test_d_draws_and_ends_with_the_position(game: Host) -> None:
    game.send("position fen 3,1 1 -")
    assert game.send("d") == ["1: ***", "2: *", "fen 3,1 1 -"]


def test_legal_of_a_seat(game: Host) -> None:
    assert game.send("legal 1") == game.send("legal") == ["legal pass roll:1 roll:2 roll:3"]
    assert game.send("legal 2") == ["legal"]
    refused(game, "legal 5", "bad-argument", "'5'")
    refused(game, "legal 1 2", "bad-argument", "'2'")
    refused(game, "observe", "bad-argument", "SEAT")
    refused(game, "observe x", "bad-argument", "'x'")


def test_orders(game: Host) -> None:
    refused(game, "orders 1", "bad-argument", "dice")
    game.send("setoption name UCI_Variant value bids")
    game.send(START)
    assert game.send("orders 1") == ["orders 7"]
    refused(game, "orders", "bad-argument", "SEAT")


def test_apply_tells_what_happens(game: Host) -> None:
    *events, last = game.send("apply roll:2")
    [event] = [json.loads(line.removeprefix("event ")) for line in events]
    assert events[0].startswith('event {"type":"roll","seat":1,')
    assert last == f"fen {sum(event['dice'])},0 2 {last.split()[-1]}"
    assert last == fen(game)


def test_a_whole_game(game: Host) -> None:
    while (legal := game.send("legal")[0].split()[1:]) != []:
        said = game.send(f"apply {legal[-1]}")
    assert said[-2].startswith("result ")
    assert said[-1].startswith("awards ")
    assert said[-3].startswith("fen ")
    assert json.loads(said[-4].removeprefix("event "))["type"] == "win"
    assert game.send("legal") == ["legal"]
    assert game.send("go id x") == ["bestmove none id x"]
    assert game.send("go hint") == ["bestmove none"]
    refused(game, "apply roll:1", "illegal-step")
    assert game.finish("go perft 2") == ["Nodes searched: 0"]


def test_eval_and_explain_are_plain_lines(game: Host) -> None:
    assert game.send("eval") == ["eval points +0.000", "eval the goal -1.000"]
    assert game.send("explain roll:1") == ["explain roll:1 brings points"]


def test_help_lists_every_command(host: Host) -> None:
    lines = host.send("help")
    assert [line.split()[0].rstrip(":") for line in lines] == [command.name for command in grammar.COMMANDS]


# --- searches ------------------------------------------------------------------------------------------------------


def test_go_answers_with_one_bestmove(game: Host) -> None:
    lines = game.finish("go nodes 5")
    assert lines[0] == "info string I begin"
    assert lines[1].startswith("info depth 1 ")
    assert lines[2:] == ["bestmove roll:3"]


def test_an_id_is_on_every_line(game: Host) -> None:
    lines = game.finish("go id a7 nodes 5")
    assert len(lines) == 3
    assert all(line.endswith(" id a7") for line in lines)
    assert game.finish("go hint id b")[-1] == "bestmove roll:1 id b"


def test_limits_reach_the_bot(game: Host) -> None:
    game.finish("go wtime 1000 btime 2000 winc 3 binc 4 movestogo 5 depth 6 searchmoves roll:1 pass roll:1 id x")
    line, limits = game.bot.asked[-1]
    assert line == "0,0 1 0000000000000001"
    expected = Limits(clocks=(1000, 2000), incs=(3, 4), movestogo=5, depth=6, searchmoves=("roll:1", "pass"))
    assert limits == expected


def test_clocks_for_any_number_of_seats(game: Host) -> None:
    refused(game, "go clocks 1", "bad-argument", "'clocks'")
    refused(game, "go clocks 1,2,3,4,5", "bad-argument", "'clocks'")
    game.send("setoption name Players value 4")
    game.send(f"{START} moves pass pass")
    refused(game, "go wtime 1 btime 2", "bad-argument", "'clocks'")  # seat 3 decides
    game.finish("go clocks 1,2,3,4 incs 5,6,7,8")
    assert game.bot.asked[-1][1].clocks == (1, 2, 3, 4)


def test_searchmoves_must_be_legal(game: Host) -> None:
    refused(game, "go searchmoves pass roll:9", "illegal-step", "'roll:9'")


def test_searchmoves_with_blanks(host: Host) -> None:
    host.send("setoption name UCI_Variant value bids")
    host.send(START)
    assert host.finish("go searchmoves - | bid:1 wait:1 id x")[-1] == "bestmove bid:1 wait:1 id x"


def test_no_hint_is_none(host: Host) -> None:
    host.send("setoption name UCI_Variant value bids")
    host.send(START)
    assert host.finish("go hint")[-1] == "bestmove none"


def test_stop_before_go(game: Host) -> None:
    assert game.send("stop") == []


def test_stop_ends_the_search_and_its_answer_comes_first(game: Host) -> None:
    game.ponder()
    said = [*game.send("stop"), *game.send("isready")]
    assert said[-2:] == ["bestmove roll:3", "readyok"]
    assert game.send("stop") == []


def test_an_infinite_search_keeps_its_answer_until_it_is_stopped(game: Host) -> None:
    game.bot.hasty = True
    game.ponder()
    assert not game.session.wait(0.01)
    assert game.send("stop")[-1] == "bestmove roll:3"


def test_go_twice(game: Host) -> None:
    game.ponder("id a")
    refused(game, "go id b", "busy")
    assert game.send("stop")[-1] == "bestmove roll:3 id a"
    assert game.finish("go id b")[-1] == "bestmove roll:3 id b"


def test_go_again_as_soon_as_the_answer_is_heard(game: Host) -> None:
    for number in range(200):
        game.send(f"go id {number}")
        game.until(f"bestmove roll:3 id {number}")
    assert not [line for line in game.said if line.startswith("error")]


def test_isready_during_a_search(game: Host) -> None:
    game.ponder()
    assert game.send("isready") == ["readyok"]
    assert game.send("stop")[-1].startswith("bestmove")


@pytest.mark.parametrize(
    "line",
    [
        "position fen 1,1 1 -",
        "position obs 1,1 1 -",
        "setoption name Goal value 7",
        "setoption name Skill value 50",
        "ucinewgame",
        "apply pass",
    ],
)
def test_what_changes_something_first_ends_the_search(game: Host, line: str) -> None:
    game.ponder("id x")
    before = game.state()
    said = game.send(line)
    assert said[1] == "bestmove roll:3 id x"  # after its last info line
    assert line.startswith("apply") or len(said) == 2
    assert line == "ucinewgame" or game.state() != before


@pytest.mark.parametrize(
    "line",
    [
        "position fen 1,1 x -",
        "position startpos seed 1 moves roll:9",
        "setoption name Goal value 1",
        "apply roll:9",
        "joho",
        "go depth x",
    ],
)
def test_a_wrong_line_does_not_end_the_search(game: Host, line: str) -> None:
    game.ponder()
    [answer] = game.send(line)
    assert answer.startswith("error ")
    assert game.send("isready") == ["readyok"]
    assert game.send("stop")[-1] == "bestmove roll:3"


@pytest.mark.parametrize("line", ["d", "legal", "observe 1", "eval", "explain pass", "help", "uci"])
def test_questions_are_answered_during_a_search(game: Host, line: str) -> None:
    quiet = game.send(line)
    game.ponder()
    assert game.send(line) == quiet
    assert game.send("stop")[-1] == "bestmove roll:3"


def test_the_search_has_a_copy_of_the_position() -> None:
    class Vandal(toy.ToyBot):
        def decide(self, position, limits, stop, report):  # type: ignore[no-untyped-def]
            position.apply("roll:3")
            return "roll:1"

    vandal = Host(bot=Vandal)
    vandal.send(START)
    before = vandal.state()
    assert vandal.finish("go") == ["bestmove roll:1"]
    assert vandal.state() == before


def fail() -> str | None:
    raise ZeroDivisionError("two\nlines")


@pytest.mark.parametrize("fault", [fail, lambda: "roll:9", lambda: None], ids=["raises", "illegal", "none"])
def test_a_failing_search_still_answers(game: Host, fault: Callable[[], str | None]) -> None:
    game.bot.fault = fault
    *_, note, last = game.finish("go id x")
    assert note == "info string the search failed; pass is not its choice but the first legal step id x"
    assert last == "bestmove pass id x"
    assert len(game.logged) == 1
    assert game.finish("go searchmoves roll:2")[-1] == "bestmove roll:2"
    game.bot.fault = None
    assert game.finish("go")[-1] == "bestmove roll:3"


def test_a_failing_search_for_a_hint_still_answers(game: Host) -> None:
    game.bot.fault = fail
    assert game.finish("go hint id x")[-2:] == ["info string the search failed id x", "bestmove none id x"]


def test_a_failing_search_of_a_game_with_order_sets(host: Host) -> None:
    host.send("setoption name UCI_Variant value bids")
    host.send(START)
    host.bot.fault = fail
    assert host.finish("go")[-1] == "bestmove -"


def test_perft(game: Host) -> None:
    assert game.finish("go perft 0") == ["Nodes searched: 1"]
    assert game.finish("go perft 2 id x") == [
        "pass: 4",
        "roll:1: 4",
        "roll:2: 4",
        "roll:3: 4",
        "Nodes searched: 16",
    ]


def test_perft_can_be_stopped() -> None:
    begun = threading.Event()

    def divide(position, depth, *, threads, stop):  # type: ignore[no-untyped-def]
        begun.set()
        while not stop.is_set():
            threading.Event().wait(0.001)
        raise LimitError("stopped")

    host = Host(divide=divide)
    host.send(START)
    assert host.send("go perft 9 id x") == []
    assert begun.wait(GUARD)
    assert host.send("isready") == ["readyok"]
    assert host.send("go") == ["error busy 'go': a search is running; 'stop' ends it"]
    assert host.send("stop") == ["info string the count was stopped id x"]


def test_a_perft_that_cannot_be_made_says_why() -> None:
    def divide(*args: object, **options: object) -> dict[str, int]:
        raise LimitError("not for this game")

    host = Host(divide=divide)
    host.send(START)
    assert host.finish("go perft 1") == ["error limit not for this game"]
    assert not host.logged


def test_a_failing_perft_still_answers() -> None:
    def divide(*args: object, **options: object) -> dict[str, int]:
        raise ZeroDivisionError("no\nway")

    host = Host(divide=divide)
    host.send(START)
    assert host.finish("go perft 1") == [
        "error limit 'perft': the engine failed: ZeroDivisionError('no\\nway')",
    ]
    assert len(host.logged) == 1
    assert host.send("isready") == ["readyok"]


def test_quit_ends_the_search_and_the_session(game: Host) -> None:
    game.ponder()
    assert game.session.handle("quit") is False
    assert game.said[-1] == "bestmove roll:3"
    assert game.session.handle("isready") is False
    assert game.said[-1] == "bestmove roll:3"
    assert game.session.close()


def test_a_search_that_does_not_obey_is_reported(game: Host) -> None:
    release = threading.Event()
    game.bot.fault = lambda: release.wait(GUARD) and "pass"
    game.ponder()
    assert game.session.close(0.01) is False
    release.set()
    assert game.session.close(GUARD) is True


def test_searches_share_a_thread_that_goes_with_the_session(game: Host) -> None:
    before = set(threading.enumerate())
    game.finish("go")
    game.finish("go perft 2")
    [thread] = set(threading.enumerate()) - before
    assert game.session.close()
    thread.join(GUARD)
    assert not thread.is_alive()


def test_an_answer_that_cannot_be_sent_is_lost_and_the_next_one_is_not() -> None:
    said: list[str] = []

    def send(*lines: str) -> None:
        if any(line.endswith("id lost") for line in lines):
            raise OSError("gone")
        said.extend(lines)

    logged: list[str] = []
    session = Session(send, games=toy.GAMES, bot=toy.ToyBot, divide=toy.divide, log=logged.append)
    session.handle(START)
    session.handle("go id lost")
    assert session.wait(GUARD)
    assert "OSError: gone" in logged[-1]
    session.handle("go id next")
    assert session.wait(GUARD)
    assert said[-1] == "bestmove roll:3 id next"


def test_a_fault_of_the_engine_is_an_error_line(game: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object) -> list[tuple[str, float]]:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(toy.Dice, "evaluate", broken)
    before = game.state()
    assert game.send("eval") == ["error limit the engine failed at this line: ZeroDivisionError('two\\nlines')"]
    assert "Traceback" in game.logged[0]
    assert game.state() == before


def test_settings_that_cannot_be_had_change_nothing() -> None:
    class Small(toy.ToyBot):
        @property
        def settings(self):  # type: ignore[no-untyped-def]
            return self._settings

        @settings.setter
        def settings(self, value):  # type: ignore[no-untyped-def]
            if value.threads > 1:
                raise MemoryError
            self._settings = value

    host = Host(bot=Small)
    before = host.state()
    [answer] = host.send("setoption name Threads value 2")
    assert answer.startswith("error limit ")
    assert host.state() == before


def test_an_error_line_has_a_bound() -> None:
    class Talker(toy.DiceGame):
        def parse(self, *args: object, **options: object):  # type: ignore[no-untyped-def]
            raise SkyclaimError("ü" * 10**6)

    host = Host(games={"talker": Talker()}, bot=toy.ToyBot, divide=toy.divide)
    [answer] = host.send("position fen x")
    assert len(answer.encode()) < grammar.MAX_LINE
