"""Whatever happens at the table: no card is made or lost, no question is without an answer, every view is plain data."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kuka_table import CARDS, DECK, Desk

from companion.games.kukakoenig.options import RULINGS
from companion.table.crank import Turn, look, recall
from companion.table.cues import Choose, Press, Show, Wait
from companion.table.events import Chosen, Event, Pressed, Rang, Shown
from companion.table.game import Operator, Refusal, Seat, Table
from companion.table.things import BID, CALL, Button, CardId, Zone


def whole(desk: Desk) -> int:
    """All cards in the companion's books."""
    state = desk.state
    held = [*state.rows.values(), *state.collections.values(), state.box]
    known = [card for cards in held for card in cards]
    assert len(known) == len(set(known)), "a card lies in two places"
    assert set(known) <= set(CARDS)
    return len(known) + state.pile + state.unseen


def likely(desk: Desk, data: st.DataObject) -> Event:
    """Something that is waited for, as people mostly do."""
    cue = data.draw(st.sampled_from(list(desk.session.cues)))
    if isinstance(cue, Press):
        return Pressed(cue.player, cue.button, 0)
    if isinstance(cue, Choose):
        return Chosen(cue.player, cue.what, data.draw(st.sampled_from(cue.options)))
    if isinstance(cue, Wait):
        return Rang(cue.clock)
    assert isinstance(cue, Show)
    state = desk.state
    if cue.expect.exactly is not None:
        return Shown(cue.zone, cue.expect.exactly)
    fresh = [c for c in CARDS if not desk.lies(c) and (state.final or c not in state.box)]
    if cue.expect.new:
        return Shown(cue.zone, (*cue.expect.lying, *data.draw(st.permutations(fresh))[: cue.expect.new]))
    row = list(state.rows[int(cue.zone[4:])])
    return Shown(cue.zone, tuple(row[: data.draw(st.integers(0, len(row)))]))


def odd(desk: Desk, data: st.DataObject) -> Event:
    """Something that nobody waits for, or cards that cannot be."""
    name = data.draw(st.sampled_from(desk.names))
    kind = data.draw(st.sampled_from(["press", "call", "key", "choose", "row", "box"]))
    if kind in ("press", "call", "key"):
        key = Button(str(data.draw(st.integers(0, 9))))
        return Pressed(name, {"press": BID, "call": CALL, "key": key}[kind], 0)
    if kind == "choose":
        return Chosen(
            name,
            data.draw(st.sampled_from(["row", "table", "again", "x"])),
            data.draw(st.sampled_from(["1", "9", "as_seen", "yes", ""])),
        )
    cards = data.draw(
        st.lists(st.sampled_from([*CARDS[:30], CardId("joker"), CardId("number_1-01")]), max_size=5)
    )
    zone = "box" if kind == "box" else f"row:{data.draw(st.integers(0, 9))}"
    return Shown(Zone(zone), tuple(cards))


RULED = st.fixed_dictionaries(
    {}, optional={
        **{each.id: st.sampled_from(each.allowed) for each in RULINGS if len(each.allowed) > 1},
        "entry": st.sampled_from(["ready", "keys", "counted"]), "row_values": st.booleans(),
    },
)  # fmt: skip


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.integers(2, 4), RULED, st.data())
def test_no_course_of_a_game_loses_a_card_or_gets_stuck(
    players: int, rulings: dict[str, Any], data: st.DataObject
) -> None:
    desk = Desk(players, **{name.replace("-", "_"): of for name, of in rulings.items()})
    if data.draw(st.booleans()):
        desk.lay()
    for _ in range(25):
        if desk.session.over:
            break
        event = likely(desk, data) if data.draw(st.integers(0, 3)) else odd(desk, data)
        before = desk.session
        answer = desk.hear(event)
        assert isinstance(answer, Turn | Refusal)
        assert whole(desk) == 112
        assert desk.session.cues or desk.phase == "over"
        if isinstance(answer, Refusal):
            assert desk.session is before
    for viewer in (Table(), Operator(), *(Seat(name) for name in desk.names)):
        json.dumps(look(desk.session, viewer))


def test_a_journal_of_a_whole_game_folds_to_the_same_end() -> None:
    """What was sealed is in the journal, and nowhere else before the beat."""
    from kuka_table import SHELF
    from test_kuka_play import through

    desk = Desk(2, seed=2).lay()
    while desk.phase != "over":
        desk.seal(Tim=1, Sarah=1).settle()
        desk.seal(Tim=1, Sarah=2).settle()
        through(desk)
    again = recall(SHELF, [node.event for node in list(desk.session.path())[::-1]])
    assert again is not None
    assert again.state == desk.state
    assert again.box.deck is DECK
