"""The games on the shelf with their decks and phrases, read from the package's own files."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, cast

from companion import whole
from companion.games import decks
from companion.table.game import Game
from companion.table.phrases import Phrases
from companion.table.session import Box, Shelf
from companion.table.things import BadDeck, Deck
from companion.table.told import Row

LANGS = ("en", "de")


class Finished(Protocol):
    """How a game scores a finished table that was not played with the companion."""

    EXAMPLE: dict[str, object]  # a table as it may be told

    def finished(self, given: Any) -> Any:
        """The score as plain data; an error names the field that is wrong."""

    def explained(self, given: Any, words: Phrases, lang: str) -> Iterable[Row]:
        """The score line by line."""


def folders() -> tuple[str, ...]:
    """The folders of the games in the house: a game is found by what lies in its folder."""
    root, whole = (
        files("companion.games"),
        ("game.py", "deck.toml", *(f"phrases.{lang}.toml" for lang in LANGS)),
    )
    return tuple(
        sorted(each.name for each in root.iterdir() if all((each / part).is_file() for part in whole))
    )


@cache
def games(folder: str) -> tuple[Game[Any], ...]:
    """The games that are played with a folder's deck."""
    found: tuple[Game[Any], ...] = import_module(f"companion.games.{folder}.game").GAMES
    return found


def own_deck(folder: str) -> Path:
    """Where the owner's own deck of a game is kept, once there is one."""
    return (
        Path(os.environ.get("COMPANION_DECKS", "~/.local/state/companion/decks")).expanduser()
        / f"{folder}.toml"
    )


def keep_deck(folder: str, text: str) -> Deck:
    """Keep the owner's own deck: checked first, then written whole, read by the next game that is opened.

    BadDeck names what is wrong; nothing is written then. OSError where the folder cannot be written.
    """
    checked = decks.parse(text, f"{folder}.toml")
    path = own_deck(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole.write(path, text.encode())
    deck.cache_clear()
    phrases.cache_clear()  # an own deck brings names of its own
    return checked


@cache  # read once: a deck is a value, and only `keep_deck` changes its file
def deck(folder: str) -> Deck:
    """The deck of a game: the owner's own, else that of its folder. BadDeck names what is wrong in its file."""
    own = own_deck(folder)
    if own.is_file():
        try:
            text = own.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise BadDeck(f"{own}: cannot be read ({fault}). Move it away, or make it readable") from fault
        return decks.parse(text, str(own))
    path = files("companion.games") / folder / "deck.toml"
    return decks.parse(path.read_text("utf-8"), f"companion/games/{folder}/deck.toml")


def shelf() -> Shelf:
    """Every game under its name, with the deck that is its own now."""
    return {game.name: Box(game, deck(folder)) for folder in folders() for game in games(folder)}


def scored_folders() -> tuple[str, ...]:
    """The games that can score a finished table."""
    root = files("companion.games")
    return tuple(folder for folder in folders() if (root / folder / "finished.py").is_file())


def finished_of(folder: str) -> Finished:
    """A game's scorer of finished tables."""
    return cast("Finished", import_module(f"companion.games.{folder}.finished"))


@cache
def phrases() -> Mapping[str, Phrases]:
    """Each game's phrases together with those of every game; "" for what is said without a game."""
    common = {lang: _texts("", lang) for lang in LANGS}
    out = {"": Phrases(common)}
    for folder in folders():
        own = Phrases({lang: _own_texts(folder, lang, common[lang]) for lang in LANGS})
        out.update({game.name: own for game in games(folder)})
    return out


def _own_texts(folder: str, lang: str, common: Mapping[str, str]) -> dict[str, str]:
    """A game's phrases; the faces of an own deck are called as the owner calls them, else as they are written."""
    texts = {**common, **_texts(folder, lang)}
    if own_deck(folder).is_file():
        for face, facts in deck(folder).facts.items():
            name = facts.get("name")
            texts[face] = (
                str(name[lang]) if isinstance(name, Mapping) and lang in name else texts.get(face, face)
            )
    return texts


def _texts(folder: str, lang: str) -> dict[str, str]:
    path = files("companion.games") / folder / f"phrases.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}
