"""The small picture of a face, printed beside its marker."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from companion.paper import pictures
from companion.paper.shapes import Picture, line

BLANK: Picture = (line(10, 10, 90, 10, 90, 90, 10, 90, 10, 10),)


@cache
def drawn(game: str) -> Mapping[str, Picture]:
    """The pictures of a game's faces; none where nobody has drawn any."""
    name = f"{pictures.__name__}.{game}"
    if find_spec(name) is None:
        return {}
    found: Mapping[str, Picture] = import_module(name).PICTURES
    return found


def pictogram(game: str, face: str) -> Picture:
    """The shapes of a face; an empty frame for one that has none."""
    return drawn(game).get(face, BLANK)
