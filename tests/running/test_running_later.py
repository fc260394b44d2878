"""What comes up behind the screens: one after the other, closed the other way round, and no table falls with it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from companion.house import Trouble
from companion.running.behind import failing
from companion.running.later import Later
from companion.running.mouth import UNSAID, Mouth
from companion.table.things import BadDeck

PATIENCE = 30.0  # s until a test gives up on a machine that does nothing


def step(name: str, log: list[str], ready: threading.Event | None = None) -> Callable[[], Any]:
    def taken() -> tuple[Callable[[], None]]:
        log.append(name)
        if ready is not None:
            ready.set()
        return (lambda: log.append(f"close {name}"),)

    return taken


def broken(fault: Exception) -> Callable[[], Any]:
    def taken() -> Any:
        raise fault

    return taken


def test_steps_are_taken_in_their_order_and_closed_the_other_way_round() -> None:
    log, there = list[str](), threading.Event()
    later = Later({"a": step("a", log), "b": step("b", log, there)}, lambda *_: False)
    assert not log
    later.begin()
    assert there.wait(PATIENCE)
    later.close()
    assert log == ["a", "b", "close b", "close a"]


def test_a_table_that_ends_while_a_step_is_taken_takes_no_further_one_and_closes_this() -> None:
    log, under_way, ending = list[str](), threading.Event(), threading.Event()

    def slow() -> Any:
        under_way.set()
        assert ending.wait(PATIENCE)
        return (lambda: log.append("close slow"),)

    later = Later({"slow": slow, "never": step("never", log)}, lambda *_: False)
    later.begin()
    assert under_way.wait(PATIENCE)
    closing = threading.Thread(target=later.close)
    later._ending.set()  # what `close` does before it waits: no matter which thread is first
    closing.start()
    ending.set()
    closing.join()
    assert log == ["close slow"]


def test_a_table_that_fell_before_anything_came_up_is_closed_too() -> None:
    log: list[str] = []
    Later({"a": step("a", log)}, lambda *_: False).close()
    assert log == []


def test_where_the_table_goes_on_the_next_step_is_taken() -> None:
    log, there, told = list[str](), threading.Event(), list[str]()

    def failed(name: str, fault: Exception) -> bool:
        told.append(f"{name}: {fault}")
        return True

    later = Later({"a": broken(OSError("gone")), "b": step("b", log, there)}, failed)
    later.begin()
    assert there.wait(PATIENCE)
    later.close()
    assert told == ["a: gone"] and log == ["b", "close b"]


def test_where_it_does_not_closing_raises_why_when_all_is_closed() -> None:
    log, ends = list[str](), threading.Event()

    def failed(_name: str, _fault: Exception) -> bool:
        ends.set()
        return False

    later = Later({"a": step("a", log), "b": broken(BadDeck("no deck")), "c": step("c", log)}, failed)
    later.begin()
    assert ends.wait(PATIENCE)
    with pytest.raises(BadDeck, match="no deck"):
        later.close()
    assert log == ["a", "close a"]


class House:
    """Hears troubles, and whether it is to stop."""

    def __init__(self) -> None:
        self.lang, self.heard, self.stopped = "de", list[Trouble](), False

    def put(self, what: Trouble) -> None:
        self.heard.append(what)

    def stop(self) -> None:
        self.stopped = True


def test_a_real_table_says_what_did_not_come_up_and_tells_no_card(
    capsys: pytest.CaptureFixture[str],
) -> None:
    house = House()
    failed = failing(house, simulated=False)  # type: ignore[arg-type]  # a house of few words
    assert failed("camera", ImportError("libGL.so.1 is missing")) and failed("voice", KeyError("glass-07"))
    camera, voice = house.heard
    assert (
        camera.device == "camera" and "libGL.so.1 is missing" in camera.text and "ohne weiter" in camera.text
    )
    assert "KeyError" in voice.text and "glass-07" not in voice.text
    assert "KeyError: 'glass-07'" in capsys.readouterr().err and not house.stopped


def test_a_simulated_table_without_its_persons_ends() -> None:
    house = House()
    assert not failing(house, simulated=True)("persons", BadDeck("no deck"))  # type: ignore[arg-type]  # as above
    assert house.stopped and not house.heard


class Voice:
    """Keeps what it was ordered."""

    sounds = True

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        def order(*given: Any) -> int:
            self.heard.append((name, *given))
            return 7

        return order


def test_what_was_said_before_the_voice_came_is_said_when_it_comes() -> None:
    mouth, voice = Mouth(awaited=True), Voice()
    mouth.tune({"prompt": 0.5})
    mouth.know(("Mia",), "de")
    mouth.say(("Guten Abend",), "de", "prompt")
    mouth.count(("KO", "A"), 1, 2.0, "de")
    mouth.chime(3)
    assert mouth.sounds is False and mouth.lead() == 0
    mouth.comes(voice)
    assert voice.heard == [
        ("tune", {"prompt": 0.5}), ("know", ("Mia",), "de"), ("say", ("Guten Abend",), "de", "prompt"),
        ("count", ("KO", "A"), 1, 2.0, "de"),
    ]  # fmt: skip
    assert mouth.sounds is True and mouth.lead() == 7


def test_what_is_no_longer_true_when_the_voice_comes_is_not_said_and_of_much_the_newest() -> None:
    mouth, voice = Mouth(awaited=True), Voice()
    mouth.say(("taken back",), "en", "prompt")
    mouth.stop()
    mouth.count(("KO", "A"), 1, 2.0, "en")
    mouth.hush()
    for number in range(UNSAID + 2):
        mouth.say((str(number),), "en", "prompt")
    mouth.comes(voice)
    assert [order[1] for order in voice.heard] == [(str(number),) for number in range(2, UNSAID + 2)]


def test_a_voice_that_is_there_gets_every_order_once() -> None:
    mouth, voice = Mouth(awaited=True), Voice()
    mouth.comes(voice)
    orders: list[tuple[Any, ...]] = [
        ("say", ("a",), "en", "prompt"), ("count", ("KO",), 1, 2.0, "en"), ("hush",), ("stop",), ("again",),
        ("chime", 1), ("tune", {"count": 0.1}), ("know", ("Ada",), "en"),
    ]  # fmt: skip
    for name, *given in orders:
        getattr(mouth, name)(*given)
    assert voice.heard == orders


class Turnstile:
    """A lock: as soon as somebody lets go of it for the first time, the voice comes."""

    def __init__(self) -> None:
        self.then: Callable[[], None] | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        then, self.then = self.then, None
        if then is not None:
            then()


@pytest.mark.parametrize(
    "order",
    [("count", ("KO",), 1, 2.0, "en"), ("know", ("Ada",), "en"), ("tune", {"prompt": 0.5}), ("say", ("a",), "en", "prompt")],
)  # fmt: skip
def test_a_voice_that_comes_in_the_middle_of_an_order_gets_it_once(
    order: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, voice = Turnstile(), Voice()
    monkeypatch.setattr("companion.running.mouth.Lock", lambda: lock)
    mouth = Mouth(awaited=True)
    lock.then = lambda: mouth.comes(voice)
    getattr(mouth, order[0])(*order[1:])
    assert voice.heard == [order]


def test_a_table_that_awaits_no_voice_misses_none() -> None:
    assert Mouth(awaited=False).sounds is None


def test_a_table_serves_before_pictures_and_sounds_are_loaded() -> None:
    code = "import sys, companion.running as _; print({'numpy', 'cv2', 'PIL', 'qrcode', 'sounddevice', 'aiomqtt', 'reportlab'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
