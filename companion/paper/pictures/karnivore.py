"""Karnivore Koala: dice, animals, and for each bear what it is for."""

from __future__ import annotations

from companion.paper.shapes import Picture, Shape, circle, curve, koala, line, polygon

_CROWN: Picture = (
    polygon(10, 82, 10, 28, 32, 52, 50, 16, 68, 52, 90, 28, 90, 82),
    line(10, 92, 90, 92, width=7),
)
_SPEAR: Picture = (line(10, 92, 66, 34, width=8), polygon(92, 6, 56, 24, 76, 44))
_KOALA: Picture = koala(50, 55, 32)
_SKULL: Picture = (
    curve(14, 46, 14, 4, 86, 4, 86, 46, 86, 60, 76, 66, 74, 70, 74, 70, 74, 92, 74, 92, 74, 92, 26, 92, 26, 92,
          26, 92, 26, 70, 26, 70, 24, 66, 14, 60, 14, 46),
    circle(34, 46, 10, "white"), circle(66, 46, 10, "white"), polygon(50, 56, 57, 70, 43, 70, paint="white"),
)  # fmt: skip
_FISH: Picture = (
    curve(4, 50, 26, 14, 52, 14, 70, 50, 52, 86, 26, 86, 4, 50), polygon(62, 50, 96, 24, 86, 50, 96, 76),
    circle(26, 44, 5, "white"),
)  # fmt: skip
_BIRD: Picture = (
    curve(8, 58, 24, 30, 44, 30, 56, 40, 64, 12, 84, 16, 94, 28, 76, 38, 74, 44, 72, 58, 66, 86, 20, 88, 8, 58),
    circle(74, 30, 4.5, "white"), line(36, 82, 34, 96, width=5), line(54, 82, 56, 96, width=5),
)  # fmt: skip
_REPTILE: Picture = (
    curve(4, 66, 12, 34, 34, 36, 48, 36, 66, 36, 66, 12, 86, 14, 98, 16, 96, 40, 82, 46, 76, 62, 62, 66, 48, 66,
          28, 68, 20, 82, 4, 66),
    line(34, 60, 26, 88, width=8), line(58, 60, 66, 88, width=8), circle(84, 24, 4, "white"),
)  # fmt: skip
ANIMALS = {"fish": _FISH, "bird": _BIRD, "reptile": _REPTILE}


def _small(picture: Picture, x: float, y: float, scale: float) -> Picture:
    """A picture made smaller, its upper left corner at (x, y)."""
    return tuple(
        Shape(
            shape.kind,
            (x + shape.at[0] * scale, y + shape.at[1] * scale, shape.at[2] * scale)
            if shape.kind == "circle"
            else tuple((x, y)[i % 2] + at * scale for i, at in enumerate(shape.at)),
            shape.paint,
            shape.width * scale,
        )
        for shape in picture
    )


def _gives(*animals: str) -> Picture:
    """What a workbear gives, or an animal is made of: its symbols beside each other."""
    if len(animals) == 1:
        return ANIMALS[animals[0]]
    spots = ((0, 4), (50, 46), (0, 52)) if len(animals) == 2 else ((0, 0), (52, 0), (26, 50))
    return tuple(
        s for each, (x, y) in zip(animals, spots, strict=False) for s in _small(ANIMALS[each], x, y, 0.48)
    )


_HUNT: Picture = (*koala(40, 62, 24), *_small(_SPEAR, 52, 2, 0.46))
_VILLAGE: Picture = (
    *koala(38, 66, 22),
    polygon(54, 34, 76, 10, 98, 34),
    polygon(60, 34, 92, 34, 92, 56, 60, 56),
)
_STAB: Picture = (*koala(40, 62, 24), polygon(96, 4, 66, 40, 74, 46), line(60, 36, 80, 54, width=6))
_KING: Picture = (*koala(50, 68, 24), *_small(_CROWN, 24, 0, 0.5))

PICTURES: dict[str, Picture] = {
    "crown": _CROWN, "spear": _SPEAR, "koala": _KOALA, "skull": _SKULL,
    "fishbear": _gives("fish"), "birdbear": _gives("bird"), "lizardbear": _gives("reptile"),
    "pondbear": _gives("fish", "bird"), "marshbear": _gives("fish", "reptile"), "nestbear": _gives("bird", "reptile"),
    "larderbear": _gives("fish", "bird", "reptile"),
    **dict.fromkeys(("barbearian", "luchabear", "pathfindbear", "longbowbear", "netbear"), _HUNT),
    **dict.fromkeys(("freebootbear", "subearhero", "brewbear", "shieldbear", "dicebear", "herdbear"), _VILLAGE),
    **dict.fromkeys(("pocketbear", "lurebear", "javelinbear", "hoardbear"), _STAB),
    **dict.fromkeys(("shoutbear", "hidebear", "whisperbear"), _STAB),
    **dict.fromkeys(("king_amber", "king_moss", "king_dusk", "king_ember", "king_tide", "king_frost"), _KING),
    "cameleon": _gives("fish", "bird"), "oystrich": _gives("fish", "reptile"),
    "octoturtle": _gives("reptile", "reptile"),
    "salamingo": _gives("reptile", "bird"),
    **{f"back_{animal}": picture for animal, picture in ANIMALS.items()},
    **{f"back_more_{animal}": picture for animal, picture in ANIMALS.items()},
}  # fmt: skip
