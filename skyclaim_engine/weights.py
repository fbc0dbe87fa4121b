"""Files of weights, as `skyclaim tune` makes them and the option `Weights` takes them."""

from __future__ import annotations

import errno
import json
from pathlib import Path

from .errors import SkyclaimError, quote

VERSION = 1
#: the longest file that is read, in bytes
MAX_FILE = 1 << 20
#: the largest weight, either way; sums of a few hundred of these are numbers still
MAX_WEIGHT = 1e6


def read(path: str | Path) -> tuple[str, dict[str, float]]:
    """The name of the game and its weights by name; raises SkyclaimError that says what is wrong with the file."""
    whose = f"weights {quote(str(path))}"
    try:
        content = json.loads(_text(Path(path)))
    except (OSError, UnicodeDecodeError) as error:
        raise SkyclaimError(f"{whose}: {getattr(error, 'strerror', None) or 'it is not a text in UTF-8'}") from None
    except (ValueError, RecursionError) as error:
        raise SkyclaimError(f"{whose}: it is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise SkyclaimError(f"{whose}: it is not a file of weights of version {VERSION}")
    game, weights = content.get("game"), content.get("weights")
    if not isinstance(game, str) or not isinstance(weights, dict):
        raise SkyclaimError(f"{whose}: game or weights is missing")
    for name, value in weights.items():
        # so written that NaN is refused
        if type(value) not in (int, float) or not -MAX_WEIGHT <= value <= MAX_WEIGHT:
            reason = f"is not a number in -{MAX_WEIGHT:.0f}..{MAX_WEIGHT:.0f}"
            raise SkyclaimError(f"{whose}: {quote(name)} {quote(json.dumps(value))} {reason}")
    return game, {name: float(value) for name, value in weights.items()}


def _text(path: Path) -> str:
    """What stands in an ordinary file that is not too long: a pipe or a device could go on for ever."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is not an ordinary file")
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise OSError(errno.EFBIG, f"it is longer than {MAX_FILE} bytes")
    return data.decode("utf-8")
