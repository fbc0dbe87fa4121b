"""Mutated protocol lines: each ends in an answer, in nothing or in one error line, and an error changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skyclaim_engine.games import GAMES
from tests.protocol.host import CODES, Host

from .mutate import Mutator, count
from .protocol_lines import run

SEED = 20_260_101
#: good lines that any game understands
COMMON = b"""
uci
isready
ucinewgame
setoption name Skill value 50
setoption name Move Overhead value 10
setoption name Seed value 7
setoption name Threads value 1
position startpos
position startpos seed 12345
go nodes 20 id a1
go depth 1
go infinite id x
go wtime 100 btime 100 winc 1 binc 1 movestogo 3
go clocks 100,100 incs 1,1
go movetime 1
go perft 1
go perft 2 id y
go hint
stop
d
legal
eval
help
observe 1
orders 1
quit
""".split(b"\n")
TOY = b"""
setoption name UCI_Variant value bids
setoption name UCI_Variant value dice
setoption name Goal value 30
setoption name Players value 3
setoption name Sealed value false
position fen 3,4 5 0000000000000007
position fen 3,4 5 0000000000000007 moves roll:1 pass roll:3
position fen 0,0 1 00000000000000ff moves 1:bid:1 bid:2 | 2:- 1:- | 2:wait:1
position obs 3,4,5 2 -
position startpos seed 9 moves roll:2 roll:2
go nodes 5 searchmoves roll:1 pass id z
go searchmoves bid:1 bid:2 | -
legal 2
apply roll:1
apply 1:bid:1 | 2:-
explain roll:2
""".split(b"\n")

SKYCLAIM = b"""
setoption name UCI_Variant value skyclaim
setoption name Fog value seam
setoption name Fog value dark
setoption name Fog value off
setoption name Salvage value true
setoption name LandToWin value 60
setoption name ClaimRadius value 0
setoption name TurnLimit value 50
setoption name AsteroidsSouth value 20
position startpos seed 1 moves claim:e1 swap:b7b8
position fen 21431123344/434#3354155/#21531551#2/2354541#244/54334#551#4/14342123115/#25214155#3/45#5211521#/\
23##3454542/12134153323/33414545113 Se1=4!1,Mf1,Xg1,Gf3*2,gf9*2,xe11,mf11,sg11=2!1 \
4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4 S 0 - - 1 c83888ad2a34a5ee
position fen 21431123344/434#3354155/#21531551#2/2354541#244/54334#551#4/14342123115/#25214155#3/45#5211521#/\
23##3454542/12134153323/33414545113 Se1=4!1,Mf1,Xg1,Gf3*2,gf9*2,xe11,mf11,sg11=2!1 \
4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4 S 0 - - 1 c83888ad2a34a5ee moves fire:e1b1 swap:e4e5
position obs 21431123344/434#3354155/#21531551#2/2354541#244/54334#551#4/14342123115/#25214155#3/45#5211521#/\
23##3454542/12134153323/33414545113 Se1=4!1,Mf1,Xg1,Gf3*2,gf9*2,xe11,mf11,sg11=2!1 \
4NNN4/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4 S 0 - - 1 -
go nodes 50 searchmoves swap:b7b8 claim:e1 id z
go perft 1
legal N
observe S
apply claim:e1
apply swap:b7b8
apply fire:e1b1
explain swap:b7b8
explain fire:e1b1
""".replace(b"\\\n", b"").split(b"\n")
#: the rule options of Skyclaim, so that a session may begin in the fog as well
FOG = ["setoption name Fog value seam", "setoption name Salvage value true"]


def test_the_mutator_is_the_same_for_the_same_seed() -> None:
    assert list(Mutator(1, COMMON).lines(300)) == list(Mutator(1, COMMON).lines(300))


def reaches_everything(seen: dict[str, int]) -> bool:
    # whether a count is over before the next line stops it is a matter of time
    return bool({
        "nothing",
        "readyok",
        "uciok",
        "bestmove",
        "legal",
        "fen",
        "obs",
        "explain",
        "eval",
    } <= seen.keys() and {"Nodes", "info"} & seen.keys() and (CODES - {"no-position", "limit", "busy"} <= seen.keys()))


def fuzz_toys(number: int) -> None:
    seen = run(Mutator(SEED, [*COMMON, *TOY]).lines(number), Host, ["position startpos seed 1"])
    assert number < 10_000 or reaches_everything(seen), seen


def fuzz_skyclaim(number: int, seed: int = SEED, options: Sequence[str] = ()) -> None:
    # A mutated `perft 1` is a `perft 11` soon, which only its `stop` ends; that is part of the test.
    mutator = Mutator(seed, [*COMMON, *SKYCLAIM])
    seen = run(mutator.lines(number), lambda: Host(GAMES), [*options, "position startpos seed 1"])
    assert number < 10_000 or reaches_everything(seen), seen


def test_toy_games() -> None:
    fuzz_toys(count(10_000))


@pytest.mark.parametrize("options", [[], FOG], ids=["plain", "fog"])
def test_skyclaim(options: list[str]) -> None:
    fuzz_skyclaim(count(10_000) // 2, options=options)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_toy_games_at_length() -> None:
    fuzz_toys(count(1_000_000))


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("options", [[], FOG], ids=["plain", "fog"])
def test_skyclaim_at_length(options: list[str]) -> None:
    fuzz_skyclaim(count(1_000_000) // 2, SEED + 1, options)
