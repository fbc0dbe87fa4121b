"""An engine that plays a seat: started when it is needed, made ready for each game, started anew after a fault."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from ..errors import OptionError, SkyclaimError, quote
from ..options import Option, Value
from ..protocol.client import Answer, Client
from ..protocol.session import SEED, VARIANT
from .engines import Spec, check_value, declared

#: seconds for the handshake, which may have to load much, and for `isready` between games
START, READY = 30.0, 10.0


class Halted(Exception):
    """The match is being ended; what is under way is dropped."""


class Player:
    """One process of an engine, for one seat at a time. ``halt`` set from any thread ends it at the next request."""

    def __init__(self, spec: Spec, game: str, rules: Iterable[tuple[Option, Value]], halt: threading.Event) -> None:
        self.spec, self._game, self._rules, self._halt = spec, game, tuple(rules), halt
        self.client: Client | None = None
        self._options: Mapping[str, Option] = {}

    def begin(self, seed: int) -> None:
        """Make it ready for a new game; ``seed`` is for its own chance, unless the user has chosen one.

        Raises EngineError, or SkyclaimError if it does not know an option that it needs.
        """
        if self.spec.restart:
            self.close()
        client = self.client or self._start()
        client.oddities.clear()
        lines = ["ucinewgame"]
        if SEED.lower() in self._options and SEED.lower() not in map(str.lower, self.spec.options):
            lines.append(f"setoption name {SEED} value {seed}")
        client.ask("\n".join(lines), READY)

    def choose(self, view: str, limits: str, deadline: float) -> Answer:
        """The step for what a seat sees; raises EngineError when none comes within ``deadline`` seconds."""
        if self._halt.is_set():
            raise Halted
        assert self.client, "begin comes first"
        self.client.send(f"position obs {view}", deadline)
        return self.client.go(limits, deadline)

    def oddity(self) -> tuple[str, str] | None:
        """The first answer that nobody had asked for, if there was one: its kind (doubled, late) and the line."""
        return self.client.oddities[0] if self.client and self.client.oddities else None

    def settle(self) -> None:
        """After a game, wait until nothing more can come of it; raises EngineError."""
        if self.client:
            self.client.isready(READY)

    def drop(self) -> None:
        """End it at once: there is no hope that it obeys. It may be begun again."""
        if client := self.client:
            self.client = None
            client.kill()

    def interrupt(self) -> None:
        """From any thread: kill it, so that what waits for it goes on."""
        if client := self.client:
            client.interrupt()

    def close(self) -> None:
        """End it as it should be ended. It may be begun again."""
        if client := self.client:
            self.client = None
            client.quit()

    def _start(self) -> Client:
        if self._halt.is_set():
            raise Halted
        self.client = client = Client(self.spec.argv, self.spec.folder)
        self._options = declared(client.uci(START))
        for name, value in self._wanted():
            client.send(f"setoption name {name} value {value}", READY)
        client.ask("isready", START)
        return client

    def _wanted(self) -> list[tuple[str, str]]:
        """The options to set, the game's first; raises SkyclaimError for one that the engine does not have."""
        whose, wanted = f"engine {quote(self.spec.name)}", [(VARIANT, self._game)]
        try:
            check_value(self._options, VARIANT, self._game)
        except OptionError:
            raise SkyclaimError(f"{whose} does not say that it plays {quote(self._game)}") from None
        for option, value in self._rules:
            if option.name.lower() in self._options or value != option.default:
                wanted.append((option.name, str(value).lower() if option.kind == "check" else str(value)))
        of_the_match = {VARIANT.lower(), *(option.name.lower() for option, _ in self._rules)}
        for name in self.spec.options:
            if name.lower() in of_the_match:
                raise SkyclaimError(f"{whose}: option {quote(name)} is of the match, not of one engine")
        wanted += self.spec.options.items()
        for name, value in wanted:
            try:
                check_value(self._options, name, value)
            except OptionError as error:
                raise SkyclaimError(f"{whose}: {error}") from None
        return wanted


class Players:
    """The engines of one thread or process, kept from game to game. ``take`` starts none; a game does."""

    def __init__(self, game: str, rules: Iterable[tuple[Option, Value]], halt: threading.Event | None = None) -> None:
        self._game, self._rules, self._halt = game, tuple(rules), halt or threading.Event()
        self._players: dict[tuple[str, int], Player] = {}

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *error: object) -> None:
        for player in self._players.values():
            player.close()

    def take(self, specs: Iterable[Spec]) -> list[Player]:
        """A player for each seat: an engine that holds several has a process for each, which know nothing together."""
        taken: list[Player] = []
        held: dict[str, int] = {}
        for spec in specs:
            number = held[spec.name] = held.get(spec.name, 0) + 1
            player = self._players.get((spec.name, number))
            if player is None:
                player = self._players[spec.name, number] = Player(spec, self._game, self._rules, self._halt)
            taken.append(player)
        return taken

    def interrupt(self) -> None:
        """From any thread: kill all of them, so that what waits for them goes on."""
        for player in list(self._players.values()):
            player.interrupt()
