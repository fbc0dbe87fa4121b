"""Files of weights, as `skyclaim tune` makes them and the option `Weights` takes them."""

from __future__ import annotations

import json
import math
from pathlib import Path

from .errors import SkyclaimError, quote

VERSION = 1


def read(path: str | Path) -> tuple[str, dict[str, float]]:
    """The name of the game and its weights by name; raises SkyclaimError that says what is wrong with the file."""
    whose = f"weights {quote(str(path))}"
    try:
        content = json.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SkyclaimError(f"{whose}: {getattr(error, 'strerror', None) or 'it is not a text in UTF-8'}") from None
    except ValueError as error:
        raise SkyclaimError(f"{whose}: it is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise SkyclaimError(f"{whose}: it is not a file of weights of version {VERSION}")
    game, weights = content.get("game"), content.get("weights")
    if not isinstance(game, str) or not isinstance(weights, dict):
        raise SkyclaimError(f"{whose}: game or weights is missing")
    for name, value in weights.items():
        if type(value) not in (int, float) or not math.isfinite(value):
            raise SkyclaimError(f"{whose}: {name} {quote(json.dumps(value))} is not a number")
    return game, {name: float(value) for name, value in weights.items()}
