"""A switch that changes nothing is none: each value of each ruling is asked for somewhere in its game's code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games
from companion.shelf import shelf
from companion.table.game import Option

ROOM = Path(companion.games.__file__).parent
SWITCHES = [
    (name, option) for name, box in shelf().items() if not name.endswith("-tally")
    for option in box.game.options if "-AMB-" in option.id and len(option.allowed) > 1
]  # fmt: skip


def words(node: ast.AST) -> set[object]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


def asked(game: str) -> Iterator[set[object]]:
    """What stands together where a game's code asks: a call, a comparison, or the lookup of an option."""
    for path in sorted((ROOM / game).glob("*.py")):
        if path.name != "options.py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call | ast.Compare | ast.Subscript):
                    yield words(node)


def unread(game: str, option: Option) -> set[object]:
    """Values of a ruling that no place asks for, beyond the one that is left when all others are not meant."""
    number = int(option.id.rpartition("-")[2])
    found: set[object] = set()
    for together in asked(game):
        if option.id in together and not {*option.allowed} & together:
            return set()  # the value itself is taken from there
        if number in together or option.id in together:
            found |= together
    missing = {*option.allowed} - found
    return set() if len(missing) <= 1 else missing


@pytest.mark.parametrize(("game", "option"), SWITCHES, ids=[f"{g}:{o.id}" for g, o in SWITCHES])
def test_every_value_of_a_ruling_is_asked_for(game: str, option: Option) -> None:
    assert not unread(game, option)


def test_the_search_finds_a_ruling_that_nobody_asks_for() -> None:
    assert unread("wine", Option("WINE-AMB-16", "a", ("a", "b", "c"), "")) == {"a", "b", "c"}
    assert unread("wine", Option("WINE-AMB-99", "a", ("a", "b"), "")) == {"a", "b"}
