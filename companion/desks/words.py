"""What the deck pages say, and how they name a field that is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from companion.shelf import phrases
from companion.table.things import CompanionError


class Faulty(CompanionError, ValueError):
    """What was entered cannot be kept; `faults` has a text with a remedy for each field, "" for the whole."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        """Take the texts by field."""
        super().__init__("; ".join(faults.values()))
        self.faults = dict(faults)


@cache
def _texts(lang: str) -> Mapping[str, str]:
    path = files("companion.desks") / f"words.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}


def languages() -> tuple[str, ...]:
    """The languages of the page."""
    return ("en", "de")


class Words:
    """The page's words in one language, and those of the game's faces."""

    def __init__(self, game: str, lang: str) -> None:
        """English for a language that is not spoken."""
        self.lang = lang if lang in languages() else "en"
        self._game = game

    def __call__(self, key: str, **values: object) -> str:
        """A sentence."""
        return _texts(self.lang)[key].format(**values)

    def face(self, name: str) -> str:
        """What the game calls a face, a kind or a symbol; one that has no name yet as it is written."""
        return phrases()[self._game].texts[self.lang].get(name, name)

    def taken(self, name: str) -> bool:
        """Whether the game says something under this key already."""
        return name in phrases()[self._game].texts["en"]

    def no(self, key: str, **values: object) -> dict[str, Any]:
        """An answer that says why not."""
        return {"ok": False, "faults": {}, "text": self(key, **values)}

    def page(self) -> dict[str, str]:
        """The words that the page itself shows."""
        return {
            key.removeprefix("page_"): text
            for key, text in _texts(self.lang).items()
            if key.startswith("page_")
        }
