"""Games that have ended: the list, the moments of one, its record to take away, and games brought from elsewhere."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from skyclaim_engine.errors import quote
from skyclaim_engine.games import game as find_game
from skyclaim_engine.options import Value, complete
from skyclaim_engine.search.skill import mix

from . import record
from .errors import EngineDown, Refused
from .match import Host, Match
from .readers import reader
from .store import Json, Place, Player
from .terms import SKILL, Terms

#: games whose moments are kept in memory
REMEMBERED = 8
#: steps of a game that is brought in
LONGEST = 5000
#: characters of a name that is brought in
LONGEST_NAME = 40

Message = dict[str, Any]


class Library:
    """The games of the store. All methods raise Refused."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._moments: OrderedDict[int, list[Message]] = OrderedDict()

    async def games(self, player: Player, before: int | None = None) -> list[Message]:
        """The newest games of a player first, those before the number ``before``; at most a page."""
        return [_row(kept) for kept in await self._host.store.games(player.ident, before)]

    async def game(self, player: Player, ident: int) -> Message:
        """A game of the player whole: header, record, own seat (null in a game of others), moments."""
        kept = await self._host.store.game(player.ident, ident)
        moments = await self._replayed(ident, kept["header"], kept["record"])
        return {"header": kept["header"], "record": kept["record"], "seat": kept["seat"], "moments": moments}

    async def export(self, player: Player, ident: int) -> Message:
        """The game as a ledger of the arena, and a name for the file."""
        kept = await self._host.store.game(player.ident, ident)
        text = record.text(kept["header"], kept["record"])
        return {"text": text, "name": f"{kept['header']['game']}-{ident}.jsonl"}

    async def take(self, player: Player, text: str) -> int:
        """Keep the first game of a ledger, if all of it is right; its number."""
        header, game = record.parse(text)
        if len(game["steps"]) > LONGEST:
            raise Refused("bad-record", f"The game has {len(game['steps'])} steps, and {LONGEST} are the most.")
        if long := next((name for name in game["engines"] if len(name) > LONGEST_NAME or not name.isprintable()), None):
            raise Refused("bad-record", f"engines {quote(long)}: that is no name of at most {LONGEST_NAME} characters.")
        moments = await replayed(self._host, header, game)
        places = [Place(None, name) for name in game["engines"]]
        ident, _ = await self._host.store.finish(None, header, game, places, player.ident)
        self._remember(ident, moments)
        return ident

    async def retry(self, player: Player, ident: int, moment: int) -> Match:
        """A match against the bot, for practice, that goes on from a moment of a game."""
        kept = await self._host.store.game(player.ident, ident)
        moments = await self._replayed(ident, kept["header"], kept["record"])
        if not 0 <= moment < len(moments):
            raise Refused("bad-argument", f"moment {quote(str(moment))} is not in 0..{len(moments) - 1}.")
        header, skills = kept["header"], [place["skill"] for place in kept["places"] if place["skill"] is not None]
        skill = skills[0] if skills else int(SKILL.default)
        terms = Terms(header["game"], options_of(header), skill, asteroids=0, practice=True)
        seat, seed = kept["seat"] or 1, kept["record"]["seed"]
        return await Match.new_bot(self._host, player, terms, seat=seat, start=moments[moment]["line"], seed=seed)

    async def _replayed(self, ident: int, header: Json, game: Json) -> list[Message]:
        if ident not in self._moments:
            self._remember(ident, await replayed(self._host, header, game))
        self._moments.move_to_end(ident)
        return self._moments[ident]

    def _remember(self, ident: int, moments: list[Message]) -> None:
        self._moments[ident] = moments
        while len(self._moments) > REMEMBERED:
            self._moments.popitem(last=False)


async def replayed(host: Host, header: Json, game: Json) -> list[Message]:
    """The moments of a game, the start first: who did what in which turn, and the position after it.

    Raises Refused where the record does not follow the rules.
    """
    kind, options, line = header["game"], options_of(header), game["start"]
    where, turn, result = "start", -1, None
    moments = []
    try:
        # whether the start can be read at all is found out even in a game without steps
        await host.engines.survey(kind, options, line, (1, 2))
        moments.append({
            "seat": 0, "step": None, "text": "", "line": line, "events": [], "turn": reader(kind).turn(line)[0],
        })  # fmt: skip
        for number, (seat, step) in enumerate(zip(game["seats"], game["steps"], strict=True), 1):
            where = f"step {number} {quote(step)}"
            now, mover = reader(kind).turn(line)
            if result or mover != seat:
                raise Refused("bad-record", "the game is over there" if result else f"seat {mover} is on turn there")
            if now != turn:
                turn, line = now, reader(kind).rekeyed(line, mix(game["seed"], now, mover))
            text = await host.engines.explain(kind, options, line, step)
            events, line, result = await host.engines.apply(kind, options, line, step)
            moments.append({"seat": seat, "step": step, "text": text, "line": line, "events": events, "turn": turn})
    except EngineDown:
        raise
    except Refused as error:
        raise Refused("bad-record", f"The record does not follow the rules, {where}: {error.text}") from None
    if game["ended"] == "rules" and (not result or list(reader(kind).scores(result)) != game["result"]):
        raise Refused("bad-record", f"The record's result {quote(str(game['result']))} is not that of its last step.")
    return moments


def options_of(header: Json) -> dict[str, Value]:
    """The rule options of a ledger, complete."""
    return complete(find_game(header["game"]).options, header["rules"])


def _hints(game: Json) -> int:
    """How many hints were given in a game; a record from elsewhere may say anything."""
    hints = game.get("hints")
    return hints if isinstance(hints, int) and hints > 0 else 0


def _row(kept: Json) -> Message:
    game, seat = kept["record"], kept["seat"]
    row = {
        "game": kept["game"], "when": kept["when"], "kind": kept["kind"], "turns": game["turns"],
        "how": game["how"].rpartition(" ")[2], "rating_after": kept["rating_after"], "hints": _hints(game),
    }  # fmt: skip
    if seat is None:
        return {**row, "versus": " – ".join(game["engines"]), "result": "watched"}
    other = kept["places"][2 - seat]
    row |= {"versus": other["name"], "result": record.won(game, seat)}
    return row if other["skill"] is None else {**row, "skill": other["skill"]}
