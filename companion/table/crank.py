"""Turn the crank once: one event in, a session and its effects out. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any

from companion.table.cues import Choose, Cue, Press, Roll, Show, Wait
from companion.table.effects import Blink, Effect, Say
from companion.table.events import (
    Chosen,
    Corrected,
    Event,
    Move,
    Opened,
    Pressed,
    Rang,
    Rolled,
    Shown,
    Undone,
)
from companion.table.game import Refusal, Score, Step, View, Viewer
from companion.table.levels import levels
from companion.table.session import Box, Node, Session, Shelf
from companion.table.things import CompanionError, Deck, value

SAME = "TABLE-SAME"  # the rule of a refusal by which a zone lies as it lay: nothing has happened


class BadJournal(CompanionError, ValueError):
    """Recorded events do not fold: an event was refused that had been accepted, or the first is missing."""


@value
class Turn:
    """The crank's answer: the session after the event, and what is to be done."""

    session: Session
    effects: tuple[Effect, ...]


def advance(shelf: Shelf, session: Session | None, event: Event, first: int = 1) -> Turn | Refusal:
    """Apply one event. A Refusal leaves everything as it was and is not to be written down.

    `first`: the number of an event before which there is no session. What is new a game may doubt, what is on
    record it may not: so a game can become stricter and its journals go on.
    """
    turn = _fold(shelf, session, event, first)
    if isinstance(turn, Refusal):
        return turn
    before = None if session is None or isinstance(event, Opened) else session.state
    return turn.session.box.game.doubted(before, event) or turn


def _fold(shelf: Shelf, session: Session | None, event: Event, first: int) -> Turn | Refusal:
    if isinstance(event, Opened):
        return _open(shelf, session, event, first)
    if session is None:
        return Refusal("TABLE-OPEN", "no_game_open")
    if isinstance(event, Undone):
        return _undo(session, event)
    if isinstance(event, Corrected):
        return _correct(session, event)
    step = _apply(session.box, session.head, event)
    if isinstance(step, Refusal):
        return step
    number = session.last + 1
    head = Node(number, event, step.state, session.box.game.legal(step.state), session.head)
    after = Session(session.box, session.setting, head, number, session.left)
    return Turn(after, _effects(session, after, step.says, event))


def recall(shelf: Shelf, events: Iterable[Event], first: int = 1) -> Session | None:
    """Fold recorded events in silence, the first of them with that number. BadJournal names what does not fit."""
    session: Session | None = None
    for number, event in enumerate(events, start=first):
        turn = _fold(shelf, session, event, first)
        if isinstance(turn, Refusal) and session is not None and turn.rule == SAME:
            # An earlier version took it down, this one sees nothing new in it: so nothing has happened.
            session = replace(session, last=number)
            continue
        if isinstance(turn, Refusal):
            raise BadJournal(
                f"event {number} ({type(event).__name__}) was refused: {turn.code} ({turn.rule})"
            )
        session = turn.session
    return session


def wake(session: Session) -> tuple[Effect, ...]:
    """All levels anew, after a restart: lamps, zones and clocks as the cues want them."""
    return tuple(levels(None, session))


def look(session: Session, viewer: Viewer) -> View:
    """The game's view for one viewer: the only way out of a state."""
    return session.box.game.view(session.head.state, viewer)


def score(session: Session) -> Score:
    """The score as it stands, every point with its rule."""
    return session.box.game.score(session.head.state)


def answers(cues: Iterable[Cue], event: Move) -> bool:
    """Whether an event answers one of these cues by its kind, player, zone or clock."""
    for cue in cues:
        if isinstance(event, Pressed):
            hit = isinstance(cue, Press) and cue.player == event.player and cue.button == event.button
        elif isinstance(event, Shown):
            hit = isinstance(cue, Show | Roll) and cue.zone == event.zone
        elif isinstance(event, Rang):
            hit = isinstance(cue, Wait) and cue.clock == event.clock
        elif isinstance(cue, Choose):
            hit = (cue.player, cue.what) == (getattr(event, "player", None), getattr(event, "cue", None))
        else:
            hit = isinstance(cue, Roll) and cue.zone == getattr(event, "zone", None)
        if hit:
            return True
    return False


def _apply(box: Box, head: Node, event: Move) -> Step[Any] | Refusal:
    if isinstance(event, Rang) and not answers(head.cues, event):
        return Refusal("TABLE-CLOCK", "stale_clock", aloud=False)
    step = box.game.apply(head.state, _read(box.deck, head.cues, event))
    # Who answers is asked by the game; that nobody answers what he was not asked is asked here, for every game.
    if isinstance(step, Step) and isinstance(event, Chosen) and not answers(head.cues, event):
        return Refusal("TABLE-CUE", "not_waited_for", {"name": event.player})
    return step


def _read(deck: Deck, cues: Iterable[Cue], event: Move) -> Move:
    """Where dice are waited for, a zone that was read is a roll; what is no die of the deck lies beside it.

    The journal keeps the reading, die by die, so that it can be corrected like any other.
    """
    if not isinstance(event, Shown) or not any(
        isinstance(cue, Roll) and cue.zone == event.zone for cue in cues
    ):
        return event
    seen = [deck.by_id[card] for card in event.cards if card in deck.by_id]
    return Rolled(event.zone, tuple(card.face for card in seen if card.kind == "die"))


def _open(shelf: Shelf, session: Session | None, event: Opened, first: int) -> Turn | Refusal:
    if session is not None and not session.over and not event.instead:
        return Refusal("TABLE-OPEN", "game_under_way", {"game": f"@{session.setting.game}"})
    box = shelf.get(event.setting.game)
    if box is None:
        return Refusal("TABLE-OPEN", "no_such_game", {"game": event.setting.game})
    taken = sorted(set(event.setting.players) & box.game.reserved)
    if taken:
        return Refusal("TABLE-PLAYER", "name_is_a_word", {"name": taken[0]})
    step = box.game.setup(event.setting, box.deck)
    if isinstance(step, Refusal):
        return step
    last = session.last + 1 if session is not None else first
    after = Session(box, event.setting, Node(last, event, step.state, box.game.legal(step.state), None), last)
    return Turn(
        after, _effects(None, after, step.says, event)
    )  # all levels: other people may sit at the lamps


def _undo(session: Session, event: Undone) -> Turn | Refusal:
    target = _find(session, event.to)
    if target is None or target is session.head:
        return Refusal("TABLE-UNDO", "no_such_step", {"number": event.to})
    gone = list(takewhile(lambda node: node is not target, session.path()))
    if gone[-1].before is not target:
        key = "redone"
    else:  # what a clock did nobody counts as a step of his
        key = "undone" if sum(not isinstance(node.event, Rang) for node in gone) <= 1 else "undone_far"
    return _jump(session, target, (Say(key, {"number": event.to}),), event)


def _correct(session: Session, event: Corrected) -> Turn | Refusal:
    """Replay the history with one reading mended; refuse when a later step no longer fits.

    Replayed steps keep their numbers, the last one takes the number of the correction: so both the mended
    and the old course stay within reach of an undo. Of all that is said on the way only the newest is said again.
    """
    later: list[Node] = []
    for node in session.path():
        if node.number == event.of:
            break
        later.append(node)
    if node.number != event.of or node.before is None or not isinstance(node.event, Shown):
        return Refusal("TABLE-CORRECT", "no_such_reading", {"number": event.of})
    if later and node.event.zone.startswith(session.box.game.private):
        # Whether another card would have fitted back then tells what was seen in secret.
        return Refusal("TABLE-CORRECT", "no_such_reading", {"number": event.of})
    head, says = node.before, tuple[Say, ...]()
    for old in (node, *reversed(later)):
        move = Shown(node.event.zone, event.cards) if old is node else old.event
        assert not isinstance(move, Opened | Corrected | Undone), "a path holds moves behind its Opened"
        step = _apply(session.box, head, move)
        if isinstance(step, Refusal) and old is not node and step.rule == SAME:
            continue  # it had put right what lies right now
        if isinstance(step, Refusal):
            return Refusal("TABLE-CORRECT", "correction_does_not_fit", {"number": old.number}, cause=step)
        mended = old is node or old.mended
        head = Node(old.number, move, step.state, session.box.game.legal(step.state), head, mended)
        says = step.says
    head = replace(head, number=session.last + 1)
    return _jump(session, head, says or (Say("corrected"),), event)


def _jump(session: Session, head: Node, says: tuple[Say, ...], event: Event) -> Turn:
    """Go to another step; the course left behind stays reachable."""
    left = (*session.left, session.head)
    after = Session(session.box, session.setting, head, session.last + 1, left)
    return Turn(after, _effects(session, after, says, event))


def _find(session: Session, number: int) -> Node | None:
    """The step of this number: on the present path, else on the newest course left behind."""
    for start in (session.head, *reversed(session.left)):
        node: Node | None = start
        while node is not None and node.number > number:
            node = node.before
        if node is not None and node.number == number:
            return node
    return None


def _effects(
    before: Session | None, after: Session, says: tuple[Say, ...], event: Event
) -> tuple[Effect, ...]:
    out: list[Effect] = list(levels(before, after, event))
    if isinstance(event, Pressed):
        out.append(Blink(event.player, "seen"))
    out.extend(says)
    return tuple(out)
