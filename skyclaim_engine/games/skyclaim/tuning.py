"""The weights of the evaluation that are tuned, each with the size of a change that matters (docs/tuning.md)."""

from __future__ import annotations

#: by name as in weights.json; `land` is the unit and stays as it is. What is rarely seen moves in small steps, or
#: chance would carry it off
SCALES = {
    "land.open": 0.3, "late": 0.5, "abroad": 0.3, "abroad.open": 0.2, "scouts": 1.5, "scouts.open": 1.0, "shields": 1.5,
    "raiders": 1.5, "raiders.open": 1.0, "hunters": 2.0, "warps": 3.0, "sieges": 2.0, "bombs": 2.0, "turrets": 2.0,
    "power": 0.7, "full": 2.0, "stock": 0.4, "loaded": 0.7, "claim.moving": 0.25, "claim.waiting": 0.25,
    "claims.moving": 0.2, "claims.waiting": 0.2, "prospect.moving": 0.2, "prospect.waiting": 0.2,
    "prospects": 0.15, "idle": 0.25, "nearer": 0.15, "nearer.open": 0.1, "border": 0.15,
    "border.open": 0.1, "hanging.moving": 0.2, "hanging.waiting": 0.2, "hanging_most.moving": 0.2,
    "hanging_most.waiting": 0.2, "targets.moving": 0.2, "targets.waiting": 0.2, "sweepable.moving": 0.5,
    "sweepable.waiting": 0.5, "march": 0.3, "at_two.moving": 0.8, "at_two.waiting": 0.8, "at_three.moving": 0.4,
    "at_three.waiting": 0.4, "at_two_covered.moving": 0.4, "at_two_covered.waiting": 0.4,
    "at_three_covered.moving": 0.2, "at_three_covered.waiting": 0.2, "cover": 0.5, "cornered.moving": 0.5,
    "cornered.waiting": 0.5, "razers.moving": 1.0, "razers.waiting": 1.0, "fired_on.moving": 0.5,
    "fired_on.waiting": 0.5, "swaps": 0.7, "swaps.open": 0.5, "crush": 2.0, "drift_own": 0.7, "drift_other": 0.7,
    "closing": 1.0, "closing_drones": 0.3,
}  # fmt: skip
