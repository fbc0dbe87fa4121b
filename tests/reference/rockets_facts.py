"""What can occur in a game of Rockets, by the names that ``Model.facts`` counts."""

from __future__ import annotations

from .rockets_notation import AFTER, AIM, FLY, ROCKET, SHIELD, TRACE

STEP_KINDS = ("tile", "rock", "rocket", "shield", "fly", "aim", "trace", "drift", "stay")

WHEN = {FLY: "before flying", AIM: "before aiming", AFTER: "at the end of the turn"}

# Every fact that is counted and that play can bring about. A shot that bursts on a token hits nobody there, so that
# the shorter trace is listed: "trace: bursts on a token" needs one of the other correct traces.
FACTS = (
    *(f"step {kind}" for kind in STEP_KINDS),
    *(f"{kind}: another correct path than the listed one" for kind in (FLY, TRACE)),
    *(f"tile: {kind}" for kind in ("space", "wormhole", "asteroid", "asteroid first", "asteroid last")),
    *(f"rocks left out: {count}" for count in (1, 2)),
    *(f"{what} in the wormhole" for what in (ROCKET, SHIELD)),
    "round over",
    "fly: as far as the die",
    "fly: dead end",
    "fly: stops early",
    "fly: cannot move",
    "fly: into the wormhole",
    "fly: out of the wormhole",
    "fly: through the wormhole",
    "fly: past a rocket",
    "fly: onto a rocket",
    "pick-up: own",
    "pick-up: of the dead",
    "pick-up: several in one flight",
    "pick-up: passing",
    "pick-up: landing",
    "pick-up: in the wormhole",
    "attack left out",
    "attack left out in the wormhole",
    "end of the turn without an attack but with a drift to be had",
    *(f"trace: {hits} hits" for hits in (0, 1, 2)),
    "trace: 3 or more hits",
    "trace: of no spaces",
    "trace: target hit",
    "trace: target not hit",
    "trace: destroys one",
    "trace: destroys several",
    "trace: bursts on a token",
    "trace: out of the wormhole",
    "trace: through the wormhole",
    "trace: hit in the wormhole",
    *(f"point-blank at {roll}: {what}" for roll in (1, 2) for what in ("in reach", "out of reach")),
    "point-blank: in reach by the wormhole only",
    *(
        f"point-blank: attacker {attacker}, target {target}"
        for attacker in ("survives", "destroyed")
        for target in ("survives", "destroyed")
    ),
    *(f"point-blank: another there {what}" for what in ("destroyed", "gives a shield", "keeps its shields")),
    *(f"destroyed {when}" for when in ("in its own turn", "before its turn", "after its turn")),
    *(f"{what} {when}" for what in ("drift", "removal") for when in WHEN.values()),
    "drift of a single token",
    "drift joins a split belt",
    "drift onto a boarded shield",
    "drift off a boarded shield",
    "removal splits the belt",
    "removal off a boarded shield",
    "removal of the last token",
    "end last: the attacker",
    "end last: the target",
    "end last: another",
    "end together: 2",
    "end together: 3 or more",
    "end rounds: one",
    "end rounds: shared",
    *(f"award {award}: {whose}" for award in ("damage", "kills", "pain") for whose in ("nobody", "one", "tie")),
    *(f"award peace: {whose}" for whose in ("one", "tie")),
)
