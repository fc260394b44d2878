"""One small picture for each face, drawn from our own shapes: on stickers as vectors, on screens as SVG.

A picture is a list of shapes in a box of 100 x 100, y downwards. A shape is a kind, its numbers, and whether it
is filled dark, filled white or a line.
"""

from __future__ import annotations

from companion.table.things import value


@value
class Shape:
    """A circle (x, y, r) or a polygon or polyline (x, y, x, y, ...)."""

    kind: str  # circle, polygon, line
    at: tuple[float, ...]
    paint: str = "dark"  # dark, white, line


def _circle(x: float, y: float, r: float, paint: str = "dark") -> Shape:
    return Shape("circle", (x, y, r), paint)


def _polygon(*at: float, paint: str = "dark") -> Shape:
    return Shape("polygon", at, paint)


def _line(*at: float) -> Shape:
    return Shape("line", at, "line")


def _koala(x: float, y: float, r: float, paint: str = "dark") -> tuple[Shape, ...]:
    """A koala's head: two ears, a face, a nose."""
    other = "white" if paint == "dark" else "dark"
    return (
        _circle(x - 0.85 * r, y - 0.6 * r, 0.5 * r, paint), _circle(x + 0.85 * r, y - 0.6 * r, 0.5 * r, paint),
        _circle(x, y, r, paint), _circle(x, y + 0.2 * r, 0.28 * r, other),
    )  # fmt: skip


def _arrow(x0: float, x1: float, y: float) -> tuple[Shape, ...]:
    tip = 12 if x1 > x0 else -12
    return _line(x0, y, x1, y), _polygon(x1, y - 10, x1 + tip, y, x1, y + 10)


PICTURES: dict[str, tuple[Shape, ...]] = {
    "pizza": (
        _polygon(10, 20, 90, 20, 50, 95), _circle(36, 36, 8, "white"), _circle(62, 38, 8, "white"),
        _circle(50, 62, 7, "white"),
    ),
    "hamburger": (
        _circle(50, 42, 34), _polygon(8, 44, 92, 44, 92, 60, 8, 60, paint="white"),
        _polygon(10, 48, 90, 48, 90, 58, 10, 58),
        _polygon(12, 64, 88, 64, 80, 84, 20, 84), _circle(40, 26, 3, "white"), _circle(56, 22, 3, "white"),
        _circle(64, 32, 3, "white"),
    ),
    "spaghetti": (
        _polygon(8, 62, 92, 62, 76, 90, 24, 90), _line(20, 58, 30, 30, 42, 56, 50, 24, 60, 56, 70, 30, 80, 58),
        _line(26, 58, 38, 40, 50, 58, 62, 40, 74, 58), _circle(50, 30, 9),
    ),
    "bump": (*_koala(28, 52, 17), *_arrow(50, 78, 52), _line(88, 30, 96, 22), _line(90, 74, 97, 82)),
    "sticky_fingers": (
        _polygon(30, 92, 30, 48, 70, 48, 70, 92), _line(34, 50, 24, 22), _line(44, 48, 41, 12), _line(55, 48, 58, 12),
        _line(66, 50, 76, 22), _circle(50, 68, 10, "white"),
    ),
    "ring_a_roses": (
        *_koala(50, 20, 11), *_koala(20, 72, 11), *_koala(80, 72, 11), _line(36, 30, 20, 52), _line(64, 30, 80, 52),
        _line(36, 76, 64, 76),
    ),
    "leapfrog": (
        *_koala(30, 72, 15), *_koala(70, 72, 15), _line(30, 46, 40, 24, 60, 24, 68, 40),
        _polygon(60, 42, 78, 36, 70, 54),
    ),
    "feast": (
        _circle(50, 54, 32), _circle(50, 54, 22, "white"), _line(8, 20, 8, 90), _line(92, 20, 92, 90),
        _line(84, 20, 84, 44, 92, 44),
    ),
    "team_1": (_circle(50, 50, 40), *_koala(50, 52, 20, "white")),
    "team_2": (_polygon(12, 12, 88, 12, 88, 88, 12, 88), *_koala(50, 52, 20, "white")),
    "team_3": (_polygon(50, 2, 98, 92, 2, 92), *_koala(50, 66, 16, "white")),
    "team_4": (_polygon(50, 0, 100, 50, 50, 100, 0, 50), *_koala(50, 52, 18, "white")),
    "question": (_line(30, 32, 34, 16, 50, 10, 66, 16, 70, 32, 62, 46, 50, 54, 50, 68), _circle(50, 86, 7)),
}  # fmt: skip
BLANK: tuple[Shape, ...] = (_line(10, 10, 90, 10, 90, 90, 10, 90, 10, 10),)


def pictogram(face: str) -> tuple[Shape, ...]:
    """The shapes of a face; an empty frame for one that has none."""
    return PICTURES.get(face, BLANK)


def svg(face: str) -> str:
    """The picture as an SVG document in the colour of the text around it."""
    parts = []
    for shape in pictogram(face):
        fill = {"dark": "currentColor", "white": "#fff", "line": "none"}[shape.paint]
        stroke = (
            ' stroke="currentColor" stroke-width="6" stroke-linecap="round"' if shape.paint == "line" else ""
        )
        if shape.kind == "circle":
            x, y, r = shape.at
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"{stroke}/>')
        else:
            tag = "polygon" if shape.kind == "polygon" else "polyline"
            points = " ".join(f"{v:g}" for v in shape.at)
            parts.append(f'<{tag} points="{points}" fill="{fill}"{stroke}/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{"".join(parts)}</svg>'
