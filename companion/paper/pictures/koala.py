"""Koala: food, action cards, the feast, teams."""

from __future__ import annotations

from companion.paper.shapes import Picture, circle, curve, koala, line, polygon

_PIZZA: Picture = (
    curve(6, 28, 22, 2, 78, 2, 94, 28, 92, 34, 90, 36, 88, 40, 72, 18, 28, 18, 12, 40, 10, 36, 8, 34, 6, 28),
    curve(15, 44, 32, 24, 68, 24, 85, 44, 74, 62, 62, 82, 50, 98, 38, 82, 26, 62, 15, 44),
    circle(38, 46, 7.5, "white"), circle(61, 50, 7.5, "white"), circle(49, 70, 6.5, "white"),
)  # fmt: skip
_HAMBURGER: Picture = (
    curve(8, 46, 8, 4, 92, 4, 92, 46, 92, 46, 8, 46, 8, 46),
    circle(36, 28, 3.5, "white"), circle(52, 21, 3.5, "white"), circle(67, 30, 3.5, "white"),
    curve(8, 56, 18, 46, 26, 46, 36, 56, 46, 66, 54, 46, 64, 56, 74, 66, 82, 56, 92, 56, paint="line", width=7),
    line(13, 68, 87, 68, width=9),
    curve(10, 78, 10, 78, 90, 78, 90, 78, 90, 94, 80, 94, 74, 94, 58, 94, 42, 94, 26, 94, 20, 94, 10, 94, 10, 78),
)  # fmt: skip
_SPAGHETTI: Picture = (
    curve(20, 56, 16, 20, 48, 22, 46, 54, paint="line", width=5),
    curve(34, 56, 34, 16, 68, 18, 66, 54, paint="line", width=5),
    curve(54, 54, 52, 22, 84, 20, 80, 56, paint="line", width=5),
    circle(42, 24, 9), circle(58, 22, 9),
    line(4, 60, 96, 60, width=7),
    curve(10, 66, 12, 92, 36, 94, 50, 94, 64, 94, 88, 92, 90, 66, 90, 66, 10, 66, 10, 66),
)  # fmt: skip
_BUMP: Picture = (
    *koala(27, 56, 20),
    line(54, 58, 76, 58, width=8), polygon(72, 42, 96, 58, 72, 74),
    line(60, 26, 66, 10), line(74, 30, 88, 18),
)  # fmt: skip
_STICKY_FINGERS: Picture = (
    line(31, 56, 24, 28, width=12), line(44, 54, 42, 12, width=12), line(58, 54, 61, 12, width=12),
    line(70, 58, 78, 28, width=12), line(24, 82, 10, 58, width=12),
    curve(25, 54, 25, 54, 77, 54, 77, 54, 80, 84, 72, 98, 52, 98, 32, 98, 18, 84, 25, 54),
    circle(51, 75, 10, "white"),
)  # fmt: skip
_RING_A_ROSES: Picture = (
    *koala(50, 20, 13), *koala(18, 76, 13), *koala(82, 76, 13),
    curve(70, 24, 82, 30, 88, 40, 88, 50, paint="line"), polygon(79, 48, 97, 48, 87, 61),
    curve(68, 90, 58, 95, 48, 95, 40, 92, paint="line"), polygon(45, 82, 41, 100, 29, 87),
    curve(12, 56, 12, 42, 18, 34, 24, 29, paint="line"), polygon(16, 26, 34, 21, 28, 38),
)  # fmt: skip
_LEAPFROG: Picture = (
    *koala(25, 76, 16), *koala(75, 76, 16),
    curve(22, 46, 26, 4, 68, 4, 76, 34, paint="line", width=8), polygon(63, 32, 90, 30, 78, 52),
)  # fmt: skip
_FEAST: Picture = (
    circle(50, 52, 27), circle(50, 52, 20, "white"), circle(50, 52, 13),
    line(10, 40, 10, 92, width=7), line(2, 12, 2, 32, width=4), line(10, 12, 10, 36, width=4),
    line(18, 12, 18, 32, width=4), curve(2, 30, 2, 42, 18, 42, 18, 30, paint="line", width=4),
    line(90, 50, 90, 92, width=7),
    curve(93, 10, 80, 18, 80, 40, 84, 56, 84, 56, 93, 56, 93, 56, 93, 40, 93, 26, 93, 10),
)  # fmt: skip
_QUESTION: Picture = (
    curve(24, 34, 24, 0, 80, 2, 78, 34, 77, 52, 50, 50, 50, 72, paint="line", width=12),
    circle(50, 91, 8),
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
    "team_1": (circle(50, 50, 46), *koala(50, 54, 23, "white")),
    "team_2": (polygon(8, 8, 92, 8, 92, 92, 8, 92), *koala(50, 54, 23, "white")),
    "team_3": (polygon(50, 0, 100, 94, 0, 94), *koala(50, 68, 17, "white")),
    "team_4": (polygon(50, 0, 100, 50, 50, 100, 0, 50), *koala(50, 53, 19, "white")),
    "question": _QUESTION,
}
