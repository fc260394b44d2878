"""The one loop: hear, turn, write down, do. One thread, one queue; the ports it needs are stated here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from queue import Empty, SimpleQueue
from typing import Protocol

from companion.table import crank, photo_finish
from companion.table.crank import Session, Shelf, Turn
from companion.table.cues import Wait
from companion.table.effects import Arm, Blink, Disarm, Effect, Lamp, Say, Watch
from companion.table.events import Clock, Corrected, Event, Opened, Pressed, Rang, Undone
from companion.table.game import Refusal
from companion.table.photo_finish import Press
from companion.table.phrases import Phrases
from companion.table.things import Player, Zone, value

Answer = Turn | Refusal
Reply = Callable[[Answer], None]
SECOND = 1_000_000_000
PULSE_S = 1.0  # the loop shows that it lives at least so often
JOURNAL = "journal"


class Journal(Protocol):
    """Where events are written down: on disk when `append` returns."""

    def append(self, number: int, event: Event) -> None:
        """Write one event; the number is its place, from 1."""

    def events(self) -> Iterator[Event]:
        """All events so far, oldest first."""

    def close(self) -> None:
        """Leave the file in order."""


class Lamps(Protocol):
    """The lamps of the buttons."""

    def shine(self, player: Player, look: str) -> None:
        """The lamp's level: off, open, ask."""

    def blink(self, player: Player, look: str) -> None:
        """A short answer to one press: seen, no."""


class Voice(Protocol):
    """What is heard. Returns at once; silence is a voice too."""

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        """Speak a sentence, given as its parts: fixed words and filled-in ones."""

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        """Speak beats at even steps from `start_ns`; the last one ends after `seconds`."""

    def hush(self) -> None:
        """Cut a running count off."""

    def stop(self) -> None:
        """What was said is no longer true: cut it off, forget what waits."""

    def again(self) -> None:
        """Say the last thing once more."""

    def chime(self, seat: int) -> None:
        """Answer a press with the chime of its player's place, from 0."""

    def tune(self, loud: Mapping[str, float]) -> None:
        """Set the volume of lanes, 0 (mute) to 1."""

    def know(self, names: tuple[str, ...], lang: str) -> None:
        """Players join: learn to say their names."""

    def lead(self) -> int:
        """How long before its first beat a count must be ordered to be heard in time, ns."""


class Clocks(Protocol):
    """Deadlines on the monotonic clock, ns."""

    def now(self) -> int:
        """The time."""

    def arm(self, clock: Clock, seconds: float) -> int:
        """Start a clock; its deadline."""

    def disarm(self, clock: Clock) -> None:
        """Stop a clock."""

    def due(self) -> int | None:
        """The next deadline."""

    def rung(self, now: int) -> tuple[Rang, ...]:
        """The rings of all clocks due by `now`, in order; they are forgotten."""


class Eyes(Protocol):
    """The camera and its reader."""

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        """Look at these zones from now on, at nothing if there is none; say again what lies in those anew."""


class Screens(Protocol):
    """Every screen: gets the newest session, shows each viewer its own view."""

    def show(self, session: Session | None, news: News) -> None:
        """Show this. Returns at once; a slow screen gets the newest only."""


@value
class Running:
    """A clock that runs: when it rings, and what is voiced until then."""

    clock: Clock
    ends: int  # monotonic ns
    seconds: float
    beats: tuple[str, ...] = ()


@value
class News:
    """What a screen shows beside the view: captions, refusal, clocks, lamps, the health of devices."""

    captions: tuple[Say, ...] = ()  # the last things said: they stay until something else is
    refusal: Refusal | None = None  # the last mistake, until the next accepted event
    clocks: tuple[Running, ...] = ()
    lamps: Mapping[Player, str] = field(default_factory=dict)
    health: Mapping[str, str] = field(default_factory=dict)


@value
class Heard:
    """Something for the house to take in: an event, or a raw press that photo_finish must order first.

    `reply` is called with the answer once the journal has it.
    """

    what: Event | Press | photo_finish.Closed | photo_finish.Gone | Trouble | Wish
    reply: Reply | None = None


@value
class Trouble:
    """A device says how it is: shown on every screen. An empty text: it is well again."""

    device: str
    text: str


@value
class Wish:
    """Something asked of the voice by a screen: say the last thing again, or other volumes (0 to 1) of lanes."""

    again: bool = False
    loud: Mapping[str, float] = field(default_factory=dict)


class House:
    """A running table: everything heard goes through here, one thing at a time, in one thread."""

    def __init__(
        self, shelf: Shelf, phrases: Mapping[str, Phrases], journal: Journal, clocks: Clocks, *,
        lamps: Lamps, voice: Voice, eyes: Eyes, screens: Screens, lang: str = "en",
    ) -> None:  # fmt: skip
        """Take the ports; nothing happens before `resume` or `run`."""
        self.shelf, self.phrases, self.journal, self.clocks = shelf, phrases, journal, clocks
        self.lamps, self.voice, self.eyes, self.screens = lamps, voice, eyes, screens
        self.lang = lang
        self.queue: SimpleQueue[Heard | None] = SimpleQueue()
        self.session: Session | None = None
        self.news = News()
        self._finish = photo_finish.PhotoFinish()
        self.ask: Callable[[int], None] = lambda _moment: None  # every box: close up to this moment
        self._asked = 0
        self._replies: dict[tuple[Player, int], Reply] = {}
        self._numbers = 0
        self._stopped = False
        self._unwritten: list[Event] = []  # accepted, and not on disk: the journal is in trouble
        self.awake = clocks.now()

    @property
    def racing(self) -> bool:
        """Whether a press waits for its place in the order."""
        return bool(self._finish.waiting)

    def put(
        self,
        what: Event | Press | photo_finish.Closed | photo_finish.Gone | Trouble,
        reply: Reply | None = None,
    ) -> None:
        """Tell the house; from any thread."""
        self.queue.put(Heard(what, reply))

    def stop(self) -> None:
        """End `run` after what is already in the queue."""
        self.queue.put(None)

    def resume(self) -> None:
        """Fold the last game of the journal in silence, then wake: lamps, zones, clocks as it wants them.

        BadJournal: what was recorded does not fit this version's rules.
        """
        events = tuple(self.journal.events())
        self._numbers = len(events)
        opened = max((i for i, event in enumerate(events) if isinstance(event, Opened)), default=0)
        self.session = crank.recall(self.shelf, events[opened:], opened + 1)
        if self.session is not None:
            self.voice.know(self.session.setting.players, self.lang)
            self._do(crank.wake(self.session))
        self._show()

    def run(self) -> None:
        """Work until stopped; `awake` moves on at least once a second."""
        while not self._stopped:
            self.awake = self.clocks.now()
            due = self.next_due()
            wait = PULSE_S if due is None else min(PULSE_S, max(0.0, (due - self.clocks.now()) / SECOND))
            with suppress(Empty):
                self._take(self.queue.get(timeout=wait))
            self.step()

    def step(self) -> bool:
        """Take in all that is queued, then what is due; whether there was anything. Never waits.

        The queue is emptied first: a press that waits in it may be older than one that is ripe.
        """
        busy = False
        with suppress(Empty):
            while True:
                self._take(self.queue.get_nowait())
                busy = True
        return self.tick() or busy

    def _take(self, heard: Heard | None) -> None:
        if heard is None:
            self._stopped = True
        else:
            self.hear(heard)

    def next_due(self) -> int | None:
        """When the house wants to be woken next, monotonic ns."""
        due = self.clocks.due()
        moments = [photo_finish.settles(self._finish, due)] if due is not None else []
        if due is not None and due > self._asked and self._finish.until:
            moments.append(due)  # so that open boxes are asked in time
        ripens = photo_finish.next_ripe(self._finish)
        if ripens is not None:
            moments.append(ripens)
        return min(moments, default=None)

    def hear(self, heard: Heard) -> None:
        """Take one thing in."""
        what = heard.what
        if isinstance(what, Press):
            if heard.reply is not None:
                self._replies[(what.player, what.at)] = heard.reply
            self._finish = photo_finish.heard(self._finish, what)
        elif isinstance(what, photo_finish.Closed):
            self._finish = photo_finish.closed(self._finish, what)
        elif isinstance(what, photo_finish.Gone):
            self._finish = photo_finish.gone(self._finish, what.source)
        elif isinstance(what, Trouble):
            self._trouble(what)
        elif isinstance(what, Wish):
            self._wish(what)
        else:
            self._turn(what, heard.reply)

    def tick(self) -> bool:
        """Release presses whose order is certain, ring clocks that are due; whether anything happened."""
        now = self.clocks.now()
        self._finish, verdict = photo_finish.ripe(self._finish, now)
        for press in verdict.presses:
            self._ring(press.at - 1)  # a deadline before the press comes first
            self._turn(press, self._replies.pop((press.player, press.at), None))
        for note in verdict.notes:
            self._trouble(Trouble("buttons", self.phrases[""].text(self.lang, note.key, note.values)))
        self._ask_boxes(now)
        self._tell_margins(verdict.margins)
        return self._ring_settled(now) or bool(verdict.presses)

    def _ask_boxes(self, now: int) -> None:
        """Ask boxes that are still open to close past all presses that wait, and past a clock that is due."""
        due = self.clocks.due()
        moments = (photo_finish.wanted(self._finish), due if due is not None and due <= now else None)
        want = max((moment for moment in moments if moment is not None), default=0)
        if want > self._asked:
            self._asked = want
            self.ask(want)

    def _tell_margins(self, margins: Iterable[photo_finish.Margin]) -> None:
        """Caption how close a race was, and how sure that is."""
        says = tuple(
            Say(
                "buttons.tie" if race.tie else "buttons.margin",
                {
                    "name": race.first,
                    "other": race.second,
                    "ms": f"{(race.give if race.tie else race.by) / photo_finish.MS:.1f}",
                    "give": f"{race.give / photo_finish.MS:.1f}",
                },
                "chatter",
            )
            for race in margins
        )
        if says:
            news = self.news
            self.news = News((*news.captions, *says), news.refusal, news.clocks, news.lamps, news.health)
            self._show()

    def _ring_settled(self, now: int) -> bool:
        """Ring what is due, once no press made before it can still be under way."""
        due, rang = self.clocks.due(), False
        while due is not None and now >= photo_finish.settles(self._finish, due):
            if any(press.at <= due for press in self._finish.waiting):
                break
            rang = self._ring(due)
            due = self.clocks.due()
        return rang

    def _ring(self, until: int) -> bool:
        rings = self.clocks.rung(until)
        for ring in rings:
            self._turn(ring, None)
        return bool(rings)

    def _turn(self, event: Event, reply: Reply | None) -> None:
        answer = crank.advance(self.shelf, self.session, event)
        if isinstance(answer, Refusal):
            self._refuse(event, answer)
        else:
            self._write(event)
            self.session = answer.session
            self._mind(event)
            self._do(answer.effects)
            self._show()
        if reply is not None:
            reply(answer)

    def _write(self, event: Event) -> None:
        """On disk, with all that could not be written before. A full or broken disk stops no game: it is said."""
        self._unwritten.append(event)
        try:
            while self._unwritten:
                self.journal.append(self._numbers + 1, self._unwritten[0])
                self._numbers += 1
                del self._unwritten[0]
        except OSError as fault:
            self._trouble(Trouble(JOURNAL, str(fault)))
        else:
            if JOURNAL in self.news.health:
                self._trouble(Trouble(JOURNAL, ""))

    def _refuse(self, event: Event, refusal: Refusal) -> None:
        if not refusal.aloud:
            return
        if isinstance(event, Pressed):
            self.lamps.blink(event.player, "no")
        self._speak((Say(f"no.{refusal.stem}", refusal.values),))
        self.news = News(self.news.captions, refusal, self.news.clocks, self.news.lamps, self.news.health)
        self._show()

    def _mind(self, event: Event) -> None:
        """What an accepted event means for the voice, before anything of it is said."""
        if isinstance(event, Opened):
            self.voice.know(event.setting.players, self.lang)
            self.news = News((), None, self.news.clocks, self.news.lamps, self.news.health)
        if isinstance(event, Opened | Corrected | Undone):
            self.voice.stop()

    def _wish(self, wish: Wish) -> None:
        if wish.loud:
            self.voice.tune(wish.loud)
        if wish.again:
            self.voice.again()

    def _do(self, effects: Iterable[Effect]) -> None:
        """Carry effects out; speech of one turn is one breath, in order."""
        says: list[Say] = []
        lamps, clocks = dict(self.news.lamps), list(self.news.clocks)
        for effect in effects:
            if isinstance(effect, Say):
                says.append(effect)
            elif isinstance(effect, Lamp):
                lamps[effect.player] = effect.look
                self.lamps.shine(effect.player, effect.look)
            elif isinstance(effect, Blink):
                self.lamps.blink(effect.player, effect.look)
                self._chime(effect.player)
            elif isinstance(effect, Watch):
                self.eyes.watch(effect.zones, effect.anew)
            elif isinstance(effect, Arm):
                clocks.append(self._arm(effect))
            else:
                clocks = [running for running in clocks if running.clock != effect.clock]
                self._disarm(effect)
        armed = {wait.clock for wait in self._waits()}
        running = tuple(r for r in clocks if r.clock in armed)
        self.news = News(tuple(says) or self.news.captions, None, running, lamps, self.news.health)
        self._speak(says)

    def _waits(self) -> Iterator[Wait]:
        for cue in self.session.cues if self.session is not None else ():
            if isinstance(cue, Wait):
                yield cue

    def _arm(self, effect: Arm) -> Running:
        """A count lasts until the end of its last beat is heard, so it ends later by the way from here to the ear."""
        lead = self.voice.lead() if effect.beats else 0
        ends = self.clocks.arm(effect.clock, effect.seconds + lead / SECOND)
        if effect.beats:
            texts = tuple(" ".join(self._parts(Say(beat))) for beat in effect.beats)
            self.voice.count(texts, ends - int(effect.seconds * SECOND), effect.seconds, self.lang)
        return Running(effect.clock, ends, effect.seconds, effect.beats)

    def _disarm(self, effect: Disarm) -> None:
        for running in self.news.clocks:
            if running.clock == effect.clock and running.beats:
                self.voice.hush()
        self.clocks.disarm(effect.clock)

    def _speak(self, says: Iterable[Say]) -> None:
        for say in says:
            self.voice.say(self._parts(say), self.lang, say.lane)

    def _parts(self, say: Say) -> tuple[str, ...]:
        game = self.session.setting.game if self.session is not None else ""
        return self.phrases.get(game, self.phrases[""]).parts(self.lang, say.key, say.values)

    def _chime(self, player: Player) -> None:
        players = self.session.setting.players if self.session is not None else ()
        if player in players:
            self.voice.chime(players.index(player))

    def _trouble(self, trouble: Trouble) -> None:
        health = {**self.news.health, trouble.device: trouble.text}
        if not trouble.text:
            del health[trouble.device]
        self.news = News(self.news.captions, self.news.refusal, self.news.clocks, self.news.lamps, health)
        self._show()

    def _show(self) -> None:
        self.screens.show(self.session, self.news)


__all__ = [
    "Clocks", "Eyes", "Heard", "House", "Journal", "Lamps", "News", "Reply", "Running", "Screens", "Trouble", "Voice",
    "Wish",
]  # fmt: skip
