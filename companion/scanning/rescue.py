"""An evening of Koala Rescue Club played without the companion: sheets read from pictures, scored, explained."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import click

from companion.edges.camera import FAMILY, BadPicture, device, picture
from companion.games.rescue.finished import explained, finished
from companion.games.rescue.map_file import read as read_map
from companion.games.rescue.map_file import write as map_text
from companion.games.rescue.maps import practice
from companion.games.rescue.options import DEFAULTS
from companion.games.rescue.rules_draw import name
from companion.games.rescue.rules_map import BadMap, Map
from companion.games.rescue.rules_sheet import Sheet
from companion.games.rescue.sheet_layout import (
    CORNERS,
    LOWER_LEFT,
    LOWER_RIGHT,
    MARKER,
    SHEETS,
    UPPER_LEFT,
    UPPER_RIGHT,
    layout,
    sheet_number,
)
from companion.games.rescue.sheet_marks import Told, told
from companion.printing import ends, sheets_to_fill
from companion.scanning.rescue_shown import kept
from companion.shelf import phrases
from companion.table.things import value
from companion.telling import BadOption, text_of
from companion.vision import sheet as vision
from companion.vision.read import Reader
from companion.vision.sheet import Blank, Circle, Grey, Seen
from companion.writing import PDF, save

GAME = "rescue"
PAGE = (210.0, 297.0)  # mm; nothing is read beyond the lower markers, so Letter does as well
_ILLEGAL = ("table_decides", "undone", "stays")  # RESC-AMB-16
Faults = list[tuple[str, str]]


@value
class Heap:
    """A player and the pictures of the sheet: one after turn 30, or one after turn 15 and one after turn 30."""

    who: str
    files: tuple[str, ...]


@value
class Wishes:
    """What the command line says: the map, answers to doubtful circles, points of round 1, illegal marks."""

    board: Map
    answers: Mapping[str, bool] = field(default_factory=dict)  # "Mia:tree:A-a1": filled
    round1: Mapping[str, int] = field(default_factory=dict)
    illegal: str = "table_decides"
    lang: str = "en"


@value
class Sheeted:
    """One player's sheets: as told to the scorer, the open questions, the marks that cannot be."""

    who: str
    given: Mapping[str, Any]
    questions: tuple[str, ...]
    illegal: tuple[tuple[str, str], ...]


def heaps(words: Iterable[str]) -> tuple[Heap, ...]:
    """Read the arguments: NAME=end.jpg or NAME=after15.jpg,end.jpg; a bare file is named by its number."""
    out: list[Heap] = []
    for number, word in enumerate(words, 1):
        who, equals, files = word.rpartition("=")
        found = tuple(filter(None, files.split(",")))
        if (equals and not who) or not 1 <= len(found) <= 2:
            raise BadOption(f"{word}: write NAME=IMAGE, or NAME=AFTER15,IMAGE with two pictures")
        out.append(Heap(who or str(number), found))
    twice = sorted({heap.who for heap in out if [other.who for other in out].count(heap.who) > 1})
    if twice:
        raise BadOption(f"{twice[0]} is named twice: give both pictures together, {twice[0]}=AFTER15,IMAGE")
    return tuple(out)


def form(board: Map, upper: tuple[int, int]) -> Blank:
    """The printed sheet with these upper markers, as the reader wants it."""
    ids = (*upper, LOWER_LEFT, LOWER_RIGHT)
    corners = {id: (x, y, MARKER) for id, (x, y) in zip(ids, CORNERS, strict=True)}
    circles = tuple(Circle(each.id, each.x, each.y, each.r) for each in layout(board).circles)
    return Blank(corners, circles, *PAGE)


def reader() -> Reader:
    """A reader for the sheets' corner markers."""
    return Reader(FAMILY, (*UPPER_LEFT, *UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT))


def seen(reading: Reader, grey: Grey, board: Map) -> tuple[Seen, int | None]:
    """A sheet in a picture, and its number where both upper markers are read."""
    readings = reading.read(grey)
    left = next((each.id for each in readings if each.id in UPPER_LEFT), None)
    right = next((each.id for each in readings if each.id in UPPER_RIGHT), None)
    number = None if left is None or right is None else sheet_number(left, right)
    upper = (UPPER_LEFT[0] if left is None else left, UPPER_RIGHT[0] if right is None else right)
    return vision.read(grey, readings, form(board, upper)), number


def sheeted(heap: Heap, sights: Iterable[Seen], wishes: Wishes) -> Sheeted:
    """Judge a player's one or two sheets."""
    questions: list[str] = []
    illegal: Faults = []
    found: list[Told] = []
    for sight in sights:
        marks = set(sight.filled)
        for circle in sight.doubtful:
            answer = wishes.answers.get(f"{heap.who}:{circle}")
            if answer is None:
                questions.append(f"{heap.who}:{circle}")
            elif answer:
                marks.add(circle)
        found.append(_judged(frozenset(marks), wishes, illegal))
    last = found[-1]
    round1: Any = _points(last, wishes, heap.who) if len(found) == 1 else _plain(wishes.board, found[0].sheet)
    if round1 is None:
        questions.append(f"{heap.who}:round1")
    if illegal and wishes.illegal == "table_decides":
        questions.append(f"{heap.who}:illegal")
    given = {"round1": round1 or 0, "round2": _plain(wishes.board, last.sheet), "badges": dict(last.badges)}
    return Sheeted(heap.who, given, tuple(questions), tuple(dict.fromkeys(illegal)))


def _points(last: Told, wishes: Wishes, who: str) -> int | None:
    return wishes.round1.get(who, last.round1)


def _judged(marks: frozenset[str], wishes: Wishes, illegal: Faults) -> Told:
    """What the marks say; by the ruling "undone" without those that cannot be, nor what hung on them."""
    judged = told(wishes.board, marks, DEFAULTS)
    found = [*judged.faults]
    while wishes.illegal == "undone" and marks & {mark for mark, _ in judged.faults}:
        marks = marks - {mark for mark, _ in judged.faults}
        judged = told(wishes.board, marks, DEFAULTS)
        found += judged.faults
    words = phrases()[GAME]
    illegal += [(mark, words.text(wishes.lang, say.key, say.values)) for mark, say in found]
    return judged


def _plain(board: Map, drawn: Sheet) -> dict[str, Any]:
    """A sheet as the scorer of finished games wants it."""
    beds = zip(board.hospitals, drawn.beds, strict=True)
    return {
        "trees": [name(cell) for cell in sorted(drawn.trees)], "koalas": [name(cell) for cell in sorted(drawn.koalas)],
        "hospitals": {hospital.id: filled for hospital, filled in beds if filled},
    }  # fmt: skip


def scanned(words: tuple[str, ...], given: Mapping[str, Any], echo: Any) -> bool:
    """Read, judge and score an evening's sheets; whether nothing is left open."""
    wishes = _wishes(given)
    if given["camera"] is None and not words:
        raise BadOption(
            "name pictures (Mia=end.jpg ...), a camera (--camera 0 Mia Paul) or --print sheets.pdf"
        )
    reading = reader()
    players, notes = [], list[str]()
    if given["camera"] is not None:
        grab = device(given["camera"])
        for who in words:
            sight = _before_camera(who, grab, reading, wishes, _file(given["looked"], who, 1))
            players.append(sheeted(Heap(who, ("camera",)), [sight], wishes))
    else:
        for heap in heaps(words):
            sights = [
                _pictured(file, reading, wishes, notes, _file(given["looked"], heap.who, number))
                for number, file in enumerate(heap.files, 1)
            ]
            players.append(sheeted(heap, sights, wishes))
    table = {"map": map_text(wishes.board), "players": {one.who: dict(one.given) for one in players}}
    questions = [question for one in players for question in one.questions]
    if given["as_json"]:
        illegal = {one.who: [list(pair) for pair in one.illegal] for one in players if one.illegal}
        sure = not questions
        echo(
            json.dumps(
                {"sure": sure, "open": questions, "illegal": illegal, "table": table, **finished(table)}
            )
        )
        return sure
    for note in notes:
        echo(note)
    _tell(players, table, wishes, echo)
    return not questions


def _tell(players: list[Sheeted], table: Mapping[str, Any], wishes: Wishes, echo: Any) -> None:
    words = phrases()[GAME]
    for one in players:
        for mark, why in one.illegal:
            echo(f"{one.who}  ! {mark}  {why}")
    for row in explained(table, words, wishes.lang):
        echo(f"{row.who:<12} {row.points:>3}  {row.why} ({row.rule})")
    for question in (question for one in players for question in one.questions):
        who, _, what = question.partition(":")
        key = {"round1": "scan.round1", "illegal": "scan.illegal"}.get(what, "scan.doubtful")
        echo(words.text(wishes.lang, key, {"name": who, "circle": what}))


def _file(folder: str | None, who: str, number: int) -> Path | None:
    """Where the picture of a player's sheet with what was read goes, if anywhere."""
    if folder is None:
        return None
    if not Path(folder).is_dir():
        raise BadOption(f"--look {folder}: there is no such folder. Name a folder that exists")
    plain = re.sub(r"[^\w-]", "_", who)
    return Path(folder) / f"{plain}-{number}.png"


def _pictured(file: str, reading: Reader, wishes: Wishes, notes: list[str], look: Path | None) -> Seen:
    try:
        grey = picture(Path(file))
    except BadPicture as fault:
        raise BadOption(f"{file}: {fault}") from fault
    sight, number = seen(reading, grey, wishes.board)
    if sight.fault:
        raise BadOption(f"{file}: " + _fault(sight.fault, wishes.lang))
    words = phrases()[GAME]
    notes.append(words.text(wishes.lang, "scan.sheet", {"file": file, "number": number or "?"}))
    counts = {"filled": len(sight.filled), "doubtful": len(sight.doubtful), "all": len(sight.marks)}
    notes.append(words.text(wishes.lang, "scan.read", counts))
    if look is not None:
        kept(grey, sight, look)
        notes.append(words.text(wishes.lang, "scan.look", {"file": str(look)}))
    return sight


def _fault(code: str, lang: str) -> str:
    return phrases()[GAME].text(lang, f"scan.{code}", {})


def _before_camera(who: str, grab: Any, reading: Reader, wishes: Wishes, look: Path | None) -> Seen:
    """One sheet after the other under the camera; Enter takes the picture, again as long as it cannot be read."""
    words = phrases()[GAME]
    while True:
        click.echo(words.text(wishes.lang, "scan.lay", {"name": who}), err=True)
        if not sys.stdin.readline():
            raise BadOption(f"{who}: no picture was taken. Press Enter when the sheet lies under the camera")
        frame = grab()
        if frame is None:
            continue
        sight, _ = seen(reading, frame, wishes.board)
        if not sight.fault:
            if look is not None:
                kept(frame, sight, look)
            return sight
        click.echo(_fault(sight.fault, wishes.lang), err=True)


def _wishes(given: Mapping[str, Any]) -> Wishes:
    answers: dict[str, bool] = {}
    for word in given["marks"]:
        circle, _, state = word.rpartition("=")
        if state not in ("filled", "open"):
            raise BadOption(f"--mark {word}: write it as NAME:CIRCLE=filled or NAME:CIRCLE=open")
        answers[circle] = state == "filled"
    round1: dict[str, int] = {}
    for word in given["round1"]:
        who, _, points = word.rpartition("=")
        if not who or not points.lstrip("-").isdecimal():
            raise BadOption(f"--round1 {word}: write it as NAME=POINTS")
        round1[who] = int(points)
    return Wishes(_board(given["map_file"]), answers, round1, given["illegal"], given["lang"])


def _board(file: str | None) -> Map:
    if file is None:
        return practice()
    return read_map(text_of(Path(file), "--map", "Name a map.toml"), file)


def printed(output: str, given: Mapping[str, Any]) -> str:
    """Write the PDF of empty sheets."""
    found = ends(given["sheets"])
    if found is None:
        raise BadOption(f"--sheets {given['sheets']}: write 7 or 1-30, at most {SHEETS}")
    numbers = range(found[0], found[1] + 1)
    if not numbers:
        raise BadOption(f"--sheets {given['sheets']}: the first number is the smaller one")
    content, pages = sheets_to_fill(_board(given["map_file"]), numbers, given["paper"], given["lang"])
    save(Path(output), content, "--print", over=PDF)
    return f"{output}: {pages} sheets. Print at 100 %."


@click.command("rescue")
@click.argument("images", nargs=-1, metavar="[NAME=[AFTER15,]IMAGE]...")
@click.option(
    "--map", "map_file", default=None, help="The map.toml of the sheets; without it the practice map."
)
@click.option("--camera", default=None, help="Camera number or device instead of pictures; then only names.")
@click.option(
    "--round1", multiple=True, metavar="NAME=POINTS", help="Points of round 1, if not on the sheet."
)
@click.option(
    "--mark", "marks", multiple=True, metavar="NAME:CIRCLE=filled|open", help="Answer a doubtful circle."
)
@click.option(
    "--illegal", default="table_decides", show_default=True, type=click.Choice(_ILLEGAL),
    help="Marks that cannot be: ask, take them back, or let them stay.",
)  # fmt: skip
@click.option(
    "--look", "looked", default=None, metavar="FOLDER", help="Save each picture with what was read drawn in."
)
@click.option("--print", "output", default=None, metavar="PDF", help="Print empty sheets instead.")
@click.option("--sheets", default="1-4", show_default=True, help="Which sheets to print, 7 or 1-30.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]))
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(images: tuple[str, ...], **given: Any) -> None:
    """Score the sheets of an evening: from one picture each, or from one after turn 15 and one at the end.

    \b
    companion scan rescue --print sheets.pdf --sheets 1-30
    companion scan rescue Mia=mia.jpg Paul=paul15.jpg,paul30.jpg
    companion scan rescue Mia=mia.jpg --look .       see in Mia-1.png what was read
    companion scan rescue Mia=mia.jpg --mark Mia:tree:A-a1=open --round1 Mia=5
    companion scan rescue --camera 0 Mia Paul        press Enter for each sheet
    """
    try:
        if given["output"] is not None:
            click.echo(printed(given["output"], given))
        elif not scanned(images, given, click.echo):
            sys.exit(1)
    except BadMap as fault:
        raise BadOption(str(fault)) from fault
