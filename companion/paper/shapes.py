"""Shapes from which the small pictures beside the markers are drawn; printed as vectors.

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


def circle(x: float, y: float, r: float, paint: str = "dark") -> Shape:
    """A filled disc."""
    return Shape("circle", (x, y, r), paint)


def polygon(*at: float, paint: str = "dark") -> Shape:
    """A filled outline."""
    return Shape("polygon", at, paint)


def line(*at: float, width: float = 6.0) -> Shape:
    """A stroke through points."""
    return Shape("polygon", at, "line", width)


def curve(*at: float, paint: str = "dark", width: float = 6.0) -> Shape:
    """A start, then cubic pieces; filled, or a stroke with paint "line"."""
    return Shape("curve", at, paint, width)


def koala(x: float, y: float, r: float, paint: str = "dark") -> Picture:
    """A koala's head: two ears, a face, two eyes, a long nose."""
    other = "white" if paint == "dark" else "dark"
    nose = (x, y - 0.1 * r, x + 0.42 * r, y - 0.1 * r, x + 0.34 * r, y + 0.6 * r, x, y + 0.6 * r,
            x - 0.34 * r, y + 0.6 * r, x - 0.42 * r, y - 0.1 * r, x, y - 0.1 * r)  # fmt: skip
    return (
        circle(x - 0.9 * r, y - 0.6 * r, 0.55 * r, paint), circle(x + 0.9 * r, y - 0.6 * r, 0.55 * r, paint),
        circle(x, y, r, paint), curve(*nose, paint=other),
        circle(x - 0.45 * r, y - 0.2 * r, 0.15 * r, other), circle(x + 0.45 * r, y - 0.2 * r, 0.15 * r, other),
    )  # fmt: skip
