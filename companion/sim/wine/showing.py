"""Persons who turn glasses over: thieves, Sommelier, Lobbyists, Blind Test, Ageing, Wine Fair, Contest."""

from __future__ import annotations

from companion.sim.wine.people import People
from companion.sim.wine.physical import MIDDLE, WINES
from companion.table.cues import Press
from companion.table.things import CardId, Player


class Showing(People):
    """Glasses face up, and what follows from them, by the rulebook and not by the companion's word."""

    def _aim(self) -> bool:
        """Whoever carries out a card points at a glass; now and then at one that cannot be had."""
        cue = self.question("glass")
        if cue is None:
            return self._announce()
        if self.err():
            own = f"{cue.player}:1"
            self.mistake("own glass")
            return self.choose(cue, own)
        option = self._hunted(cue.options) if self.table.chance(0.4) else self.one_of(cue.options)
        self.target = self.glass(option)
        return self.choose(cue, option)

    def _hunted(self, options: tuple[str, ...]) -> str:
        """Somebody remembers well."""
        wine = self.table.wine(self.active) if self.active else ""
        return next((o for o in options if self.table.deck.face(self.glass(o)) == wine), options[0])

    def _announce(self) -> bool:
        cue = self.question("announce")
        if cue is None or self.target is None:
            return False
        truth = self.table.deck.face(self.target)
        self.announced = truth if self.table.chance(0.6) else self.one_of(WINES)
        return self.choose(cue, self.announced)

    def _stop_window(self) -> bool:
        """The attacked player has a STOP or has none; others may shout in vain."""
        cue = self.question("stop")
        if cue is None:
            return False
        owner = cue.player
        stops = [card for card in self.table.hands[owner] if self.table.kind(card) == "stop"]
        other = self.somebody_but(owner)
        if other is not None and self.err():
            self.mistake("stop by another")
            return self.press(other)
        thief = self.active
        if thief is not None and thief in self.table.played and self.err():
            self.table.unlay(self.turn, thief)
            return self.mistake("card taken back", lambda: self.table.lay(self.turn, thief))
        if self.view["phase"] == "stop_lay":
            return self._lay_stop(owner, stops)
        if stops and self.table.chance(0.7):
            if self.table.chance(0.5):
                return self.press(owner)
            self.table.lay(owner, stops[0])
            return True
        if self.err():
            return self.press(owner)  # shouts without having one: asked for the card, then the time runs out
        return self.choose(cue, "no_stop") if self.table.chance(0.5) else False

    def _lay_stop(self, owner: Player, stops: list[CardId]) -> bool:
        if self.active not in self.table.played:
            return False
        wrong = [card for card in self.table.hands[owner] if self.table.kind(card) != "stop"]
        if wrong and self.err():
            self.table.lay(owner, wrong[0])
            return self.mistake("wrong card for STOP", lambda: self.table.unlay(owner, wrong[0]))
        if stops:
            self.table.lay(owner, stops[0])
            return True
        cue = self.question("stop")
        return self.choose(cue, "no_stop") if cue is not None and self.table.chance(0.5) else False

    def stopped(self, owner: Player, taken: bool) -> None:
        """The stopper takes the thieves; his STOP is discarded."""
        thief = self.active
        for card in list(self.table.played):
            if card == thief and taken:
                self.table.unlay(owner, card)
            else:
                self.spend(card)
        self.active = None

    def _show(self) -> bool:
        """The owner turns the glass over; now and then somebody else does, or two at once."""
        owner = Player(self.view["asked"][0])
        if self.shown is not None:
            return False
        other = self.somebody_but(owner)
        if other is not None and self.err():
            glass = self.table.rows[other][0]
            self.table.up.add(glass)
            return self.mistake("wrong row", lambda: self.table.up.discard(glass))
        if owner != MIDDLE and self.view["card"] == "thieves" and self.err():
            self.mistake("late STOP")
            return self.press(owner)
        if len(self.table.rows[owner]) > 1 and self.err():
            pair = self.table.rows[owner][:2]
            self.table.up.update(pair)
            return self.mistake("two glasses", lambda: self.table.up.difference_update(pair))
        name = self.table.name(self.active) if self.active else ""
        self.shown = self._own_choice(owner) if name == "sommelier" else self.target
        assert self.shown is not None, "a glass was pointed at"
        self.table.up.add(self.shown)
        return True

    def _own_choice(self, owner: Player) -> CardId:
        row = self.table.rows[owner]
        wine = self.table.wine(self.active) if self.active else ""
        right = [glass for glass in row if self.table.deck.face(glass) == wine]
        return right[0] if right and self.table.chance(0.6) else row[self.table.roll(len(row))]

    def _down(self) -> bool:
        """What the glass shown decides is done by the rulebook; then everything is turned down."""
        if self.shown is not None:
            self._judge(self.shown)
        self._contest_won()
        self.shown, self.target = None, None
        if self.table.up:
            self.table.up.clear()
            return True
        owner = self.asked_to_press()
        return self.press(owner) if owner is not None and self.once() else False

    def _judge(self, glass: CardId) -> None:
        table, left = self.table, self.ruled(18, "left_end")
        card, owner, face = self.active, table.owner(glass), table.deck.face(glass)
        if card is None or owner is None:
            return
        name, right = table.name(card), table.wine(card) == face
        if name == "thieves":
            self._robbed(card, glass, owner, right)
        elif (name == "sommelier" and not right) or (name == "lobbyists" and right):
            table.lose(glass)
        elif name == "lobbyists" and self.ruled(25, "right_end"):  # wrong, but the drawer is spared
            table.give(glass, owner)
        elif name == "blind_test":
            if face != self.announced:
                table.give(glass, self.turn, left)
            self.active = None
        elif name == "ageing":
            table.played.remove(card)
            if len(table.rows[owner]) > 1:
                table.covers[owner] = card
            else:
                table.discard.append(card)
            self.active = None

    def _robbed(self, card: CardId, glass: CardId, owner: Player, right: bool) -> None:
        """A thief at its end: a glass won, or the card lost."""
        table, self.active = self.table, None
        if right:
            table.give(glass, self.turn, self.ruled(18, "left_end"))
            self.spend(card)
        elif owner == MIDDLE:
            table.played.remove(card)
            table.bury(card)
        elif self.ruled(26, "five_at_most") and len(table.hands[owner]) >= 5:
            self.spend(card)
        else:
            table.unlay(owner, card)

    def _place(self) -> bool:
        """Say which place the glass that is shown had."""
        cue = self.question("place")
        if cue is None:
            return False
        mine = [glass for player, glass in self.raised if player == cue.player]
        glass = self.shown if self.view["phase"] == "sommelier_lost" else (mine[0] if mine else None)
        row = self.table.rows[cue.player]
        free = [g for place, g in enumerate(row, start=1) if self._aged(cue.player) != place]
        glass = glass or free[0]
        self.target = glass
        return self.choose(cue, str(row.index(glass) + 1))

    def _aged(self, player: Player) -> int | None:
        return next((row["aged"] for row in self.view["rows"] if row["player"] == player), None)

    def _second_try(self) -> bool:
        self.shown = None
        self.table.up.clear()
        return True

    def _fine(self) -> bool:
        """The target player chooses; others may not."""
        cue = self.question("fine")
        if cue is None:
            return False
        if self.shown is not None and self.ruled(25, "right_end"):
            owner = self.table.owner(self.shown)
            if owner is not None:
                self.table.up.discard(self.shown)
                self.table.give(self.shown, owner)
                self.shown = None
        other = self.somebody_but(cue.player)
        if other is not None and self.err():
            self.hands.choose(other, "fine", cue.options[0])
            return self.mistake("another chooses")
        option = self.one_of(cue.options)
        glass = self.glass(option)
        self.choose(cue, option)
        self.shown = None
        self.active = None
        self.table.lose(glass)
        return True

    def _fair(self) -> bool:
        """Most turn a glass over in time, some forget; protected ones who turn one over are named."""
        missing = [
            Player(p) for p in self.view["asked"] if not set(self.table.rows[Player(p)]) & self.table.up
        ]
        others = [player for player in self.alive if player not in self.view["asked"]]
        if others and self.err():
            glass = self.table.rows[others[0]][0]
            self.table.up.add(glass)
            return self.mistake("wrong row", lambda: self.table.up.discard(glass))
        if not missing or (self.view["phase"] == "wine_fair" and self.err()):
            return False
        row = self.table.rows[missing[0]]
        self.table.up.add(row[self.table.roll(len(row))])
        return True

    def _call_wine(self) -> bool:
        cue = self.question("wine")
        if cue is None:
            return False
        self.raised = []
        self.wine = self.one_of(cue.options)
        return self.choose(cue, self.wine)

    def _race(self) -> bool:
        """One after the other turns a glass over and presses; some never do."""
        missing = [Player(p) for p in self.view["asked"] if p not in [player for player, _ in self.raised]]
        if self.raised and missing and self.view["phase"] == "contest_race" and self.err():
            self.mistake("pressed twice")
            return self.press(self.raised[0][0])
        if not missing or self.err():
            return False
        player = missing[self.table.roll(len(missing))]
        row = [g for place, g in enumerate(self.table.rows[player], 1) if self._aged(player) != place]
        right = [glass for glass in row if self.table.deck.face(glass) == self.wine]
        glass = right[0] if right and self.table.chance(0.7) else row[self.table.roll(len(row))]
        self.raised.append((player, glass))
        self.table.up.add(glass)
        if any(isinstance(cue, Press) and cue.player == player for cue in self.cues):
            self.press(player)
        return True

    def _contest_won(self) -> None:
        """By the rulebook: the first wrong glass, else that of the slowest; who showed none is slowest."""
        if self.active is None or self.table.name(self.active) != "contest":
            return
        wrong = [(p, g) for p, g in self.raised if self.table.deck.face(g) != self.wine]
        part = [p for p in self.alive if p != self.turn and self._takes_part(p)]
        slow = [player for player in part if player not in [p for p, _ in self.raised]]
        self.active = None
        if wrong and not self.ruled(13, "slowest_first"):
            self.table.give(wrong[0][1], self.turn, self.ruled(18, "left_end"))
        elif slow:  # which of several who showed nothing is the slowest, the order of turns decides
            glass = self.target if self.target is not None else self._last_glass(slow)
            self.table.give(glass, self.turn, self.ruled(18, "left_end"))
        elif self.raised:
            self.table.give(self.raised[-1][1], self.turn, self.ruled(18, "left_end"))
        self.raised = []

    def _last_glass(self, slow: list[Player]) -> CardId:
        start = self.table.players.index(self.turn)
        n = len(self.table.players)
        way = -1 if self.ruled(24, "anticlockwise") else 1
        last = max(slow, key=lambda p: (way * (self.table.players.index(p) - start)) % n)
        return self.table.rows[last][0]

    def _takes_part(self, player: Player) -> bool:
        vintage = next(row["vintage"] for row in self.view["rows"] if row["player"] == player)
        return not vintage or self.ruled(14, "protected_take_part")
