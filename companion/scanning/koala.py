"""A finished table of Koala, seat by seat: food in the caves, then feast and team cards."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from companion.scanning.count import LOOK, PROMPTS, Count, Echo, by_camera, cards, reader
from companion.shelf import deck
from companion.table import crank
from companion.table.events import Shown
from companion.table.game import Table
from companion.table.things import Player, value
from companion.telling import BadOption

GAME = "koala-tally"


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


def scanned(words: tuple[str, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Count from pictures or from a camera; whether the score is sure."""
    quiet: Echo = (lambda _: None) if given["as_json"] else echo
    camera = given["camera"]
    if camera is None and not words:
        raise BadOption("name pictures (Mia=a.png,b.png ...) or a camera (--camera 0)")
    piles = heaps(words if camera is None else (f"{word}=" for word in words))
    seats = [[*pile.people, None][:2] for pile in piles if pile.kind == "cave"]
    people = tuple(Player(name) for row in seats for name in row if name is not None)
    options = {"seats": seats, **({"teams": True} if given["teams"] else {})}
    count = Count(GAME, people, options, given["lang"], quiet)
    if camera is None:
        count.unsaid = PROMPTS
        _pictures(count, piles)
    else:
        count.echo = echo
        by_camera(count, deck("koala"), camera)
    count.echo = echo
    return count.as_json() if given["as_json"] else _finish(count)


def _pictures(count: Count, piles: tuple[Heap, ...]) -> None:
    """Show each place its pictures."""
    reading = reader(deck("koala"))
    caves = iter([pile for pile in piles if pile.kind == "cave"])
    while (place := count.place) is not None:
        kind, _, who = place.partition(":")
        pile = next(caves) if kind == "cave" else _of(piles, kind.removesuffix("s"), who)
        for file in pile.files if pile is not None else ():
            count.hear(Shown(LOOK, cards(reading, deck("koala"), file)))
        count.go_on()


def _of(piles: Iterable[Heap], kind: str, who: str) -> Heap | None:
    return next((pile for pile in piles if pile.kind == kind and pile.people == (who,)), None)


def _finish(count: Count) -> bool:
    """The caves as counted and the score with its reasons; whether nothing is open."""
    count.ask()
    view: Any = crank.look(count.session, Table())
    if view["score"] is not None:
        for seat in view["seats"]:
            food = ", ".join(f"{count.words.text(count.lang, f)} {n}" for f, n in seat["food"].items())
            count.echo(f"{seat['cave']}: {seat['white'] or '-'} {seat['black'] or ''} {food}")
        count.told(view["score"])
    return count.session.over and count.sure


@click.command("koala")
@click.argument("images", nargs=-1, metavar="[SEAT=IMAGE[,IMAGE...]]...")
@click.option("--camera", default=None, help="Camera number or device instead of pictures.")
@click.option("--teams", is_flag=True, help="The team variant: team cards are shown too.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(images: tuple[str, ...], **given: Any) -> None:
    """Seat by seat, clockwise: one picture or several for each seat; then feast and team cards.

    \b
    companion scan koala Mia=mia1.png,mia2.png Paul+Ada=paul.png -=empty.png feast:Mia=f.png
    companion scan koala a.png b.png c.png          seats called 1, 2, 3
    companion scan koala --camera 0 Mia Paul Ada    press Enter for the next seat
    """
    if not scanned(images, given, click.echo):
        sys.exit(1)
