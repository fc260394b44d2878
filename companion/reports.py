"""What the one-shot commands do: replay, simulate, read pictures, score, scan, print."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import replaying
from companion.boxed import plan
from companion.edges import bundles, journal, problems
from companion.edges.camera import FAMILY, BadPicture, deck_ids, picture
from companion.edges.problems import Report
from companion.shelf import LANGS, deck, finished_of, folders, phrases, shelf
from companion.sim.evening import Result
from companion.sim.evenings import evening
from companion.table import crank
from companion.table.game import Refusal, Table
from companion.table.phrases import Phrases
from companion.table.things import CompanionError
from companion.table.told import BadTable, Row
from companion.vision.read import Reader, Reading
from companion.wire import journal_line
from companion.wiring import simulate

Echo = Callable[[str], Any]

USUAL = 10  # players of a series that names no number: a class of forty is asked for


class BadOption(CompanionError, ValueError):
    """An option on the command line means nothing; the text names it and the remedy."""


def replayed(file: Path, as_json: bool) -> str:
    """A journal folded: where the game stands, its score, the hash of its events. A bundle: read anew."""
    told = problems.read(file) if problems.is_report(file) else None
    if told is None and bundles.is_bundle(file):
        return replaying.replayed(file, as_json)
    events = journal.read(file) if told is None else tuple(map(journal_line.decode, told.events))
    session = crank.recall(shelf(), events)
    if session is None:
        raise BadOption(f"{file}: no game was opened in it. Name the journal of a game")
    view, score = crank.look(session, Table()), crank.score(session)
    digest = journal.chained(events)
    if as_json:
        return json.dumps({"events": len(events), "hash": digest, "view": view, "score": asdict(score)})
    words = phrases()[session.setting.game]
    lines = [
        f"{words.text('en', session.setting.game)}: {', '.join(session.setting.players)}",
        f"{len(events)} events, {'over' if session.over else 'in phase ' + str(view['phase'])}",
        *(f"  {line}" for line in score_lines(asdict(score), words, "en", over=session.over)),
        f"hash {digest}",
        *([] if told is None else _about(told)),
    ]
    return "\n".join(lines)


def _about(told: Report) -> Iterable[str]:
    """What else a report holds: where it comes from, and what was wrong there."""
    lines = len(told.log.splitlines())
    yield f"a report of {told.head.get('saved', '?')}: {len(told.readings)} frames were read, {lines} lines of the log"
    yield ", ".join(f"{name} {number}" for name, number in dict(told.head.get("versions", {})).items())
    for what in ("damage", "left_out"):
        if told.head.get(what):
            yield f"{what.replace('_', ' ')}: {told.head[what]}"
    for finding in told.doctor:
        if finding.get("level") != "good":
            yield f"  {finding.get('text')}"


def score_lines(score: Mapping[str, Any], words: Phrases, lang: str, over: bool = True) -> Iterable[str]:
    """Every point with its reason, the totals, and once the game is over the winners."""
    for point in score["lines"]:
        why = words.text(lang, point["why"], point["values"])
        yield f"{point['who']:<12} {point['points']:>2}  {why} ({point['rule']})"
    for name, total in score["totals"].items():
        yield f"{_named(name, words, lang):<12} {total:>2}  total"
    if over and score["winners"]:
        names = ", ".join(_named(name, words, lang) for name in score["winners"])
        yield words.text(lang, "prompt.over", {"names": names, "name": names})


def _named(name: str, words: Phrases, lang: str) -> str:
    """A team's name is a word of the game, a player's is his own."""
    return words.texts[lang].get(name, name) if name.startswith(("team_", "question")) else name


def simulated(game: str, given: Mapping[str, Any], echo: Echo) -> bool:
    """Play games one after the other; whether every count agreed and no card was misread."""
    played, good, started = evening(game), True, time.monotonic()
    chosen = given_options(given["options"], given["teams"])
    for number in range(given["games"]):
        seed = given["seed"] + number
        players = given["players"] or played.few + number % (min(played.many, USUAL) - played.few + 1)
        if not played.few <= players <= played.many:
            raise BadOption(f"--players {players}: {game} is played by {played.few} to {played.many}")
        began = time.monotonic()
        result = simulate(
            game, players, seed, mess=given["mess"], eyes=given["eyes"] == "on",
            options=played.options(number, players, chosen), boxes=plan(given.get("boxes"), given.get("faults")),
        )  # fmt: skip
        good = good and not result.differences and not result.misread
        seconds = round(time.monotonic() - began, 2)
        echo(json.dumps({**asdict(result), "seconds": seconds}) if given["as_json"] else _told(result))
    if not given["as_json"]:
        took = time.monotonic() - started
        verdict = "every count agreed" if good else "THE COUNTS DIFFER"
        echo(f"{given['games']} games in {took:.1f} s: {verdict}")
    return good


def _told(result: Result) -> str:
    variant = "".join(
        f", {name} {of}" if of is not True else f", {name}" for name, of in result.options.items()
    )
    head = (
        f"seed {result.seed}: {result.players} players{variant}, {result.rounds} rounds, "
        f"{result.events} events, {result.misread} misread; winner {', '.join(result.winners) or '-'}"
    )
    return "\n".join([head, *(f"  DIFFERENCE (seed {result.seed}): {line}" for line in result.differences)])


def given_options(given: Iterable[str], teams: bool | None = None) -> dict[str, object]:
    """What the command line says of a game's options; BadOption for a pair that is none."""
    options: dict[str, object] = {} if teams is None else {"teams": teams}
    for pair in given:
        name, equals, of = pair.partition("=")
        if not equals:
            raise BadOption(f"--option {pair}: write it as ID=VALUE, for example KOALA-AMB-12=virtual_feasts")
        options[name] = _plain(of)
    return options


def _plain(word: str) -> object:
    """A number, yes or no, or the word itself."""
    if word in ("true", "false"):
        return word == "true"
    try:
        return float(word)
    except ValueError:
        return word


def read(images: tuple[Path, ...], given: Mapping[str, Any], echo: Echo) -> bool:
    """Read the markers in each picture; whether every file was a picture."""
    lo, hi = given["marker_px"] or (1.0, 1.0)
    if not 0 < lo <= hi < 100_000:
        raise BadOption(
            f"--marker-px {lo:g} {hi:g}: give the smallest and the largest side in pixels, e.g. 15 60"
        )
    if given["draw"] is not None and given["draw"].suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise BadOption(f"--draw {given['draw']}: name a .png or .jpg")
    table = deck(given["game"]) if given["game"] else None
    if table is not None and given["family"] != FAMILY:
        raise BadOption(f"--deck {given['game']} is printed in {FAMILY}: leave --family away")
    ids = None if table is None else deck_ids(table)
    reader = Reader(given["family"], ids, given["marker_px"] or None)
    cards = {} if table is None else {card.marker: card.id for card in table.cards}
    answers: list[dict[str, Any]] = []
    for image in images:
        try:
            grey = picture(image)
        except BadPicture as fault:
            answers.append({"file": str(image), "error": str(fault)})
            continue
        started = time.perf_counter()
        readings = reader.read(grey)
        took = (time.perf_counter() - started) * 1000
        marks = [_marker(reading, cards) for reading in readings]
        answers.append({"file": str(image), "markers": marks, "ms": round(took, 1)})
        if given["draw"] is not None and len(answers) == 1:
            _draw(grey, readings, given["draw"])
    echo(json.dumps(answers) if given["as_json"] else "\n".join(_read_lines(answers)))
    return not any("error" in answer for answer in answers)


def _marker(reading: Reading, cards: Mapping[int, str]) -> dict[str, Any]:
    return {
        "id": reading.id, "corners": np.round(reading.corners, 2).tolist(), "score": round(float(reading.score), 4),
        "margin": round(float(reading.margin), 4), "card": cards.get(reading.id),
    }  # fmt: skip


def _read_lines(answers: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for answer in answers:
        if "error" in answer:
            yield f"{answer['file']}: {answer['error']}"
            continue
        yield f"{answer['file']}: {len(answer['markers'])} markers in {answer['ms']:.0f} ms"
        for mark in answer["markers"]:
            x, y = np.mean(mark["corners"], axis=0)
            name = mark["card"] or ""
            yield f"  id {mark['id']:>4} at {x:7.1f} {y:7.1f}  score {mark['score']:.3f}  {name}"


def _draw(grey: Any, readings: Iterable[Reading], out: Path) -> None:
    canvas = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    for reading in readings:
        corners = np.round(np.asarray(reading.corners) * 16).astype(np.int32)
        cv2.polylines(canvas, [corners], True, (0, 190, 0), 2, cv2.LINE_AA, 4)
        x, y = (int(v) for v in np.asarray(reading.corners).max(0))
        cv2.putText(
            canvas, str(reading.id), (x + 2, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 230), 1, cv2.LINE_AA
        )
    if not cv2.imwrite(str(out), canvas):
        raise BadOption(f"--draw {out}: cannot be written. Name a .png in a folder that exists")


def scored(game: str, text: str, as_json: bool, lang: str, where: str = "") -> str:
    """Score a finished table, or a list of them. Errors name the file (`where`), which table, the field, the remedy."""
    place = f"{where}: " if where else ""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as fault:
        raise BadOption(
            f"{place}line {fault.lineno}, column {fault.colno}: no JSON ({fault.msg}). {_like(game)}"
        ) from fault
    except RecursionError as fault:
        raise BadOption(f"{place}no finished table: it is nested far too deep. {_like(game)}") from fault
    scorer, words = finished_of(game), phrases()[game]
    answers, tables = [], given if isinstance(given, list) else [given]
    for number, each in enumerate(tables, 1):
        try:
            answers.append(scorer.finished(each) if as_json else _rows(scorer.explained(each, words, lang)))
        except BadTable as fault:
            which = f"{place}table {number}: " if isinstance(given, list) else place
            raise BadOption("\n".join(f"{which}{each}" for each in (*fault.faults, _like(game)))) from fault
    if as_json:
        return json.dumps(answers if isinstance(given, list) else answers[0])
    return "\n\n".join(map(str, answers))


def example(game: str) -> str:
    """A finished table as `scored` takes it."""
    return json.dumps(finished_of(game).EXAMPLE, ensure_ascii=False, indent=1)


def _like(game: str) -> str:
    return f"`companion score {game} --example` prints a table as it may be told"


def _rows(rows: Iterable[Row]) -> str:
    """A table that explains each point: who, how many, why, by which rule."""
    told = [(row.who, str(row.points or ""), f"{row.why} ({row.rule})") for row in rows]
    wide = max((len(who) for who, _, _ in told), default=0)
    return "\n".join(f"{who:<{wide}}  {points:>2}  {why}" for who, points, why in told)


def refused(refusal: Refusal, game: str, lang: str = "en") -> str:
    """A refusal as a sentence."""
    words = phrases()
    return words.get(game, words[""]).text(lang, f"no.{refusal.stem}", refusal.values)


def printed(game: str, output: Path, **wishes: Any) -> str:
    """Write the PDF of a game's stickers, plates and player cards."""
    content, pages = drawn_sheets(game, **wishes)
    try:
        output.write_bytes(content)  # a sheet that was refused has left an older file alone
    except OSError as fault:
        raise BadOption(f"-o {output}: {fault.strerror}. Name a .pdf in a folder that exists") from fault
    return f"{output}: {pages} pages. Print at 100 % and check the 100 mm ruler on each."


def drawn_sheets(
    game: str, *, paper: str = "a4", marker_mm: float = 12.0, lang: str = "en", join: str | None = None,
    parts: tuple[str, ...] = (), cards: str | None = None, labels: str | None = None, players: tuple[str, ...] = (),
) -> tuple[bytes, int]:  # fmt: skip
    """The PDF and its number of pages; `cards` as "1-20"."""
    from companion.paper.sheets import PARTS, sheets  # noqa: PLC0415  # reportlab is loaded only where it is used

    if join is not None and not 0 < len(join) <= 200:
        raise BadOption(f"--join: an address has 1 to 200 characters, not {len(join)}")
    names, drawn = phrases()[game].texts[lang], BytesIO()
    done = sheets(
        deck(game), names, drawn, paper=paper, marker_mm=marker_mm, lang=lang, join_url=join,
        parts=parts or PARTS, cards=None if not cards else _range(cards), labels=labels or None, players=players,
    )  # fmt: skip
    return drawn.getvalue(), done.pages


def _range(cards: str) -> tuple[int, int]:
    """One card or several, 7 or 1-20, as numbers; BadOption for anything else."""
    first, dash, last = cards.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise BadOption(f"cards {cards!r}: write 7 or 1-20")
    return int(first), int(last if dash else first)


def printed_for_screen(game: str, wishes: Mapping[str, str]) -> bytes:
    """The PDF that the print page asks for; BadOption or BadSheet says in words what cannot be printed."""
    known = {"paper", "mm", "lang", "parts", "cards", "labels", "join"}
    strange = sorted(wishes.keys() - known)
    if strange or game not in folders():
        raise BadOption(
            f"{', '.join(strange) or game}: known are {', '.join(sorted(known))}; {', '.join(folders())}"
        )
    try:
        side = float(wishes.get("mm") or 12)
    except ValueError as fault:
        raise BadOption(f"mm={wishes['mm']}: write a number such as 12") from fault
    lang = wishes.get("lang") or "en"
    if lang not in LANGS:
        raise BadOption(f"lang={lang}: {' or '.join(LANGS)}")
    content, _ = drawn_sheets(
        game, paper=wishes.get("paper") or "a4", marker_mm=side, lang=lang, join=wishes.get("join") or None,
        parts=tuple(filter(None, wishes.get("parts", "").split(","))), cards=wishes.get("cards"),
        labels=wishes.get("labels"),
    )  # fmt: skip
    return content
