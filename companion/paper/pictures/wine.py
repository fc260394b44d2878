"""Koala & Wine: glasses, thieves and STOP, green, black and blue cards. Red is full, rosé half full, white empty."""

from __future__ import annotations

from companion.paper.shapes import Picture, circle, curve, koala, line, polygon

_OUTLINE: Picture = (
    curve(26, 8, 16, 46, 34, 58, 50, 58, 66, 58, 84, 46, 74, 8, paint="line", width=6),
    line(26, 8, 74, 8, width=6), line(50, 58, 50, 88, width=7), line(30, 92, 70, 92, width=8),
)  # fmt: skip
_FILL: dict[str, Picture] = {
    "red": (curve(25, 22, 20, 44, 36, 53, 50, 53, 64, 53, 80, 44, 75, 22, 75, 22, 25, 22, 25, 22),),
    "rose": (curve(22, 36, 26, 50, 40, 53, 50, 53, 60, 53, 74, 50, 78, 36, 78, 36, 22, 36, 22, 36),),
    "white": (),
}
# The triangle of a card that asks for a wine, in the upper left corner, filled like the glass.
_TRIANGLE: dict[str, Picture] = {
    "red": (polygon(2, 30, 16, 2, 30, 30),),
    "rose": (line(2, 30, 16, 2, 30, 30, 2, 30, width=4), polygon(7, 30, 12, 18, 20, 18, 25, 30)),
    "white": (line(2, 30, 16, 2, 30, 30, 2, 30, width=4),),
}
_THIEVES: Picture = (
    *koala(58, 56, 26), polygon(26, 44, 90, 44, 90, 58, 26, 58),
    circle(48, 51, 5, "white"), circle(68, 51, 5, "white"),
)  # fmt: skip
_SOMMELIER: Picture = (
    polygon(52, 6, 64, 6, 64, 34, 76, 48, 76, 96, 40, 96, 40, 48, 52, 34),
    polygon(46, 60, 70, 60, 70, 82, 46, 82, paint="white"),
)  # fmt: skip
_LOBBYISTS: Picture = (
    polygon(34, 46, 52, 46, 86, 24, 86, 88, 52, 66, 34, 66), line(46, 66, 52, 92, width=10),
    line(92, 44, 98, 36, width=5), line(94, 56, 100, 56, width=5), line(92, 68, 98, 76, width=5),
)  # fmt: skip
_SWAP: Picture = (
    curve(14, 40, 26, 10, 70, 8, 80, 30, paint="line", width=8), polygon(68, 30, 94, 26, 84, 50),
    curve(86, 60, 74, 90, 30, 92, 20, 70, paint="line", width=8), polygon(32, 70, 6, 74, 16, 50),
)  # fmt: skip
_EYE: Picture = (
    curve(4, 50, 26, 14, 74, 14, 96, 50, paint="line", width=7),
    curve(4, 50, 26, 86, 74, 86, 96, 50, paint="line", width=7), circle(50, 50, 17),
)  # fmt: skip
_CLOUD: Picture = (
    circle(34, 40, 20), circle(58, 32, 24), circle(76, 46, 16), polygon(22, 44, 86, 44, 86, 60, 22, 60),
    line(32, 70, 26, 90, width=6), line(54, 70, 48, 90, width=6), line(76, 70, 70, 90, width=6),
)  # fmt: skip
_HEART: Picture = (
    curve(
        50, 92, 2, 58, 4, 12, 34, 12, 44, 12, 50, 24, 50, 30, 50, 24, 56, 12, 66, 12, 96, 12, 98, 58, 50, 92
    ),
)
_SHIELD: Picture = (
    curve(50, 4, 50, 4, 90, 18, 90, 18, 92, 66, 78, 86, 50, 98, 22, 86, 8, 66, 10, 18, 10, 18, 50, 4, 50, 4),
)
_CUP: Picture = (
    curve(26, 10, 26, 60, 40, 62, 50, 62, 60, 62, 74, 60, 74, 10, 74, 10, 26, 10, 26, 10),
    curve(26, 18, 4, 16, 8, 46, 30, 44, paint="line"), curve(74, 18, 96, 16, 92, 46, 70, 44, paint="line"),
    line(50, 60, 50, 84, width=9), line(28, 90, 72, 90, width=10),
)  # fmt: skip
_HOURGLASS: Picture = (
    polygon(20, 6, 80, 6, 50, 50), polygon(20, 94, 80, 94, 50, 50), line(14, 6, 86, 6, width=8),
    line(14, 94, 86, 94, width=8)
)  # fmt: skip
_HAMMER: Picture = (
    polygon(14, 30, 44, 4, 62, 24, 32, 50), line(46, 36, 90, 80, width=11), line(10, 92, 60, 92, width=10),
)  # fmt: skip
_RING: Picture = (
    *koala(50, 18, 13), *koala(16, 78, 13), *koala(84, 78, 13),
    line(58, 38, 72, 58, width=6), line(66, 86, 36, 86, width=6), line(28, 58, 40, 40, width=6),
)  # fmt: skip
_TENT: Picture = (
    polygon(50, 8, 96, 46, 4, 46), polygon(12, 50, 88, 50, 88, 94, 12, 94), polygon(40, 62, 60, 62, 60,
    94, 40, 94, paint="white"),
)  # fmt: skip
_GRAPES: Picture = (
    *(circle(x, y, 12) for x, y in ((26, 36), (50, 36), (74, 36), (38, 57), (62, 57), (50, 78))),
    line(50, 26, 56, 4, width=7),
)  # fmt: skip
_LIST: Picture = (
    line(18, 6, 82, 6, 82, 94, 18, 94, 18, 6, width=6),
    *(line(46, y, 70, y, width=6) for y in (28, 50, 72)), *(line(26, y, 31, y + 6, 39, y - 7, width=5)
    for y in (28, 50, 72)),
)  # fmt: skip
_BLINDFOLD: Picture = (
    *koala(50, 52, 30),
    polygon(14, 40, 86, 40, 86, 54, 14, 54),
    line(84, 47, 98, 62, width=6),
)
_STOP: Picture = (
    polygon(30, 2, 70, 2, 98, 30, 98, 70, 70, 98, 30, 98, 2, 70, 2, 30),
    polygon(20, 42, 80, 42, 80, 58, 20, 58, paint="white"),
)  # fmt: skip

PICTURES: dict[str, Picture] = {
    **{wine: (*_OUTLINE, *fill) for wine, fill in _FILL.items()},
    **{f"thieves_{wine}": (*_THIEVES, *corner) for wine, corner in _TRIANGLE.items()},
    **{f"sommelier_{wine}": (*_SOMMELIER, *corner) for wine, corner in _TRIANGLE.items()},
    **{f"lobbyists_{wine}": (*_LOBBYISTS, *corner) for wine, corner in _TRIANGLE.items()},
    "stop": _STOP, "tipsy_taster": _SWAP, "grape_picker": _GRAPES, "oenologist": _EYE, "wine_fair": _TENT,
    "sneaky_taster": (*_SWAP, circle(50, 50, 9)), "auditor": _LIST, "meteorologist": _CLOUD, "farandole": _RING,
    "auction": _HAMMER, "charity": _HEART, "blind_test": _BLINDFOLD, "vintage": _SHIELD, "contest": _CUP,
    "ageing": _HOURGLASS,
}  # fmt: skip
