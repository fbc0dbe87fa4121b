"""The `skyclaim` command. Each subcommand is a module with ``add_arguments(parser)`` and ``run(args) -> int``.

A module is imported only when its subcommand is called, so that none pays for what another needs. Results go to
stdout, everything else to stderr. Exit status: 0 done, 1 it could not be done (or: a check found a difference), 2 the
command line is wrong, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from .errors import SkyclaimError

#: subcommand: the module that holds it, and what it does
SUBCOMMANDS = {
    "engine": ("skyclaim_engine.protocol.stdio", "speak the engine protocol on stdin and stdout"),
    "play": ("skyclaim_engine.commands.play", "play in the browser, or with --terminal in the terminal"),
    "serve": ("skyclaim_engine.commands.serve", "serve the game for browsers, as 'play' does, without opening one"),
    "perft": ("skyclaim_engine.commands.perft", "count the ways on from a position, or check a suite of counts"),
    "match": ("skyclaim_engine.commands.match", "let engines play against each other, and say which is stronger"),
    "ladder": ("skyclaim_engine.commands.ladder", "let the skills of an engine play against each other, and rate them"),
    "tune": ("skyclaim_engine.commands.tune", "learn the weights of an evaluation from games"),
    "show": ("skyclaim_engine.commands.show", "show the table of a match, its games, or one of them step by step"),
    "check-engine": ("skyclaim_engine.commands.check_engine", "say what an engine does wrong with the protocol"),
    "bench": ("skyclaim_engine.commands.bench", "measure the speed and print the signature of the search"),
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see '{self.prog} --help'\n")


class _Version(argparse.Action):
    """`--version`, looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> NoReturn:
        from .protocol.version import version

        print(f"skyclaim {version()}")
        parser.exit()


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of the subcommand that ``argv`` calls."""
    parser = _Parser(prog="skyclaim", description="A game engine: bot, referee, and the tools around them.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    chosen = next((word for word in argv if not word.startswith("-")), None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, text) in SUBCOMMANDS.items():
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        if name == chosen:
            implementation = importlib.import_module(module)
            implementation.add_arguments(command)
            command.set_defaults(run=implementation.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status."""
    words = sys.argv[1:] if argv is None else argv
    _open_standard_streams()
    try:
        args = _parser(words).parse_args(words)
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Who reads our output has had enough. What is left in the buffer must not fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (SkyclaimError, OSError, ImportError) as error:
        print(f"skyclaim: {_sentence(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _open_standard_streams() -> None:
    """Whoever starts us with one of them closed, or with few letters, gets nothing there, or `?`, and no trouble."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, SkyclaimError):
        return str(error)  # a sentence; what an engine said last may follow it in lines
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
