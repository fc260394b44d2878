"""What comes up behind the screens: the voice and the camera of a table, or the persons of a simulated one."""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Callable, Iterable

from companion.config import Config
from companion.ears import Ears
from companion.house import House, Trouble
from companion.running.asked import Evening
from companion.running.later import Close
from companion.running.mouth import Mouth
from companion.running.parts import Optional
from companion.running.words import said
from companion.table.things import CompanionError


def voice(mouth: Mouth, chosen: Config, house: House) -> Iterable[Close]:
    """The table's voice."""
    from companion.voicing import voice_of  # noqa: PLC0415  # numpy comes up after the screens

    speaker = voice_of(chosen, house.lang, lambda text: house.put(Trouble("voice", text)))
    mouth.comes(speaker)
    return (speaker.close,)


def persons(house: House, parts: Optional, ears: Ears, evening: Evening) -> Iterable[Close]:
    """Those who play at the simulated table, its camera and its buttons."""
    from companion.running.simulated import simulate  # noqa: PLC0415  # OpenCV comes up after the screens

    return simulate(house, parts, ears, evening)


def settled() -> Iterable[Close]:
    """All is up: it is not searched for garbage any more, which would hold up every thread of the table."""
    gc.freeze()
    return ()


def failing(house: House, simulated: bool) -> Callable[[str, Exception], bool]:
    """What becomes of a step that fails: a real table says it and plays on, a simulated one ends."""

    def failed(device: str, fault: Exception) -> bool:
        if simulated:
            house.stop()
            return False
        traceback.print_exception(fault, file=sys.stderr)
        house.put(Trouble(device, said(house.lang, "unloaded", fault=why(fault))))
        return True

    return failed


def why(fault: BaseException) -> str:
    """What is told of an error; the text of one that is not ours may name a card that nobody may know."""
    told = isinstance(fault, CompanionError | OSError | ImportError)
    return f"{type(fault).__name__}: {fault}" if told else type(fault).__name__
