"""What everybody at a simulated table of Karnivore Koala shares: memory, mistakes, an ear for the referee.

A person knows the own hand, the table, and what the companion shows everybody; never its state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Hands
from companion.sim.karnivore.physical import DISCARD, PLAY, Physical
from companion.table.cues import Choose, Cue, Press, Show
from companion.table.effects import Say
from companion.table.things import BID, CardId, Player

CAREFUL_AFTER = 6  # mistakes in one turn; then even the messiest table pulls itself together
PATIENCE = 3  # acts that somebody waits for an answer before taking a card back


class People:
    """Everybody at the table, and what they remember of the turn."""

    def __init__(self, table: Physical, hands: Hands, mess: float, agreed: Mapping[str, object]) -> None:
        """Sit down. `mess` from 0 to 1: how often somebody errs; `agreed`: the rulings that were switched."""
        self.table, self.hands, self.mess, self.agreed = table, hands, mess, agreed
        self.view: Any = {}
        self.cues: tuple[Cue, ...] = ()
        self.notes: list[str] = []
        self.acts = 0
        self.pending: CardId | None = None  # laid into the tribe or on the hunt place, not yet accepted
        self.waited = 0
        self.unseen = 0  # acts that somebody has waited for the camera
        self.due: list[tuple[Player, int]] = []  # draws that a person expects to be told of
        self.spears = 0  # as the player counts them
        self.used: list[CardId] = []  # workbears of the hunt under way
        self.active: dict[CardId, list[str]] = {}  # activated cards, and the dice on them
        self.blocked: list[CardId] = []  # cards with a skull
        self.drawn_kings: dict[Player, str] = {}  # what the companion has drawn for whom
        self.gathered = False  # the dice are in the player's hand
        self.stayed: list[CardId] = []  # dice that stay in the tray
        self.owner: Player | None = None  # of the card that waits for its owner
        self._errors, self._turn = 0, (0, "")

    @property
    def player(self) -> Player:
        """Whose turn it is."""
        return Player(self.view["turn"])

    def _listen(self, say: Say) -> None:
        """Draws are told by name and number; so are kings."""
        name = Player(str(say.values.get("name", "")))
        if say.key == "say.draw":
            count = int(say.values["count"])
            expected = self.due.pop(0) if self.due else (Player(""), -1)
            unseen = expected[0] == name and count < min(expected[1], self.table.left())
            if unseen and self.view.get("phase") in ("draw", "roll", "room"):
                # A card that was just thrown was not seen yet: how many are missing is told once it is.
                self.due.insert(0, (name, expected[1] - count))
                expected = (name, count)
            taken = self.table.draw(name, expected[1] if expected[0] == name else count)
            if expected[0] != name or taken != count:
                self.notes.append(f"{name} draws {count}, {expected} was expected")
        elif say.key == "say.backstab" and self.pending is not None:
            card, self.pending = self.pending, None
            self.effect(name, card)
        elif say.key == "say.king":
            self.drawn_kings[name] = str(say.values["card"]).removeprefix("@")
        elif say.key == "say.skull_cards":
            for _ in range(int(say.values["count"])):
                self.table.throw(self.table.pick(self.table.hands[name]))

    def _err(self) -> bool:
        """Whether somebody errs now; nobody errs without end in one turn."""
        turn = (self.view["round"], str(self.view["turn"]))
        if turn != self._turn:
            self._turn, self._errors = turn, 0
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.table.chance(self.mess):
            return False
        self._errors += 1
        return True

    def _press(self, player: Player) -> bool:
        self.hands.press(player, BID)
        return True

    def _say(self, what: str, option: str) -> bool:
        """Answer a question of one's own turn."""
        self.hands.choose(self.player, what, option)
        return True

    def _somebody_else(self) -> Player:
        others = [player for player in self.table.players if player != self.view["turn"]]
        return Player(self.table.pick(others or self.table.players))

    def ask(self, what: str) -> Choose | None:
        """The open question of this name."""
        return next((cue for cue in self.cues if isinstance(cue, Choose) and cue.what == what), None)

    def may_press(self, why: str) -> Player | None:
        """Who may press for this now."""
        return next((cue.player for cue in self.cues if isinstance(cue, Press) and cue.why == why), None)

    def looks(self, zone: str) -> bool:
        """Whether the companion wants to see this place."""
        return any(isinstance(cue, Show) and cue.zone == zone for cue in self.cues)

    def card(self, text: str) -> CardId:
        """The card that an answer names by its last two parts."""
        *_, face, number = text.split(":")
        return CardId(f"{face}-{number}")

    def seen(self, player: Player) -> list[CardId]:
        """The koalas of a tribe as the screen shows them."""
        row = next(tribe for tribe in self.view["tribes"] if tribe["player"] == player)
        return [self.card(card["id"]) for card in (*row["left"], *row["right"])]

    def rules(self, number: int, setting: str) -> bool:
        """Whether the table has switched a ruling to this."""
        return self.agreed.get(f"KARN-AMB-{number:02d}") == setting

    def effect(self, player: Player, card: CardId) -> None:
        """What a person reads on an activated card: spears at once, cards to be drawn."""
        for op in self.table.facts(card).get("ops", ()):
            if op["op"] == "spears" and player == self.player:
                self.spears += op["n"]
            elif op["op"] == "draw":
                self.due.append((player, op["n"]))

    def tidy(self) -> bool:
        """Played backstabbears and workbears that have hunted go to the discard pile once that is settled."""
        if self.view["phase"] in ("effect", "whose", "room", "over") or self.pending is not None:
            return False
        booked = [card for player in self.table.order for card in self.seen(player)]
        spent = [card for card in self.table.zones[PLAY] if card not in booked]
        for card in spent:
            self.table.throw(card)
        return bool(spent)

    def _unseen(self) -> bool:
        """A card was just thrown and not seen yet: who pays with it waits, who keeps the rest may not."""
        if self.table.discards() <= self.view["discard"] or self.unseen >= PATIENCE:
            self.unseen = 0
            return False
        self.unseen += 1
        return self.view["phase"] != "keep" or self.table.chance(0.5)

    def pay(self) -> None:
        """A hand card onto the discard pile."""
        self.table.throw(self.table.pick(self.table.hands[self.player]))

    def cover(self) -> None:
        """The newest card of the discard pile lies face down, or others cover it: nobody can read it."""
        self.table.under.append(self.table.zones[DISCARD].pop())
