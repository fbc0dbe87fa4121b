"""Checks of `go`: its limits, its id, and what may be said to an engine that searches."""

from __future__ import annotations

from .examiner import SEED, Examiner, Fail, Skip, illegal, single, walk

#: seconds for which a search that must go on is listened to
QUIET = 0.2
#: steps that are played after `moves`
MOVES = 5


def answer(engine: Examiner) -> None:
    """`go` is answered by `info` lines and a `bestmove` with a legal step."""
    position = engine.place()
    for nodes in (1, 20, 100):
        search = engine.play(position, f"nodes {nodes}")
        if strange := [line for line in search.before if not line.startswith("info ")]:
            raise Fail(search.sent, "lines 'info …' and 'bestmove …' only", strange)


def one_answer(engine: Examiner) -> None:
    """A search is answered by exactly one `bestmove`."""
    engine.place()
    for limits in ("nodes 20", "depth 1", "movetime 50"):
        search = engine.search(limits)
        if search.after:
            raise Fail(search.sent, "one bestmove and nothing after it", [search.last, *search.after])


def limits(engine: Examiner) -> None:
    """Every kind of limit is understood."""
    position = engine.place()
    clocks = ",".join(["9000"] * max(2, position.seat))
    for words in (
        "movetime 50",
        "nodes 20",
        "depth 1",
        "wtime 2000 btime 2000",
        "wtime 2000 btime 2000 winc 10 binc 10",
        "wtime 2000 btime 2000 winc 0 binc 0 movestogo 40",
        "wtime 0 btime 0",
        f"clocks {clocks}",
        f"clocks {clocks} incs {clocks} movestogo 200",
        "nodes 20 depth 2 movetime 100",
        "",
    ):
        engine.play(position, words)


def limit_errors(engine: Examiner) -> None:
    """Wrong words of `go` are answered by one error, and no search begins."""
    engine.place()
    for words in ("joho", "nodes", "nodes x", "nodes -5", "depth x", "movetime x", "clocks x", "searchmoves nonsense"):
        engine.refuse(f"go {words}")
    engine.quiet("stop")


def in_time(engine: Examiner) -> None:
    """An answer comes within `movetime`, and before a clock is empty."""
    engine.place()
    for words, limit in (("movetime 200", 0.2), ("wtime 400 btime 400", 0.4), ("clocks 400,400 incs 0,0", 0.4)):
        engine.in_time(f"go {words}", limit, lambda words=words: engine.search(words).seconds)  # type: ignore[misc]


def ids(engine: Examiner) -> None:
    """Every `info` and the `bestmove` of `go … id WORD` end with `id WORD`."""
    position = engine.place()
    step = single(position.legal()[0])
    longest = "x" * 64
    for words, tag in (
        ("id a nodes 20", "a"),
        ("nodes 20 id b", "b"),
        (f"id {longest} nodes 20", longest),
        (f"nodes 20 searchmoves {step} id c", "c"),
        (f"id d nodes 20 searchmoves {step}", "d"),
    ):
        text = f"go {words}"
        lines = engine.lines(text, lambda line: line.split()[:1] in (["bestmove"], ["error"]))
        if wrong := [line for line in lines if not line.endswith(f" id {tag}")]:
            raise Fail(text, f"every line of the search to end with 'id {tag}'", wrong)
        engine.say("")


def searchmoves(engine: Examiner) -> None:
    """After `searchmoves` only these steps are considered."""
    position = engine.place()
    listed = [single(step) for step in position.legal()]
    for step in {listed[0], listed[len(listed) // 2], listed[-1]}:
        search = engine.search(f"nodes 20 searchmoves {step}")
        if search.step != step:
            raise Fail(search.sent, f"the step {step}", [search.last])


def moves(engine: Examiner) -> None:
    """The steps after `moves` are played, with the position's own stream of chance."""
    start = engine.first_game().start(6)
    end, steps = start.copy(), list[str]()
    while len(steps) < MOVES and end.deciders:
        steps.append(end.joint({seat: single((end.legal(seat) or ["-"])[-1]) for seat in end.deciders}))
        end.apply(steps[-1])
    before = set(start.legal(end.seat))
    new = [single(step) for step in end.legal() if step not in before]
    if not new:
        raise Skip("the steps tried bring no new ones")
    engine.quiet(f"position fen {start.line()} moves {' '.join(steps)}")
    for step in new[:MOVES]:
        search = engine.search(f"nodes 20 searchmoves {step}")
        if search.step != step:
            raise Fail(search.sent, f"the step {step}", [search.last])


def infinite(engine: Examiner) -> None:
    """`go infinite` is answered after `stop` and not before."""
    position = engine.place()
    engine.begin()
    if early := engine.listen(QUIET):
        raise Fail("go infinite", "no answer before 'stop'", early)
    engine.legal(position, engine.finish())


def stop(engine: Examiner) -> None:
    """`stop` without a search is silent, and a second `stop` brings no second `bestmove`."""
    engine.place()
    engine.quiet("stop")
    engine.begin()
    search = engine.finish("stop\nstop")
    if search.after:
        raise Fail(search.sent, "one bestmove and nothing after it", [search.last, *search.after])


def ready_in_search(engine: Examiner) -> None:
    """`isready` is answered at once during a search, and the search goes on."""
    engine.place()
    engine.begin()
    engine.ready()
    engine.finish()


def busy(engine: Examiner) -> None:
    """`go` during a search is answered by `error busy`, and the search goes on."""
    engine.place()
    tag = engine.begin()
    engine.refuse("go nodes 1 id other", "busy")
    search = engine.finish()
    if not search.last.endswith(f" id {tag}"):
        raise Fail("stop", f"the bestmove of the search with 'id {tag}'", [search.last])


def errors_in_search(engine: Examiner) -> None:
    """What is answered by an error does not end a search."""
    engine.place()
    engine.begin()
    for text in ("joho", "position joho", "setoption name No Such Option value 1"):
        engine.refuse(text)
    if early := engine.listen(QUIET):
        raise Fail("position joho", "the search to go on", early)
    engine.finish()


def changes_in_search(engine: Examiner) -> None:
    """`position`, `setoption` and `ucinewgame` end a search, which answers for the position that it was asked about."""
    old = engine.place()
    new = walk(old.game.start(2), 2, 5)
    option = f"setoption name {SEED} value 3" if SEED.lower() in engine.options else "ucinewgame"
    for text in ("ucinewgame", option, f"position fen {new.line()}"):
        engine.begin()
        engine.legal(old, engine.finish(text))
    engine.play(new)


def hint(engine: Examiner) -> None:
    """`go hint` is answered by a legal step or `bestmove none`."""
    position = engine.place()
    try:
        search = engine.search("hint nodes 20")
    except Fail as error:
        raise Skip("the engine does not give hints") from error
    if search.step != "none":
        engine.legal(position, search)


def counts(engine: Examiner) -> None:
    """`go perft 1` lists every legal step, and their number as its total."""
    position = engine.place()
    number = len(position.legal())
    text = "go perft 1"
    lines = engine.lines(text, lambda line: line.startswith(("Nodes searched:", "error ", "bestmove")))
    if not lines[-1].startswith("Nodes searched:"):  # it says so, or searches as UCI asks for words it does not know
        raise Skip("the engine does not count in this game")
    if len(lines) != number + 1 or lines[-1] != f"Nodes searched: {number}":
        raise Fail(text, f"{number} lines and 'Nodes searched: {number}'", lines[-2:])
    for line in lines[:-1]:
        step, _, count = line.partition(": ")
        if count != "1" or illegal(position, step, position.seat):
            raise Fail(text, "lines 'STEP: 1' with legal steps", [line])
