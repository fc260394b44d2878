"""Koala Rescue Club: a tree, a koala, a helping hand, a hospital, a skybridge; the faces of a die."""

from __future__ import annotations

from companion.paper.shapes import Picture, circle, curve, koala, line, polygon

TREE: Picture = (
    circle(50, 34, 30), circle(26, 48, 20), circle(74, 48, 20), polygon(43, 55, 57, 55, 62, 98, 38, 98)
)  # fmt: skip
KOALA: Picture = koala(50, 54, 34)
VOLUNTEER: Picture = (
    circle(50, 22, 18),
    curve(14, 96, 14, 40, 86, 40, 86, 96, 86, 96, 14, 96, 14, 96),
    polygon(44, 60, 56, 60, 56, 68, 64, 68, 64, 80, 56, 80, 56, 88, 44, 88, 44, 80, 36, 80, 36, 68,
            44, 68, paint="white"),
)  # fmt: skip
HOSPITAL: Picture = (
    polygon(50, 2, 98, 40, 86, 40, 86, 98, 14, 98, 14, 40, 2, 40),
    polygon(43, 46, 57, 46, 57, 60, 71, 60, 71, 74, 57, 74, 57, 88, 43, 88, 43, 74, 29, 74, 29, 60,
            43, 60, paint="white"),
)  # fmt: skip
SKYBRIDGE: Picture = (
    line(8, 10, 8, 98, width=9), line(92, 10, 92, 98, width=9),
    curve(8, 24, 30, 66, 70, 66, 92, 24, paint="line", width=5),
    curve(8, 54, 30, 92, 70, 92, 92, 54, paint="line", width=8),
    line(36, 54, 36, 80, width=4), line(50, 56, 50, 83, width=4), line(64, 54, 64, 80, width=4),
)  # fmt: skip
PIPS = {
    1: ((50, 50),),
    2: ((28, 28), (72, 72)),
    3: ((26, 26), (50, 50), (74, 74)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((26, 26), (74, 26), (50, 50), (26, 74), (74, 74)),
    6: ((28, 22), (28, 50), (28, 78), (72, 22), (72, 50), (72, 78)),
}  # fmt: skip


def _die(pips: int) -> Picture:
    frame = line(6, 6, 94, 6, 94, 94, 6, 94, 6, 6, width=6)
    return (frame, *(circle(x, y, 10) for x, y in PIPS[pips]))


PICTURES: dict[str, Picture] = {
    "tree": TREE, "koala": KOALA, "volunteer": VOLUNTEER, "hospital": HOSPITAL, "skybridge": SKYBRIDGE,
    **{f"die_{pips}": _die(pips) for pips in PIPS},
}  # fmt: skip
