"""`skyclaim serve`: the game in the browser. Serves the page until it is ended, and prints where it is."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import logging
import logging.handlers
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SkyclaimError
from .arguments import file, number

if TYPE_CHECKING:
    from gui_adapter.server import Config

PORT = 8765
#: files in the data folder beside the games: where the server that runs is found, and what went wrong in it
RUNNING, LOG = "running", "server.log"
LOG_BYTES = 1 << 20


class AlreadyRuns(Exception):
    """Another server uses the data; ``urls`` are the lines that it printed."""

    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        super().__init__()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `skyclaim serve`."""
    parser.add_argument(
        "--port", type=number(0, 65535), default=PORT, metavar="N", help=f"default {PORT}; if it is taken, the next one"
    )
    parser.add_argument("--lan", action="store_true", help="for phones in the same network, too")
    parser.add_argument(
        "--data",
        type=file,
        metavar="DIR",
        help="the folder for games and ratings (default: skyclaim in the XDG data folder)",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C, or SIGTERM; 0 then."""
    return serve(args, browser=False)


def serve(args: argparse.Namespace, *, browser: bool) -> int:
    """Serve until Ctrl-C, or SIGTERM, and open the page if there is a ``browser`` to be had."""
    folder = Path(args.data) if args.data else data_folder()
    os.umask(0o077)  # who plays what is nobody else's business
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _alone(folder) as note:
            # here, since the game in the terminal does without the web server
            from gui_adapter.server import Config

            _log_to(folder / LOG)
            asyncio.run(_serve(Config(port=args.port, lan=args.lan, data=folder), note, browser))
    except AlreadyRuns as error:
        if not error.urls:
            raise SkyclaimError(f"another server uses the data in {folder}; --data DIR takes others") from None
        print(f"Skyclaim runs already:  {error.urls[0]}")
        if browser:
            open_browser(error.urls[0])
    return 0


async def _serve(config: Config, note: Path, browser: bool) -> None:
    from gui_adapter.server import Server

    server = Server(config)
    ended = asyncio.Event()
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(kind, ended.set)
    await server.start()
    try:
        note.write_text("\n".join(server.urls))
        announce(server.urls)
        if browser:
            open_browser(server.urls[0])
        await ended.wait()
        print("\nThe games are saved. Goodbye.", flush=True)
    finally:
        await server.stop()


def announce(urls: list[str]) -> None:
    """Print where the page is: for this machine, and with `--lan` for phones."""
    here, *network = urls
    print(f"Skyclaim is ready:  {here}     (Ctrl-C ends it)")
    for url in network:
        print(f"\nFrom a phone in this network:  {url}")
        _print_code(url)
        print("Whoever has this address can play here. The connection is not encrypted: use it in a network you trust.")
    if not network:
        print("From phones in this network, too:  skyclaim play --lan")
    sys.stdout.flush()


def _print_code(url: str) -> None:
    """The address as a QR code, where there is a terminal, and the library that comes with the extra `qr`."""
    try:
        import segno
    except ImportError:
        return
    if sys.stdout.isatty():
        segno.make_qr(url).terminal(sys.stdout, compact=True)


def open_browser(url: str) -> None:
    """Open the page, if there is a screen: a browser for the terminal would take the place of this program."""
    if sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    else:
        print("There is no screen here: open the address elsewhere, or play in the terminal: skyclaim play --terminal")


def data_folder() -> Path:
    """Where games and ratings are kept by default."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share") / "skyclaim"


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """Hold the folder for one server at a time, and give the file for its addresses; raises AlreadyRuns."""
    note = folder / RUNNING
    with note.open("a+") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyRuns(note.read_text().split()) from None
        held.truncate(0)
        try:
            yield note
        finally:
            held.truncate(0)


def _log_to(path: Path) -> None:
    """What goes wrong in the server is for a file; the terminal is the person's."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
