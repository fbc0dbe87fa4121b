from ..game import Position
from .stop import StopFlag

class Mcts:
    nodes: int
    depth: int
    def __new__(
        cls, observation: Position, seat: int, numbers: list[int], seed: int, depth: int, memory: int,
        knowledge: int = 100, worlds: bytes = b"",
    ) -> Mcts: ...
    def run(self, max_nodes: int, deadline: float, stop: StopFlag) -> None: ...
    def roots_seen(self) -> list[tuple[int, float, float | None]]: ...
