"""Orders and sets of orders as text: the bijections, and why a text is no legal set (rules 2).

A set is a number (`_core.pxd`) inside and a text outside: its orders sorted as text with blanks between, `-` for none.
Here is the one door from such a text to a number; every fault of the text is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import quote
from ._core import LIMITS, ORDER_KINDS, SEATS, Board, neighbours, structures

MOST_ORDERS = 3
ORDER_BITS = 20
MOST_SQUADS = LIMITS[0]
FORTIFY, MARCH, RECRUIT, ROTATE, SCAN = range(1, 6)

NUMBER = "(0|[1-9][0-9]?)"
#: by kind, what follows the colon
SHAPES = {
    FORTIFY: re.compile(NUMBER, re.ASCII),
    MARCH: re.compile(rf"{NUMBER}>{NUMBER}\*([1-9][0-9]?)", re.ASCII),
    RECRUIT: re.compile(NUMBER, re.ASCII),
    ROTATE: re.compile(rf"{NUMBER}([+-])", re.ASCII),
    SCAN: re.compile(NUMBER, re.ASCII),
}
EXAMPLES = "march:7>1*3, recruit:7, rotate:7+, rotate:7-, fortify:7 or scan:7"

NEIGHBOURS = {seats: neighbours(seats) for seats in SEATS}
STRUCTURES = {seats: structures(seats) for seats in SEATS}


def order_text(order: int, seats: int) -> str:
    """The text of one order."""
    kind, island = order >> 14, order >> 8 & 63
    text = f"{ORDER_KINDS[kind]}:{island}"
    if kind == MARCH:
        return f"{text}>{NEIGHBOURS[seats][island][order >> 5 & 7]}*{order & 31}"
    return text + "-+"[order & 1] if kind == ROTATE else text


def split(number: int) -> list[int]:
    """The orders of a set."""
    orders = []
    while number:
        orders.append(number & (1 << ORDER_BITS) - 1)
        number >>= ORDER_BITS
    return orders


def join(orders: Sequence[int]) -> int:
    """The set of some orders."""
    return sum(order << ORDER_BITS * place for place, order in enumerate(sorted(orders)))


def texts(number: int, seats: int) -> list[str]:
    """The orders of a set as texts, sorted."""
    return sorted(order_text(order, seats) for order in split(number))


def set_text(number: int, seats: int) -> str:
    """The text of a set, `-` for the empty one."""
    return " ".join(texts(number, seats)) or "-"


def set_number(text: str, board: Board, seat: int) -> tuple[int, list[str]]:
    """The number of a legal set of a seat, and all reasons why the text is none (then the number means nothing)."""
    words = text.split()
    if words == ["-"]:
        return 0, []
    if not words:
        return 0, ["the orders are missing; - stands for none"]
    reasons: list[str] = []
    read = []
    for word in words:
        order = read_order(word, board.seats)
        if isinstance(order, str):
            reasons.append(f"{quote(word)}: {order}")
            continue
        reasons += (f"{quote(word)}: {why}" for why in _why_not(order, board, seat))
        read.append(order)
    reasons += _why_not_together(words, read, board, seat)
    return (0, reasons) if reasons else (join(read), [])


def read_order(word: str, seats: int) -> int | str:
    """The number of an order's text, whether legal or not, or why it is no order on such a map."""
    kind_word, _, rest = word.partition(":")
    kind = ORDER_KINDS.index(kind_word) if kind_word in ORDER_KINDS[1:] else 0
    found = SHAPES[kind].fullmatch(rest) if kind else None
    if not found:
        return f"is no order: {EXAMPLES}"
    island = int(found[1])
    if not is_island(island, seats):
        return f"there is no island {island}"
    order = kind << 14 | island << 8
    if kind == MARCH:
        to, squads = int(found[2]), int(found[3])
        if not is_island(to, seats):
            return f"there is no island {to}"
        if to not in NEIGHBOURS[seats][island]:
            return f"islands {island} and {to} are not neighbours"
        if squads > MOST_SQUADS:
            return f"nobody has {squads} squads"
        return order | NEIGHBOURS[seats][island].index(to) << 5 | squads
    return order | (found[2] == "+") if kind == ROTATE else order


def is_island(number: int, seats: int) -> bool:
    return number < len(STRUCTURES[seats]) and bool(STRUCTURES[seats][number])


def _why_not(order: int, board: Board, seat: int) -> Iterator[str]:
    """What forbids an order by itself."""
    kind, island = order >> 14, order >> 8 & 63
    structure, owns = STRUCTURES[board.seats][island], board.owners[island] == seat
    squads = (board.squads[island] or 0) if owns else 0
    here = f"no squads of seat {seat} stand on island {island}"
    if kind in (RECRUIT, FORTIFY):
        if not owns:
            yield f"seat {seat} does not own island {island}"
        elif island not in board.supplied(seat):
            yield f"island {island} is not supplied"
    if kind == MARCH and 0 < squads < (order & 31):
        yield f"only {squads} of the squads of seat {seat} stand on island {island}"
    elif kind in (MARCH, FORTIFY, SCAN) and not squads:
        yield here
    elif kind == RECRUIT and structure[0] != "F" and structure != f"H{seat}":
        if structure[0] == "B":
            yield f"island {island} is a beacon"
        if not squads:
            yield here
    if kind == RECRUIT and board.total(seat) >= MOST_SQUADS:
        yield f"seat {seat} has {MOST_SQUADS} squads already"
    if kind == ROTATE and not owns:
        if board.owners[island]:
            yield f"island {island} is seat {board.owners[island]}'s"
        elif not _one_bridge_away(island, board, seat):
            yield f"island {island} is not one open bridge from an island where squads of seat {seat} stand"


def _one_bridge_away(island: int, board: Board, seat: int) -> bool:
    bridges = board.bridges()[island]
    return any(
        bridges >> direction & 1 and board.owners[other] == seat and board.squads[other]
        for direction, other in enumerate(NEIGHBOURS[board.seats][island])
        if other is not None
    )


def _why_not_together(words: Sequence[str], orders: Sequence[int], board: Board, seat: int) -> Iterator[str]:
    """What forbids the orders beside each other."""
    if len(words) > MOST_ORDERS:
        yield f"{len(words)} orders, and {MOST_ORDERS} are the most"
    for word in dict.fromkeys(words):
        if words.count(word) > 1:
            yield f"{quote(word)} is given twice"
    distinct = dict.fromkeys(orders)
    ways: dict[int, int] = {}
    leaving: dict[int, int] = {}
    sites: dict[int, int] = {}
    for order in distinct:
        kind, island = order >> 14, order >> 8 & 63
        if kind == MARCH:
            ways[order >> 5] = ways.get(order >> 5, 0) + 1
            leaving[island] = leaving.get(island, 0) + (order & 31)
        elif kind != SCAN:
            sites[island] = sites.get(island, 0) + 1
    for way, count in ways.items():
        if count > 1:
            island = way >> 3 & 63
            to = NEIGHBOURS[board.seats][island][way & 7]
            yield f"there are {count} marches from island {island} to island {to}, and one is the most"
    for island, squads in leaving.items():
        there = (board.squads[island] or 0) if board.owners[island] == seat else 0
        marches = sum(order >> 8 == (MARCH << 6 | island) for order in distinct)
        if marches > 1 and squads > there:
            yield f"the marches from island {island} take {squads} squads, and {there} of seat {seat} stand there"
    for island, count in sites.items():
        if count > 1:
            yield f"there is more than one recruit, rotate or fortify for island {island}"
    if sum(order >> 14 == SCAN for order in distinct) > 1:
        yield "there is more than one scan"
    cost, energy = sum(board.cost(seat, order) for order in distinct), board.energy[seat - 1]
    if energy is not None and cost > energy:
        yield f"the orders cost {cost}, and the energy of seat {seat} is {energy}"
