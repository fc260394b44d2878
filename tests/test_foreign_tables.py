"""Finished tables that others typed: whatever stands in any field, an answer or sentences come, and nothing steers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.shelf import finished_of, scored_folders

STRANGE: tuple[object, ...] = (
    None, True, -1, 1.5, 10**17, float("nan"), float("inf"), "", "²", "A-a" + "9" * 5000, [], [[]], [{}], {}, {"a": [{}]},
    "\ud800", "\x1b[2J\u202e\n",
)  # fmt: skip
NAMES = ("Mia\ud800", "\x1b[31mMia", "a\nb", "\u202eaiM", "M\u200bia")


def places(content: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field of a table, and the table itself."""
    yield here
    inner = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for key, each in inner:
        yield from places(each, (*here, key))


def put(whole: Any, place: tuple[Any, ...], by: object) -> Any:
    made = [deepcopy(whole)]
    holder: Any = made
    for step in (0, *place)[:-1]:
        holder = holder[step]
    holder[(0, *place)[-1]] = by
    return made[0]


def score(game: str, folder: Path, text: str, *words: str) -> Result:
    file = folder / "t.json"
    file.write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["score", game, str(file), *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), (text, done.exception)
    assert not any(each in done.output for each in "\x1b\u202e\u200b"), done.output
    return done


@pytest.mark.parametrize("game", scored_folders())
def test_whatever_stands_in_any_field_ends_well(game: str, tmp_path: Path) -> None:
    example = json.loads(json.dumps(finished_of(game).EXAMPLE))
    refused = 0
    for place in places(example):
        for by in STRANGE:
            refused += score(game, tmp_path, json.dumps(put(example, place, by))).exit_code
    assert refused > 50


@pytest.mark.parametrize("game", scored_folders())
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_of_any_signs_steer_no_terminal(game: str, name: str, tmp_path: Path) -> None:
    text = json.dumps(finished_of(game).EXAMPLE).replace("Mia", json.dumps(name)[1:-1])
    score(game, tmp_path, text)
    score(game, tmp_path, text, "--json")


@pytest.mark.parametrize("game", scored_folders())
def test_a_number_without_end_and_a_mark_of_an_editor_end_well(game: str, tmp_path: Path) -> None:
    text = json.dumps(finished_of(game).EXAMPLE)
    players = json.dumps(put(finished_of(game).EXAMPLE, ("players",), "HERE"))
    assert score(game, tmp_path, players.replace('"HERE"', "9" * 5000)).exit_code == 1
    assert score(game, tmp_path, "\ufeff" + text).exit_code == 0


@pytest.mark.parametrize("cells", [[[]], [{}], [None], [5], ["A", []]])
@pytest.mark.parametrize("kind", ["trees", "koalas"])
def test_cells_that_are_no_words_are_named(kind: str, cells: list[Any], tmp_path: Path) -> None:
    done = score("rescue", tmp_path, json.dumps({"players": {"Mia": {"round2": {kind: cells}}}}))
    assert done.exit_code == 1 and f"players.Mia.round2.{kind}: there is no" in done.output
