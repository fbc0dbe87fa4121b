"""The engine's own options, and what one search is asked to do and tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..options import Option, Value

#: in the order of the fields of Settings
ENGINE_OPTIONS = (
    Option("Skill", "spin", 100, 0, 100),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 2000, 800, 2000),
    Option("Threads", "spin", 1, 1, 256),
    Option("Hash", "spin", 16, 1, 1 << 20),
    Option("MultiPV", "spin", 1, 1, 500),
    Option("Seed", "spin", 0, 0, (1 << 63) - 1),
    Option("Move Overhead", "spin", 30, 0, 5000),
    Option("Explain", "check", False),
    Option("Algorithm", "combo", "auto", choices=("auto", "expectimax", "mcts", "regrets", "onestep")),
    Option("Belief", "check", True),
)


@dataclass(frozen=True)
class Settings:
    """The engine's options as values. ``seed`` 0 means one from the clock; ``move_overhead`` is in milliseconds."""

    skill: int = 100
    limit_strength: bool = False
    elo: int = 2000
    threads: int = 1
    hash_mib: int = 16
    multipv: int = 1
    seed: int = 0
    move_overhead: int = 30
    explain: bool = False
    algorithm: str = "auto"
    belief: bool = True

    @classmethod
    def from_options(cls, values: Mapping[str, Value]) -> Settings:
        """The settings of checked option values by name; others in ``values`` are ignored."""
        names = zip(cls.__dataclass_fields__, (option.name for option in ENGINE_OPTIONS), strict=True)
        return cls(**{field: values[name] for field, name in names})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Limits:
    """What bounds one search; with none of them the skill's own budget does. Times are in milliseconds.

    ``clocks`` and ``incs`` are by seat; ``nodes`` counts steps applied.
    """

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    searchmoves: tuple[str, ...] = ()
    clocks: tuple[int, ...] = ()
    incs: tuple[int, ...] = ()
    movestogo: int | None = None


@dataclass(frozen=True)
class Info:
    """One line of a search: ``win`` is the expected result of the seat to move (0..1), ``land`` its expected lead."""

    depth: int
    seldepth: int
    nodes: int
    time_ms: int
    win: float
    land: float | None
    multipv: int
    pv: tuple[str, ...]

    def line(self) -> str:
        """The words after `info`."""
        speed = 1000 * self.nodes // max(self.time_ms, 1)
        land = "" if self.land is None else f" land {self.land:.1f}"
        return (
            f"depth {self.depth} seldepth {self.seldepth} nodes {self.nodes} nps {speed} time {self.time_ms} "
            f"score win {self.win:.3f}{land} multipv {self.multipv} pv {' '.join(self.pv)}"
        )
