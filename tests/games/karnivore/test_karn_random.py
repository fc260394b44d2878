"""Whatever people do, no card is lost, nobody is stuck, and everything said has words in both languages."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

from companion.games.karnivore.options import EDITIONS, MODES, RULINGS
from companion.games.karnivore.rules_setup import COUNTS, KINDS
from companion.games.karnivore.state import DISCARD, MENU, PLAY, State, place_of
from companion.shelf import LANGS, deck, phrases, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Press, Roll, Wait
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Opened, Pressed, Rang, Rolled, Setting, Shown
from companion.table.game import Refusal, Table
from companion.table.session import Session
from companion.table.things import CardId, Player

SHELF, DECK, PHRASES = shelf(), deck("karnivore"), phrases()["karnivore"]
NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben", "Cleo", "Emil"))
MOVES = 700


class Chance:
    """People who do anything that is waited for, and now and then something that is not."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def options(self, seed: int) -> dict[str, object]:
        if seed % 2 == 0:
            return {}
        table: dict[str, object] = {
            r.id: self.random.choice(r.allowed) for r in RULINGS if self.random.random() < 0.4
        }
        return {
            **table,
            "mode": self.random.choice(MODES),
            "edition": self.random.choice(EDITIONS),
            "turn_s": 30.0,
        }

    def move(self, session: Session) -> Move:
        state: State = session.state
        cue: Any = self.random.choice(session.cues)
        if isinstance(cue, Wait):
            return Rang(cue.clock)
        if isinstance(cue, Press):
            return Pressed(cue.player, cue.button, 0)
        if isinstance(cue, Choose):
            useful = [o for o in cue.options if o not in ("end", "nobody", "back", "none")] or list(
                cue.options
            )
            return Chosen(
                cue.player,
                cue.what,
                self.random.choice(useful if self.random.random() < 0.9 else cue.options),
            )
        if isinstance(cue, Roll):
            sides = ("crown", "spear", "spear", "koala", "koala", "skull")
            return Rolled(
                cue.zone, tuple(self.random.choice(sides) for _ in range(self.random.choice([cue.dice, 2])))
            )
        return Shown(cue.zone, self._cards(state, cue))

    def _cards(self, state: State, cue: Any) -> tuple[CardId, ...]:
        free = self._free(state)
        if cue.expect.exactly is not None:
            return tuple(cue.expect.exactly)
        if cue.zone == MENU:
            old = tuple(card for card in state.menu if card is not None)
            animals = self.random.sample(free["animal"], 3 - len(old)) if len(free["animal"]) > 3 else []
            return (*old, *animals, self.random.choice(free["back"]))
        if cue.zone in (DISCARD, PLAY):
            kinds = ("backstabbear",) if cue.zone == PLAY else ("workbear", "villagebear", "backstabbear")
            fit = [card for kind in kinds for card in free[kind]]
            return (self.random.choice(fit),) if fit and self.random.random() < 0.4 else ()
        return self._row(state, cue, free)

    def _row(self, state: State, cue: Any, free: dict[str, list[CardId]]) -> tuple[CardId, ...]:
        owner = next(p for p in state.order if cue.zone.endswith("abcdef"[state.order.index(p)]))
        if owner not in state.kings:
            return (self.random.choice(free["king"]),)
        row = list(state.tribes[owner])
        if state.guest is not None:
            row.append(state.guest.card)
            row.remove(self.random.choice(row))
        elif self.random.random() < 0.9:
            row.append(self.random.choice([*free["workbear"], *free["huntbear"], *free["villagebear"]]))
        left = [card for card in row if state.bears[card].kind == "workbear"]
        return (*left, state.kings[owner], *(card for card in row if card not in left))

    def _free(self, state: State) -> dict[str, list[CardId]]:
        free: defaultdict[str, list[CardId]] = defaultdict(list)
        guest = state.guest.card if state.guest else None
        for card in DECK.cards:
            busy = card.id in (state.played, guest, state.back) or card.id in state.stage
            if card.id in state.box and not busy and place_of(state, card.id) is None:
                free[card.kind].append(card.id)
        return free


def total(state: State) -> int:
    held = state.pile + len(state.discarded) + state.blind + sum(state.hands.values())
    played = state.played is not None and state.phase != "whose"
    return held + sum(len(koalas) for koalas in state.tribes.values()) + (state.guest is not None) + played


def spoken(key: str, values: Any) -> None:
    for lang in LANGS:
        assert PHRASES.text(lang, key, values)


@pytest.mark.parametrize("seed", range(8))
def test_no_card_is_lost_and_everything_has_words(seed: int) -> None:
    people = Chance(seed)
    setting = Setting("karnivore", NAMES[: 2 + seed % 5], people.options(seed), seed)
    answer = crank.advance(SHELF, None, Opened(setting))
    assert isinstance(answer, Turn)
    session, moved = answer.session, 0
    box = sum(COUNTS[str(setting.options.get("edition", "rulebook"))][kind] for kind in KINDS)
    for _ in range(MOVES):
        if session.over:
            break
        turn = crank.advance(SHELF, session, people.move(session))
        if isinstance(turn, Refusal):
            spoken(f"no.{turn.stem}", turn.values)
            continue
        session, moved = turn.session, moved + 1
        for effect in turn.effects:
            if isinstance(effect, Say):
                spoken(effect.key, effect.values)
        view: Any = crank.look(session, Table())
        spoken(view["prompt"]["key"], view["prompt"]["values"])
        spoken(view["did"]["key"], view["did"]["values"])
        state: State = session.state
        assert all(len(koalas) <= 7 for koalas in state.tribes.values())
        if state.turns:
            assert total(state) == box
    assert moved > 100
    again = crank.recall(SHELF, [node.event for node in reversed(tuple(session.path()))])
    assert again is not None
    assert again.state == session.state
