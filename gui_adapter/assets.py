"""The files of the page, from a table that is made once: no name that a client sends ever becomes a path."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .security import Gate, Guarded

FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
#: our own table: that of the system may call JavaScript plain text
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".woff2": "font/woff2",
}
FOR_EVER = "public, max-age=31536000, immutable"
CHECKED = "no-cache"


@dataclass(frozen=True)
class Asset:
    """What a name stands for; ``cache`` is its Cache-Control."""

    data: bytes
    type: str
    etag: str
    cache: str


def load(folder: Path = FOLDER) -> dict[str, Asset]:
    """The table from name to asset.

    Every file has two names, `js/board.js` and `HASH/js/board.js`, where HASH is that of all files together. The page
    is given the second kind, which is never asked for again: the modules name each other relatively, so one hash in the
    page's own names reaches all of them. Files of an unknown type and links are left out.
    """
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.suffix in TYPES
    }
    version = _hash("".join(f"{name}\0{_hash(data)}\0" for name, data in files.items()).encode())[:16]
    table = {}
    for name, data in files.items():
        if name.endswith(".html"):
            data = _versioned(data, files, version)
        asset = Asset(data, TYPES[Path(name).suffix], f'"{_hash(data)[:32]}"', CHECKED)
        table[name] = asset
        table[f"{version}/{name}"] = Asset(asset.data, asset.type, asset.etag, FOR_EVER)
    return table


def _versioned(page: bytes, files: Mapping[str, bytes], version: str) -> bytes:
    """The page with the names of files in its attributes led by the version."""

    def name(found: re.Match[str]) -> str:
        return f'{found[1]}="{version}/{found[2]}"' if found[2] in files else found[0]

    return re.sub(r'\b(src|href)="([^"]*)"', name, page.decode()).encode()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Page(Guarded):
    """`GET /NAME`: what the table has under that name, which is compared as it was sent; 404 for all else."""

    def initialize(self, gate: Gate, table: Mapping[str, Asset]) -> None:
        self.gate, self.table = gate, table

    def get(self) -> None:
        asset = self.table.get(self.request.path.removeprefix("/") or INDEX)
        if asset is None:
            self.send_error(404)
            return
        self.set_header("Content-Type", asset.type)
        self.set_header("Cache-Control", asset.cache)
        self.set_header("Etag", asset.etag)
        if self.check_etag_header():
            self.set_status(304)
            self.finish()
        else:
            self.finish(asset.data)

    head = get
