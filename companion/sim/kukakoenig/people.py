"""What all persons at a table of Ku-Ka-König share: fingers, what is still to be done, mistakes.

A person sees the table and what the companion shows everybody; never its state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.sim.evening import Hands
from companion.sim.kukakoenig.physical import Physical
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.things import BID, Button, CardId, Player

View = Any  # the public view as plain data; its shape is the game's own
CAREFUL_AFTER = 4  # mistakes in one phase; then even the messiest table pulls itself together
Deed = Callable[[], None]


class People:
    """Everybody at the table, and what they remember."""

    def __init__(self, table: Physical, hands: Hands, mess: float, agreed: Mapping[str, object]) -> None:
        """Sit down. `mess` from 0 to 1: how often somebody errs; `agreed`: the rulings that this table switched."""
        self.table, self.hands, self.mess, self.agreed = table, hands, mess, agreed
        self.view: View = {}
        self.cues: tuple[Cue, ...] = ()
        self.acts = 0
        self.notes: list[str] = []
        self.deeds: list[Deed] = []  # what hands still have to do on the table
        self.mends: list[Deed] = []  # how a mistake is put right, once it was named
        self.fingers: dict[Player, int] = {}  # the numbers they have in mind
        self.scored: list[dict[Player, int]] = []  # each scoring counted by hand
        self.named = 0  # mistakes the companion has named
        self._errors = 0
        self._point: object = None

    def _listen(self, say: Say) -> None:
        if say.key.startswith("say.differs.") or say.key in ("say.unclear", "say.stays", "say.row_first"):
            self.named += 1

    def _note_progress(self) -> None:
        point = (self.view["phase"], self.view["round"], self.view["pile"], len(self.view["affected"]))
        if point != self._point:
            self._point, self._errors = point, 0

    def _err(self) -> bool:
        """Whether somebody errs now; nobody errs without end at one point of the game."""
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.table.chance(self.mess):
            return False
        self._errors += 1
        return True

    def _press(self, player: Player, button: Button = BID) -> bool:
        self.hands.press(player, button)
        return True

    def _somebody(self) -> Player:
        return self.table.players[self.table.roll(len(self.table.players))]

    def _affected(self) -> list[Player]:
        return [Player(name) for name in self.view["affected"]]

    def _ruled(self, number: int, value: str) -> bool:
        return self.agreed.get(f"KUKA-AMB-{number:02d}") == value

    def _throw(self, row: int, card: CardId) -> Deed:
        return lambda: self.table.throw(row, card)

    def _take(self, player: Player, row: int, cards: list[CardId]) -> Deed:
        return lambda: self.table.take(player, row, cards)
