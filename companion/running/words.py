"""What a running table says of itself, in the table's language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def said(lang: str, key: str, **values: object) -> str:
    """A sentence of `words.<lang>.toml`, its placeholders filled in."""
    return _texts(lang)[key].format_map(values)


@cache
def _texts(lang: str) -> dict[str, str]:
    path = files("companion.running") / f"words.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}
