"""What all persons at a table of Koala & Wine share: ears, hands, mistakes, and what the voice reminds them of.

They know the rules, their hands and the glasses as they lie; of the companion they see the public screen only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.sim.evening import Rig
from companion.sim.wine.physical import MIDDLE, Cellar
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.things import BID, CardId, Player

View = Any  # the public view as plain data; its shape is the game's own
CAREFUL_AFTER = 4  # mistakes at one point of the game
RESTING = ("turn", "draw", "discard", "finale")  # phases in which nothing is being carried out


class People:
    """Everybody at the table, and what they remember."""

    def __init__(self, table: Cellar, hands: Rig, mess: float, agreed: Mapping[str, object]) -> None:
        """Sit down. `mess` from 0 to 1: how often somebody errs; `agreed`: the rulings this table switched."""
        self.table, self.hands, self.mess, self.agreed = table, hands, mess, agreed
        self.view: View = {}
        self.cues: tuple[Cue, ...] = ()
        self.oops: Callable[[], object] | None = None  # how the last mistake is put right
        self.before: object = None  # what the screen said when it was made
        self.active: CardId | None = None  # the card that is being carried out
        self.target: CardId | None = None  # the glass pointed at
        self.shown: CardId | None = None  # the glass turned over, not yet dealt with
        self.drawer: Player | None = None
        self.announced = ""  # what the owner says at a Blind Test
        self.wine = ""  # called in a Contest
        self.raised: list[tuple[Player, CardId]] = []  # glasses shown in it, in their order
        self.passes: dict[Player, CardId] = {}  # chosen for a Farandole
        self.offers: dict[Player, int] = {}  # in an Auction
        self.presses: dict[Player, int] = {}  # still to be pressed for them
        self.drawn_to = MIDDLE  # who gets the glass of a Charity, named before the glass is
        self.mistakes: dict[str, int] = {}
        self.notes: list[str] = []
        self.acts = 0
        self._point: object = None
        self._errors = 0
        self._heard: list[Say] = []
        self._done: int | None = None  # the moment of the last act that waits for an answer

    def ruled(self, number: int, setting: str) -> bool:
        """Whether this table switched a ruling to that."""
        return self.agreed.get(f"WINE-AMB-{number:02d}") == setting

    def moment(self) -> int:
        """The number that the screen's state carries: it changes with everything the companion accepts."""
        return self.hands.session().last

    def once(self) -> bool:
        """Whether nobody has acted yet on what the screen says now."""
        moment = self.moment()
        if moment == self._done:
            return False
        self._done = moment
        return True

    def err(self) -> bool:
        """Whether somebody errs now; nobody errs without end at one point of the game."""
        v = self.view
        point = (v["turn"], v["pile"], v["phase"], v["lost"])
        if point != self._point:
            self._point, self._errors = point, 0
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.table.chance(self.mess):
            return False
        self._errors += 1
        return True

    def mistake(self, kind: str, undo: Callable[[], object] | None = None) -> bool:
        """A mistake was made; it changes nothing in the companion's books and is put right in the next act."""
        self.mistakes[kind] = self.mistakes.get(kind, 0) + 1
        self.oops, self.before, self._done = undo, self.books(), None
        return True

    def books(self) -> object:
        """What the companion has counted, for comparison."""
        v = self.view
        rows = tuple(row["glasses"] for row in v["rows"])
        return v["phase"], v["turn"], v["pile"], tuple(v["hands"].values()), rows, v["lost"]

    def mend(self) -> bool:
        """Put the last mistake right; if it moved anything in the books, that is a difference."""
        if self.before is not None and self.books() != self.before:
            self.notes.append(f"a mistake counted: {self.before} became {self.books()}")
        self.before = None
        if self.oops is None:
            return False
        undo, self.oops = self.oops, None
        undo()
        return True

    def press(self, player: Player) -> bool:
        """A button."""
        self.hands.press(player, BID)
        return True

    def choose(self, cue: Choose, option: str) -> bool:
        """A choice, on the phone or called out to the operator."""
        self.hands.choose(cue.player, cue.what, option)
        return True

    def question(self, what: str) -> Choose | None:
        """The open question of this name."""
        return next((cue for cue in self.cues if isinstance(cue, Choose) and cue.what == what), None)

    def one_of(self, options: tuple[str, ...]) -> str:
        """Any answer."""
        return options[self.table.roll(len(options))]

    def asked_to_press(self) -> Player | None:
        """Whose button is waited for first."""
        return next((cue.player for cue in self.cues if isinstance(cue, Press)), None)

    @property
    def turn(self) -> Player:
        """Whose turn it is."""
        return Player(str(self.view["turn"]))

    @property
    def alive(self) -> list[Player]:
        """Who has glasses."""
        return [player for player in self.table.players if self.table.rows[player]]

    def somebody_but(self, *players: Player) -> Player | None:
        """Anybody else who is still in."""
        others = [player for player in self.alive if player not in players]
        return others[self.table.roll(len(others))] if others else None

    def glass(self, option: str) -> CardId:
        """The glass that an answer "Mia:2" points at."""
        owner, _, slot = option.rpartition(":")
        return self.table.rows[Player(owner)][int(slot) - 1]

    def listen(self, say: Say) -> None:
        """What the voice reminds of is done, once: a caption may be shown again beside a newer one."""
        if any(say is known for known in self._heard):
            return
        self._heard = [*self._heard[-9:], say]
        if say.key == "say.into_deck":
            for card in [card for card in self.table.drawn if self.table.kind(card) == "black"]:
                self.table.drawn.remove(card)
                self.table.bury(card)
        elif say.key in ("say.auction_won", "say.auction_all_pay"):
            self.auctioned(say)
        elif say.key in ("say.stopped", "say.stopped_discard"):
            self.stopped(Player(str(say.values["owner"])), say.key == "say.stopped")
        elif say.key == "say.pass_on":
            self.pass_on()

    def auctioned(self, say: Say) -> None:
        """Overridden where auctions are played."""
        raise NotImplementedError

    def stopped(self, owner: Player, taken: bool) -> None:
        """Overridden where thieves are played."""
        raise NotImplementedError

    def pass_on(self) -> None:
        """Overridden where the Farandole is danced."""
        raise NotImplementedError

    def spend(self, card: CardId) -> None:
        """A played card is done with: discard pile, by the ruling into the deck."""
        self.table.played.remove(card)
        if self.ruled(2, "back_into_deck") and self.table.name(card) != "auction":
            self.table.bury(card)
        else:
            self.table.discard.append(card)

    @property
    def unseen(self) -> int:
        """How many cards have left the pile that the companion has not seen yet."""
        return max(0, int(self.view["pile"]) - len(self.table.pile))

    def tidy(self) -> bool:
        """Played cards go away, the drawn card into the hand, the hands of those who are out aside."""
        table, done = self.table, False
        for player in table.players:
            if table.served and not table.rows[player] and table.hands[player]:
                for card in list(table.hands[player]):
                    table.hands[player].remove(card)
                    table.bury(card) if self.ruled(7, "hand_into_deck") else table.discard.append(card)
            if player in table.covers and len(table.rows[player]) <= 1:
                table.discard.append(table.covers.pop(player))
        resting = self.view["phase"] in RESTING and self.view["card"] is None
        if not resting or self.moment() == self._done:  # a card just laid waits to be seen
            return False
        for card in list(table.played):
            self.spend(card)
            done = True
        if self.drawer is not None:  # something else may have changed the screen: what is not yet seen stays
            seen = table.drawn[: max(0, len(table.drawn) - self.unseen)]
            for card in [card for card in seen if table.kind(card) != "black"]:
                table.drawn.remove(card)
                table.hands[self.drawer].append(card)
                done = True
        return done
