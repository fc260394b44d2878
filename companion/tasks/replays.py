"""`companion replay`: a journal, a report or a bundle played again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from companion.edges import bundles, journal, problems
from companion.edges.problems import Report
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.game import Table
from companion.tasks import replaying
from companion.telling import BadOption, score_lines
from companion.wire import journal_line
from companion.wire.foreign import visible

_SAID = {
    "en": {"events": "events", "over": "over", "phase": "in phase {phase}", "hash": "hash"},
    "de": {"events": "Ereignisse", "over": "zu Ende", "phase": "in der Phase {phase}", "hash": "Prüfsumme"},
}


def replayed(file: Path, as_json: bool, lang: str = "en") -> str:
    """A journal folded: where the game stands, its score, the hash of its events. A bundle: read anew."""
    told = problems.read(file) if problems.is_report(file) else None
    if told is None and bundles.is_bundle(file):
        return replaying.replayed(file, as_json, lang)
    events = journal.read(file) if told is None else tuple(map(journal_line.decode, told.events))
    session = crank.recall(shelf(), events)
    if session is None:
        raise BadOption(f"{file}: no game was opened in it. Name the journal of a game")
    view, score = crank.look(session, Table()), crank.score(session)
    digest = journal.chained(events)
    if as_json:
        return json.dumps({"events": len(events), "hash": digest, "view": view, "score": asdict(score)})
    words = phrases()[session.setting.game]
    said, phase = _SAID[lang], str(view["phase"])
    if lang != "en":
        phase = words.texts[lang].get(f"phase.{phase}", phase)
    lines = [
        f"{words.text(lang, session.setting.game)}: {', '.join(session.setting.players)}",
        f"{len(events)} {said['events']}, {said['over'] if session.over else said['phase'].format(phase=phase)}",
        *(f"  {line}" for line in score_lines(asdict(score), words, lang, over=session.over)),
        f"{said['hash']} {digest}",
        *([] if told is None else _about(told)),
    ]
    return "\n".join(map(visible, lines))


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
