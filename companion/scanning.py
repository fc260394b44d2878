"""Score only: count a finished table under the camera, or from pictures, one seat after the other."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.edges.camera import FAMILY, BadPicture, Grab, device, picture
from companion.reports import BadOption, refused, score_lines
from companion.shelf import deck, phrases, shelf
from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.cues import Choose
from companion.table.effects import Say
from companion.table.events import Chosen, Event, Opened, Setting, Shown
from companion.table.game import Table
from companion.table.things import CardId, Player, Zone, value
from companion.vision.read import Reader

GAME, LOOK = "koala-tally", Zone("look")
Echo = Callable[[str], Any]


@value
class Heap:
    """One argument: what it shows ("cave", "feast", "team"), whose it is, and its pictures."""

    kind: str
    people: tuple[str | None, ...]
    files: tuple[Path, ...]


def heaps(words: Iterable[str]) -> tuple[Heap, ...]:
    """Read the arguments: NAME=a.png,b.png, WHITE+BLACK=..., -=... (nobody), feast:NAME=..., team:NAME=...

    A bare file is a seat of its own, named by its number. BadOption names an argument that is none.
    """
    out: list[Heap] = []
    for number, word in enumerate(words, 1):
        head, equals, files = word.rpartition("=")
        kind, colon, who = head.partition(":")
        if colon and kind not in ("feast", "team"):
            raise BadOption(f"{word}: write SEAT=IMAGE, feast:NAME=IMAGE or team:NAME=IMAGE")
        people = (who if colon else head) if equals else str(number)
        pair: tuple[str | None, ...] = (None,) if people == "-" else tuple(people.split("+"))
        if len(pair) > 2 or "" in pair or (colon and (len(pair) > 1 or pair == (None,))):
            raise BadOption(f"{word}: a seat has one name, or WHITE+BLACK, or - for nobody")
        out.append(Heap(kind if colon else "cave", pair, tuple(Path(f) for f in files.split(",") if f)))
    return tuple(out)


class Count:
    """A tally under way: the crank, and what it says."""

    def __init__(self, seats: list[list[str | None]], teams: bool, lang: str, echo: Echo) -> None:
        """Open the tally; BadOption says why these seats are none."""
        people = tuple(Player(name) for row in seats for name in row if name is not None)
        options: dict[str, object] = {"seats": seats}
        if teams:
            options["teams"] = True
        self.lang, self.echo, self.words = lang, echo, phrases()[GAME]
        self.sure = True  # nothing was left open or unread
        self._shelf = shelf()
        turn = crank.advance(self._shelf, None, Opened(Setting(GAME, people, options)))
        if not isinstance(turn, Turn):
            raise BadOption(refused(turn, GAME, lang))
        self.session: Session = turn.session

    def hear(self, event: Event) -> bool:
        """One event; says aloud what the tally says."""
        turn = crank.advance(self._shelf, self.session, event)
        if not isinstance(turn, Turn):
            if turn.aloud:
                self.echo(refused(turn, GAME, self.lang))
                self.sure = False
            return False
        self.session = turn.session
        for effect in turn.effects:
            if isinstance(effect, Say):
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

    def finish(self) -> bool:
        """The score with its reasons; whether nothing is open."""
        view: Any = crank.look(self.session, Table())
        for question in self.questions():
            self.sure = False
            what = question.what.removeprefix("where:")
            self.echo(f"{what}: {' / '.join(question.options)}?")
        if view["score"] is not None:
            for seat in view["seats"]:
                food = ", ".join(f"{self.words.text(self.lang, f)} {n}" for f, n in seat["food"].items())
                self.echo(f"{seat['cave']}: {seat['white'] or '-'} {seat['black'] or ''} {food}")
            for line in score_lines(view["score"], self.words, self.lang):
                self.echo(line)
        return self.session.over and self.sure


def scanned(words: tuple[str, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Count from pictures or from a camera; whether the score is sure."""
    quiet: Echo = (lambda _: None) if given["as_json"] else echo
    if given["camera"] is not None:
        return _by_camera(words, given, echo)
    if not words:
        raise BadOption("name pictures (Mia=a.png,b.png ...) or a camera (--camera 0)")
    piles = heaps(words)
    seats = [[*pile.people, None][:2] for pile in piles if pile.kind == "cave"]
    count = Count(seats, given["teams"], given["lang"], quiet)
    reader = _reader()
    caves = iter([pile for pile in piles if pile.kind == "cave"])
    while (place := count.place) is not None:
        kind, _, who = place.partition(":")
        pile = next(caves) if kind == "cave" else _of(piles, kind.removesuffix("s"), who)
        for file in pile.files if pile is not None else ():
            count.hear(Shown(LOOK, _cards(reader, file)))
        count.go_on()
    return _as_json(count, echo) if given["as_json"] else count.finish()


def _as_json(count: Count, echo: Echo) -> bool:
    count.echo = echo
    view: Any = crank.look(count.session, Table())
    open_ones = [{"what": q.what, "options": list(q.options)} for q in count.questions()]
    sure = count.sure and count.session.over
    echo(json.dumps({"sure": sure, "open": open_ones, **view}))
    return sure


def _of(piles: Iterable[Heap], kind: str, who: str) -> Heap | None:
    return next((pile for pile in piles if pile.kind == kind and pile.people == (who,)), None)


def _reader() -> Reader:
    return Reader(FAMILY, [card.marker for card in deck("koala").cards])


def _cards(reader: Reader, file: Path) -> Any:
    try:
        grey = picture(file)
    except BadPicture as fault:
        raise BadOption(f"{file}: {fault}") from fault
    by_marker = deck("koala").by_marker
    return tuple(dict.fromkeys(by_marker[reading.id].id for reading in reader.read(grey)))


def _by_camera(words: tuple[str, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Seats from the arguments ("Mia Paul+Ada -"); Enter goes to the next, "b" back, "c" counts anew."""
    seats = [[*heap.people, None][:2] for heap in heaps(f"{word}=" for word in words)]
    source = given["camera"]
    grab = device(int(source) if source.isdigit() else source)
    count = Count(seats, given["teams"], given["lang"], echo)
    reader, stop = _reader(), threading.Event()
    lock = threading.Lock()
    watching = threading.Thread(target=_watch, args=(count, reader, grab, stop, lock), daemon=True)
    watching.start()
    try:
        for line in sys.stdin:
            option = {"b": "back", "c": "clear"}.get(line.strip().lower(), "next")
            with lock:
                count.hear(Chosen(count.session.setting.players[0], "tally", option))
                if count.place is None:
                    break
    finally:
        stop.set()
        watching.join(timeout=5)
    return _as_json(count, echo) if given["as_json"] else count.finish()


def _watch(count: Count, reader: Reader, grab: Grab, stop: threading.Event, lock: threading.Lock) -> None:
    by_marker = deck("koala").by_marker
    last: tuple[CardId, ...] = ()
    while not stop.is_set():
        frame = grab()
        if frame is None:
            continue
        seen = tuple(sorted({by_marker[reading.id].id for reading in reader.read(frame)}))
        if seen == last:  # twice the same: it lies still
            with lock:
                if count.place is not None:
                    count.hear(Shown(LOOK, seen))
        last = seen
