"""A small table for tests: the crank with Rescue Club on it, and words for what people do."""

from __future__ import annotations

from typing import Any

from companion.games.rescue.game import GAME
from companion.shelf import deck
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Press, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Opened, Pressed, Rang, Rolled, Setting, Shown
from companion.table.game import Operator, Refusal, Seat, Table
from companion.table.session import Box
from companion.table.things import BID, CALL, Player, Zone

TRAY = Zone("tray")
SHELF = {"rescue": Box(GAME, deck("rescue"))}


class Game:
    """A game under way; what is said is kept."""

    def __init__(self, players: int = 2, seed: int = 1, **options: Any) -> None:
        given = {name.replace("AMB_", "RESC-AMB-"): value for name, value in options.items()}
        names = tuple(Player(f"P{n}") for n in range(1, players + 1))
        self.said: list[Say] = []
        self.session: Any = None
        self.opened = self.hear(Opened(Setting("rescue", names, given, seed)))

    def hear(self, event) -> Refusal | None:
        answer = crank.advance(SHELF, self.session, event)
        if not isinstance(answer, Turn):
            return answer
        self.session = answer.session
        self.said += [effect for effect in answer.effects if isinstance(effect, Say)]
        return None

    def choose(self, player: str, cue: str, option: str) -> Refusal | None:
        return self.hear(Chosen(Player(player), cue, option))

    def draw(self, player: str, *options: str) -> Refusal | None:
        """Tell the phone one thing after the other; the first refusal."""
        for option in options:
            fault = self.choose(player, "draw", option)
            if fault is not None:
                return fault
        return None

    def press(self, player: str, button=BID) -> Refusal | None:
        return self.hear(Pressed(Player(player), button, 0))

    def call(self, player: str = "P1") -> Refusal | None:
        return self.press(player, CALL)

    def type(self, face: int) -> Refusal | None:
        return self.choose(self.session.setting.players[0], "die", str(face))

    def tray(self, *faces: str) -> Refusal | None:
        return self.hear(Rolled(TRAY, faces))

    def show(self, *cards: str) -> Refusal | None:
        return self.hear(Shown(TRAY, cards))

    def ring(self) -> Refusal | None:
        clock = next(cue.clock for cue in self.session.cues if isinstance(cue, Wait))
        return self.hear(Rang(clock))

    def look(self, player: str | None = None) -> Any:
        return crank.look(self.session, Table() if player is None else Seat(Player(player)))

    def operator(self) -> Any:
        return crank.look(self.session, Operator())

    def me(self, player: str) -> Any:
        return self.look(player)["me"]

    @property
    def phase(self) -> str:
        return self.look()["phase"]

    def heard(self) -> list[str]:
        return [say.key for say in self.said]

    def chooses(self, what: str) -> dict[str, tuple[str, ...]]:
        return {c.player: c.options for c in self.session.cues if isinstance(c, Choose) and c.what == what}

    def presses(self) -> set[tuple[str, str]]:
        return {(c.player, c.why) for c in self.session.cues if isinstance(c, Press)}

    def turn(self, face: int = 1) -> None:
        """A whole turn in which everybody draws the first thing that comes to mind."""
        assert self.type(face) is None
        while self.phase == "draw":
            for player, options in self.chooses("draw").items():
                acted = self.me(player)["draft"]["acted"]
                wanted = "ready" if acted or "ready" in options else next(o for o in options if o[0] in "pr")
                assert self.draw(player, wanted) is None
                break
            else:
                assert self.press(next(iter(self.presses()))[0]) is None
        while self.phase == "badges":
            assert self.call(self.look()["host"]) is None
