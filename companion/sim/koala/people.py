"""What all persons at a simulated table share: memory, hands, mistakes, and an ear for the referee.

A person knows the own hand, the table, and what the companion shows everybody; never its state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.sim.evening import Hands
from companion.sim.koala.physical import ACTION, HAND, MIDDLE, Physical
from companion.table.cues import Cue
from companion.table.effects import Say
from companion.table.things import BID, Button, CardId, Player, Zone

View = Any  # the public view as plain data; its shape is the game's own
AT_A_LOSS = 40  # acts in which nothing happens before the winner lays the cave as the screen says
CAREFUL_AFTER = 6  # mistakes at one point of the game; then even the messiest table pulls itself together


class People:
    """Everybody at the table, and what they remember."""

    def __init__(self, table: Physical, hands: Hands, mess: float, agreed: Mapping[str, object]) -> None:
        """Sit down. `mess` from 0 to 1: how often somebody errs; `agreed`: the rulings that this table switched."""
        self.table, self.hands, self.mess, self.agreed = table, hands, mess, agreed
        self.view: View = {}
        self.cues: tuple[Cue, ...] = ()
        self.laid: dict[Player, list[CardId]] = {}  # laid and not yet accepted
        self.zone_of: dict[Player, Zone] = {}
        self.wants: dict[Player, list[CardId]] = {}  # pressed, about to lay these
        self.shares: list[tuple[Player, Player, str]] = []  # joint bids as they were paid
        self.taken: list[tuple[Player, CardId]] = []  # bid cards somebody took back though they lay well
        self.decided: tuple[str, str] | None = None  # card and option just chosen
        self.to_draw: list[Player] = []  # told to draw; a mashed button does not draw a card
        self.told: Player | None = None  # whom the voice told last to draw
        self.bad: tuple[Player, list[CardId]] | None = None  # shown as bad cards, not accepted so far
        self.late: Player | None = None  # has bad cards, and pressed before showing them
        self.showing: Player | None = None  # whose feast or team cards lie on the action place
        self.notes: list[str] = []
        self.acts = 0
        self._bid_round: object = None
        self._tried: set[Player] = set()
        self._last_turned: CardId | None = None
        self._turned: tuple[int, int] | None = None  # round and pile when the last card was turned
        self._point: object = None  # how far the game is
        self._kept: object = None  # the turn at which bad cards were refused
        self._returned: list[CardId] = []  # these cards
        self._patience = 0  # acts that somebody still waits for an answer
        self._errors = 0  # how often somebody erred there
        self._waited = 0  # acts in which nobody had anything to do there
        self._owners: dict[CardId, Player] = {}  # who laid a card last

    def _listen(self, say: Say) -> None:
        """Whose cards were accepted, the voice says by name."""
        if say.key in ("say.leads", "say.highest", "say.carry_out"):
            names = [Player(name) for name in str(say.values["name"]).split(" + ")]
            self._paid({name: len(self.laid.pop(name, [])) for name in names})
        elif say.key == "say.draw":
            self.told = Player(str(say.values["name"]))
            self.to_draw.append(self.told)
        elif say.key == "say.bad_cards":
            if self.bad is not None and self.bad[0] == say.values["name"]:
                self.bad = None
            if say.values["name"] != self.told:  # shown after the press: who was told to draw waits again
                self.to_draw = [player for player in self.to_draw if player != self.told]
        elif say.key == "say.bid_lost":  # by the Italian edition's rule
            lost = {Player(n): self.laid.pop(Player(n), []) for n in str(say.values["name"]).split(" + ")}
            self._paid({name: len(cards) for name, cards in lost.items()})
            for cards in lost.values():
                self.table.throw([card for card in cards if card in self.table.zones[MIDDLE]], MIDDLE)
        elif say.key == "say.set_aside" and self.agreed.get("KOALA-AMB-03") == "last_only":
            self._drop_older()

    def _paid(self, paid: Mapping[Player, int]) -> None:
        """A koalation keeps in mind who laid how many: it will be asked."""
        if len(paid) == 2:
            white, black = self.table.seats[self.table.seat(next(iter(paid)))]
            self.shares.append((white, black, f"{paid[white]}+{paid[black]}"))

    def _drop_older(self) -> None:
        """Of the food set aside only the last card stays."""
        theirs = {card for cards in self.laid.values() for card in cards}
        older = [
            card for card in self.table.zones[MIDDLE]
            if self.table.kind(card) == "food" and card != self._last_turned and card not in theirs
        ]  # fmt: skip
        self.table.throw(older, MIDDLE)

    def _mend(self) -> bool:
        """Take back what the companion refused; say whose cards lie there unclaimed."""
        if self.bad is not None and self._refused_bad(*self.bad):
            return True
        for player, cards in list(self.laid.items()):
            zone = self.zone_of[player]
            refused = self.view["middle"]["take_back"] if zone == MIDDLE else self.view["action"]["take_back"]
            lying = [card for card in cards if card in self.table.zones[zone]]
            if not lying:
                del self.laid[player]
                continue
            if any(self.table.face(card) in refused for card in lying):
                del self.laid[player]
                self.table.take(player, lying, zone)
                return True
            unclaimed = self.view["middle" if zone == MIDDLE else "action"]["unclaimed"]
            if any(self.table.face(card) in unclaimed for card in lying):
                if self.table.chance(0.5) and self.view["phase"] in (
                    "auction",
                    "call",
                    "actions",
                    "action_call",
                ):
                    return self._press(player)
                del self.laid[player]
                self.table.take(player, lying, zone)
                return True
        return False

    def _refused_bad(self, player: Player, cards: list[CardId]) -> bool:
        """Cards that are not bad enough, or shown too late, go back into the hand after a while."""
        turn = self.view["refill"]
        if turn and turn["again"] and turn["player"] == player:
            return False
        if turn and player in turn.get("whose", ()):
            return self._press(player)
        if self._patience > 0:
            self._patience -= 1
            return True
        self.bad, self._kept, self._returned = None, (self.view["round"], player), cards
        self.table.take(player, cards, ACTION)
        return True

    def _draw_late(self) -> bool:
        """Whose button was pressed before the cards were drawn draws them now."""
        turn = self.view["refill"]["player"] if self.view["refill"] else None
        late = next((player for player in self.to_draw if player != turn), None)
        if late is None:
            return False
        self.to_draw.remove(late)
        self.table.draw(late, HAND - len(self.table.hands[late]))
        return True

    def _press(self, player: Player, button: Button = BID, after_ns: int = 0) -> bool:
        self.hands.press(player, button, after_ns)
        return True

    def _lay(self, player: Player, cards: list[CardId], zone: Zone) -> None:
        self.table.lay(player, cards, zone)
        self.laid.setdefault(player, []).extend(cards)
        self.zone_of[player] = zone
        self._owners |= dict.fromkeys(cards, player)

    def _somebody(self) -> Player:
        players = list(self.table.hands)
        return players[self.table.roll(len(players))]

    def _somebody_but(self, player: Player) -> Player:
        other = self._somebody()
        return other if other != player else next(p for p in self.table.hands if p != player)

    def _note_progress(self) -> None:
        """A count that runs and stops is no progress; a bid, a card or another person's turn is."""
        view = self.view
        window = {"call": "auction", "action_call": "actions"}.get(view["phase"], view["phase"])
        turn = (view["refill"] or view["feast"] or {}).get("player")
        point = (
            window, turn, view["round"], view["pile"], view["discard"], view["middle"]["food"],
            view["middle"]["bid"],
        )  # fmt: skip
        if point != self._point:
            self._point, self._errors, self._waited = point, 0, 0

    def _err(self) -> bool:
        """Whether somebody errs now; nobody errs without end at one point of the game."""
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.table.chance(self.mess):
            return False
        self._errors += 1
        return True

    def _clean(self, zone: Zone, but: CardId | None = None) -> bool:
        """Action cards that are done with go to the discard pile, now and then a little late; not so `but`."""
        laid = {card for cards in self.laid.values() for card in cards} | {but}
        spent = [
            card for card in self.table.zones[zone] if self.table.kind(card) == "action" and card not in laid
        ]
        if spent and not self._err():
            self.table.throw(spent, zone)
            return True
        return False
