"""Simulated persons who play Koala: they look at the public screen, press, lay, take, choose, and err."""

from __future__ import annotations

from collections.abc import Callable

from companion.sim.koala.acting import Acting
from companion.sim.koala.bidding import Bidding
from companion.sim.koala.people import View
from companion.sim.koala.physical import ACTION, HAND
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.things import Player


class Persons(Bidding, Acting):
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person, if anybody has anything to do; `heard` is what the voice said meanwhile."""
        self.view, self.cues = view, cues
        self.acts += 1
        for say in heard:
            self._listen(say)
        phase = self.view["phase"]
        self._note_progress()
        if self._mend() or self._draw_late() or self._shows_late():
            return True
        doing: dict[str, Callable[[], bool]] = {
            "starter": self._starter, "team_draw": self._team_draw, "deal": self._deal,
            "reveal": self._reveal, "reveal_action": self._decide, "action_do": self._decide,
            "auction": self._auction, "call": self._auction, "split": self._split,
            "new_starter": self._new_starter, "collect": self._collect, "feast": self._feast,
            "feast_eat": self._eat, "action_wait": self._command, "actions": self._actions,
            "action_call": self._actions, "move": self._move, "take": self._take, "refill": self._refill,
            "scan": self._scan, "scan_feasts": self._show_feasts, "scan_teams": self._show_team,
            "question": self._question,
        }  # fmt: skip
        return doing[phase]() if phase in doing else False

    def _starter(self) -> bool:
        return self._press(self._somebody())

    def _team_draw(self) -> bool:
        n = len(self.table.hands)
        pairs, marks = (4, 2) if n == 10 else (n // 2, n % 2)
        faces = [f"team_{i + 1}" for i in range(pairs) for _ in range(2)] + ["question"] * marks
        mixed, self.table.luck = self.table.luck.shuffle(faces)
        left = [card for card in self.table.deck.cards if card.kind == "team"]
        for player, face in zip(self.table.hands, mixed, strict=True):
            card = next(card for card in left if card.face == face)
            left.remove(card)
            self.table.teams[player] = card.id
        return self._press(Player(self.view["starter"]))

    def _deal(self) -> bool:
        for player in self.table.hands:
            self.table.draw(player, HAND)
        return self._press(Player(self.view["starter"]))

    def _question(self) -> bool:
        return self._decide()

    def _scan(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose) and cue.what.startswith("scan."):
                self.notes.append(f"{cue.what}: the companion sees another cave than it recorded")
                self.hands.choose(cue.player, cue.what, "as_seen")
                return True
        return False

    def _show_feasts(self) -> bool:
        return self._show_on_action("feast")

    def _show_team(self) -> bool:
        return self._show_on_action("team")

    def _show_on_action(self, kind: str) -> bool:
        """One after the other lays the own cards down and takes them up again."""
        player = next((cue.player for cue in self.cues if isinstance(cue, Press | Choose)), None)
        zone = self.table.zones[ACTION]
        other = any(self.table.kind(card) not in (kind, "action") for card in zone)
        if self.showing is not None and (self.showing != player or other):
            self.pick_up()
            return True
        if player is None or self.showing is not None:
            return False
        if self._clean(ACTION):
            return True
        self.showing = player
        if kind == "team":
            zone.append(self.table.teams.pop(player))
        else:
            zone.extend(self.table.feasts[player])
            self.table.feasts[player] = []
        return True

    def pick_up(self) -> None:
        """Whoever shows feast or team cards takes them up again."""
        zone = self.table.zones[ACTION]
        for card in [card for card in zone if self.table.kind(card) in ("feast", "team")]:
            assert self.showing is not None, "such cards lie only where somebody shows them"
            zone.remove(card)
            if self.table.kind(card) == "team":
                self.table.teams[self.showing] = card
            else:
                self.table.feasts[self.showing].append(card)
        self.showing = None

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what is still owed is done."""
        self.view, self.cues = view, ()
        for say in heard:
            self._listen(say)
        while self._mend() or self._draw_late():
            pass
        self.pick_up()
