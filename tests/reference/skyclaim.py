"""The model of Skyclaim: every step played the slow, obvious way, with its events.

``Model`` is written from ``docs/rules/skyclaim.md`` and ``docs/events.md`` alone; the
sections named here are those of the rules. ``Model.facts`` counts what occurred, by the
names of ``FACTS``.
"""

from __future__ import annotations

from .skyclaim_cascade import Cascade
from .skyclaim_notation import (
    ASTEROID,
    BESIDE,
    EMPTY,
    OPEN,
    Drone,
    distance,
    half_turn_step,
    in_view,
    name,
    other,
    split_squares,
    square_from,
    view,
)
from .skyclaim_position import DEFAULT_ASTEROIDS, HOLD, MAX_POWER, TURRET_COST, WARP_RADIUS
from .skyclaim_shapes import ROW_PAYS, ROWS_PAYING_A_MISSILE_AT_NINE, ROWS_PAYING_AN_ASTEROID_AT_NINE, matched_squares

__all__ = ["DEFAULT_ASTEROIDS", "FACTS", "Model", "half_turn_step"]

FREE_STEPS = ("fire", "turret")
STEP_KINDS = (
    *FREE_STEPS,
    "swap",
    "move",
    "take",
    "stack",
    "bomb",
    "claim",
    "warp",
    "siege",
    "ram",
    "pass",
)

# [J15] What a blast spares.
SPARED_BY_A_BLAST = "M"
# [J20] The countdown of a new wreck; own drones in an own bomb's blast leave one as well.
WRECK_COUNTDOWN = 10
BLAST_RADIUS = 1
SWEPT_BY_A_SHIELD = "SHWG"
ENEMIES_THAT_SURROUND = 4
CLEARED_FOR_A_DRIFT = 8


def branches_at_nine(row: int) -> tuple[str, ...]:
    """What can become of a row's drone at nine drones or more (rules 4)."""
    if row == 6:
        return ("placed", "stacked", "nothing")
    if row in ROWS_PAYING_A_MISSILE_AT_NINE:
        return ("stacked", "missile")
    if row in ROWS_PAYING_AN_ASTEROID_AT_NINE:
        return ("stacked", "asteroid", "nothing")
    return ("stacked", "nothing")


# Every fact that is counted and that play can bring about.
FACTS = (
    *(f"step {kind}" for kind in STEP_KINDS),
    *(f"missile at {target}" for target in ("drone", "asteroid", "star", "star under a wreck")),
    *(f"row {row}" for row in ROW_PAYS),
    *(f"row {row} at nine: {what}" for row in ROW_PAYS for what in branches_at_nine(row)),
    *(f"below nine: {what}" for what in ("placed", "stacked", "nothing")),
    "placed on a star of the swap",
    "no pay: no row",
    "no pay: not in the own half",
    "no pay: all on the other side's land",
    "clear after drift",
    "drift",
    "drift: off board",
    "drift: asteroid ahead",
    "drift: command ahead",
    "drift: turret crushed",
    "drift: power 1 crushed",
    "drift: stack hit and jumped",
    "drift: stack hit and stayed at the edge",
    "drift: stack hit and stayed at an asteroid",
    "drift: crushed beyond",
    "drift: turret crushed beyond",
    "drift: command destroyed",
    "drift: plain",
    *(
        f"destroyed by {by}"
        for by in (
            "take",
            "missile",
            "turret",
            "sweep",
            "ram",
            "bomb",
            "surround",
            "asteroid",
            "warp",
        )
    ),
    "surround",
    "surround of both sides",
    "sweep",
    "sweep after a stack",
    "turret shot",
    "turret shot at a siege before a weaker drone",
    "own drone in an own blast",
    "own turret in an own blast",
    "command in a blast",
    "turret destroyed pays",
    "missile for a destroyed drone",
    "wreck appeared",
    "wreck collected by a step",
    "wreck collected by a new drone",
    "wreck faded",
    "wreck under an asteroid",
    "load after a step",
    "load at the start of a turn",
    "missiles over the hold",
    "saturated",
    "claim of radius 0",
    "claim of radius 1",
    "land taken under an asteroid",
    "warp drone spent",
    "win S land",
    "win S asteroid",
    "win S siege",
    "win S turns",
    "win N land",
    "win N asteroid",
    "win N siege",
    "win N turns",
    "draw turns",
)


class Model(Cascade):
    """A Skyclaim position that plays steps; ``facts`` is shared by its copies."""

    # ------------------------------------------------------------ playing (rules 5, 6)

    def apply(self, step: str) -> list[dict]:
        """Play a legal step in place; its events. ValueError where it is not legal (rules 5)."""
        if self.observation:
            raise ValueError("an observation plays no steps")
        if step not in self.legal():
            raise ValueError(f"illegal step {step!r}")
        return self.apply_unchecked(step)

    def apply_unchecked(self, step: str) -> list[dict]:
        """Play a step that is known to be legal (rules 5)."""
        self.events = []
        kind, colon, squares = step.partition(":")
        self.note(f"step {kind}")
        getattr(self, f"play_{kind}")(*(split_squares(squares) if colon else []))
        self.surround()
        if not self.win_check() and kind not in FREE_STEPS:
            self.end_turn()
        return self.events

    def perft(self, depth: int) -> int:
        """The number of step series of this length (rules 12)."""
        if depth == 0:
            return 1
        if depth == 1:
            return len(self.legal())
        return sum(self.divide(depth).values())

    def divide(self, depth: int) -> dict[str, int]:
        """The summands of ``perft`` by step (rules 12)."""
        counts = {}
        for step in self.legal():
            after = self.copy()
            after.apply_unchecked(step)
            counts[step] = after.perft(depth - 1)
        return counts

    # ------------------------------------------------------------ steps (rules 5)

    def play_fire(self, start: int, target: int) -> None:
        """A missile at a drone, an asteroid or a star (rules 5, fire)."""
        self.drones[start].missiles -= 1
        fields = {"from": name(start), "to": name(target)}
        if target in self.drones:
            self.note("missile at drone")
            power = self.lose_power(target)
            self.event("missile", {**fields, "target": "drone", "power": power})
            if power == 0:
                self.destroy(target, "missile", self.side)
            return
        what = "asteroid" if self.stars[target] == ASTEROID else "star"
        self.note(f"missile at {what}")
        if target in self.wrecks:
            self.note("missile at star under a wreck")
        self.event("missile", {**fields, "target": what})
        self.stars[target] = EMPTY
        self.flow()
        self.resolve()

    def play_turret(self, square: int) -> None:
        """Ten missiles become a turret (rules 5, turret)."""
        self.event("turret", {"square": name(square)})
        self.drones[square] = Drone(self.side, "T")
        self.add_to_stock(self.side, -TURRET_COST)

    def play_swap(self, a: int, b: int) -> None:
        """Two stars change places (rules 5, swap)."""
        self.event("swap", {"from": name(a), "to": name(b)})
        self.stars[a], self.stars[b] = self.stars[b], self.stars[a]
        self.resolve(swapped={a, b})

    def leave(self, start: int, target: int, how: str) -> Drone:
        """Lift a drone off its square, on its way to another (docs/events.md, move)."""
        drone = self.drones.pop(start)
        fields = {"from": name(start), "to": name(target), "kind": drone.kind, "how": how}
        self.event("move", fields)
        return drone

    def play_move(self, start: int, target: int) -> None:
        """A drone goes to an empty square (rules 5, moving)."""
        self.drones[target] = self.leave(start, target, "move")
        self.after_move(target)

    def play_take(self, start: int, target: int) -> None:
        """A raider destroys a whole stack and stands there (rules 5, take)."""
        raider = self.leave(start, target, "take")
        self.destroy(target, "take", self.side)
        self.drones[target] = raider
        self.after_move(target)

    def play_stack(self, start: int, target: int) -> None:
        """A drone lands on one of its own side (rules 5, stack)."""
        arriving = self.leave(start, target, "stack")
        stack = self.drones[target]
        stack.power = min(MAX_POWER, stack.power + arriving.power)
        stack.rides |= arriving.rides
        together = stack.missiles + arriving.missiles
        stack.missiles = min(together, HOLD.get(stack.kind, 0))
        self.drone_event(target, "stacked")
        if together > stack.missiles:
            self.note("missiles over the hold")
            self.add_to_stock(self.side, together - stack.missiles)
        self.after_move(target, stacked=True)

    def play_bomb(self, start: int, target: int) -> None:
        """A bomb goes off where it lands; it is spent (rules 5, bomb)."""
        self.leave(start, target, "bomb")
        hit = []
        for square in in_view(self.side, self.drones):
            if distance(square, target) > BLAST_RADIUS:
                continue
            if self.drones[square].kind in SPARED_BY_A_BLAST:
                self.note("command in a blast")
            else:
                hit.append(square)
        self.event("blast", {"square": name(target), "squares": [name(i) for i in hit]})
        for square in hit:
            if self.drones[square].side == self.side:
                what = "turret" if self.drones[square].kind == "T" else "drone"
                self.note(f"own {what} in an own blast")
            self.destroy(square, "bomb", self.side)

    def play_claim(self, square: int) -> None:
        """A scout takes the open squares around it (rules 5, claim)."""
        self.note(f"claim of radius {self.claim_radius()}")
        taken = self.take_land(square, self.claim_radius())
        self.event("claim", {"square": name(square), "taken": [name(i) for i in taken]})

    def play_warp(self, start: int, target: int) -> None:
        """[J17] A warp drone jumps, takes land and loses 1 power (rules 5, warp)."""
        drone = self.drones.pop(start)
        self.drones[target] = drone
        taken = self.take_land(target, WARP_RADIUS)
        power = self.lose_power(target)
        fields = {"from": name(start), "to": name(target)}
        self.event("warp", {**fields, "taken": [name(i) for i in taken], "power": power})
        self.collect(target, "a step")
        if power == 0:
            self.note("warp drone spent")
            self.destroy(target, "warp", None)

    def play_siege(self, start: int, target: int) -> None:
        """[J18] Enemy land becomes open land (rules 5, siege)."""
        self.event("siege", {"from": name(start), "to": name(target)})
        self.land[target] = OPEN

    def play_ram(self, start: int, target: int) -> None:
        """[J19] A siege destroys a turret and stands there (rules 5, ram)."""
        siege = self.leave(start, target, "ram")
        self.destroy(target, "ram", self.side)
        self.drones[target] = siege

    def play_pass(self) -> None:
        """Nothing (rules 5, pass)."""
        self.event("pass")

    # ------------------------------------------------------------ after a move (rules 5)

    def after_move(self, square: int, stacked: bool = False) -> None:
        """Collect, sweep, load (rules 5, after a move, take or stack)."""
        self.collect(square, "a step")
        self.sweep(square, stacked)
        self.load(square, "after a step")

    def sweep(self, square: int, stacked: bool) -> None:
        """A shield that moved destroys what stands beside it (rules 5)."""
        if self.drones[square].kind != "G" or self.land[square] != self.side:
            return
        swept = [
            i
            for i in in_view(self.side, BESIDE[square])
            if i in self.drones and self.drones[i].side != self.side and self.drones[i].kind in SWEPT_BY_A_SHIELD
        ]
        if not swept:
            return
        self.note("sweep after a stack" if stacked else "sweep")
        self.event("sweep", {"square": name(square), "squares": [name(i) for i in swept]})
        for i in swept:
            self.destroy(i, "sweep", self.side)

    def load(self, square: int, when: str) -> None:
        """A scout or hunter beside its Command takes missiles (rules 5, 6)."""
        drone = self.drones[square]
        command = self.command_square(drone.side)
        if drone.kind not in HOLD or command not in BESIDE[square]:
            return
        missiles = min(HOLD[drone.kind] - drone.missiles, self.drones[command].missiles)
        if missiles <= 0:
            return
        self.note(f"load {when}")
        drone.missiles += missiles
        self.event("load", {"square": name(square), "missiles": drone.missiles})
        self.add_to_stock(drone.side, -missiles)

    # ------------------------------------------------------------ land, power (rules 2, 5)

    def take_land(self, square: int, radius: int) -> list[int]:
        """The open squares of the block become the mover's (rules 5, claim, warp)."""
        taken = self.open_around(square, radius)
        for i in taken:
            self.land[i] = self.side
            self.lit[self.side].add(i)
            if self.stars[i] == ASTEROID:
                self.note("land taken under an asteroid")
        return taken

    def lose_power(self, square: int) -> int:
        """A drone loses 1 power; what it has left."""
        self.drones[square].power -= 1
        return self.drones[square].power

    # ------------------------------------------------------------ destroying (rules 5)

    def destroy(self, square: int, by: str, destroyer: str | None) -> None:
        """A drone or turret is gone; what is earned by it (rules 5, destroyed drones)."""
        drone = self.drones.pop(square)
        self.note(f"destroyed by {by}")
        fields = {"square": name(square), "side": drone.side, "kind": drone.kind, "by": by}
        self.event("destroyed", fields)
        if by in ("asteroid", "warp"):
            return
        if drone.kind == "T":
            if destroyer != drone.side:
                self.note("turret destroyed pays")
                self.add_to_stock(destroyer, 1)
        elif self.options["Salvage"] and by != "take":
            self.note("wreck appeared")
            self.wrecks[square] = WRECK_COUNTDOWN
            self.event("wreck", {"square": name(square), "countdown": WRECK_COUNTDOWN})
        elif destroyer != drone.side:
            self.note("missile for a destroyed drone")
            self.add_to_stock(destroyer, 1)

    def surround(self) -> None:
        """Sieges with four enemy drones beside them, all judged at once (rules 5)."""
        surrounded = []
        for square in in_view(self.side, self.drones):
            siege = self.drones[square]
            enemies = [
                i
                for i in BESIDE[square]
                if i in self.drones and self.drones[i].side != siege.side and self.drones[i].kind != "T"
            ]
            if siege.kind == "X" and len(enemies) >= ENEMIES_THAT_SURROUND:
                surrounded.append(square)
        if not surrounded:
            return
        self.note("surround")
        if len({self.drones[i].side for i in surrounded}) == 2:
            self.note("surround of both sides")
        self.event("surround", {"squares": [name(i) for i in surrounded]})
        for square in surrounded:
            self.destroy(square, "surround", other(self.drones[square].side))

    # ------------------------------------------------------------ drift (rules 8)

    def drift(self) -> None:
        """Every asteroid drifts toward the mover's back row (rules 8)."""
        self.note("drift")
        asteroids = [i for i in range(len(self.stars)) if self.stars[i] == ASTEROID]
        for square in in_view(self.side, asteroids):
            self.drift_one(square)

    def drift_one(self, start: int) -> None:
        """[J22] One asteroid drifts (rules 8)."""
        toward = -1 if self.side == "S" else 1
        ahead = square_from(start, 0, toward)
        if ahead is None:
            self.note("drift: off board")
            return
        if self.stars[ahead] == ASTEROID:
            self.note("drift: asteroid ahead")
            return
        drone = self.drone_at(ahead)
        if drone is None:
            self.note("drift: plain")
            self.put_asteroid(start, ahead, {})
        elif drone.kind == "M":
            self.note("drift: command ahead")
        elif drone.kind == "T" or drone.power == 1:
            self.note(f"drift: {'turret' if drone.kind == 'T' else 'power 1'} crushed")
            self.put_asteroid(start, ahead, {})
        else:
            hit = {"hit": name(ahead), "power": self.lose_power(ahead)}
            beyond = square_from(ahead, 0, toward)
            if beyond is None or self.stars[beyond] == ASTEROID:
                where = "the edge" if beyond is None else "an asteroid"
                self.note(f"drift: stack hit and stayed at {where}")
                self.event("drift", {"from": name(start), "to": name(start), **hit})
                return
            self.note("drift: stack hit and jumped")
            if beyond in self.drones:
                self.note("drift: crushed beyond")
                if self.drones[beyond].kind == "T":
                    self.note("drift: turret crushed beyond")
                if self.drones[beyond].kind == "M":
                    self.note("drift: command destroyed")
            self.put_asteroid(start, beyond, hit)

    def put_asteroid(self, start: int, target: int, hit: dict) -> None:
        """An asteroid changes places with a star; what was there is gone (rules 8)."""
        self.event("drift", {"from": name(start), "to": name(target), **hit})
        self.stars[start], self.stars[target] = self.stars[target], ASTEROID
        if target in self.drones:
            self.destroy(target, "asteroid", None)
        if target in self.wrecks:
            self.note("wreck under an asteroid")
            del self.wrecks[target]
            self.event("wreck", {"square": name(target), "countdown": 0})

    # ------------------------------------------------------------ end of a turn (rules 6, 7)

    def win_check(self) -> bool:
        """Whether a side has won; the event of it (rules 7)."""
        result = self.win_found()
        if result is None:
            return False
        self.finish(result)
        return True

    def finish(self, result: str) -> None:
        """The game is over (docs/events.md, win)."""
        self.note("win " + result.replace(" wins", "") if "wins" in result else result)
        self.event("win", {"result": result})

    def end_turn(self) -> None:
        """The end of a turn and the start of the next (rules 6)."""
        if self.cleared >= CLEARED_FOR_A_DRIFT:
            self.drift()
            if any(matched_squares(self.stars).values()):
                self.note("clear after drift")
            self.resolve()
            self.surround()
            if self.win_check():
                return
        self.fade_wrecks()
        self.cleared = 0
        self.turn += 1
        self.side = other(self.side)
        self.event("turn", {"turn": self.turn, "side": self.side})
        at_the_limit = self.result_at_the_turn_limit()
        if at_the_limit is not None:
            self.finish(at_the_limit)
            return
        for square in in_view(self.side, self.own_drones("T")):
            self.turret_fires(square)
        for square in in_view(self.side, self.own_drones("SH")):
            self.load(square, "at the start of a turn")
        self.surround()
        self.win_check()

    def fade_wrecks(self) -> None:
        """Every countdown loses 1; at 0 the wreck is gone (rules 6)."""
        for square in in_view(self.side, self.wrecks):
            self.wrecks[square] -= 1
            if self.wrecks[square] == 0:
                self.note("wreck faded")
                del self.wrecks[square]
                self.event("wreck", {"square": name(square), "countdown": 0})

    def turret_fires(self, square: int) -> None:
        """A turret's one shot of the turn (rules 6)."""
        targets = [
            i
            for i in BESIDE[square]
            if i in self.drones and self.drones[i].side != self.side and self.drones[i].kind not in "MT"
        ]
        if not targets:
            return

        def order(i: int):
            drone = self.drones[i]
            return (drone.kind != "X", drone.power, view(self.side, i))

        target = min(targets, key=order)
        self.note("turret shot")
        if any(self.drones[i].power < self.drones[target].power for i in targets):
            self.note("turret shot at a siege before a weaker drone")
        power = self.lose_power(target)
        fields = {"from": name(square), "to": name(target), "power": power}
        self.event("turret_shot", fields)
        if power == 0:
            self.destroy(target, "turret", self.side)
