"""Sentences that devices and files say in English, as a German page says them. Pure, apart from its own file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LANGS = ("en", "de")
Sentences = tuple[tuple[re.Pattern[str], str], ...]
HOLE = re.compile(r"\{(\w+)\}")


def asked(query: str | None, accepts: str | None) -> str:
    """The language of an answer: what the page asked for, else what the browser prefers."""
    wanted = query or (accepts or "").partition(",")[0]
    return "de" if wanted.lower().startswith("de") else "en"


def told(text: str, lang: str) -> str:
    """A sentence in the language of a page; one that is not known stays as it is."""
    return german(text) if lang == "de" else english(text)


def device(name: str, lang: str) -> str:
    """What a page calls a device in trouble; a box's own name stays."""
    return _file()["device"].get(name, name) if lang == "de" else name


def lines_told(text: str, lang: str) -> str:
    """Sentences that stand one in a line."""
    return "\n".join(told(line, lang) for line in text.split("\n"))


@lru_cache(maxsize=512)
def german(text: str) -> str:
    """The German sentence for an English one, its parts translated, too."""
    return _other(text, _sentences(), german)


@lru_cache(maxsize=512)
def english(text: str) -> str:
    """The English sentence for a German one, of those that a device says in the language of its table."""
    return _other(text, _spoken(), english)


def _other(text: str, known: Sentences, part: Callable[[str], str]) -> str:
    for pattern, sentence in known:
        found = pattern.fullmatch(text)
        if found is not None:
            return sentence.format_map({name: part(told) for name, told in found.groupdict().items()})
    return text


@cache
def _sentences() -> Sentences:
    return tuple((_pattern(each["en"]), each["de"]) for each in _file()["said"])


@cache
def _spoken() -> Sentences:
    return tuple((_pattern(each["de"]), each["en"]) for each in _file()["said"] if each.get("both"))


@cache
def _file() -> dict[str, Any]:
    path = files("companion.edges.screen") / "sentences.de.toml"
    return tomllib.loads(path.read_text("utf-8"))


def _pattern(sentence: str) -> re.Pattern[str]:
    """A sentence whose holes take any text; "{{" stands for a brace."""
    parts = HOLE.split(sentence.replace("{{", "\0").replace("}}", "\1"))
    plain = [re.escape(part.replace("\0", "{").replace("\1", "}")) for part in parts[::2]]
    holes = [f"(?P<{name}>.+?)" for name in parts[1::2]]
    return re.compile("".join(a + b for a, b in zip(plain, [*holes, ""], strict=True)), re.DOTALL)
