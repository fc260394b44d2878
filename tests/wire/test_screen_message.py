"""Screen messages: every wish becomes its event; anything else is a BadMessage that can be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.cues import Choose, Expect, Press, Roll, Show, Wait
from companion.table.events import (
    Chosen,
    Clock,
    Corrected,
    Event,
    Opened,
    Pressed,
    Rang,
    Setting,
    Shown,
    Undone,
)
from companion.table.game import Refusal
from companion.table.things import BID, CardId, Player, Zone
from companion.wire import screen_message as wire
from companion.wire.screen_message import BadMessage

ID = "0123456789abcdef0123456789abcdef"
MIA = Player("Mia")


def frame(do: str, args: Any, **changes: Any) -> str:
    return json.dumps({"t": "cmd", "id": ID, "rev": 7, "do": do, "args": args, **changes})


@pytest.mark.parametrize(
    ("do", "args", "event"),
    [
        ("press", {"player": "Mia", "button": "bid"}, Pressed(MIA, BID, 99, wire.UNCERTAIN)),
        ("show", {"zone": "middle", "cards": ["pizza-01"]}, Shown(Zone("middle"), (CardId("pizza-01"),))),
        ("show", {"zone": "middle", "cards": []}, Shown(Zone("middle"), ())),
        ("choose", {"player": "Mia", "cue": "feast", "option": "no"}, Chosen(MIA, "feast", "no")),
        ("ring", {"name": "call", "lap": 3}, Rang(Clock("call", 3))),
        ("undo", {"to": 4}, Undone(4)),
        ("correct", {"of": 4, "cards": ["pizza-02"]}, Corrected(4, (CardId("pizza-02"),))),
        (
            "open",
            {"game": "koala", "players": [" Mia ", "Zoë"], "options": {"teams": True, "lay_s": 5}, "seed": 2},
            Opened(Setting("koala", (MIA, Player("Zoë")), {"teams": True, "lay_s": 5}, 2)),
        ),
    ],
)
def test_each_wish_becomes_its_event(do: str, args: Any, event: Event) -> None:
    wish = wire.command(frame(do, args))
    assert (wish.id, wish.rev) == (ID, 7)
    assert wish.event(99) == event


@pytest.mark.parametrize(
    ("do", "args", "why"),
    [
        ("dance", {}, "known are press, show"),
        ("press", {"player": "Mia", "button": "horn"}, "horn"),
        ("press", {"player": "Mia"}, "button"),
        ("press", {"player": "Mia", "button": "bid", "at": 5}, "at"),
        ("press", {"player": "", "button": "bid"}, "length"),
        ("press", ["Mia", "bid"], "object"),
        ("show", {"zone": "middle", "cards": ["a", "a"]}, "only once"),
        ("show", {"zone": "middle", "cards": ["a"] * 201}, "length"),
        ("undo", {"to": -1}, ">= 0"),
        ("undo", {"to": "4"}, "int"),
        ("open", {"game": "koala", "players": ["Mia", "Mia "]}, "same name"),
        ("open", {"game": "koala", "players": ["M\u202eia"]}, "is no name"),
        ("open", {"game": "koala", "players": ["Mia+Paul"]}, "is no name"),
        ("open", {"game": "koala", "players": ["x" * 25]}, "is no name"),
        ("open", {"game": "koala", "players": ["  "]}, "is no name"),
        ("open", {"game": "koala", "players": ["Mia"], "options": {"a": [1]}}, "options"),
    ],
)
def test_a_wrong_wish_says_what_is_wrong_and_whose_it_was(do: str, args: Any, why: str) -> None:
    wish = wire.command(frame(do, args))
    with pytest.raises(BadMessage, match=why) as fault:
        wish.event(0)
    assert fault.value.id == ID
    assert str(fault.value).startswith((do, repr(do)))


@pytest.mark.parametrize(
    "text",
    ["", "no", "[]", "{}", '{"t":"cmd"}', '{"t":"state"}', "\ud800", b"\xff", "[" * 5000]
    + [frame("undo", {"to": 1}, id=bad) for bad in ("short", 7, "G" * 32, "0" * 65)]
    + [frame("undo", {"to": 1}, rev=-1), frame("undo", {"to": 1}, role="operator")],
)
def test_what_is_no_command_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadMessage):
        wire.command(text)


def test_a_message_that_is_too_long_is_not_read() -> None:
    with pytest.raises(BadMessage, match="16384"):
        wire.command(frame("show", {"zone": "middle", "cards": []}) + " " * wire.LONGEST)


@given(
    st.text()
    | st.binary()
    | st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ).map(json.dumps)
)
def test_no_text_at_all_makes_anything_but_a_bad_message(text: str | bytes) -> None:
    with pytest.raises(BadMessage):
        wire.command(text)


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)


@given(
    st.sampled_from(["press", "show", "choose", "ring", "undo", "correct", "open"]),
    st.dictionaries(
        st.sampled_from(["player", "button", "zone", "cards", "cue", "option", "name", "lap", "to", "of", "game", "players", "options", "seed"]),
        PLAIN | st.lists(PLAIN, max_size=3) | st.just("bid") | st.dictionaries(st.text(max_size=3), PLAIN, max_size=2),
        max_size=4,
    ),
)  # fmt: skip
def test_any_arguments_make_an_event_or_a_bad_message(do: str, args: dict[str, Any]) -> None:
    wish = wire.command(frame(do, args))
    try:
        event = wish.event(1)
    except BadMessage as fault:
        assert str(fault)
    else:
        assert isinstance(event, Event)


@pytest.mark.parametrize(
    ("cue", "plain"),
    [
        (Press(MIA, BID, "cue.bid"), {"is": "press", "player": "Mia", "button": "bid", "why": "cue.bid"}),
        (Choose(MIA, "feast", ("pizza", "no")), {"is": "choose", "player": "Mia", "cue": "feast", "options": ["pizza", "no"], "secret": False}),
        (Wait(Clock("call", 2), 3.0), {"is": "wait", "name": "call", "lap": 2, "seconds": 3.0}),
        (Roll(Zone("tray"), 2), {"is": "roll", "zone": "tray", "dice": 2}),
        (
            Show(Zone("middle"), Expect(1, ("pizza",), (CardId("a"),), (CardId("b"),), (CardId("c"),), ("d",))),
            {"is": "show", "zone": "middle", "new": 1, "faces": ["pizza"], "lying": ["a", "c"], "exactly": ["b"], "first": ["d"]},
        ),
    ],
)  # fmt: skip
def test_each_cue_is_told_as_plain_data(cue: Any, plain: dict[str, Any]) -> None:
    assert wire.plain_cue(cue) == plain


def test_answers_name_their_command_and_a_refusal_its_phrase_and_rule() -> None:
    assert json.loads(wire.done(ID, 8)) == {"t": "ack", "id": ID, "ok": True, "rev": 8}
    told = json.loads(
        wire.refused(ID, "bid_must_be_3", "", Refusal("KOALA-AUC-05", "bid_must_be_3", {"need": 3}))
    )
    assert told["refusal"] == {"key": "no.bid_must_be", "values": {"need": 3}, "rule": "KOALA-AUC-05"}
    assert "refusal" not in json.loads(wire.refused(ID, "stale", "look again"))


def test_a_state_is_stamped_when_it_leaves_without_being_written_anew() -> None:
    state = wire.state({"rev": 3, "view": None})
    assert json.loads(wire.stamped(state, 5)) == {"t": "state", "rev": 3, "view": None, "now": 5}
    assert json.loads(wire.stamped(state, 6))["now"] == 6


def test_a_refusal_tells_what_stands_behind_it() -> None:
    behind = Refusal("KOALA-AUC-12", "cave_has_more", {"cards": "@pizza"})
    told = wire.plain_refusal(
        Refusal("TABLE-CORRECT", "correction_does_not_fit", {"number": 7}, cause=behind)
    )
    assert told["cause"] == wire.plain_refusal(behind)
    assert "cause" not in wire.plain_refusal(behind)
