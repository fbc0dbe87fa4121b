"""Settings of hypothesis: always the same examples and no clock; `--hypothesis-profile search` looks for new ones."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

ALWAYS = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("ci", derandomize=True, max_examples=100, **ALWAYS)
settings.register_profile("search", max_examples=2_000, print_blob=True, **ALWAYS)
settings.load_profile("ci")
