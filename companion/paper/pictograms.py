"""One small picture for each face, drawn from our own shapes: printed beside the marker as vectors.

A picture is a list of shapes in a box of 100 x 100, y downwards; later shapes lie over earlier ones.
"""

from __future__ import annotations

from companion.table.things import value


@value
class Shape:
    """A circle (x, y, r), a polygon or polyline (x, y, ...), or a curve: a point, then cubic pieces of 6 numbers."""

    kind: str  # circle, polygon, curve
    at: tuple[float, ...]
    paint: str = "dark"  # dark or white: filled; line: a dark stroke
    width: float = 6.0  # of a stroke


Picture = tuple[Shape, ...]


def _circle(x: float, y: float, r: float, paint: str = "dark") -> Shape:
    return Shape("circle", (x, y, r), paint)


def _polygon(*at: float, paint: str = "dark") -> Shape:
    return Shape("polygon", at, paint)


def _line(*at: float, width: float = 6.0) -> Shape:
    return Shape("polygon", at, "line", width)


def _curve(*at: float, paint: str = "dark", width: float = 6.0) -> Shape:
    return Shape("curve", at, paint, width)


def _koala(x: float, y: float, r: float, paint: str = "dark") -> Picture:
    """A koala's head: two ears, a face, two eyes, a long nose."""
    other = "white" if paint == "dark" else "dark"
    nose = (x, y - 0.1 * r, x + 0.42 * r, y - 0.1 * r, x + 0.34 * r, y + 0.6 * r, x, y + 0.6 * r,
            x - 0.34 * r, y + 0.6 * r, x - 0.42 * r, y - 0.1 * r, x, y - 0.1 * r)  # fmt: skip
    return (
        _circle(x - 0.9 * r, y - 0.6 * r, 0.55 * r, paint), _circle(x + 0.9 * r, y - 0.6 * r, 0.55 * r, paint),
        _circle(x, y, r, paint), _curve(*nose, paint=other),
        _circle(x - 0.45 * r, y - 0.2 * r, 0.15 * r, other), _circle(x + 0.45 * r, y - 0.2 * r, 0.15 * r, other),
    )  # fmt: skip


_PIZZA: Picture = (
    _curve(6, 28, 22, 2, 78, 2, 94, 28, 92, 34, 90, 36, 88, 40, 72, 18, 28, 18, 12, 40, 10, 36, 8, 34, 6, 28),
    _curve(15, 44, 32, 24, 68, 24, 85, 44, 74, 62, 62, 82, 50, 98, 38, 82, 26, 62, 15, 44),
    _circle(38, 46, 7.5, "white"), _circle(61, 50, 7.5, "white"), _circle(49, 70, 6.5, "white"),
)  # fmt: skip
_HAMBURGER: Picture = (
    _curve(8, 46, 8, 4, 92, 4, 92, 46, 92, 46, 8, 46, 8, 46),
    _circle(36, 28, 3.5, "white"), _circle(52, 21, 3.5, "white"), _circle(67, 30, 3.5, "white"),
    _curve(8, 56, 18, 46, 26, 46, 36, 56, 46, 66, 54, 46, 64, 56, 74, 66, 82, 56, 92, 56, paint="line", width=7),
    _line(13, 68, 87, 68, width=9),
    _curve(10, 78, 10, 78, 90, 78, 90, 78, 90, 94, 80, 94, 74, 94, 58, 94, 42, 94, 26, 94, 20, 94, 10, 94, 10, 78),
)  # fmt: skip
_SPAGHETTI: Picture = (
    _curve(20, 56, 16, 20, 48, 22, 46, 54, paint="line", width=5),
    _curve(34, 56, 34, 16, 68, 18, 66, 54, paint="line", width=5),
    _curve(54, 54, 52, 22, 84, 20, 80, 56, paint="line", width=5),
    _circle(42, 24, 9), _circle(58, 22, 9),
    _line(4, 60, 96, 60, width=7),
    _curve(10, 66, 12, 92, 36, 94, 50, 94, 64, 94, 88, 92, 90, 66, 90, 66, 10, 66, 10, 66),
)  # fmt: skip
_BUMP: Picture = (
    *_koala(27, 56, 20),
    _line(54, 58, 76, 58, width=8), _polygon(72, 42, 96, 58, 72, 74),
    _line(60, 26, 66, 10), _line(74, 30, 88, 18),
)  # fmt: skip
_STICKY_FINGERS: Picture = (
    _line(31, 56, 24, 28, width=12), _line(44, 54, 42, 12, width=12), _line(58, 54, 61, 12, width=12),
    _line(70, 58, 78, 28, width=12), _line(24, 82, 10, 58, width=12),
    _curve(25, 54, 25, 54, 77, 54, 77, 54, 80, 84, 72, 98, 52, 98, 32, 98, 18, 84, 25, 54),
    _circle(51, 75, 10, "white"),
)  # fmt: skip
_RING_A_ROSES: Picture = (
    *_koala(50, 20, 13), *_koala(18, 76, 13), *_koala(82, 76, 13),
    _curve(70, 24, 82, 30, 88, 40, 88, 50, paint="line"), _polygon(79, 48, 97, 48, 87, 61),
    _curve(68, 90, 58, 95, 48, 95, 40, 92, paint="line"), _polygon(45, 82, 41, 100, 29, 87),
    _curve(12, 56, 12, 42, 18, 34, 24, 29, paint="line"), _polygon(16, 26, 34, 21, 28, 38),
)  # fmt: skip
_LEAPFROG: Picture = (
    *_koala(25, 76, 16), *_koala(75, 76, 16),
    _curve(22, 46, 26, 4, 68, 4, 76, 34, paint="line", width=8), _polygon(63, 32, 90, 30, 78, 52),
)  # fmt: skip
_FEAST: Picture = (
    _circle(50, 52, 27), _circle(50, 52, 20, "white"), _circle(50, 52, 13),
    _line(10, 40, 10, 92, width=7), _line(2, 12, 2, 32, width=4), _line(10, 12, 10, 36, width=4),
    _line(18, 12, 18, 32, width=4), _curve(2, 30, 2, 42, 18, 42, 18, 30, paint="line", width=4),
    _line(90, 50, 90, 92, width=7),
    _curve(93, 10, 80, 18, 80, 40, 84, 56, 84, 56, 93, 56, 93, 56, 93, 40, 93, 26, 93, 10),
)  # fmt: skip
_QUESTION: Picture = (
    _curve(24, 34, 24, 0, 80, 2, 78, 34, 77, 52, 50, 50, 50, 72, paint="line", width=12),
    _circle(50, 91, 8),
)  # fmt: skip

PICTURES: dict[str, Picture] = {
    "pizza": _PIZZA,
    "hamburger": _HAMBURGER,
    "spaghetti": _SPAGHETTI,
    "bump": _BUMP,
    "sticky_fingers": _STICKY_FINGERS,
    "ring_a_roses": _RING_A_ROSES,
    "leapfrog": _LEAPFROG,
    "feast": _FEAST,
    "team_1": (_circle(50, 50, 46), *_koala(50, 54, 23, "white")),
    "team_2": (_polygon(8, 8, 92, 8, 92, 92, 8, 92), *_koala(50, 54, 23, "white")),
    "team_3": (_polygon(50, 0, 100, 94, 0, 94), *_koala(50, 68, 17, "white")),
    "team_4": (_polygon(50, 0, 100, 50, 50, 100, 0, 50), *_koala(50, 53, 19, "white")),
    "question": _QUESTION,
}
BLANK: Picture = (_line(10, 10, 90, 10, 90, 90, 10, 90, 10, 10),)


def pictogram(face: str) -> Picture:
    """The shapes of a face; an empty frame for one that has none."""
    return PICTURES.get(face, BLANK)
