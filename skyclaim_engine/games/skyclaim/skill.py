"""What the bot knows at each skill: the one table of it. Each ten adds to what the ones below know.

| skill | adds |
|---|---|
| 0 | nothing: every turn is random |
| 10 | what a swap pays at once |
| 20 | land: where to claim, and what can be claimed next |
| 30 | takes, sweeps, bombs, missiles: what the other side has counts too |
| 40 | turrets, stacks, the power of a stack |
| 50 | the reply: what hangs, what could be shot or swept, the other side's land, a Command left open |
| 60 | sieges: the march to the enemy Command, siege fire, rams |
| 70 | cascades and drift: how rich in swaps a side is, what asteroids could crush |
| 80 | a line of own and other turns |
| 90 | all of it at a tenth of the budget |
| 100 | all of it |
"""

from __future__ import annotations

from ...game import Plan

#: feature of the evaluation: from which skill it counts for the side itself, and from which for the other side
FEATURES_FROM = {
    **dict.fromkeys(("scouts", "shields", "raiders", "hunters", "warps", "sieges", "bombs"), (10, 30)),
    **dict.fromkeys(("full", "stock", "loaded"), (10, 30)),
    **dict.fromkeys(("land", "late", "abroad", "border", "nearer", "closing"), (20, 50)),
    **dict.fromkeys(("claim", "claims", "prospect", "prospects", "idle", "closing_drones"), (20, 50)),
    **dict.fromkeys(("turrets", "power", "fired_on"), (40, 40)),
    **dict.fromkeys(("hanging", "hanging_most", "targets", "sweepable", "cover"), (50, 50)),
    **dict.fromkeys(("march", "at_two", "at_three", "at_two_covered", "at_three_covered"), (60, 60)),
    **dict.fromkeys(("cornered", "razers"), (60, 60)),
    **dict.fromkeys(("swaps", "crush", "drift_own", "drift_other"), (70, 70)),
}

#: kind of step: from which skill the bot may choose it at its best (turrets: the rulebook)
STEPS_FROM = {
    "fire": 30, "turret": 40, "swap": 0, "move": 0, "take": 30, "stack": 40, "bomb": 30, "claim": 20, "warp": 20,
    "siege": 60, "ram": 60, "pass": 0,
}  # fmt: skip

#: how the best move is looked for, from the least skill of each
PLANS = {
    0: Plan(share=0.25, algorithm="onestep"),
    50: Plan(depth=2, share=0.05),
    80: Plan(share=0.05),
    90: Plan(share=0.1),
    100: Plan(),
}
