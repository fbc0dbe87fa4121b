from typing import Any

SPREAD: float
TABLE: Any
