"""Islands' position notation (rules 7): the one door from a line to a checked Board, and the way back.

A line goes through two stages. Each field is read by itself into a `Setup`; then the fields are held against each
other. Every fault of both stages is reported at once, each as a ParseError that names its field and quotes the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...errors import ParseError, RulesError
from ._core import LIMITS, ROUNDS, SEATS, Board
from .orders import STRUCTURES, is_island

FIELDS = ("SEATS", "ROUND", "ISLANDS", "ENERGY", "INFLUENCE", "SCANS", "RNG")
MOST_SQUADS, MOST_ENERGY, MOST_INFLUENCE = LIMITS
OPEN_SKY = "-"
HIDDEN = "?"

NUMBER = re.compile(r"0|[1-9][0-9]?", re.ASCII)
PORTS = re.compile(r"[0-5]{3}", re.ASCII)
INFLUENCE = re.compile(r"(0|[1-9][0-9]{0,3})(\.5)?", re.ASCII)
SCAN = re.compile(r"([1-9])@(0|[1-9][0-9]?)", re.ASCII)
STREAM = re.compile(r"[0-9a-f]{16}", re.ASCII)


@dataclass
class Setup:
    """A line's fields as read, not yet held against each other. None stands for a number that is hidden."""

    seats: int = 0
    round: int = 1
    #: by island: structure, owner, hub, squads
    islands: list[tuple[str, int, int, int | None]] = field(default_factory=list)
    energy: list[int | None] = field(default_factory=list)
    influence: list[int] = field(default_factory=list)
    scans: dict[int, int] = field(default_factory=dict)
    stream: int | None = None


def parse(line: str, observation: bool = False) -> tuple[Board, int | None]:
    """The Board of a line and its stream (None for `-`).

    With ``observation`` the line is what the seat sees whose energy it tells. Raises RulesError with every reason.
    """
    words = line.split()
    if len(words) != len(FIELDS):
        raise RulesError([ParseError("line", line, f"has {len(words)} fields, not the 7 of {' '.join(FIELDS)}")])
    setup, faults = Setup(), list[ParseError]()
    for name, text in zip(FIELDS, words, strict=True):
        for fault in READERS[name](setup, text):
            faults.append(fault if isinstance(fault, ParseError) else ParseError(name, text, fault))
    # fields that could not be read would only give rise to false reasons
    if not faults:
        faults = list(contradictions(setup, words, observation))
    if faults:
        raise RulesError(faults)
    seat = next(i for i, energy in enumerate(setup.energy, 1) if energy is not None) if observation else 0
    board = Board(
        setup.seats,
        setup.round,
        [hub for _, _, hub, _ in setup.islands],
        [owner for _, owner, _, _ in setup.islands],
        [squads for _, _, _, squads in setup.islands],
        setup.energy,
        setup.influence,
        [setup.scans.get(i) for i in range(1, setup.seats + 1)],
        seat,
    )
    if observation and (faults := list(unseen(board, words[2].split(",")))):
        raise RulesError(faults)
    return board, None if observation else setup.stream


# -- reading one field each: a reader fills its part of the Setup and yields what is wrong with the text

Faults = Iterable["str | ParseError"]


def read_seats(setup: Setup, text: str) -> Faults:
    if text not in map(str, SEATS):
        yield f"is none of {', '.join(map(str, SEATS))}"
    else:
        setup.seats = int(text)


def read_round(setup: Setup, text: str) -> Faults:
    if not NUMBER.fullmatch(text) or not 1 <= int(text) <= ROUNDS + 1:
        yield f"is not a number 1..{ROUNDS}, or {ROUNDS + 1} for a game that is over"
    else:
        setup.round = int(text)


def read_islands(setup: Setup, text: str) -> Faults:
    words = text.split(",")
    structures = STRUCTURES.get(setup.seats)
    if structures and len(words) != len(structures):
        yield f"has {len(words)} islands, not {len(structures)}"
    for number, word in enumerate(words):
        known = structures[number] if structures and number < len(structures) else None
        yield from read_island(setup, number, word, known)


def read_island(setup: Setup, number: int, word: str, structure: str | None) -> Faults:
    """One island. ``structure`` is what the map has there, empty for open sky, None where that is not known."""
    if word == OPEN_SKY or structure == "":
        if word != OPEN_SKY:
            yield ParseError("ISLANDS", word, f"there is open sky at the place of island {number}, written -")
        elif structure:
            yield ParseError("ISLANDS", word, f"island {number} is no open sky, but {structure}")
        setup.islands.append(("", 0, 0, 0))
        return
    parts = word.split(".")
    if len(parts) != 4:
        yield ParseError("ISLANDS", word, f"island {number} is not structure.owner.ports.squads")
        return
    name, owner, ports, squads = parts
    if structure is not None and name != structure:
        yield ParseError("ISLANDS", word, f"the structure of island {number} is {structure}")
    seats = setup.seats or max(SEATS)
    if not NUMBER.fullmatch(owner) or int(owner) > seats:
        yield ParseError("ISLANDS", word, f"the owner of island {number} is not a seat 1..{seats}, or 0 for neutral")
    if not PORTS.fullmatch(ports) or not ports[0] < ports[1] < ports[2]:
        yield ParseError("ISLANDS", word, f"the ports of island {number} are not three of 0..5, ascending")
        ports = "012"
    if squads != HIDDEN and (not NUMBER.fullmatch(squads) or int(squads) > MOST_SQUADS):
        yield ParseError("ISLANDS", word, f"the squads of island {number} are not a number 0..{MOST_SQUADS}, or ?")
        squads = "0"
    if owner == "0" and squads not in ("0", HIDDEN):
        yield ParseError("ISLANDS", word, f"island {number} is neutral, and no squads can stand there")
    hub = sum(1 << int(port) for port in ports)
    owner_number = int(owner) if NUMBER.fullmatch(owner) else 0
    setup.islands.append((name, owner_number, hub, None if squads == HIDDEN else int(squads)))


def read_energy(setup: Setup, text: str) -> Faults:
    words = text.split(",")
    yield from one_each(setup, words)
    for seat, word in enumerate(words, 1):
        if word == HIDDEN:
            setup.energy.append(None)
        elif not NUMBER.fullmatch(word) or int(word) > MOST_ENERGY:
            yield ParseError("ENERGY", word, f"the energy of seat {seat} is not a number 0..{MOST_ENERGY}, or ?")
        else:
            setup.energy.append(int(word))


def read_influence(setup: Setup, text: str) -> Faults:
    words = text.split(",")
    yield from one_each(setup, words)
    for seat, word in enumerate(words, 1):
        found = INFLUENCE.fullmatch(word)
        halves = 2 * int(found[1]) + bool(found[2]) if found else 0
        if not found or halves > 2 * MOST_INFLUENCE:
            reason = f"the influence of seat {seat} is not a number 0..{MOST_INFLUENCE}, a half written .5"
            yield ParseError("INFLUENCE", word, reason)
        setup.influence.append(halves)


def one_each(setup: Setup, words: list[str]) -> Faults:
    if setup.seats and len(words) != setup.seats:
        yield f"has {len(words)} numbers, not one for each of {setup.seats} seats"


def read_scans(setup: Setup, text: str) -> Faults:
    if text == "-":
        return
    last = 0
    for word in text.split(","):
        found = SCAN.fullmatch(word)
        seats = setup.seats or max(SEATS)
        if not found:
            yield ParseError("SCANS", word, "is no scan: seat@island")
            continue
        seat, island = int(found[1]), int(found[2])
        if seat > seats:
            yield ParseError("SCANS", word, f"there is no seat {seat}")
        if setup.seats and not is_island(island, setup.seats):
            yield ParseError("SCANS", word, f"there is no island {island}")
        if seat in setup.scans:
            yield ParseError("SCANS", word, f"is the second scan of seat {seat}")
        elif seat < last:
            yield ParseError("SCANS", word, "is not in the order of the seats")
        setup.scans[seat] = island
        last = max(last, seat)


def read_stream(setup: Setup, text: str) -> Faults:
    if text == "-":
        return
    if not STREAM.fullmatch(text):
        yield "is neither 16 hexadecimal digits in lower case nor -"
    else:
        setup.stream = int(text, 16)


READERS: dict[str, Callable[[Setup, str], Faults]] = dict(
    zip(
        FIELDS,
        (read_seats, read_round, read_islands, read_energy, read_influence, read_scans, read_stream),
        strict=True,
    )
)


def contradictions(setup: Setup, words: list[str], observation: bool) -> Iterable[ParseError]:
    """What is wrong between the fields of a line that each can be read."""
    islands = words[2].split(",")
    for seat in range(1, setup.seats + 1):
        total = sum(squads or 0 for _, owner, _, squads in setup.islands if owner == seat)
        if total > MOST_SQUADS:
            yield ParseError("ISLANDS", words[2], f"seat {seat} has {total} squads, and {MOST_SQUADS} are the most")
    if not observation:
        for number, (_, _, _, squads) in enumerate(setup.islands):
            if squads is None:
                reason = f"the squads of island {number} are hidden, which only an observation allows"
                yield ParseError("ISLANDS", islands[number], reason)
        if None in setup.energy:
            yield ParseError("ENERGY", words[3], "is hidden in part, which only an observation allows")
        return
    known = [seat for seat, energy in enumerate(setup.energy, 1) if energy is not None]
    if len(known) != 1:
        yield ParseError("ENERGY", words[3], "an observation tells the energy of the seat that sees, and of no other")
    elif others := [seat for seat in setup.scans if seat != known[0]]:
        word = f"{others[0]}@{setup.scans[others[0]]}"
        yield ParseError("SCANS", word, f"is another's scan, which the observation of seat {known[0]} does not show")
    if setup.stream is not None:
        yield ParseError("RNG", words[6], "an observation has no stream: -")


def unseen(board: Board, islands: list[str]) -> Iterable[ParseError]:
    """Where an observation hides what its seat sees, or shows what it does not."""
    seat, squads, owners = board.seen_by, board.squads, board.owners
    own = [number for number, owner in enumerate(owners) if owner == seat]
    # where its own numbers are missing, what it sees cannot be said
    if missing := [number for number in own if squads[number] is None]:
        for number in missing:
            yield ParseError("ISLANDS", islands[number], f"hides the squads of seat {seat} on its own island {number}")
        return
    seen = board.seen(seat)
    for number, word in enumerate(islands):
        if word == OPEN_SKY:
            continue
        if squads[number] is None and number in seen:
            yield ParseError("ISLANDS", word, f"hides the squads of island {number}, which seat {seat} sees")
        elif squads[number] is not None and number not in seen:
            yield ParseError("ISLANDS", word, f"shows the squads of island {number}, which seat {seat} does not see: ?")


# -- and back


def line(board: Board, stream: int | None) -> str:
    """The canonical line of a Board; `-` for a stream that is not known."""
    structures = STRUCTURES[board.seats]
    facts = zip(structures, board.owners, board.hubs, board.squads, strict=True)
    scans = ",".join(f"{seat}@{island}" for seat, island in enumerate(board.scans, 1) if island is not None)
    return " ".join((
        str(board.seats),
        str(board.round),
        ",".join(island_text(*fact) for fact in facts),
        ",".join(HIDDEN if energy is None else str(energy) for energy in board.energy),
        ",".join(map(influence_text, board.influence)),
        scans or "-",
        "-" if stream is None else f"{stream:016x}",
    ))  # fmt: skip


def island_text(structure: str, owner: int, hub: int, squads: int | None) -> str:
    """One island, `H1.1.024.5`."""
    if not structure:
        return OPEN_SKY
    return f"{structure}.{owner}.{ports_text(hub)}.{HIDDEN if squads is None else squads}"


def ports_text(hub: int) -> str:
    return "".join(str(port) for port in range(6) if hub >> port & 1)


def influence_text(halves: int) -> str:
    """Halves as text, `27.5`."""
    return f"{halves // 2}.5" if halves & 1 else str(halves // 2)
