"""What the camera says, in the language of the table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from companion.table.things import CompanionError

LANGS = ("en", "de")


class CameraError(CompanionError, OSError):
    """No picture comes; the text names the camera and what to do. `told` gives it in a language."""

    def __init__(self, key: str, **values: str | int) -> None:
        """A key of the words files and the values of its placeholders."""
        super().__init__(say("en", key, values))
        self.key, self.values = key, values

    def told(self, lang: str) -> str:
        """The text in this language."""
        return say(lang, self.key, self.values)


@cache
def texts(lang: str) -> Mapping[str, str]:
    """All words of the camera in one language."""
    path = files("companion.edges.camera") / f"words.{lang if lang in LANGS else 'en'}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}


def say(lang: str, key: str, values: Mapping[str, Any] | None = None) -> str:
    """One sentence."""
    return texts(lang)[key].format_map(values or {})
