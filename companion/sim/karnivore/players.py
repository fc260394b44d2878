"""Simulated persons who play Karnivore Koala: they look at the screen, roll, lay, choose, hunt, and err."""

from __future__ import annotations

from collections.abc import Callable

from companion.sim.karnivore.hunting import Hunting
from companion.sim.karnivore.physical import DISCARD, HAND, MENU, PLAY, SEVEN, TRAY
from companion.table.cues import Cue, Press
from companion.table.effects import Say
from companion.table.game import View
from companion.table.things import CardId, Player, Zone


class Persons(Hunting):
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person; `heard` is what the voice said meanwhile."""
        self.view, self.cues = view, cues
        self.acts += 1
        for say in heard:
            self._listen(say)
        if self.tidy() or self._mend():
            return True
        doing: dict[str, Callable[[], bool]] = {
            "starter": self._starter, "menu": self._menu, "kings": self._kings, "deal": self._deal,
            "roll": self._roll, "decide": self._decide, "reroll": self._reroll, "skulls": self._skulls,
            "tribe": self._tribe, "crowns": self._crowns, "effect": self._effect, "room": self._room,
            "whose": self._whose, "hunt": self._hunt, "clear": self._clear, "refill": self._refill,
            "sweep": self._sweep, "keep": self._keep, "draw": self._draw,
        }  # fmt: skip
        phase = str(self.view["phase"])
        if self.looks(DISCARD) and self._unseen():
            return True
        return doing[phase]() if phase in doing else False

    def _starter(self) -> bool:
        first = Player(self.table.pick(self.table.players))
        at = self.table.players.index(first)
        self.table.order = (*self.table.players[at:], *self.table.players[:at])
        return self._press(first)

    def _menu(self) -> bool:
        zone = self.table.zones[MENU]
        if not self.table.menu[0]:
            for place in range(3):
                self.table.turn_up(place)
            if self._err():
                zone = self.table.zones[MENU]
                zone.insert(0, self.table.pile.pop())  # a koala among the animals
            return True
        strangers = [
            card for card in zone if self.table.kind(card) == "workbear" or card not in self._menu_cards()
        ]
        if strangers:
            zone.remove(strangers[0])
            self.table.pile.append(strangers[0])
            return True
        return False

    def _menu_cards(self) -> list[CardId | None]:
        return [*self.table.menu, *(back for _, back in self.table.animals)]

    def _kings(self) -> bool:
        late = [player for player in self.table.order if player not in self.table.kings]
        if not late:
            return False
        if len(late) == len(self.table.order) and not self.drawn_kings and self.table.chance(0.3):
            self.hands.choose(self.table.order[0], "kings", "by_chance")
            return True
        self._crown(late[0], self.table.crowns.pop())
        return True

    def _crown(self, player: Player, king: CardId) -> None:
        self.table.kings[player] = king
        self.table.zones[self.table.tribe(player)] = [king]

    def _deal(self) -> bool:
        for player, face in self.drawn_kings.items():
            self._crown(player, CardId(f"{face}-01"))
        for player in self.table.order:
            self.table.draw(player, HAND)
        if self._err() and len(self.table.order) > 1:
            self._press(self.table.order[-1])
        return self._press(self.table.order[0])

    def _mend(self) -> bool:
        """A card that the companion did not take is put right, or taken back into the hand."""
        card = self.pending
        if card is None:
            return False
        taken = card in self.seen(self.player) or card not in (
            *self.table.zones[PLAY], *self.table.zones[self.table.tribe(self.player)],
        )  # fmt: skip
        if taken or self.view["phase"] in ("effect", "whose", "room", "over"):
            self.pending = None
            return False
        self.waited += 1
        if self.waited <= 2:
            return True
        self.pending = None
        self.table.leave(card)
        self.table.hands[self.player].append(card)
        return True

    def _lay(self, card: CardId, zone: Zone) -> None:
        self.table.leave(card)
        self.table.zones[zone].append(card)
        self.pending, self.waited = card, 0

    def _skulls(self) -> bool:
        cue = self.ask("skull")
        if cue is None:
            return False
        if self._err():
            return self._press(self.player)
        options = [option for option in cue.options if option != "spare"]
        option = str(self.table.pick(options))
        self.hands.choose(self.player, "skull", option)
        self._on("skull", self.card(option))
        return True

    def _on(self, die: str, card: CardId) -> None:
        """A die is laid on a card: it is activated, or a skull blocks it."""
        shown = self.table.facts(card).get("symbols", ["crown"] if self.table.kind(card) == "king" else [])
        if die == "skull" and ("skull" not in shown or self.table.kind(card) == "king"):
            self.blocked.append(card)
            return
        self.active.setdefault(card, []).append(die)
        if "spear" in die and self.rules(19, "hunts_too"):
            self.spears += 1
        self.effect(self.player, card)

    def _tribe(self) -> bool:
        if self._blunder():
            return True
        hand = self.table.hands[self.player]
        if hand and self.table.chance(0.85) and self._play_card(hand):
            return True
        return self._use_dice()

    def _blunder(self) -> bool:
        """Now and then somebody errs: the wrong side, a card that is not placed, another's button, a theft."""
        hand = self.table.hands[self.player]
        if not self._err():
            return False
        kind = self.table.roll(4)
        if kind == 0:
            return self._press(self._somebody_else())
        if kind == 1 and hand:
            card = self.table.pick(hand)
            wrong = "right" if self.table.kind(card) == "workbear" else "left"
            self.table.leave(card)
            self.table.place(self.player, card, wrong)
            self.pending, self.waited = card, 0
            return True
        bears = [card for card in hand if self.table.kind(card) != "backstabbear"]
        if kind == 2 and bears:
            self._lay(self.table.pick(bears), PLAY)  # no backstabbear: refused
            return True
        self.hands.choose(self._somebody_else(), "act", "end")
        return True

    def _play_card(self, hand: list[CardId]) -> bool:
        card = CardId(self.table.pick(hand))
        if self.table.kind(card) == "backstabbear":
            return self._backstab(self.player, card)
        full = len(self.table.koalas(self.player)) >= SEVEN
        if full and self.table.chance(0.8):
            return False
        self.table.leave(card)
        self.table.place(self.player, card)
        self.pending, self.waited = card, 0
        return True

    def _backstab(self, player: Player, card: CardId) -> bool:
        self._lay(card, PLAY)
        self.owner = player
        return True

    def _use_dice(self) -> bool:
        cue = self.ask("act")
        assert cue is not None, "the tribe phase asks what to do"
        options = [option for option in cue.options if option != "end"]
        if "hunt" in options and self.table.chance(0.9):
            return self._start_hunt()
        if "aside" in options and self.table.chance(0.7):
            self.spears += 1
            return self._say("act", "aside")
        if not options or self.table.chance(0.08):
            if self.table.chance(0.5):
                return self._press(self.player)
            return self._say("act", "end")
        option = str(self.table.pick(options))
        if option == "hunt":
            return self._start_hunt()
        if option == "aside":
            self.spears += 1
        elif option == "card":
            self.due.append((self.player, 1))
        elif option == "reroll":
            self.pay()
        elif ":" in option:
            self._on(option.partition(":")[0], self.card(option))
        return self._say("act", option)

    def _keep(self) -> bool:
        """Some discard, shown or told; then the hand is to be filled up."""
        player, hand = self.player, self.table.hands[self.player]
        if hand and self.table.chance(0.25) and len(hand) > 1:
            if self._err():
                return self._press(self._somebody_else())
            self.pay()
            return True
        many = self.rules(13, "discard_to_three") and len(hand) > HAND + 1
        seen = (
            self.table.discards() <= self.view["discard"]
        )  # else "one unseen" could be taken for the shown one
        if hand and not many and self.table.chance(0.1) and seen:
            self.pay()
            self._expect(player)
            # The card just thrown may be seen, or only told: told here before anybody looks.
            return self._told_throw()
        if self.rules(13, "discard_to_three") and len(hand) > HAND:
            self.pay()
            return True
        self._expect(player)
        return self._press(player)

    def _told_throw(self) -> bool:
        """A card thrown face down: nobody can read it."""
        self.cover()
        return self._say("throw", "1")

    def _expect(self, player: Player) -> None:
        need = HAND - len(self.table.hands[player])
        if need > 0:
            self.due.append((player, need))
        self.spears, self.active, self.blocked = 0, {}, []

    def _draw(self) -> bool:
        if self._err():
            return self._press(self._somebody_else())
        return self._press(self.player)

    def _crowns(self) -> bool:
        cue = self.ask("crowns")
        assert cue is not None, "two crowns ask for a koala"
        options = [option for option in cue.options if option != "back"]
        option = str(self.table.pick(options))
        self._fetch(self.player, self.card(option))
        return self._say("crowns", option)

    def _fetch(self, player: Player, card: CardId) -> None:
        """A koala changes its tribe; into a full one it comes when there is room."""
        self.table.leave(card)
        self.active.pop(card, None)
        self.blocked = [each for each in self.blocked if each != card]
        self.table.place(player, card)

    def _room(self) -> bool:
        cue = self.ask("remove")
        assert cue is not None, "the tribe is full"
        option = str(self.table.pick(cue.options))
        card = self.card(option)
        self.table.throw(card)
        self.active.pop(card, None)
        if self.table.chance(0.5):
            self.hands.choose(cue.player, "remove", option)
        return True

    def _whose(self) -> bool:
        presser = next((c.player for c in self.cues if isinstance(c, Press) and c.player == self.owner), None)
        assert presser is not None, "the owner has played a card from hand"
        return self._press(presser)

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what lies on the hunt place is put away where the table does so."""
        self.view, self.cues = view, ()
        for say in heard:
            self._listen(say)
        self.table.zones[TRAY] = []
        if self.rules(17, "cleaned_up"):
            for card in (*self.used, *self._huntbears()):
                self.table.throw(card)
            return
        for card in [c for c in self.table.zones[PLAY] if self.table.kind(c) == "workbear"]:
            self.table.leave(card)
            self.table.place(self.player, card)
