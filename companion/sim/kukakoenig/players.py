"""Simulated persons who play Ku-Ka-König: they lay rows, choose, take, count and put back, and err."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.sim.evening import Hands
from companion.sim.kukakoenig.choosing import Choosing
from companion.sim.kukakoenig.people import View
from companion.sim.kukakoenig.physical import BOX, Physical
from companion.sim.kukakoenig.verdict import points
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.things import CALL, CardId, Player

IN_ROW = 3
MODES = ("fingers", "phones", "mixed")


class Persons(Choosing):
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def __init__(self, table: Physical, hands: Hands, mess: float, agreed: Mapping[str, object]) -> None:
        """Sit down; this table has its way of telling numbers."""
        super().__init__(table, hands, mess, agreed)
        self.pressed = {}
        self.mode = MODES[table.roll(len(MODES))]
        if agreed.get("entry") == "counted":
            self.mode = "counted"
        elif self._ruled(1, "seen_only"):
            self.mode = "fingers"
        elif agreed.get("entry") == "keys":
            self.mode = "keys" if table.chance(0.7) else "phones"
        elif self._ruled(1, "entered_only"):
            self.mode = "phones"

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person, if anybody has anything to do; `heard` is what the voice said meanwhile."""
        self.view, self.cues = view, cues
        self.acts += 1
        for say in heard:
            self._listen(say)
        self._note_progress()
        if self.deeds:
            self.deeds.pop(0)()
            return True
        doing: dict[str, Callable[[], bool]] = {
            "setup": self._set_up, "layout": self._lay, "think": self._think, "show": self._show,
            "take": self._taking, "again": self._again, "score": self._score, "keep": self._keep,
            "refill": self._refill,
        }  # fmt: skip
        self._sweep()
        phase = self.view["phase"]
        return doing[phase]() if phase in doing else False

    def _set_up(self) -> bool:
        self.table.count_out()
        return self._press(self._somebody())

    def _lay(self) -> bool:
        """Three cards in the next row; now and then too many or too few at first."""
        for row in self.table.rows:
            lying = self.table.row(row)
            if len(lying) > IN_ROW:
                self.table.undeal(row)
                return True
            if len(lying) < IN_ROW:
                extra = (-1, 1)[self.table.roll(2)] if self._err() and not lying else 0
                self.table.deal(row, IN_ROW - len(lying) + extra)
                return True
        return False

    def _refill(self) -> bool:
        """Rows are topped up in order; now and then one too early, with too many, or too few at first."""
        inside = self._ruled(13, "inside")
        short = [row for row in self.table.rows if len(self.table.row(row)) < IN_ROW]
        for row in self.table.rows:
            if len(self.table.row(row)) > IN_ROW:
                self.table.undeal(row, inside)
                return True
        if self.lifted is not None:
            row, card, rest = self.lifted
            self.table.row(row).insert(len(self.table.row(row)) - rest if inside else 0, card)
            self.lifted = None
            return True
        if not short:
            return False
        row = short[-1] if self._err() else short[0]
        need = IN_ROW - len(self.table.row(row))
        if self._err() and len(self.table.row(row)) > 0 and self.table.pile:
            card = self.table.row(row).pop(0)  # a leftover card is picked up by mistake
            self.lifted = row, card, len(self.table.row(row))
            need += 1
        elif self._err() and len(self.table.pile) > need + 1:
            need += (-1, 1)[self.table.roll(2)] if need > 1 else 1
        if self.lifted is None or need == 1:
            return self._deal(row, need, inside)
        return self._deal(row, need - 1, inside)

    lifted: tuple[int, CardId, int] | None = None  # row, card, what else was left there

    def _deal(self, row: int, need: int, inside: bool) -> bool:
        """From the pile; when it is used up, from the shuffled box."""
        if not self.table.pile and not self._shuffle():
            return False
        dealt = self.table.deal(row, need, inside)
        if dealt < need and self._shuffle():
            self.table.deal(row, need - dealt, inside)
        return True

    def _shuffle(self) -> bool:
        """The box becomes the pile; False where it is empty, too."""
        self.table.shuffle_box(not self._ruled(22, "seen_only"))
        return bool(self.table.pile)

    def _score(self) -> bool:
        """Count by hand once; then press on now and then."""
        if len(self.scored) < self.view["scoring"]["number"]:
            self.scored.append(points(self.table, self.agreed))
        return self._press(self._somebody()) if self.table.chance(0.5) else False

    def _keep(self) -> bool:
        """One after the other lays the red-cross cards onto the box plate; now and then wrong ones at first."""
        player = Player(self.view["returns"]["player"])
        mine, plate = self.table.collections[player], self.table.zones[BOX]
        red = [card for card in mine if self.table.crossed(card)]
        green = [card for card in mine if not self.table.crossed(card)]
        wrong = [card for card in plate if not self.table.crossed(card)]
        if wrong:
            plate.remove(wrong[0])
            mine.append(wrong[0])
            return True
        if red and green and self._err():
            mine.remove(green[0])
            plate.append(green[0])
            return True
        if len(red) > 1 and self._err():
            self._lay_back(player, red[:1])
            self.deeds = [lambda: self._lay_back(player, red[1:])]
            return self._press(player)  # done, says somebody who is not
        if red:
            self._lay_back(player, red)
            return True
        return self._press(player, CALL) if self.table.chance(0.1) else False

    def _lay_back(self, player: Player, cards: list[CardId]) -> None:
        for card in cards:
            self.table.collections[player].remove(card)
            self.table.zones[BOX].append(card)

    def _sweep(self) -> None:
        """What was accepted goes from the plate into the box: when somebody else's turn or phase has come."""
        returns = self.view["returns"]
        turn = (self.view["phase"], returns and returns["player"])
        if turn != self.turn:
            self.turn = turn
            self.table.box.extend(self.table.zones[BOX])
            self.table.zones[BOX].clear()

    turn: object = None

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what is still owed is done."""
        self.view, self.cues = view, ()
        for say in heard:
            self._listen(say)
        while self.deeds:
            self.deeds.pop(0)()
        self._sweep()
