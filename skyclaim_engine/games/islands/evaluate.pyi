from ._core import Board

NAMES: tuple[str, ...]

def terms(board: Board, seat: int) -> list[tuple[str, float]]: ...
