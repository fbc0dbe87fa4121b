from typing import Any

SPREAD: float
STEPS_FROM: dict[str, int]
STEP_KINDS: tuple[str, ...]
TABLE: Any
