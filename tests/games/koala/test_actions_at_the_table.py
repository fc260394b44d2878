"""The worked cases of the action phase, played at a table: commands, presses, cards laid, and the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from test_phases_at_the_table import Case, Phase, of

from companion.games.koala.state import ACTION

PAUSE, COUNT = 2.0, 3.0


class Actions(Phase):
    """Commands, action cards and calls of a case, at their times."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.game.set(phase="action_wait")
        self.errors: list[list[object]] = []
        self.executed: list[list[str]] = []
        self.taken_back: list[list[str]] = []
        self.since, self.until, self.decided = 0.0, float("inf"), False

    def hear(self, event: Mapping[str, Any]) -> None:
        t = event["t"]
        if t > self.until:
            self.end()
        code = {"command": self.command, "play": self.play, "call": self.call}[event["e"]](event)
        if code:
            self.errors.append([t, "window_closed" if self.game.phase == "refill" else code])

    def end(self) -> None:
        if self.game.phase == "action_call":
            assert self.game.ring("call") == ""
            assert self.game.phase == "refill"

    def command(self, event: Mapping[str, Any]) -> str:
        code = self.game.call(event["by"])
        if not code:
            self.since, self.until, self.decided = event["t"], float("inf"), False
        return code

    def call(self, event: Mapping[str, Any]) -> str:
        if self.game.phase == "action_wait":
            return "call_too_early"  # here the starting player's press is the command
        if event["t"] - self.since >= PAUSE and "quiet" in self.game.waits():
            assert self.game.ring("quiet") == ""
        counting = self.game.phase == "action_call"
        code = self.game.call(event["by"])
        if not code:
            self.until = event["t"] + COUNT
        return "" if counting else code

    def play(self, event: Mapping[str, Any]) -> str:
        """Press and lay; who comes after the first one of a command takes the card back."""
        by, face = event["by"], event["card"]
        if self.decided:
            self.taken_back.append([by, face])
            return ""
        if self.game.phase == "action_wait":
            return "window_closed"  # nobody has commanded
        code = self.game.press(by)
        if code:
            return code
        card = self.cards[face].pop()
        assert self.game.show(ACTION, *self.game.state.action.spent, card) == ""
        if self.game.phase == "action_do":
            self.executed.append([by, face])
            self.decided, self.until = True, float("inf")
            seats, starter = self.game.state.seats, self.game.state.starter
            self.decide()
            self.game.set(seats=seats, starter=starter)  # the case tells nothing of where people go
            return ""
        why = str(self.game.state.did.values["why"]).removeprefix("@why.")
        self.game.show(ACTION, *self.game.state.action.spent)
        return why


@of("actions", "possible", "all_back", "same ms", "one moment")
def test_action_cards_are_played_as_the_case_says(case: Case) -> None:
    """Who was first, who takes back, what was refused at which time, and whether the phase is over."""
    told, expect = Actions(case), case["expect"]
    for event in sorted(case["events"], key=lambda each: each["t"]):
        told.hear(event)
    told.end()
    assert told.executed == expect["executed"]
    assert told.taken_back == expect["taken_back"]
    assert told.errors == expect["errors"]
    assert (told.game.phase == "refill") is expect["phase_ended"]
