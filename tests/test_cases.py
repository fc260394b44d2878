"""Every rule case of every game, through the game's adapter: tests/adapters/<game>.py.

Cases come from tests/cases, from tests/games/<game>/own.cases.json and from each folder named in the
environment variable COMPANION_CASES (separated by the path separator).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from adapted import adapter

from companion.table.game import Refusal

HERE = Path(__file__).parent
SCHEMA = 1
CASE = {"id", "kind", "rule_ids", "title", "given", "events", "expect", "why"}
Case = Mapping[str, Any]


class BadCase(ValueError):
    """A case says something that no adapter knows; the text names it."""


def adapters() -> dict[str, ModuleType]:
    """Each game's adapter, by its file."""
    return {path.stem: adapter(path.stem) for path in sorted((HERE / "adapters").glob("*.py"))}


def files(named: str | None = None) -> Iterator[Path]:
    """The case files, those of the folders named from outside first; a missing folder is an error."""
    named = os.environ.get("COMPANION_CASES", "") if named is None else named
    for folder in filter(None, named.split(os.pathsep)):
        if not Path(folder).is_dir():
            raise BadCase(f"COMPANION_CASES names {folder!r}, which is no folder")
        yield from sorted(Path(folder).glob("*.cases.json"))
    yield from sorted((HERE / "cases").glob("*.cases.json"))
    yield from sorted(HERE.glob("games/*/own.cases.json"))


def read(path: Path) -> tuple[str, list[Case]]:
    """A file's game and cases; BadCase names what is wrong with it."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as wrong:
        raise BadCase(f"{path}: {wrong}") from wrong
    if not isinstance(found, dict) or not isinstance(found.get("cases"), list) or "game" not in found:
        raise BadCase(f"{path} is no case file: it needs a game and a list of cases")
    if found.get("schema_version") != SCHEMA:
        raise BadCase(f"{path}: schema_version {found.get('schema_version')!r} is not {SCHEMA}")
    return str(found["game"]), found["cases"]


def collected(paths: Iterator[Path], games: Mapping[str, ModuleType]) -> dict[str, tuple[str, Case]]:
    """All cases by "<game>/<case id>": one that comes twice runs once; one that differs keeps both."""
    cases: dict[str, tuple[str, Case]] = {}
    for path in paths:
        game, found = read(path)
        for case in found if game in games else []:
            name = f"{game}/{case.get('id')}"
            if name in cases and cases[name][1] != case:
                name = f"{name}@{path.parent.name}/{path.name}"
            cases[name] = game, case
    return cases


def answer(game: ModuleType, case: Case) -> dict[str, Any]:
    """What the rule functions say; BadCase for a kind or a word that nobody knows."""
    _known(case, CASE, "the case")
    if case["kind"] not in game.KINDS:
        raise BadCase(f"unknown kind {case['kind']!r}; known: {', '.join(game.KINDS)}")
    kind = game.KINDS[case["kind"]]
    _known(case["given"], kind.given, "given")
    for place, event in enumerate(case.get("events", [])):
        _known(event, kind.event, f"events[{place}]")
    said = kind.answer(case["given"], case.get("events", []))
    return {"error": said.code} if isinstance(said, Refusal) else said


def _known(words: Mapping[str, Any], known: set[str] | frozenset[str], where: str) -> None:
    strange = sorted(words.keys() - known)
    if strange:
        raise BadCase(f"{where} knows no {', '.join(map(repr, strange))}; known: {', '.join(sorted(known))}")


def judged(game: ModuleType, case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is expected and what is said, both under the keys of `expect`."""
    said, expected = answer(game, case), case["expect"]
    if "error" in expected or "error" in said:
        return expected, said
    _known(expected, set(said), "expect")
    want, got = (
        {key: sorted(each[key]) if key in game.UNORDERED else each[key] for key in expected}
        for each in (expected, said)
    )
    return want, got


GAMES = adapters()
CASES = collected(files(), GAMES)
WAITING = sorted({read(path)[0] for path in files()} - GAMES.keys())


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    """The rule functions answer as the case expects."""
    game, case = CASES[name]
    want, got = judged(GAMES[game], case)
    assert got == want, f"{case.get('title')}: {case.get('why')}"


@pytest.mark.parametrize(
    "waiting", [WAITING], ids=[f"cases run: {' '.join(GAMES)}; waiting: {' '.join(WAITING)}"]
)
def test_every_game_with_rules_has_an_adapter(waiting: list[str]) -> None:
    """A game whose rules are in the house may not leave its cases unrun."""
    rooms = {path.parent.name for path in (HERE.parent / "companion" / "games").glob("*/rules*.py")}
    assert set(GAMES) == rooms
    assert not rooms & set(waiting)


RIGHT: Case = {
    "id": "X", "kind": "setup", "rule_ids": [], "title": "", "given": {"n": 4}, "events": [], "why": "",
    "expect": {"caves": 4},
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "settup"}, "unknown kind 'settup'"),
        ({"given": {"n": 4, "tems": True}}, "given knows no 'tems'"),
        ({"events": [{"when": 1}]}, r"events\[0\] knows no 'when'"),
        (
            {"kind": "auction", "given": {"food": "pizza"}, "events": [{"e": "sing", "t": 1}]},
            "unknown event 'sing'",
        ),
        ({"expect": {"cave": 4}}, "expect knows no 'cave'"),
        ({"wy": ""}, "the case knows no 'wy'"),
    ],
)
def test_a_word_that_nobody_knows_fails_with_its_name(change: Case, says: str) -> None:
    """Kinds, given, events, expect and the case itself."""
    with pytest.raises(ValueError, match=says):
        judged(GAMES["koala"], {**RIGHT, **change})


def test_a_wrong_answer_and_a_missing_error_are_seen() -> None:
    """Also where the rules refuse and no error is expected, or the other way round."""
    for change in ({"expect": {"caves": 5}}, {"expect": {"error": "player_count"}}, {"given": {"n": 11}}):
        want, got = judged(GAMES["koala"], {**RIGHT, **change})
        assert want != got
    want, got = judged(GAMES["koala"], RIGHT)
    assert want == got


def test_cases_from_outside_run_once_and_under_their_own_names(tmp_path: Path) -> None:
    """A case that comes twice runs once, one that differs keeps both, other games' wait."""
    for place, (game, given) in enumerate((("koala", 4), ("koala", 5), ("koala", 4), ("chess", 4))):
        case = {**RIGHT, "given": {"n": given}}
        folder = tmp_path / str(place)
        folder.mkdir()
        content = {"game": game, "schema_version": SCHEMA, "cases": [case]}
        (folder / "x.cases.json").write_text(json.dumps(content), "utf-8")
    named = os.pathsep.join(str(tmp_path / str(place)) for place in range(4))
    outside = [path for path in files(named) if tmp_path in path.parents]
    found = collected(iter(outside), GAMES)
    assert list(found) == ["koala/X", "koala/X@1/x.cases.json"]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"game": "koala", "cases": []}', '{"game": "koala", "cases": {}}']
)
def test_a_file_that_is_no_case_file_is_named(tmp_path: Path, text: str) -> None:
    """Broken JSON, another shape, another version; a folder that does not exist."""
    path = tmp_path / "broken.cases.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadCase, match=r"broken\.cases\.json"):
        read(path)
    with pytest.raises(BadCase, match="which is no folder"):
        list(files(str(tmp_path / "nowhere")))
