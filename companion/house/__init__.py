"""The one loop: hear, turn, write down, do. One thread, one queue; the ports it needs are stated beside it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

from companion.house import races
from companion.house.deeds import SECOND, Deeds
from companion.house.ports import Clocks, Eyes, Journal, Lamps, Pace, Screens, Voice
from companion.house.presses import Presses
from companion.house.words import Heard, News, Reply, Running, Tempo, Trouble, Wish
from companion.table import crank
from companion.table.cues import Cue
from companion.table.effects import Arm, Effect, Say
from companion.table.events import Chosen, Corrected, Event, Opened, Pressed, Rang, Shown, Undone
from companion.table.game import Refusal
from companion.table.photo_finish import Closed, Gone, Press
from companion.table.phrases import BadPhrase, Phrases
from companion.table.session import Session, Shelf

PULSE_S = 1.0  # the loop shows that it lives at least so often
LATE = SECOND  # a press is too late, not wrong, if so long ago it would have been right
JOURNAL, RULES = "journal", "rules"
OLD = "old journal"  # what is wrong with it is told until a new game begins, however well the new one is written
OVER = Refusal("TABLE-OPEN", "no_game_open", aloud=False)  # a press of a game that was given up meanwhile
RESTING = Refusal("TABLE-PAUSE", "table_rests", aloud=False)
OUR_FAULT = Refusal("TABLE-FAULT", "our_fault")


class House:
    """A running table: everything heard goes through here, one thing at a time, in one thread."""

    def __init__(
        self, shelf: Shelf, phrases: Mapping[str, Phrases], journal: Journal, clocks: Clocks, *,
        lamps: Lamps, voice: Voice, eyes: Eyes, screens: Screens, lang: str = "en",
        pace: Pace | None = None,
    ) -> None:  # fmt: skip
        """Take the ports; nothing happens before `resume` or `run`."""
        self.shelf, self.phrases, self.journal, self.clocks = shelf, phrases, journal, clocks
        self.lamps, self.voice, self.screens, self.lang = lamps, voice, screens, lang
        self._deeds = Deeds(clocks, lamps, voice, eyes, phrases, lang)
        self.queue: SimpleQueue[Heard | None] = SimpleQueue()
        self.session: Session | None = None
        self._pace, before = pace, pace.load() if pace is not None else Tempo()
        self.news = News(paused=before.paused or False, stretch=before.stretch or 1.0)
        self.presses = Presses()
        self._shut: tuple[tuple[Cue, ...], int] = ((), 0)  # what was open until the newest turn, and its time
        self._false_starts, self._contests = races.FalseStarts(), races.Contests()
        self._numbers = 0
        self._of_a_press = False  # the refusal that is written is a press's
        self._stopped = False
        self._wakes: int | None = None  # when the clocks of a game that was taken up again begin
        self._unwritten: list[Event] = []  # accepted, and not on disk: the journal is in trouble
        self.awake = clocks.now()

    def put(
        self,
        what: Event | Press | Closed | Gone | Trouble | Wish | Tempo,
        reply: Reply | None = None,
    ) -> None:
        """Tell the house; from any thread."""
        self.queue.put(Heard(what, reply))

    def stop(self) -> None:
        """End `run` after what is already in the queue."""
        self.queue.put(None)

    def resume(self, grace: float = 0.0) -> None:
        """Fold the last game of the journal in silence, then wake: lamps, zones, clocks as it wants them.

        `grace`: seconds until the clocks begin, which is said: nobody was ready for them when the power came back.
        BadJournal: what was recorded does not fit this version's rules.
        """
        events = tuple(self.journal.events())
        self._numbers = len(events)
        opened = max((i for i, event in enumerate(events) if isinstance(event, Opened)), default=0)
        self.session = crank.recall(self.shelf, events[opened:], opened + 1)
        if self.session is not None:
            self.voice.know(self.session.setting.players, self.lang)
            effects = crank.wake(self.session)
            if grace and not self.news.paused and any(isinstance(each, Arm) for each in effects):
                self._wakes = self.clocks.now() + int(grace * SECOND)
                effects = (Say("goes_on"), *(each for each in effects if not isinstance(each, Arm)))
            self._do(effects)
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
        moments = (self.presses.next_due(self.clocks.due()), self._wakes)
        return min((moment for moment in moments if moment is not None), default=None)

    def hear(self, heard: Heard) -> None:
        """Take one thing in."""
        what = heard.what
        if isinstance(what, Press | Closed | Gone):
            self.presses.heard(what, heard.reply)
        elif isinstance(what, Trouble):
            self._trouble(what)
        elif isinstance(what, Wish):
            self._wish(what)
        elif isinstance(what, Tempo):
            self._keep_time(what)
        else:
            self._turn(what, heard.reply)

    def tick(self) -> bool:
        """Release presses whose order is certain, ring clocks that are due; whether anything happened."""
        now = self.clocks.now()
        verdict = self.presses.ripe(now)
        for press in verdict.presses:
            self._ring(press.at - 1)  # a deadline before the press comes first
            self._contests.pressed(press, self.session)
            self._turn(press, self.presses.reply(press))
        for note in verdict.notes:
            self._trouble(Trouble("buttons", self.phrases[""].text(self.lang, note.key, note.values)))
        if self._wakes is not None and now >= self._wakes:
            self._wake()
        self.presses.ask_boxes(self.clocks.due(), now)
        self._caption(self._contests.told(verdict.margins))
        return self._ring_settled(now) or bool(verdict.presses)

    def _wake(self) -> None:
        """The power has been back for long enough: clocks that are waited for and do not run yet begin."""
        self._wakes = None
        run = {running.clock for running in self.news.clocks}
        effects = crank.wake(self.session) if self.session is not None else ()
        self._do(each for each in effects if isinstance(each, Arm) and each.clock not in run)
        self._show()

    def _caption(self, says: Iterable[Say]) -> None:
        """Add to what is written on the screens; nothing of it is spoken."""
        more = tuple(says)
        if more:
            self.news = replace(self.news, captions=(*self.news.captions, *more))
            self._show()

    def _ring_settled(self, now: int) -> bool:
        """Ring what is due, once no press made before it can still be under way."""
        rang = False
        while (due := self.clocks.due()) is not None and self.presses.settled(due, now):
            rang = self._ring(due)
        return rang

    def _ring(self, until: int) -> bool:
        rings = self.clocks.rung(until)
        for ring in rings:
            self._turn(ring, None)
        return bool(rings)

    def _turn(self, event: Event, reply: Reply | None) -> None:
        resting = self.news.paused and isinstance(event, Pressed | Chosen | Shown | Rang)
        answer = RESTING if resting else self._advance(event)
        if isinstance(answer, Refusal):
            self._refuse(event, answer)
        else:
            self._write(event)
            self._shut = (self.session.cues if self.session is not None else ()), self.clocks.now()
            if isinstance(event, Opened):
                health = {device: text for device, text in self.news.health.items() if device != OLD}
                self.news = replace(self._deeds.clear(self.session, self.news), health=health)
                self._begin_anew()
            self.session = answer.session
            if isinstance(event, Opened | Corrected | Undone):
                self._deeds.begin(event)
                self.news = replace(self.news, captions=())  # what was said is no longer true
            self._do(answer.effects)
            self._caption(self._false_starts.told(*self._shut, self.session, event))
            self._show()
        if reply is not None:
            reply(answer)

    def _begin_anew(self) -> None:
        """A press made in the game before decides nothing in the new one, and nobody rests any more."""
        self.presses.forget(OVER)
        self._wakes = None
        if self.news.paused:
            self.news = replace(self.news, paused=False)
            if self._pace is not None:
                self._pace.save(Tempo(False, self.news.stretch))

    def _advance(self, event: Event) -> crank.Turn | Refusal:
        """The crank's answer. A game that fails ends no evening: nothing has changed, and it is said."""
        try:
            answer = crank.advance(self.shelf, self.session, event)
        except Exception as fault:  # whatever a game's bug raises
            self.failed(event, fault)
            return OUR_FAULT
        if RULES in self.news.health and not isinstance(answer, Refusal):
            self._trouble(Trouble(RULES, ""))
        return answer

    def failed(self, event: Event, fault: Exception) -> None:
        """A game failed at an event: the terminal gets the whole of it, every screen a line without its secrets."""
        traceback.print_exception(fault, file=sys.stderr)
        values = {"event": type(event).__name__, "fault": type(fault).__name__}
        self._trouble(Trouble(RULES, self.phrases[""].text(self.lang, "rules_failed", values)))

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
        if isinstance(event, Pressed):
            self._false_starts.refused(event)
        if not refusal.aloud:
            return
        if isinstance(event, Pressed):
            cues, since = self._shut
            late = crank.answers(cues, event) and self.clocks.now() - since <= LATE
            self.lamps.blink(event.player, "late" if late else "no")
        # A game that could not be opened has the words for why, not the one that lies on the table, if any does.
        key, wanted = f"no.{refusal.stem}", event.setting.game if isinstance(event, Opened) else None
        common = key in self.phrases[""].texts[self.lang]
        with suppress(BadPhrase):  # it may hold whatever somebody sent ("@nonsense"): that ends no evening
            self._deeds.speak((Say(key, refusal.values),), self.session, None if common else wanted)
        # What is wrong on the table stays written: a press, whose lamp and voice answer it, takes only a press's place.
        pressed = isinstance(event, Pressed)
        if (wanted is None or common) and (self.news.refusal is None or self._of_a_press or not pressed):
            self.news, self._of_a_press = replace(self.news, refusal=refusal), pressed
        self._show()

    def _wish(self, wish: Wish) -> None:
        if wish.loud:
            self.voice.tune(wish.loud)
        if wish.again:
            self.voice.again()

    def _keep_time(self, tempo: Tempo) -> None:
        """Pause: no clock runs, no eye looks, no press counts. Going on, every clock begins anew.

        More time is for clocks that begin later: those that run, and a count above all, stay as they are.
        """
        before, stretch = self.news.paused, self.news.stretch if tempo.stretch is None else tempo.stretch
        paused = before if tempo.paused is None else tempo.paused
        if self._pace is not None and (paused, stretch) != (before, self.news.stretch):
            self._pace.save(Tempo(paused, stretch))  # before anybody sees it
        if paused and not before:
            self.news = self._deeds.rest(self.session, self.news)
        self.news = replace(self.news, paused=paused, stretch=stretch)
        if before and not paused and self.session is not None:
            self._do(crank.wake(self.session))
        self._show()

    def _do(self, effects: Iterable[Effect]) -> None:
        self.news = self._deeds.do(effects, self.session, self.news)

    def _trouble(self, trouble: Trouble) -> None:
        health = {**self.news.health, trouble.device: trouble.text}
        if not trouble.text:
            del health[trouble.device]
        self.news = replace(self.news, health=health)
        self._show()

    def _show(self) -> None:
        self.screens.show(self.session, self.news)


__all__ = [
    "OLD",
    "Clocks",
    "Eyes",
    "Heard",
    "House",
    "Journal",
    "Lamps",
    "News",
    "Pace",
    "Reply",
    "Running",
    "Screens",
    "Tempo",
    "Trouble",
    "Voice",
    "Wish",
]  # fmt: skip
