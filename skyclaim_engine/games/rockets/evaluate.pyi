from ._core import Board

NAMES: tuple[str, ...]

def terms(board: Board) -> list[tuple[str, float]]: ...
