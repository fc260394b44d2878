"""What every scan shares: a tally under way, pictures to cards, a camera that watches one place."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.edges.camera import FAMILY, BadPicture, Grab, device, picture
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Setting, Shown
from companion.table.game import Table
from companion.table.session import Session
from companion.table.things import CardId, Deck, Player, Zone
from companion.telling import BadOption, refused, score_lines
from companion.vision.read import Reader

LOOK = Zone("look")
PROMPTS = frozenset(  # what tells people at a camera to go on: pictures that were named lay no cards and press nothing
    f"tally.{each}" for each in ("cave", "feasts", "team", "count", "first", "second")
)
Echo = Callable[[str], Any]


class Count:
    """A tally under way: the crank, and what it says."""

    def __init__(
        self, game: str, people: tuple[Player, ...], options: Mapping[str, object], lang: str, echo: Echo
    ) -> None:
        """Open the tally; BadOption says why it cannot be opened so."""
        self.game, self.lang, self.echo, self.words = game, lang, echo, phrases()[game]
        self.unsaid: frozenset[str] = frozenset()  # what is not said aloud
        self.sure = True  # nothing was left open or unread
        self._shelf = shelf()
        turn = crank.advance(self._shelf, None, Opened(Setting(game, people, options)))
        if not isinstance(turn, Turn):
            raise BadOption(refused(turn, game, lang))
        self.session: Session = turn.session

    def hear(self, event: Event) -> bool:
        """One event; says aloud what the tally says."""
        turn = crank.advance(self._shelf, self.session, event)
        if not isinstance(turn, Turn):
            if turn.aloud:
                self.echo(refused(turn, self.game, self.lang))
                self.sure = False
            return False
        self.session = turn.session
        for effect in turn.effects:
            if isinstance(effect, Say) and effect.key not in self.unsaid:
                self.echo(self.words.text(self.lang, effect.key, effect.values))
        return True

    def go_on(self) -> None:
        """The next place."""
        self.hear(Chosen(self.session.setting.players[0], "tally", "next"))

    @property
    def place(self) -> str | None:
        """What is laid under the camera now."""
        place = crank.look(self.session, Table())["place"]
        return None if place is None else str(place)

    def questions(self) -> tuple[Choose, ...]:
        """What is still to be decided by people."""
        return tuple(cue for cue in self.session.cues if isinstance(cue, Choose) and cue.what != "tally")

    def as_json(self) -> bool:
        """The whole answer as one line of JSON; whether it is sure."""
        view: Any = crank.look(self.session, Table())
        open_ones = [{"what": q.what, "options": list(q.options)} for q in self.questions()]
        sure = self.sure and self.session.over
        self.echo(json.dumps({"sure": sure, "open": open_ones, **view}))
        return sure

    def ask(self) -> None:
        """Say what is still open."""
        for question in self.questions():
            self.sure = False
            what = question.what.removeprefix("where:")
            self.echo(f"{what}: {' / '.join(question.options)}?")

    def told(self, score: Mapping[str, Any]) -> None:
        """Every point with its reason, totals, winners."""
        for line in score_lines(score, self.words, self.lang):
            self.echo(line)


def reader(deck: Deck) -> Reader:
    """A reader for a deck's cards."""
    return Reader(FAMILY, [card.marker for card in deck.cards])


def cards(reading: Reader, deck: Deck, file: Path) -> tuple[CardId, ...]:
    """The cards in a picture, each once; BadOption names a file that is none."""
    try:
        grey = picture(file)
    except BadPicture as fault:
        raise BadOption(f"{file}: {fault}") from fault
    return tuple(dict.fromkeys(deck.by_marker[seen.id].id for seen in reading.read(grey)))


class Lying:
    """What lies under the camera: counted while it lies still, but never for the place after its own."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.lock = threading.Lock()  # people go on in one thread, pictures come in another
        self.steps = 0
        self._last: frozenset[CardId] = frozenset()
        self._still: frozenset[CardId] = frozenset()
        self._former: frozenset[CardId] = frozenset()  # of the place before: still there, not yet taken away

    def left(self) -> None:
        """People go to another place: what lies now belongs to the one before until it was away."""
        self.steps += 1
        self._former |= self._last | self._still

    def before(self, cards: frozenset[CardId]) -> None:
        """A picture that was taken when people went on: it shows the place before."""
        self._former |= cards

    def anew(self) -> None:
        """What lies is counted once more."""
        self._former = frozenset()

    def seen(self, cards: frozenset[CardId]) -> tuple[CardId, ...] | None:
        """The cards that count here; None while the picture still changes."""
        last, self._last = self._last, cards
        if cards != last:
            return None
        self._still = cards
        self._former &= cards
        return tuple(sorted(cards - self._former))


def by_camera(count: Count, deck: Deck, source: str) -> None:
    """Count what lies under a camera; Enter goes to the next place, "b" back, "c" counts it anew."""
    grab = device(source)
    stop, lying = threading.Event(), Lying()
    watching = threading.Thread(target=watch, args=(count, deck, grab, stop, lying), daemon=True)
    watching.start()
    try:
        for line in sys.stdin:
            with lying.lock:
                typed(count, lying, line.strip().lower())
                if count.place is None:
                    break
    finally:
        stop.set()
        watching.join(timeout=5)


def typed(count: Count, lying: Lying, word: str) -> None:
    """A line of the keyboard."""
    option = {"b": "back", "c": "clear"}.get(word, "next")
    count.hear(Chosen(count.session.setting.players[0], "tally", option))
    if option == "clear":
        lying.anew()
    else:
        lying.left()


def watch(count: Count, deck: Deck, grab: Grab, stop: threading.Event, lying: Lying) -> None:
    """Count picture after picture until it is stopped."""
    reading = reader(deck)
    while not stop.is_set():
        steps, frame = lying.steps, grab()
        if frame is None:
            continue
        seen = frozenset(deck.by_marker[each.id].id for each in reading.read(frame))
        with lying.lock:
            if lying.steps != steps:
                lying.before(seen)
                continue
            cards = lying.seen(seen)
            if cards and count.place is not None:
                count.hear(Shown(LOOK, cards))
