"""Buttons on a rig: loss and latency of a jumper, the true error between sources, ties, unplugging, a lamp, a soak."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from rigs import BOX, MS, SECOND, A, B, Rig

from companion.table import photo_finish
from companion.table.photo_finish import Closed, Gone, PhotoFinish, Press

Keep = Callable[..., None]
HELD_S = 0.03
PATIENCE = 60.0  # s; a limit for what is broken, no goal


def press_of(player: str) -> Callable[[object], bool]:
    return lambda word: isinstance(word, Press) and word.player == player


def tap(table: Rig, *lines: str) -> tuple[int, int]:
    """Press and release; the times between which it was pressed."""
    between = table.close_switch(*lines)
    time.sleep(HELD_S)
    table.open_switch(*lines)
    time.sleep(HELD_S)
    return between


def test_a_jumper_from_pin_to_pin_loses_no_edge(table: Rig, keep: Keep) -> None:
    errors, waits = list[int](), list[int]()
    for _ in range(int(table.wired["edges"]) // 2):
        before, after = tap(table, "b")
        press = table.take(press_of(B), PATIENCE)
        assert press is not None, f"lost after {len(errors)} edges"
        errors.append(max(before - press.at, press.at - after, 0))
        waits.append(press.heard - press.at)
    waits.sort()
    keep(
        "loop",
        presses=len(errors),
        lost=0,
        worst_error_us=max(errors) / 1_000,
        heard_p99_us=waits[-1] / 1_000,
    )
    assert max(errors) <= 2 * MS


def test_one_switch_on_a_pin_and_on_a_box_is_one_moment(table: Rig, keep: Keep) -> None:
    """The only real proof: the same edge on both clocks. The box's error must lie within what it claims."""
    table.ready()
    apart, outside = list[int](), 0
    for _ in range(int(table.wired["edges"]) // 4):
        tap(table, "a")
        seen: dict[str, Press] = {}
        while len(seen) < 2:
            press = table.take(lambda word: isinstance(word, Press) and word.player in (A, BOX), PATIENCE)
            assert press is not None, f"only {list(seen)} heard of it"
            seen[press.player] = press
        error = abs(seen[A].at - seen[BOX].at)
        apart.append(error)
        outside += error > seen[A].unc + seen[BOX].unc
    apart.sort()
    keep(
        "cross",
        races=len(apart),
        p99_us=apart[-1] / 1_000,
        p50_us=apart[len(apart) // 2] / 1_000,
        outside=outside,
    )
    # A pretended switch reaches the box's program some time after the pin: only a real one is one edge.
    assert outside == 0 or table.kind != "real"


def test_two_outputs_at_once_are_a_tie(table: Rig, keep: Keep) -> None:
    finish, ties = PhotoFinish(), 0
    rounds = 10
    for _ in range(rounds):
        tap(table, "a", "b")
        for player in (A, B):
            press = table.take(press_of(player), PATIENCE)
            assert press is not None
            finish = photo_finish.heard(finish, press)
        finish, verdict = photo_finish.ripe(finish, time.monotonic_ns() + SECOND)
        ties += all(press.tied for press in verdict.presses)
    keep("tie", rounds=rounds, ties=ties)
    assert ties == rounds


def test_an_unplugged_box_is_named_and_comes_back_with_its_player(table: Rig, keep: Keep) -> None:
    table.ready()
    at = time.monotonic()
    table.unplug()
    assert table.take(lambda word: isinstance(word, Gone), PATIENCE) is not None
    seen, at = time.monotonic() - at, time.monotonic()
    table.plug()
    assert table.take(lambda word: isinstance(word, Closed), PATIENCE) is not None
    back = time.monotonic() - at
    tap(table, "a")
    assert table.take(press_of(BOX), PATIENCE) is not None
    keep("unplug", seen_ms=seen * 1_000, playable_ms=back * 1_000)


def test_a_lamp_lights_when_it_shall(table: Rig, keep: Keep) -> None:
    table.ready()
    table.lamp()
    at = time.monotonic()
    table.boxes.shine(BOX, "open")
    while not table.lamp():
        assert time.monotonic() - at < PATIENCE, "the lamp stays dark"
    lit = time.monotonic() - at
    table.boxes.shine(BOX, "off")
    while table.lamp():
        assert time.monotonic() - at < PATIENCE, "the lamp stays lit"
    keep("lamp", lit_ms=lit * 1_000)


def test_a_long_evening_loses_no_press(table: Rig, keep: Keep) -> None:
    """8 hours on a real rig; a moment elsewhere."""
    table.ready()
    end, presses, lost = time.monotonic() + float(table.wired["soak_hours"]) * 3_600, 0, 0
    while time.monotonic() < end:
        tap(table, "a")
        presses += 1
        lost += table.take(press_of(BOX), PATIENCE) is None
    keep("soak", hours=float(table.wired["soak_hours"]), presses=presses, lost=lost)
    assert presses > 0 and lost == 0


if __name__ == "__main__":
    pytest.main([__file__])
