"""The voice never keeps a table waiting, and comes back when its device does."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion import house
from companion.edges.voice import Make, Silence, Speaker, Store, VoiceError, Wanted
from companion.edges.voice.words import silent, told
from companion.wire import voice_line as line

BEATS = ("KO!", "A!", "LA!")
SOON = 60  # seconds until a test gives a thread up; none takes this long
# A stand-in for the voice's process: copies its orders into a pipe, says what another pipe tells it to say.
FAKE = """
import sys, threading
def tell():
    for content in open(sys.argv[2], "rb"):
        if content == b"die\\n":
            import os; os._exit(1)
        sys.stdout.buffer.write(content); sys.stdout.buffer.flush()
threading.Thread(target=tell, daemon=True).start()
with open(sys.argv[1], "wb", buffering=0) as out:
    for content in sys.stdin.buffer:
        out.write(content)
"""


class Room:
    """A speaker with a stand-in for its process, which the test hears and speaks for."""

    def __init__(self, folder: Path, wanted: dict[str, Wanted], opened: bool = True) -> None:
        self.heard_pipe, self.told_pipe = folder / "heard", folder / "told"
        for pipe in (self.heard_pipe, self.told_pipe):
            os.mkfifo(pipe)
        self.troubles: SimpleQueue[str] = SimpleQueue()
        command = (sys.executable, "-c", FAKE, str(self.heard_pipe), str(self.told_pipe))
        self.speaker = Speaker(
            folder / "clips", wanted, trouble=self.troubles.put, command=command, retry_s=(0.01,), loud={"chatter": 0.5}
        )  # fmt: skip
        if opened:
            self.open()

    def open(self) -> None:
        """Meet the process."""
        self.orders = self.heard_pipe.open("rb", buffering=0)
        self.words = self.told_pipe.open("wb", buffering=0)

    def order(self) -> line.Order:
        """The next order that came."""
        assert select.select([self.orders], [], [], SOON)[0], f"no order in {SOON} s"
        return line.order(self.orders.readline())

    def tell(self, report: line.Report) -> None:
        """Say this to the table."""
        self.words.write(line.line(report))

    def sounding(self) -> None:
        """There is sound, and the table knows it."""
        self.tell(line.Ill("x"))
        self.troubles.get(timeout=SOON)
        self.tell(line.Well(1))
        assert self.troubles.get(timeout=SOON) == ""

    def close(self) -> None:
        """Everybody goes home."""
        self.speaker.close()
        self.orders.close()
        self.words.close()

    def die(self) -> None:
        """The device is pulled out: the process ends."""
        self.words.write(b"die\n")
        assert self.orders.read() is not None
        self.orders.close()
        self.words.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path, {})
    assert made.order() == line.Tune({"chatter": 0.5})
    yield made
    made.close()


def test_silence_is_a_voice_too() -> None:
    speaker: house.Voice = Silence()
    speaker.say(("hello",), "en", "prompt")
    speaker.count(BEATS, 0, 1.5, "en")
    speaker.hush()
    speaker.stop()
    speaker.again()
    speaker.chime(0)
    speaker.tune({})
    speaker.know(("Mia",), "en")
    assert speaker.lead() == 0


def test_every_wish_is_an_order_in_its_turn(room: Room) -> None:
    room.sounding()
    speaker: house.Voice = room.speaker
    speaker.say(("Mia", " leads"), "en", "prompt")
    speaker.count(BEATS, 5, 1.5, "de")
    speaker.hush()
    speaker.stop()
    speaker.again()
    speaker.chime(3)
    speaker.tune({"prompt": 0.0})
    assert [room.order() for _ in range(7)] == [
        line.Say(("Mia", " leads"), "en", "prompt"), line.Count(BEATS, 5, 1.5, "de"), line.Hush(), line.Stop(),
        line.Again(), line.Chime(3), line.Tune({"chatter": 0.5, "prompt": 0.0}),
    ]  # fmt: skip


def test_what_is_ordered_while_the_first_process_starts_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, begin = threading.Event(), subprocess.Popen

    def slow(*given: Any, **options: Any) -> subprocess.Popen[bytes]:
        assert held.wait(SOON)
        return begin(*given, **options)

    monkeypatch.setattr(subprocess, "Popen", slow)
    made = Room(tmp_path, {}, opened=False)
    made.speaker.say(("good evening",), "en", "prompt")
    made.speaker.chime(3)  # too late to be an answer
    made.speaker.count(BEATS, 5, 1.5, "en")
    held.set()
    made.open()
    assert [made.order() for _ in range(3)] == [
        line.Tune({"chatter": 0.5}), line.Say(("good evening",), "en", "prompt"), line.Count(BEATS, 5, 1.5, "en"),
    ]  # fmt: skip
    made.close()


def test_what_would_come_too_late_from_a_process_that_comes_up_is_not_ordered(room: Room) -> None:
    room.speaker.chime(3)
    room.speaker.again()
    room.speaker.hush()
    assert room.order() == line.Hush()


class Careful(Speaker):
    """Keeps whether the lock was held whenever orders cease to wait, and when a new process is told what it must know."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "_early" and value is None:
            self.__dict__.setdefault("held", []).append(self._lock.locked())
        super().__setattr__(name, value)

    def _at_hand(self) -> None:
        self.__dict__.setdefault("held", []).append(self._lock.locked())
        super()._at_hand()


@pytest.mark.parametrize("command", [("/no/such/program",), (sys.executable, "-c", "")])
def test_no_order_falls_between_those_that_wait_and_those_that_are_sent(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    troubles: SimpleQueue[str] = SimpleQueue()
    speaker = Careful(tmp_path, {}, trouble=troubles.put, command=command, retry_s=(SOON,))
    troubles.get(timeout=SOON)
    assert set(speaker.__dict__["held"]) == {True}
    speaker.close()


def test_a_count_waits_for_the_way_to_the_ear_that_the_process_reports(room: Room) -> None:
    before = room.speaker.lead()
    room.tell(line.Ill("device", "Error -1"))
    assert room.troubles.get(timeout=SOON).startswith(
        "no voice, captions only: no sound device (Error -1): plug"
    )
    room.tell(line.Well(delay=before + 200_000_000, stutters=2))
    assert room.troubles.get(timeout=SOON) == ""
    assert room.speaker.lead() > before + 200_000_000 and room.speaker.stutters == 2


def test_a_device_that_goes_away_is_named_and_found_again_with_all_it_must_know(room: Room) -> None:
    room.sounding()
    room.speaker.tune({"prompt": 0.25})
    room.order()
    room.die()
    assert "went away" in room.troubles.get(timeout=SOON)
    room.open()
    assert room.order() == line.Tune({"chatter": 0.5, "prompt": 0.25})
    room.tell(line.Well(1))
    assert room.troubles.get(timeout=SOON) == ""
    room.speaker.chime(1)
    assert room.order() == line.Chime(1)


def test_orders_while_there_is_no_process_are_forgotten_and_wait_for_nothing(tmp_path: Path) -> None:
    troubles: SimpleQueue[str] = SimpleQueue()
    speaker = Speaker(tmp_path, {}, trouble=troubles.put, command=("/no/such/program",), retry_s=(SOON,))
    assert "/no/such/program" in troubles.get(timeout=SOON)
    speaker.say(("one",), "en", "prompt")
    speaker.count(BEATS, 0, 1, "en")
    assert speaker.lead() > 0  # lamps and screens keep the same beat
    speaker.close()


def test_a_process_that_reads_no_more_is_replaced_and_never_waited_for(tmp_path: Path) -> None:
    stuck = (sys.executable, "-c", "import time; print(flush=True); time.sleep(999)")
    troubles: SimpleQueue[str] = SimpleQueue()
    speaker = Speaker(tmp_path, {}, trouble=troubles.put, command=stuck, retry_s=(SOON,))
    while troubles.empty():
        speaker.say(("a" * 9_000,), "en", "prompt")  # until the pipe is full
    assert "went away" in troubles.get(timeout=SOON)
    speaker.close()


def test_closing_ends_process_and_threads(room: Room) -> None:
    room.speaker.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("voice")]


def clipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speak: Callable[[str, str], bytes]) -> Room:
    """A room whose clips are made by `speak`, once its process is there: before, nothing is loaded into it."""
    met = threading.Event()

    def engine(make: Make) -> Callable[[str, str], bytes]:
        del make
        assert met.wait(SOON)
        return speak

    monkeypatch.setattr("companion.edges.voice.store.engine", engine)
    made = Room(tmp_path, {"en": Wanted(("leads", "KO!"), frozenset({"KO!"}), Make(rate=150))})
    assert isinstance(made.order(), line.Tune)
    met.set()
    return made


def test_clips_that_are_lacking_are_made_beside_the_game_and_then_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes
) -> None:
    asked: SimpleQueue[tuple[str, str]] = SimpleQueue()

    def speak(words: str, lang: str) -> bytes:
        asked.put((words, lang))
        return spoken_wav

    made = clipped(tmp_path, monkeypatch, speak)
    loads = [made.order(), made.order()]
    assert loads == [line.Load(str(tmp_path / "clips"), "en", ("KO!",))] * 2
    assert {asked.get(timeout=SOON), asked.get(timeout=SOON)} == {("leads", "en"), ("KO!", "en-beat")}
    made.speaker.know(("Mia",), "en")
    assert made.order() == line.Load(str(tmp_path / "clips"), "en", ("KO!",))
    assert asked.get(timeout=SOON) == ("Mia", "en")
    made.close()


def test_words_that_were_missing_in_a_game_are_made_when_the_next_one_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes
) -> None:
    made = clipped(tmp_path, monkeypatch, lambda words, lang: spoken_wav)
    made.order(), made.order()
    made.tell(line.Lacks("en", ("Zoé",)))
    made.tell(line.Ill("so that the test knows when the first one was read"))
    made.troubles.get(timeout=SOON)
    made.speaker.know((), "en")
    made.order()
    assert Store(tmp_path / "clips", "en").find("Zoé") is not None
    made.close()


def test_a_missing_program_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    made = Room(tmp_path, {"en": Wanted(("leads",))})
    assert "apt install espeak-ng" in made.troubles.get(timeout=SOON)
    made.close()


def test_an_engine_that_fails_is_told_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(words: str, lang: str) -> bytes:
        raise VoiceError("piper: out of breath")

    made = clipped(tmp_path, monkeypatch, broken)
    assert made.troubles.get(timeout=SOON) == "no voice, captions only: piper: out of breath"
    made.close()


@pytest.mark.parametrize(
    ("lang", "word"), [("de", "Lautsprecher einstecken"), ("en", "plug a speaker in"), ("fr", "plug")]
)
def test_troubles_are_told_in_the_language_of_the_table_with_their_remedy(lang: str, word: str) -> None:
    assert word in silent(lang, told(lang, "device", "x")) and "(x)" in told(lang, "device", "x")
    assert "apt install libportaudio2" in told(lang, "library", "no library")
    assert told(lang, "something else", "as it is") == "as it is"


def test_people_are_told_while_many_clips_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes
) -> None:
    monkeypatch.setattr("companion.edges.voice.store.engine", lambda make: lambda words, lang: spoken_wav)
    made = Room(tmp_path, {"en": Wanted(tuple(map(str, range(50))))})
    assert made.troubles.get(timeout=SOON) == "the voice is being prepared: 50 clips"
    assert made.troubles.get(timeout=SOON) == ""
    made.close()
