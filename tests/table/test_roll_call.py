"""The order of first presses gives the places; stuck, silent and chattering buttons are named."""

from __future__ import annotations

from companion.table.roll_call import CHATTER, MS, STUCK, Found, RollCall, found, held, pressed, released


def test_the_order_of_first_presses_gives_the_places() -> None:
    call = RollCall(("a", "b", "c"))
    for number, name in enumerate(("c", "a", "b", "a")):
        call = released(pressed(call, name, number * 500 * MS), name)
    assert found(call, 9_000 * MS) == Found(("c", "a", "b"), (), (), ())
    assert found(call, 9_000 * MS).well


def test_a_button_nobody_knew_joins_with_its_first_press() -> None:
    call = released(pressed(RollCall(), "new", 0), "new")
    assert found(call, MS).order == ("new",)


def test_a_button_that_is_never_pressed_is_silent() -> None:
    call = released(pressed(RollCall(("a", "b")), "a", 0), "a")
    assert found(call, MS).silent == ("b",)
    assert not found(call, MS).well


def test_a_button_held_too_long_is_stuck_and_has_no_place() -> None:
    call = pressed(RollCall(("a", "b")), "a", 0)
    assert found(call, STUCK - 1) == Found(("a",), (), ("b",), ())
    assert found(call, STUCK) == Found((), ("a",), ("b",), ())
    assert found(released(call, "a"), STUCK).order == ("a",)


def test_a_button_down_from_the_start_is_stuck_not_silent() -> None:
    call = held(held(RollCall(("a",)), "a", 0), "a", STUCK)
    assert found(call, STUCK) == Found((), ("a",), (), ())


def test_two_presses_that_no_finger_makes_are_chatter() -> None:
    call = pressed(released(pressed(RollCall(), "a", 0), "a"), "a", CHATTER - 1)
    assert found(call, CHATTER).chattering == ("a",)
    slow = pressed(released(pressed(RollCall(), "a", 0), "a"), "a", CHATTER)
    assert found(slow, CHATTER).chattering == ()
