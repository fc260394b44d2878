"""A box whose line is full of events still answers: the AVR image in virtual time, the same on any machine."""

from __future__ import annotations

import pytest
from avr import Avr

from companion.wire.box_words import Fence, Fenced, content, word
from companion.wire.frames import Unframer, framed

MS = 1_000_000


@pytest.mark.parametrize("gap", range(50, 62))  # ms; where between two answers the buttons move
def test_every_fence_is_answered_while_all_buttons_move_and_nobody_acknowledges(gap: int) -> None:
    box, line, asked, answered = Avr(), Unframer(), 0, 0
    for turn in range(3):
        for button in range(6):  # each change is an event that is said again and again
            box.press((100 + gap * turn) * MS + button * MS // 10, button, turn % 2 == 0)
    for now in range(100 * MS, 300 * MS, MS // 4):
        if asked == answered and now < 250 * MS:  # the next question, as soon as this one is answered
            box.hear(now, framed(content(Fence(asked))))
            asked += 1
        box.run(now + MS // 4)
        words = map(word, line.fed(bytes(byte for _, byte in box.said)))
        box.said.clear()
        answered += sum(isinstance(each, Fenced) for each in words)
    box.close()
    assert answered == asked > 10
