from .game import Position
from .search.stop import StopFlag

def perft(
    position: Position,
    depth: int,
    *,
    threads: int = 1,
    max_nodes: int | None = None,
    stop: StopFlag | None = None,
    leaves: bool = False,
) -> int: ...
def divide(
    position: Position,
    depth: int,
    *,
    threads: int = 1,
    max_nodes: int | None = None,
    stop: StopFlag | None = None,
    leaves: bool = False,
) -> dict[str, int]: ...
