"""Finished collections of Ku-Ka-König, player by player: one scoring, or both, and what goes back to the box."""

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
from companion.table.things import Player, Words, value
from companion.telling import BadOption

GAME = "kukakoenig-tally"
SCORINGS = {"1": "first", "2": "second"}


@value
class Heap:
    """One argument: the scoring ("", "first", "second"), whose collection it is, and its pictures."""

    scoring: str
    player: str
    files: tuple[Path, ...]


def heaps(words: Iterable[str]) -> tuple[Heap, ...]:
    """Read the arguments: NAME=a.png,b.png, or 1:NAME=... and 2:NAME=... for both scorings.

    BadOption names an argument that is none.
    """
    out: list[Heap] = []
    for word in words:
        head, equals, files = word.partition("=")
        number, colon, who = head.partition(":")
        name = who if colon else head
        if not equals or not name or (colon and number not in SCORINGS):
            raise BadOption(f"{word}: write NAME=IMAGE, or 1:NAME=IMAGE and 2:NAME=IMAGE for both scorings")
        scoring = SCORINGS[number] if colon else ""
        if any((heap.scoring, heap.player) == (scoring, name) for heap in out):
            raise BadOption(f"{word}: {name} was told already; join the pictures with commas")
        out.append(Heap(scoring, name, tuple(Path(file) for file in files.split(",") if file)))
    return tuple(out)


def noted(words: Iterable[str]) -> dict[str, int]:
    """Points of the first scoring as they were written down: NAME=POINTS."""
    points = {}
    for word in words:
        name, _, number = word.rpartition("=")
        if not name or not number.isdecimal():
            raise BadOption(f"--noted {word}: write NAME=POINTS, for example --noted Mia=40")
        points[name] = int(number)
    return points


def options(piles: tuple[Heap, ...], second: bool, points: Mapping[str, int]) -> dict[str, object]:
    """Which scorings the tally counts; BadOption where arguments of one and of both scorings are mixed."""
    told = {pile.scoring for pile in piles}
    if "" in told and len(told) > 1:
        raise BadOption("write either NAME=IMAGE for one scoring, or 1:NAME= and 2:NAME= for both")
    which = "both" if len(told) > 1 else (told.pop() if told else "")
    chosen: dict[str, object] = {"scorings": which or ("second" if second or points else "first")}
    return {**chosen, "noted": dict(points)} if points else chosen


def scanned(words: tuple[str, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Count from pictures or from a camera; whether the score is sure."""
    quiet: Echo = (lambda _: None) if given["as_json"] else echo
    camera = given["camera"]
    if not words:
        raise BadOption(
            "name players with pictures (Mia=a.png,b.png ...), or players and a camera (--camera 0)"
        )
    piles = heaps(words) if camera is None else tuple(Heap("", word, ()) for word in words)
    people = tuple(dict.fromkeys(Player(pile.player) for pile in piles))
    chosen = options(piles, given["second"], noted(given["noted"]))
    if camera is not None and given["both"]:
        chosen = {"scorings": "both"}
    count = Count(GAME, people, chosen, given["lang"], quiet)
    if camera is None:
        count.unsaid = PROMPTS
        _pictures(count, piles)
    else:
        by_camera(count, deck("kukakoenig"), camera)
    count.echo = echo
    return count.as_json() if given["as_json"] else _finish(count)


def _pictures(count: Count, piles: tuple[Heap, ...]) -> None:
    """Show each place its pictures."""
    reading = reader(deck("kukakoenig"))
    while (place := count.place) is not None:
        scoring, _, who = place.partition(":")
        for pile in piles:
            if pile.player == who and pile.scoring in ("", scoring):
                for file in pile.files:
                    count.hear(Shown(LOOK, cards(reading, deck("kukakoenig"), file)))
        count.go_on()


def _finish(count: Count) -> bool:
    """The score with its reasons, and card by card what goes back to the box; whether nothing is open."""
    count.ask()
    view: Any = crank.look(count.session, Table())
    for player, faces in view["back_to_box"].items():
        many = {face: faces.count(face) for face in faces}
        told = ", ".join(f"{n} × {count.words.text(count.lang, face)}" for face, n in many.items())
        values: Words = {"count": len(faces), "cards": told or "-"}
        count.echo(f"{player}: {count.words.text(count.lang, 'score.to_box', values)}")
    if view["score"] is not None:
        count.told(view["score"])
    return count.session.over and count.sure


@click.command("kukakoenig")
@click.argument("images", nargs=-1, metavar="[NAME=IMAGE[,IMAGE...]]...")
@click.option("--camera", default=None, help="Camera number or device instead of pictures.")
@click.option("--second", is_flag=True, help="The concluding scoring: nothing goes back to the box.")
@click.option("--both", is_flag=True, help="With a camera: both scorings, one after the other.")
@click.option("--noted", multiple=True, metavar="NAME=POINTS", help="The first scoring as written down.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(images: tuple[str, ...], **given: Any) -> None:
    """Collection by collection: one picture or several for each player.

    \b
    companion scan kukakoenig Mia=m.png Paul=p1.png,p2.png        first scoring, and what goes back to the box
    companion scan kukakoenig Mia=m.png Paul=p.png --noted Mia=40 --noted Paul=34     second scoring and winner
    companion scan kukakoenig 1:Mia=m1.png 1:Paul=p1.png 2:Mia=m2.png 2:Paul=p2.png   both
    companion scan kukakoenig --camera 0 --both Mia Paul          press Enter for the next collection
    """
    if not scanned(images, given, click.echo):
        sys.exit(1)
