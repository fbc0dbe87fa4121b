"""What can occur in Islands, and how it is counted; nothing here changes a position.

The sections named here are those of ``docs/rules/islands.md``.
"""

from __future__ import annotations

from .islands_map import CHARTS, Order
from .islands_position import NEUTRAL, Contingent, Position

# Every fact that is counted and that play can bring about.
FACTS = (
    "no orders",
    "march",
    "march over an open bridge",
    "march over a bridge that just opened",
    "march fails: bridge just closed",
    "march fails: never a bridge",
    "march of cut off squads",
    "own marches pass",
    "armies pass",
    *(f"recruit at {place}" for place in ("the own home", "a factory", "another seat's home", "another island")),
    "recruit where no squads stand",
    "recruit where all squads march off",
    "recruit adds 2",
    "recruit adds 1",
    "recruit refunded: 20 squads",
    "recruit refunded: cut off",
    "rotate + of an own hub",
    "rotate - of an own hub",
    "rotate + of a neutral hub",
    "rotate - of a neutral hub",
    "rotations add up",
    "rotations cancel",
    "fortify",
    "fortify refunded: cut off",
    "fortified, but all squads march off",
    "scan",
    "scan where all squads march off",
    "cut off: no chain to the home",
    "cut off: home lost",
    "battle of 2 sides",
    "battle of 3 or more sides",
    "battle of sides none of which stood there",
    "battle won where it stood",
    "battle won by a side that came",
    "battle won at no loss",
    "battle: all wiped, two strongest alike",
    "battle: all wiped by the others together",
    "battle: all wiped at strength 0",
    "battle: side of several contingents",
    "battle: cut off contingent stays",
    "battle: cut off contingent came",
    "battle: two cut off contingents of a side",
    "battle: side of strength 0",
    "battle: fortification counts",
    "battle: fortification wins and takes off the loss",
    "battle: fortification takes off less than 2",
    "battle: fortified side wiped",
    "battle: recruits fight",
    "emptied island keeps its owner",
    "emptied island stays neutral",
    "island left without squads keeps its owner",
    "capture of a neutral island",
    "capture of an island of another seat without a battle",
    "capture of an island of another seat after a battle",
    "capture of another seat's home",
    "capture of the own home",
    *(f"{kind} beacon pays{when}" for kind in ("supplied", "cut off") for when in ("", " in the surge")),
    *(f"contest for {what}: {how}" for what in "GFB" for how in ("won", "tie of 2", "tie of 3 or more", "nobody")),
    "income of generators",
    "store full",
    "end: influence",
    "end: objectives",
    "end: squads",
    *(f"end: shared by {winners}" for winners in range(2, 7)),
    "seen over a bridge",
    "seen by a scan",
    "hidden squads",
    "hidden, though there are none",
    "drawn hubs: a home without a bridge",
    "drawn hubs: an island out of reach",
    *(f"hubs drawn again, {seats} seats" for seats in CHARTS),
)


class Noted(Position):
    """A position with what is counted while it plays a round."""

    def note_orders(self, seat: int, orders: list[Order]) -> None:
        """Count the orders as they are planned; nothing else."""
        if not orders:
            self.note("no orders")
        for order in orders:
            island = self.islands[order.island]
            leaving = sum(o.squads for o in orders if o.kind == "march" and o.island == order.island)
            all_leave = bool(island.squads) and leaving == island.squads
            if order.kind == "rotate":
                whose = "an own" if island.owner == seat else "a neutral"
                self.note(f"rotate {order.sign} of {whose} hub")
            elif order.kind == "recruit":
                self.note(f"recruit at {self.place_of_recruit(seat, order.island)}")
                if not island.squads:
                    self.note("recruit where no squads stand")
                if all_leave:
                    self.note("recruit where all squads march off")
            else:
                self.note(order.kind)
                if order.kind == "scan" and all_leave:
                    self.note("scan where all squads march off")

    def place_of_recruit(self, seat: int, number: int) -> str:
        """Where a recruit is, for the facts."""
        if self.is_at_own_home(seat, number):
            return "the own home"
        names = {"F": "a factory", "H": "another seat's home"}
        return names.get(self.islands[number].structure[0], "another island")

    def note_battle(self, there: list[Contingent], strength: dict[int, int], helped: int | None) -> None:
        """Count who met in a battle; nothing else."""
        self.note("battle of 2 sides" if len(strength) == 2 else "battle of 3 or more sides")
        if not any(c.stayed for c in there):
            self.note("battle of sides none of which stood there")
        if helped is not None:
            self.note("battle: fortification counts")
        for seat in strength:
            own = [c for c in there if c.seat == seat]
            if len(own) > 1:
                self.note("battle: side of several contingents")
            if sum(c.cut_off for c in own) > 1:
                self.note("battle: two cut off contingents of a side")
            if strength[seat] == 0:
                self.note("battle: side of strength 0")
        for contingent in there:
            if contingent.cut_off:
                self.note(f"battle: cut off contingent {'stays' if contingent.stayed else 'came'}")

    def note_won(self, winner: int, there: list[Contingent], others: int, loss: int, helped: int | None) -> None:
        """Count how a battle was won; nothing else."""
        if winner == helped:
            self.note("battle: fortification wins and takes off the loss")
            if others < 2:
                self.note("battle: fortification takes off less than 2")
        elif helped is not None:
            self.note("battle: fortified side wiped")
        if loss == 0:
            self.note("battle won at no loss")
        stood = any(c.stayed for c in there if c.seat == winner)
        self.note("battle won where it stood" if stood else "battle won by a side that came")

    def note_wiped(self, strength: dict[int, int], helped: int | None) -> None:
        """Count why a battle wiped everyone; nothing else."""
        most = max(strength.values())
        if helped is not None:
            self.note("battle: fortified side wiped")
        if most == 0:
            self.note("battle: all wiped at strength 0")
        elif list(strength.values()).count(most) > 1:
            self.note("battle: all wiped, two strongest alike")
        else:
            self.note("battle: all wiped by the others together")

    def note_capture(self, seat: int, number: int, after_a_battle: bool) -> None:
        """Count what kind of capture it is; nothing else."""
        island = self.islands[number]
        if island.owner == NEUTRAL:
            self.note("capture of a neutral island")
        else:
            how = "after a battle" if after_a_battle else "without a battle"
            self.note(f"capture of an island of another seat {how}")
        if number == self.chart.homes[seat]:
            self.note("capture of the own home")
        elif island.structure[0] == "H":
            self.note("capture of another seat's home")
