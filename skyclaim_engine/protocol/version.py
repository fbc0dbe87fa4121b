"""What the engine calls itself."""

from __future__ import annotations

NAME = "Skyclaim"
DISTRIBUTION = "skyclaim-engine"


def version() -> str:
    """The version of the installed package. Looked up when it is asked for: that takes longer than the start-up."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "(not installed)"
