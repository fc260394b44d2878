"""The camera: grabs only while somebody waits for cards, reads, and says a zone once it is at rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from companion.edges.camera.frames import MS, Frame, Frames
from companion.edges.camera.glimpse import Glimpse
from companion.edges.camera.table_words import Naming, troubles
from companion.edges.camera.words import say
from companion.table.events import Shown
from companion.table.things import Deck, Zone
from companion.vision import evidence, markers
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.pips import with_pips
from companion.vision.plates import Polygon
from companion.vision.read import Look, Reader
from companion.vision.scene import Rules, Scene
from companion.vision.settle import Settle, settled, watch

FAMILY = markers.FAMILY
PEEK_NS = 3_000 * MS  # so long frames go on coming for somebody who looks at the live picture
ANEW_NS = 1_000 * MS  # a picture in which nothing changes is read again after this
WELL = 10  # frames read one after the other, until a fault in reading counts as over
SAY_AFTER_NS = 2_000 * MS  # an arm or a doubt is named when it has stayed so long


class Witness(Protocol):
    """Who keeps what was seen."""

    def seen(self, frame: Frame, look: Look, scene: Scene, shown: tuple[Shown, ...]) -> None:
        """One frame, how it was read and understood, and what was said after it."""


class Camera:
    """Watches zones in a thread of its own; each zone that has come to rest goes to `heard`."""

    def __init__(
        self, grab: Frames, deck: Deck, heard: Callable[[Shown], None], trouble: Callable[[str], None], *,
        marker_px: tuple[float, float] = (13.0, 45.0), settle: Settle | None = None, pause_s: float = 0.05,
        others: Mapping[int, str] | None = None, table: Callable[[str], None] = lambda _: None,
        witness: Witness | None = None, naming: Naming | None = None,
        failed: Callable[[str], None] = lambda _: None, looks: Callable[[bool], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """`grab` gives a frame, or None when none comes; `pause_s` between frames keeps the Pi cool.

        `others`: markers that are no cards of this deck, with their game. `table` is told what is wrong on
        the table ("" when nothing is), in the words and the language of `naming`. `witness` keeps frames.
        `failed` is told when a picture that came could not be read, and why; "" when reading goes on well.
        `looks` is told whenever it begins to look and whenever it looks away: for a lamp that people can trust.
        """
        self._grab, self._heard, self._trouble, self._table = grab, heard, trouble, table
        self._witness, self._naming, self._failed = witness, naming or Naming(), failed
        self._fault, self._well = "", 0  # what was told of a picture that could not be read; good ones since
        self.seen: float | None = None  # when the thread was last seen alive, monotonic s; None: it is idle
        self._looks = looks
        self._others = others or {}
        self._settle, self._pause = settle or Settle(), pause_s
        self._lock = threading.Lock()  # what others may ask for: held for moments only, never while it reads
        self._playing = deck  # the deck that is to be read; the camera's thread makes itself ready for it
        self._ruled: tuple[tuple[int, int | None], ...] = ()  # what persons said since the last frame
        self._wanted = threading.Event()
        self._closing = self._ill = False
        self._peeked = 0  # until when somebody looks at the live picture
        self._told, self._held_since = "", dict[Zone, int]()
        self._equip(deck, marker_px)
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)
        self._thread.start()

    def _equip(self, deck: Deck, marker_px: tuple[float, float]) -> None:
        own = deck_ids(deck)
        reader = Reader(FAMILY, own, marker_px)
        foreign = {marker: game for marker, game in self._others.items() if marker not in own}
        strangers = Reader(FAMILY, (*own, *foreign), marker_px) if foreign else None
        self._eyes = Eyes(reader, Rules(deck, reader.look, foreign), strangers)
        self._gaze = Gaze()
        self._read = -ANEW_NS  # when a frame was last read as a whole
        self._glimpse: Glimpse | None = None
        self._deck, self._marker_px = deck, marker_px  # the last thing: only now it is ready for this deck

    def play(self, deck: Deck) -> None:
        """Read this deck's cards from now on; a frame that is just being read with another one says nothing."""
        with self._lock:
            if deck is self._playing:
                return
            self._playing, self._ruled, self._glimpse = deck, (), None
            self._settle = watch(self._settle, ())

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...] = ()) -> None:
        """Look at these zones from now on, at nothing if there is none; say again what lies in those anew."""
        with self._lock:
            self._settle = watch(watch(self._settle, [z for z in zones if z not in anew]), zones)
            self._rouse()

    def rule(self, number: int, marker: int | None) -> None:
        """A person says what a doubt is: this marker, or nothing. The next frame is read with it."""
        with self._lock:
            self._ruled = (*self._ruled, (number, marker))

    def glimpse(self) -> Glimpse | None:
        """The newest frame with all that is known of it; keeps frames coming for three seconds more."""
        with self._lock:
            self._peeked = time.monotonic_ns() + PEEK_NS
            self._rouse()
            return self._glimpse

    def rest(self) -> None:
        """Look away at once, whoever looks through the camera, and forget the newest frame."""
        with self._lock:
            self._peeked, self._glimpse = 0, None
            self._rouse()

    def close(self) -> None:
        """Stop looking."""
        with self._lock:  # else a frame just read might send the thread to sleep again
            self._closing = True
            self._wanted.set()
            self._looks(False)
        self._thread.join(timeout=5)
        close = getattr(self._grab, "close", None)
        if close is not None:
            close()

    def _rouse(self) -> None:
        wanted = bool(self._closing or self._settle.zones or time.monotonic_ns() < self._peeked)
        if wanted == self._wanted.is_set():
            return
        self._looks(wanted and not self._closing)
        if wanted:
            self._wanted.set()
        else:
            self._wanted.clear()

    def _work(self) -> None:
        while True:
            self.seen = None
            self._wanted.wait()
            if self._closing:
                return
            self.seen = time.monotonic()
            try:
                self._pass()
            except Exception as fault:  # one picture that cannot be read must not end all reading
                self._say_failed(f"{type(fault).__name__}: {fault}")
            with self._lock:
                self._rouse()
            time.sleep(self._pause)

    def _pass(self) -> None:
        """Take one picture and read it."""
        got = self._grab()
        self.seen = time.monotonic()
        if got is None:
            self._say_ill("no picture comes; is the cable in, does another program use the camera?")
            return
        self._say_ill("")
        self._take(got if isinstance(got, Frame) else Frame(got, time.monotonic_ns()))
        self._say_failed("")

    def _prepare(self) -> None:
        """Do what was asked since the last frame: another deck, doubts that persons have decided."""
        with self._lock:
            deck, ruled, self._ruled = self._playing, self._ruled, ()
        if deck is not self._deck:
            self._equip(deck, self._marker_px)
        for number, marker in ruled:
            memory = self._gaze.memory
            proof = evidence.ruled(memory.evidence, number, marker)
            self._gaze = replace(self._gaze, memory=replace(memory, evidence=proof))

    def _take(self, frame: Frame) -> None:
        """Understand one frame and say what has come to rest."""
        self._prepare()
        look, scene = self._understood(frame)
        told = troubles(
            scene, self._lasting(scene, frame.at), self._gaze.memory.open, self._deck, self._naming
        )
        seen = with_pips(scene.sighting, frame.grey, self._watched(scene), self._deck)
        with self._lock:
            if self._playing is not self._deck:  # meanwhile another game has begun
                return
            self._settle, shown = settled(self._settle, seen, frame.at)
            if self._wanted.is_set():  # else it looks away now, and this frame came too late to be kept
                self._glimpse = Glimpse(frame, look, scene, self._gaze.memory.open, self._deck)
        if told != self._told:
            self._told = told
            self._table(told)
        for each in shown:
            self._heard(each)
        if self._witness is not None:
            self._witness.seen(frame, look, scene, shown)

    def _watched(self, scene: Scene) -> dict[Zone, Polygon]:
        """Where the watched zones lie in which nothing stirs."""
        zones = self._settle.zones
        return {zone: seen.polygon for zone, seen in scene.zones.items() if zone in zones and not seen.held}

    def _understood(self, frame: Frame) -> tuple[Look, Scene]:
        """Read and understand the frame; where nothing has changed, what was understood still holds."""
        old = not 0 <= frame.at - self._read < ANEW_NS
        self._read = frame.at if old else self._read
        self._gaze = gazed(self._gaze, frame.grey, self._eyes, old)
        assert self._gaze.scene is not None, "a frame was seen"
        return self._gaze.look, self._gaze.scene

    def _lasting(self, scene: Scene, at: int) -> frozenset[Zone]:
        """Zones that have been held for so long that it is worth a word."""
        held = {zone for zone, seen in scene.zones.items() if seen.held}
        self._held_since = {zone: self._held_since.get(zone, at) for zone in held}
        return frozenset(zone for zone, since in self._held_since.items() if at - since >= SAY_AFTER_NS)

    def _say_ill(self, text: str) -> None:
        if bool(text) != self._ill:
            self._ill = bool(text)
            self._trouble(text)

    def _say_failed(self, why: str) -> None:
        """Tell each fault once; that it is over, after some pictures that were read well."""
        self._well = 0 if why else self._well + 1
        if why != self._fault and (why or self._well >= WELL):
            self._fault = why
            self._failed(say(self._naming.lang, "unread", {"why": why}) if why else "")


def deck_ids(deck: Deck) -> tuple[int, ...]:
    """Every marker that may lie on the table: cards and plates. Fewer ids read faster and surer."""
    return (*(card.marker for card in deck.cards), *(m for plate in deck.plates for m in plate.markers))
