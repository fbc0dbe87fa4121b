"""Random games of Islands for tests; all randomness comes from numbers handed in."""

from __future__ import annotations

from collections.abc import Iterator

from skyclaim_engine.games.islands.position import GAME, IslandsPosition

SEATS = (2, 3, 6)


def random_step(position: IslandsPosition, stream: int) -> tuple[str, int]:
    """A joint step of random players, and the stream after it."""
    sets = {}
    for seat in position.deciders:
        sets[seat], stream = position.sample(seat, stream)
    return position.joint(sets), stream


def walk(seats: int, seed: int) -> Iterator[tuple[IslandsPosition, str | None]]:
    """Every position of a random game with the joint step that is played from it, None from the last."""
    position, stream = GAME.start(seed, {"Seats": seats}), seed ^ 0x5555
    while position.result is None:
        step, stream = random_step(position, stream)
        yield position.copy(), step
        position.apply(step)
    yield position, None


def scene(fields: dict[int, str], *, seats: int = 2, number: int = 2, energy: str = "", influence: str = "",
          scans: str = "-") -> IslandsPosition:  # fmt: skip
    """A position: the start of seed 1 with some islands written anew as `owner.ports.squads`."""
    words = GAME.start(1, {"Seats": seats}).line().split()
    islands = words[2].split(",")
    for island, text in fields.items():
        islands[island] = f"{islands[island].partition('.')[0]}.{text}"
    twelve, none = ",".join(["12"] * seats), ",".join(["0"] * seats)
    return GAME.parse(
        " ".join((str(seats), str(number), ",".join(islands), energy or twelve, influence or none, scans, "-"))
    )


def force(position: IslandsPosition, island: int) -> tuple[int, int | None]:
    """Owner and squads of an island."""
    return position.board.owners[island], position.board.squads[island]
