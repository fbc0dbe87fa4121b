"""`skyclaim play`: the game in the browser, or with `--terminal` in the terminal."""

from __future__ import annotations

import argparse
import re
import sys

from . import serve, terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `skyclaim play`: those of the server, and those of the game in the terminal."""
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    serve.add_arguments(parser)
    group = parser.add_argument_group("in the terminal")
    group.add_argument("--terminal", action="store_true", help="play here, without a browser")
    terminal.add_arguments(group)


def run(args: argparse.Namespace) -> int:
    """Play in the terminal, or serve the page and open it; 2 for an argument that is of the other kind of game."""
    if word := _changed(args, serve if args.terminal else terminal):
        goes = "does not go with --terminal" if args.terminal else "goes with --terminal: the page asks for it"
        print(f"skyclaim play: {word} {goes}", file=sys.stderr)
        return 2
    if args.terminal:
        return terminal.run(args)
    return serve.serve(args, browser=not args.no_browser)


def _changed(args: argparse.Namespace, module: object) -> str | None:
    """The first argument of a module that is not at its default, as it is written."""
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    for name, value in vars(parser.parse_args([])).items():
        if getattr(args, name) != value:
            return "--" + re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower().replace("_", "-")
    return None
