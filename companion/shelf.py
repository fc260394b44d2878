"""The games on the shelf with their decks and phrases, read from the package's own files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from companion.games import decks
from companion.games.koala.game import GAME as KOALA
from companion.games.koala.tally import GAME as KOALA_TALLY
from companion.table.crank import Box, Shelf
from companion.table.phrases import Phrases
from companion.table.things import Deck

LANGS = ("en", "de")
GAMES = {"koala": (KOALA, KOALA_TALLY)}  # folder: the games played with its deck


@cache  # the package's own files do not change, and what is read from them is a value
def deck(folder: str) -> Deck:
    """The deck of a game's folder; BadDeck names what is wrong in its file."""
    path = files("companion.games") / folder / "deck.toml"
    return decks.parse(path.read_text("utf-8"), f"companion/games/{folder}/deck.toml")


@cache
def shelf() -> Shelf:
    """Every game under its name."""
    return {game.name: Box(game, deck(folder)) for folder, games in GAMES.items() for game in games}


@cache
def phrases() -> Mapping[str, Phrases]:
    """Each game's phrases together with those of every game; "" for what is said without a game."""
    common = {lang: _texts("", lang) for lang in LANGS}
    out = {"": Phrases(common)}
    for folder, games in GAMES.items():
        own = Phrases({lang: {**common[lang], **_texts(folder, lang)} for lang in LANGS})
        out.update({game.name: own for game in games})
    return out


def _texts(folder: str, lang: str) -> dict[str, str]:
    path = files("companion.games") / folder / f"phrases.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}
