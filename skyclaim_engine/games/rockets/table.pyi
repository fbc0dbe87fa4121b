from typing import Any

TABLE: Any
