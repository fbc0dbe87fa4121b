"""`skyclaim play --terminal`: Skyclaim in the terminal, against the bot or between two people.

The board is drawn as text, steps are typed (`e4e5`, `claim:e1`) or picked by number from a list, and what happens is
told in sentences. Under fog a person is shown what they see and nothing else. Every wrong input is answered by one
sentence and changes nothing.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import secrets
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ..errors import OptionError, SkyclaimError, quote
from ..game import Position, whole_number
from ..games.skyclaim import explain, picture, scene
from ..games.skyclaim.narrate import Voice, narrate, witness
from ..games.skyclaim.position import GAME, SkyclaimPosition
from ..games.skyclaim.squares import INDEX, NAMES
from ..options import Option, Value
from ..search import ENGINE_OPTIONS, Bot, Limits, Settings, StopFlag

SKILL = next(option for option in ENGINE_OPTIONS if option.name == "Skill")
#: the rulebook's beginner setting
BEGINNER = 10
#: the kinds of step in the order of the list: what a beginner needs first
KINDS = ("claim", "swap", "move", "take", "stack", "bomb", "warp", "siege", "ram", "fire", "turret", "pass")
#: steps of one kind that the whole list shows
SHOWN = 24
#: a seed that is short to type again
SEED_BITS = 32

SQUARE = r"[a-k](?:1[01]|[1-9])"
STEP = re.compile(rf"(?:({'|'.join(KINDS)})\b)?[\s:]*({SQUARE})?[\s,-]*({SQUARE})?", re.ASCII)

RULES = """\
You win with 69 of the 121 squares (or as many as the game was begun with), or with a siege drone beside the other
Command while no shield of that side stands there, or when an asteroid lands on that Command.

A turn is one action; before it you may fire missiles and build turrets. The actions: swap two stars side by side that
then make a line or a shape; move one drone; claim with a scout; and what warp and siege drones do.

Shapes pay drones if a part of them lies in your half: 4 in a line a scout, 2 × 2 a shield, an L of 4 or a T a raider,
5 in a line a raider, 6, a plus, X or V a hunter, an L of two 3-lines a bomb, an L of 4 and 3 a siege drone, bigger
ones a warp drone and more. A line of 3 clears and pays nothing. After a match the stars fall toward the mover and may
match again. You can have 9 drones. Neither star of a swap may lie on the other side's land.

A scout (S) claims the open squares of the 3 × 3 around it. A raider (R) slides along diagonals and takes what it lands
on. A shield (G) that ends its step on your land destroys scouts, hunters, warps and shields beside it. A hunter (H)
fires two missiles and a scout one; they load beside your Command. A siege drone (X) opens the other side's land and
wins beside the Command; four drones around it destroy it. A warp drone (W) jumps anywhere and takes the land around. A
bomb (B) lands on a drone and destroys all in the 3 × 3 but Commands. Ten missiles in stock buy a turret (T).

Scouts, hunters, warps and bombs step onto stars of their own colours for free, as often as you like, and make one other
step. Drones of one side stack by moving onto each other, up to power 3, which stands three missiles.

8 or more stars cleared in your half in one turn set every asteroid adrift, one square toward you.

The whole rules are in docs/rules/skyclaim.md."""

WELCOME = """\
Claim more of the sky than the other side: {need} of the 121 squares win. Line up 4 or more stars of a colour by
swapping two that stand side by side: that gets you a drone. Scouts claim the squares around them. A turn is one action.

Type two squares (e4e5) to swap their stars or to move a drone, 'claim' to claim. Or: 'hint' a good step, 'list' all
steps, 'legend' how to read the board, 'rules', 'help', 'quit'."""
FOG = "There is fog: squares with ? are in the dark. You see around your drones, your land, and what you ever owned."


class Refusal(Exception):
    """What was typed cannot be done; the text is one sentence that says why."""


class Goodbye(Exception):
    """The person wants to leave."""


# -- the command line


def add_arguments(parser: argparse._ActionsContainer) -> None:
    """The arguments of the game in the terminal: the bot, the seat, and every rule option."""
    parser.add_argument(
        "--skill", type=_checked(SKILL), default=BEGINNER, metavar="0..100", help="of the bot, in tens (default 10)"
    )
    parser.add_argument("--side", type=_side, default=1, metavar="S|N", help="yours: South begins (default S)")
    parser.add_argument("--seed", type=_seed, metavar="N", help="the same seed gives the same game")
    parser.add_argument("--two", action="store_true", help="two people, no bot")
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text (so does NO_COLOR)")
    for option in GAME.options:
        flag = "--" + re.sub(r"(?<=[a-z])(?=[A-Z])", "-", option.name).lower()
        if option.kind == "check":
            parser.add_argument(flag, dest=option.name, action="store_true", help="off by default")
        else:
            span = "|".join(option.choices) or f"{option.low}..{option.high}"
            text = f"default {option.default}"
            parser.add_argument(
                flag, dest=option.name, type=_checked(option), default=option.default, metavar=span, help=text
            )


def _checked(option: Option) -> Callable[[str], Value]:
    def check(text: str) -> Value:
        try:
            return option.check(text)
        except OptionError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return check


def _side(text: str) -> int:
    try:
        return GAME.seat(text)
    except SkyclaimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 21 and int(text) < 1 << 64):
        raise argparse.ArgumentTypeError(f"{quote(text)} is not in 0..2^64 - 1")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Play until the person leaves; 0 after `quit` or the end of the input, 130 after Ctrl-C."""
    options = {option.name: getattr(args, option.name) for option in GAME.options}
    if args.two and options["Fog"] != "off":
        print("skyclaim: two people at one screen cannot play in the fog; leave out --two or --fog", file=sys.stderr)
        return 2
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401  (editing and history at the prompt)
        except ImportError:
            pass
    seed = secrets.randbits(SEED_BITS) if args.seed is None else args.seed
    match = Match.start(seed, options, None if args.two else args.side, args.skill)
    table = Table(match, _wants_colour(args.no_colour))
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what is no text must not end a game
    try:
        table.play()
    except Goodbye:
        print("Goodbye.")
        return 0
    except EOFError:
        print("\nGoodbye.")
        return 0
    except KeyboardInterrupt:
        print("\nGoodbye.")
        return 130


def _wants_colour(refused: bool) -> bool:
    return not (refused or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb") and sys.stdout.isatty()


# -- the match


@dataclass
class Match:
    """A game under way: the position, who plays, and the positions at the decisions so far, to go back to.

    ``you`` is the person's seat, None where two people play. ``seed`` is the bot's own and that of the set-up.
    """

    position: SkyclaimPosition
    you: int | None
    skill: int
    seed: int
    past: list[SkyclaimPosition] = field(default_factory=list)

    @classmethod
    def start(cls, seed: int, options: dict[str, Value], you: int | None, skill: int) -> Match:
        return cls(GAME.start(seed, options), you, skill, seed)

    @property
    def bot_decides(self) -> bool:
        return self.you is not None and self.position.seat not in (0, self.you)

    @property
    def viewer(self) -> int:
        """The seat through whose eyes the board is shown."""
        return self.you or self.position.seat or 1

    def view(self) -> SkyclaimPosition:
        """What may be shown: under fog the person's observation, as long as the game goes on."""
        if self.position.result is not None or self.position.options["Fog"] == "off":
            return self.position
        return self.position.observe(self.viewer)

    def voice(self) -> Voice:
        return {None: Voice(), 1: Voice("you", "the bot"), 2: Voice("the bot", "you")}[self.you]

    def play(self, step: str) -> list[str]:
        """Play a legal step of whoever decides; the sentences for what the viewer sees of it."""
        viewer, mover = self.viewer, self.position.seat
        if not self.bot_decides:
            self.past.append(self.position.copy())
        light = self._light(viewer)
        events = self.position.apply(step)
        if self.position.options["Fog"] != "off":
            events = witness(events, GAME.seat_name(viewer), light | self._light(viewer))
        return narrate(events, GAME.seat_name(mover), self.voice())

    def _light(self, seat: int) -> set[str]:
        return {name for name, seen in zip(NAMES, self.position.board.seen(seat - 1), strict=True) if seen}

    def undo(self) -> bool:
        """Back to the previous decision of a person, with its stream; False if there is none."""
        if not self.past:
            return False
        self.position = self.past.pop()
        return True

    def save(self) -> str:
        """The match as JSON, without the way back."""
        facts = {
            "skyclaim": 1,
            "position": self.position.line(),
            "options": dict(self.position.options),
            "you": self.you and GAME.seat_name(self.you),
            "skill": self.skill,
            "seed": self.seed,
        }
        return json.dumps(facts, indent=1) + "\n"

    @classmethod
    def load(cls, text: str) -> Match:
        """The match of a saved text. Raises Refusal."""
        facts = saved(text)
        if facts is None:
            raise Refusal("that is not a saved game")
        try:
            position = GAME.parse(str(facts["position"]), dict(facts["options"]))
            if position.stream is None:
                raise Refusal("the saved game does not know its stream of chance")
            you = None if facts["you"] is None else GAME.seat(str(facts["you"]))
            return cls(position, you, int(SKILL.check(facts["skill"])), whole_number("seed", facts["seed"]))
        except SkyclaimError as error:
            raise Refusal(f"the saved game is not right: {error}") from None
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Refusal("the saved game is not right: something is missing or is not what it should be") from None


def saved(text: str) -> dict[str, Any] | None:
    """The facts in a saved text; None if it is anything else."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) and facts.get("skyclaim") == 1 else None


# -- what is typed


def squares_of(step: str) -> list[str]:
    return re.findall(SQUARE, step.partition(":")[2])


def find_step(text: str, steps: list[str], position: SkyclaimPosition) -> str:
    """The step that was typed: its number in ``steps`` (from 1), its text, or squares that only one step has.

    Raises Refusal.
    """
    words = " ".join(text.lower().split())
    if words.isascii() and words.isdigit():
        if 1 <= int(words[:9]) <= len(steps):
            return steps[int(words) - 1]
        raise Refusal(f"there is no step {words[:9]}: the list has 1 to {len(steps)}")
    found = STEP.fullmatch(words)
    if not found or not words:
        raise Refusal(f"{quote(text)} is neither a step nor a command; 'help' shows what there is")
    kind, squares = found[1], [square for square in found.groups()[1:] if square]
    fitting = [step for step in steps if _fits(step, kind, squares)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting and len(fitting) <= 4:
        raise Refusal(f"that could be {' or '.join(fitting)}: type one of them")
    if fitting:
        raise Refusal(f"that could be any of {len(fitting)} steps: say which square")
    raise Refusal(why_not(kind, squares, position))


def _fits(step: str, kind: str | None, squares: list[str]) -> bool:
    its_kind, its_squares = step.partition(":")[0], squares_of(step)
    if kind not in (None, its_kind):
        return False
    if not squares:
        return kind is not None
    # the order does not matter to a swap, and is not known to a beginner
    return its_squares == squares or (its_kind == "swap" and its_squares == squares[::-1])


def why_not(kind: str | None, squares: list[str], position: SkyclaimPosition) -> str:
    """Why there is no such step, in one sentence."""
    board = position.board
    if len(squares) < 2:
        what = f"{kind or 'step'} {''.join(squares)}".strip()
        return f"there is no legal {what} now; 'list' shows the legal steps"
    start, end = squares
    own = any(drone[0] == INDEX[start] and drone[1] == board.mover for drone in board.drones)
    if kind == "swap" or (kind is None and not own):
        return _why_no_swap(start, end, position)
    if own:
        return f"the drone on {start} has no such step to {end}; 'list {start}' shows what it can do"
    return f"you have no drone on {start}; 'list' shows the legal steps"


def _why_no_swap(start: str, end: str, position: SkyclaimPosition) -> str:
    board = position.board
    stars, land = board.stars, board.land
    one, other = INDEX[start], INDEX[end]
    if end not in scene.beside(start) or (start[0] != end[0] and start[1:] != end[1:]):
        return f"the stars on {start} and {end} are not side by side, so they cannot be swapped"
    for square, index in ((start, one), (end, other)):
        if stars[index] == scene.ASTEROID:
            return f"there is an asteroid on {square}: it cannot be swapped"
        if stars[index] == scene.DARK:
            return f"the star on {square} is in the dark: it cannot be swapped"
        if land[index] == 2 - board.mover:
            return f"the star on {square} is on the other side's land: it cannot be swapped"
    return f"swapping {start} and {end} makes no line, so they snap back"


# -- the table: what is shown and what is asked


@dataclass(frozen=True)
class Command:
    usage: str
    handler: str
    help: str


COMMANDS = {
    "hint": Command("hint", "hint", "a good step, and why"),
    "list": Command("list [KIND|SQUARE]", "list_steps", "the legal steps with numbers, all or some ('list e4')"),
    "why": Command("why STEP", "why", "what a step does, before you play it"),
    "board": Command("board", "show", "the board once more"),
    "drones": Command("drones", "drones", "every drone: power, missiles, the colours it rides for free"),
    "legend": Command("legend", "legend", "what the characters of the board mean"),
    "rules": Command("rules", "rules", "the rules in short"),
    "undo": Command("undo", "undo", "back to your previous decision"),
    "new": Command("new [SEED]", "new", "another game"),
    "save": Command("save FILE", "save", "keep the game in a file"),
    "load": Command("load FILE", "load", "go on with a game that was kept"),
    "fen": Command("fen", "fen", "the position in one line"),
    "help": Command("help", "help", "this list"),
    "quit": Command("quit", "quit", "leave"),
}
ALIASES = {"?": "help", "h": "help", "l": "list", "q": "quit", "exit": "quit"}


class Table:
    """The conversation with the person at the terminal."""

    def __init__(self, match: Match, colour: bool) -> None:
        self.match = match
        self.colour = colour
        self.width = min(100, max(60, shutil.get_terminal_size().columns)) - 2
        self.bot = self._new_bot(match.skill)
        self._listed: tuple[int, list[tuple[str, str]]] | None = None

    def _new_bot(self, skill: int) -> Bot:
        return Bot(Settings(skill=skill, seed=self.match.seed % (1 << 63)))

    # -- the course of the game

    def play(self) -> NoReturn:
        """Until the person leaves, by Goodbye, EOFError or KeyboardInterrupt."""
        self.greet()
        self.welcome()
        self._show_to_person()
        while True:
            if self.match.bot_decides:
                self.bot_turn()
                continue
            try:
                self.obey(self.ask())
            except (Refusal, SkyclaimError) as error:
                text = str(error)
                self.say(f"{text[:1].upper()}{text[1:]}.")

    def greet(self) -> None:
        who = "Two people play: South, at the bottom, begins."
        if self.match.you is not None:
            sides = ("South, at the bottom, with capital letters", "North, at the top, with small letters")
            other = picture.NAMES_OF_SIDES[2 - self.match.you]
            who = f"You are {sides[self.match.you - 1]}. The bot is {other}, with skill {self.match.skill}."
        self.say(f"Skyclaim, game {self.match.seed}. {who}")

    def welcome(self) -> None:
        """What one needs to know to begin."""
        options = self.match.position.options
        self.say(WELCOME.format(need=options["LandToWin"]))
        if options["Fog"] != "off":
            self.say(FOG)

    def _show_to_person(self) -> None:
        """The board, unless the bot is about to change it."""
        if not self.match.bot_decides:
            self.show()

    def ask(self) -> str:
        position = self.match.position
        name = picture.NAMES_OF_SIDES[position.seat - 1] if position.seat else "over"
        line = input(f"{name}, turn {position.turn}> ").strip()
        if not sys.stdin.isatty():
            print(line)  # so that what was piped in can be read with the answers
        return line

    def obey(self, line: str) -> None:
        """One line: a command, or a step to play. Raises Refusal."""
        words = line.split(maxsplit=1)
        if not words:
            return
        word = words[0].lower()
        command = COMMANDS.get(ALIASES.get(word, word))
        if command is None:
            self.step(line)
            return
        handler = getattr(self, command.handler)
        if " " in command.usage:
            handler(words[1].strip() if len(words) > 1 else "")
        elif len(words) > 1:
            raise Refusal(f"'{word}' stands alone, without {quote(words[1])}")
        else:
            handler()

    def step(self, text: str) -> None:
        """Play what was typed. The board is shown once it is a person's turn again."""
        self._need_game()
        step = find_step(text, self.steps(), self.match.view())
        turn = self.match.position.turn
        self.say(" ".join(self.match.play(step)))
        if not self.match.bot_decides:
            self.show()
            if self.match.position.turn == turn:
                self.say("It is still your turn: the action is to come.")

    def bot_turn(self) -> None:
        """All steps of the bot's turn, and the board after them."""
        while self.match.bot_decides:
            step = self.think(self.bot.decide)
            assert step is not None
            self.say(" ".join(self.match.play(step)) or "The bot plays in the dark.")
        self.show()

    def think(self, ask: Callable[[Position, Limits, StopFlag, Callable[[object], None]], str | None]) -> str | None:
        """What a bot answers. It thinks in a thread of its own, so that Ctrl-C is heard meanwhile."""
        stop = StopFlag()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(ask, self.match.position.copy(), Limits(), stop, lambda info: None)
            try:
                return answer.result()
            finally:
                stop.set()

    # -- the commands

    def hint(self) -> None:
        """What a bot of full skill would do, and the best swap where that is something else."""
        self._need_game()
        adviser = self._new_bot(100)
        best, swap = self.think(adviser.decide), self.think(adviser.hint)
        if best:
            self.say(f"Try {best}. {self._advice(best)}")
        if swap and swap != best:
            self.say(f"The best swap is {swap}. {self._advice(swap)}")

    def _advice(self, step: str) -> str:
        text = self._explained(step)
        if "Good:" in text or step.startswith("swap:"):
            return text
        return f"{text.replace('Bad: it costs', 'It costs')} On average it is worth it."

    def list_steps(self, what: str) -> None:
        """The legal steps by kind, all of them or those of one kind or square."""
        self._need_game()
        what = what.lower()
        if what and what not in KINDS and what not in INDEX:
            raise Refusal(f"{quote(what)} is neither a square nor a kind of step ({', '.join(KINDS)})")
        by_kind: dict[str, list[str]] = {}
        for number, (step, gain) in enumerate(self._steps_and_gains(), 1):
            kind, squares = step.partition(":")[0], squares_of(step)
            if what in ("", kind, *squares):
                cell = f"{number:>3} {''.join(squares) or kind} {gain}".rstrip()
                by_kind.setdefault(kind, []).append(cell)
        if not by_kind:
            raise Refusal(f"there is no legal step for {quote(what)} now")
        for kind, cells in by_kind.items():
            shown = cells if what or len(cells) <= SHOWN + 1 else cells[:SHOWN]
            print(f"{kind}:")
            self._print_columns(shown)
            if len(shown) < len(cells):
                print(f"    and {len(cells) - len(shown)} more: 'list {kind}'")

    def _print_columns(self, cells: Sequence[str]) -> None:
        wide = max(map(len, cells)) + 2
        columns = max(1, self.width // wide)
        for i in range(0, len(cells), columns):
            print("".join(f"{cell:{wide}}" for cell in cells[i : i + columns]).rstrip())

    def why(self, text: str) -> None:
        self._need_game()
        if not text:
            raise Refusal("'why' needs a step, as in 'why e4e5'")
        step = find_step(text, self.steps(), self.match.view())
        self.say(f"{step}: {self._explained(step)}")

    def show(self) -> None:
        print()
        print(self.match.view().picture(self.colour))
        print()
        if self.match.position.result is not None:
            self.say("The game is over. 'undo' takes your last step back, 'new' begins another game, 'quit' leaves.")

    def drones(self) -> None:
        print("\n".join(picture.roster(self.match.view().board)))

    def legend(self) -> None:
        print(picture.legend(self.colour))

    def rules(self) -> None:
        self.say(RULES)

    def undo(self) -> None:
        if not self.match.undo():
            raise Refusal("there is nothing to take back")
        self.bot.new_game()
        self.show()

    def new(self, text: str) -> None:
        try:
            seed = _seed(text) if text else secrets.randbits(SEED_BITS)
        except argparse.ArgumentTypeError as error:
            raise Refusal(f"the seed {error}") from None
        match = self.match
        self._begin(Match.start(seed, dict(match.position.options), match.you, match.skill))

    def _begin(self, match: Match) -> None:
        self.match = match
        self.bot = self._new_bot(match.skill)
        self.greet()
        self._show_to_person()

    def save(self, name: str) -> None:
        """Write the match to a file; a file that is something else is left alone."""
        path = _path(name, "save")
        try:
            if path.exists() and saved(path.read_text("utf-8", "replace")) is None:
                raise Refusal(f"{quote(name)} is there already and is not a saved game")
            path.write_text(self.match.save(), "utf-8")
        except (OSError, ValueError) as error:
            raise Refusal(f"{quote(name)} cannot be written: {_reason(error)}") from None
        self.say(f"The game is kept in {name}.")

    def load(self, name: str) -> None:
        try:
            text = _path(name, "load").read_text("utf-8", "replace")
        except (OSError, ValueError) as error:
            raise Refusal(f"{quote(name)} cannot be read: {_reason(error)}") from None
        self._begin(Match.load(text))

    def fen(self) -> None:
        """The position; under fog, what is seen of it."""
        print(self.match.view().line())

    def help(self) -> None:
        self.say("A step is typed as two squares (e4e5), with its kind (swap:e4e5, claim e1), or as its listed number.")
        for command in COMMANDS.values():
            print(f"  {command.usage:20} {command.help}")

    def quit(self) -> None:
        raise Goodbye

    # -- helpers

    def steps(self) -> list[str]:
        """The legal steps in the order of their numbers."""
        return [step for step, _ in self._steps_and_gains()]

    def _steps_and_gains(self) -> list[tuple[str, str]]:
        """By kind; in each, what wins comes first, then what gains something for certain."""
        position = self.match.position
        if self._listed is None or self._listed[0] != position.key:
            found = [(step, explain.gain(position.board, number)) for step, number in position.steps().items()]
            self._listed = position.key, sorted(found, key=_rank)
        return self._listed[1]

    def _explained(self, step: str) -> str:
        position = self.match.position
        return explain.step(position.board, position.steps()[step], self.match.voice())

    def _need_game(self) -> None:
        if self.match.position.result is not None:
            raise Refusal("the game is over: 'undo', 'new' or 'quit'")

    def say(self, text: str) -> None:
        """Print paragraphs, broken into lines."""
        for part in text.split("\n\n"):
            joined = " ".join(part.split()).replace(" × ", "\xa0×\xa0")
            lines = textwrap.wrap(joined, self.width, break_long_words=False, break_on_hyphens=False)
            print("\n".join(lines).replace("\xa0", " "))


def _rank(listed: tuple[str, str]) -> tuple[int, int]:
    step, gain = listed
    return KINDS.index(step.partition(":")[0]), {"wins": 0, "": 2, "loses": 3}.get(gain, 1)


def _path(name: str, command: str) -> Path:
    if not name:
        raise Refusal(f"'{command}' needs the name of a file")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise Refusal(f"{quote(name)}: there is no such home folder") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
