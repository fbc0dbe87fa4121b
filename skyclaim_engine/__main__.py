"""`python -m skyclaim_engine`: the engine on stdin and stdout."""

import sys

from .protocol.stdio import run

if __name__ == "__main__":
    sys.exit(run())
