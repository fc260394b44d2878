"""Ku-Ka-König: king, farm, church, knight, point cards, eight animals, the number cards."""

from __future__ import annotations

from companion.paper.shapes import Picture, circle, curve, line, polygon


def _head(*more: Picture) -> Picture:
    """An animal's head: a disc, two eyes, and what makes it that animal."""
    face: Picture = (circle(50, 54, 30), circle(39, 48, 4.5, "white"), circle(61, 48, 4.5, "white"))
    return (*more[0], *face, *(shape for part in more[1:] for shape in part))


_CROWN: Picture = (
    polygon(10, 84, 4, 28, 28, 52, 50, 12, 72, 52, 96, 28, 90, 84), circle(50, 10, 7), circle(5, 26, 6),
    circle(95, 26, 6), line(16, 74, 84, 74, width=0.1), polygon(22, 68, 78, 68, 77, 75, 23, 75, paint="white"),
)  # fmt: skip
_FARMER: Picture = (
    polygon(6, 40, 94, 40, 94, 47, 6, 47), curve(24, 41, 24, 6, 76, 6, 76, 41, 76, 41, 24, 41, 24, 41),
    curve(28, 52, 28, 98, 72, 98, 72, 52, 72, 52, 28, 52, 28, 52), circle(41, 63, 4, "white"),
    circle(59, 63, 4, "white"), curve(40, 78, 46, 84, 54, 84, 60, 78, paint="line", width=1),
)  # fmt: skip
_WIFE: Picture = (
    curve(14, 96, 4, 8, 96, 8, 86, 96, 86, 96, 14, 96, 14, 96),
    curve(30, 56, 30, 28, 70, 28, 70, 56, 70, 88, 30, 88, 30, 56, paint="white"),
    circle(42, 54, 4), circle(58, 54, 4), curve(42, 70, 47, 75, 53, 75, 58, 70, paint="line", width=3),
)  # fmt: skip
_HOUSE: Picture = (
    polygon(2, 48, 50, 6, 98, 48, 90, 54, 50, 20, 10, 54), polygon(16, 54, 50, 24, 84, 54, 84, 94, 16, 94),
    polygon(42, 62, 58, 62, 58, 94, 42, 94, paint="white"), polygon(24, 62, 34, 62, 34, 73, 24, 73, paint="white"),
    polygon(66, 62, 76, 62, 76, 73, 66, 73, paint="white"),
)  # fmt: skip
_CHURCH: Picture = (
    line(24, 2, 24, 24, width=5), line(16, 9, 32, 9, width=5), polygon(24, 20, 42, 48, 6, 48),
    polygon(8, 46, 40, 46, 40, 96, 8, 96), polygon(40, 66, 68, 44, 96, 66, 96, 96, 40, 96),
    polygon(20, 58, 28, 58, 28, 70, 20, 70, paint="white"), polygon(62, 76, 74, 76, 74, 96, 62, 96, paint="white"),
)  # fmt: skip
_KNIGHT: Picture = (
    curve(20, 96, 8, 20, 30, 8, 50, 8, 70, 8, 92, 20, 80, 96, 80, 96, 20, 96, 20, 96),
    polygon(26, 42, 74, 42, 74, 52, 26, 52, paint="white"), polygon(47, 52, 53, 52, 53, 92, 47, 92, paint="white"),
    curve(50, 8, 56, -6, 78, -2, 82, 12, paint="line", width=6),
)  # fmt: skip


def _shield(number: str) -> Picture:
    """A victory shield with as many bars as points."""
    bars = int(number)
    out = curve(8, 8, 8, 8, 92, 8, 92, 8, 94, 56, 80, 84, 50, 98, 20, 84, 6, 56, 8, 8)
    step = 56 / bars
    shapes = [
        polygon(x, 24, x + step * 0.55, 24, x + step * 0.55, 64, x, 64, paint="white")
        for x in (24 + step * place for place in range(bars))
    ]
    return (out, *shapes)


_SHEEP = _head(
    tuple(circle(x, y, 15) for x, y in ((26, 34), (38, 22), (54, 18), (70, 26), (78, 42), (22, 52))),
    (polygon(40, 68, 60, 68, 50, 76, paint="white"),),
)  # fmt: skip
_HORSE: Picture = (
    polygon(30, 96, 26, 52, 40, 14, 48, 2, 54, 14, 72, 26, 92, 58, 84, 70, 60, 60, 66, 96),
    circle(60, 34, 4.5, "white"), circle(84, 60, 3, "white"),
    curve(38, 12, 18, 28, 16, 60, 20, 90, paint="line", width=8),
)  # fmt: skip
_PIG = _head(
    (polygon(20, 14, 44, 28, 24, 46), polygon(80, 14, 56, 28, 76, 46)),
    (circle(50, 65, 13, "white"), circle(45, 65, 3.5), circle(55, 65, 3.5)),
)  # fmt: skip
_COW = _head(
    (
        curve(26, 34, 4, 30, 4, 10, 12, 4, paint="line", width=8),
        curve(74, 34, 96, 30, 96, 10, 88, 4, paint="line", width=8),
    ),
    (curve(26, 72, 26, 58, 74, 58, 74, 72, 74, 94, 26, 94, 26, 72, paint="white"), circle(42, 74, 4),
     circle(58, 74, 4)),
)  # fmt: skip
_GOAT = _head(
    (
        curve(40, 30, 34, 8, 20, 4, 8, 8, paint="line", width=8),
        curve(60, 30, 66, 8, 80, 4, 92, 8, paint="line", width=8),
    ),
    (polygon(42, 80, 58, 80, 50, 100), polygon(44, 66, 56, 66, 50, 73, paint="white")),
)  # fmt: skip
_HEN: Picture = (
    curve(6, 44, 20, 70, 40, 52, 52, 40, 44, 10, 82, 6, 82, 34, 90, 96, 8, 104, 6, 44), circle(64, 26, 4, "white"),
    polygon(80, 24, 98, 32, 80, 40), circle(58, 6, 6), circle(68, 5, 6), line(40, 84, 40, 99, width=5),
    line(56, 84, 56, 99, width=5),
)  # fmt: skip
_DOG = _head(
    (curve(24, 30, 2, 30, 4, 76, 18, 78, 30, 70, 30, 40, 24, 30),
     curve(76, 30, 98, 30, 96, 76, 82, 78, 70, 70, 70, 40, 76, 30)),
    (circle(50, 64, 7, "white"), line(50, 70, 50, 78, width=1)),
)  # fmt: skip
_GOOSE: Picture = (
    curve(4, 60, 20, 96, 78, 100, 90, 66, 96, 50, 70, 44, 58, 58, 40, 72, 20, 66, 4, 60),
    curve(74, 60, 92, 40, 60, 36, 66, 14, paint="line", width=12), circle(64, 12, 10),
    polygon(56, 6, 38, 14, 56, 18), circle(63, 10, 2.5, "white"),
)  # fmt: skip


def _number(count: int) -> Picture:
    """A number card: a frame with as many dots."""
    spots = [(x, y) for y in (24, 50, 76) for x in (24, 50, 76)]
    order = (4, 0, 8, 2, 6, 3, 5) if count % 2 else (0, 8, 2, 6, 3, 5, 1, 7)
    dots = tuple(circle(*spots[place], 9) for place in sorted(order[:count]))
    return (line(4, 4, 96, 4, 96, 96, 4, 96, 4, 4, width=5), *dots)


PICTURES: dict[str, Picture] = {
    "king": _CROWN, "farmer": _FARMER, "wife": _WIFE, "house": _HOUSE, "church": _CHURCH, "knight": _KNIGHT,
    "vp2": _shield("2"), "vp3": _shield("3"), "vp4": _shield("4"), "sheep": _SHEEP, "horse": _HORSE, "pig": _PIG,
    "cow": _COW, "goat": _GOAT, "hen": _HEN, "dog": _DOG, "goose": _GOOSE,
    **{f"number_{count}": _number(count) for count in range(1, 9)},
}  # fmt: skip
