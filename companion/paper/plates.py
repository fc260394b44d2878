"""Plates: a sheet for each zone of the table, or a strip of it with the zone left open below."""

from __future__ import annotations

from collections.abc import Mapping

from companion.paper.page import FOOT, Pages
from companion.table.things import Plate

DOWN = 12.0  # mm from the paper's upper edge to the markers
INSIDE = 2.0  # mm by which the drawn corners lie within the zone: room for a careless hand
CORNER = 8.0  # mm, the arms of a corner
BARE = 5.0  # mm at the edges that printers leave white


def plate(pages: Pages, which: Plate, names: Mapping[str, str]) -> None:
    """A sheet on its side: two markers on top, below them the zone's corners as far as the paper reaches."""
    name = names.get(f"zone.{which.zone}", which.zone)
    pages.begin(pages.words["plates"], wide=True)
    x, y = (pages.width - which.apart_mm - which.marker_mm) / 2, DOWN
    for marker, along in zip(which.markers, (0.0, which.apart_mm), strict=True):
        pages.marker(marker, x + along, y, which.marker_mm)
    left, top, wide, high = which.area
    zone = (x + left + INSIDE, y + top + INSIDE, x + left + wide - INSIDE, y + top + high - INSIDE)
    _header(pages, which, name[:1].upper() + name[1:], zone)
    _corners(pages, zone)
    _beyond(pages, zone)


def _header(pages: Pages, which: Plate, name: str, zone: tuple[float, float, float, float]) -> None:
    """Between the markers: the zone's name, and how the sheet is used."""
    middle, room = pages.width / 2, which.apart_mm - which.marker_mm - 10
    wide, high = round(zone[2] - zone[0]), round(zone[3] - zone[1])
    pages.text(middle, DOWN + 8, name, 22, align="middle", bold=True, most=room)
    pages.text(middle, DOWN + 13, pages.words["plate"], 8, align="middle", most=room)
    strip = pages.words["strip"].format(wide=wide, high=high)
    pages.text(middle, DOWN + 17, strip, 8, align="middle", most=room)
    pages.line(BARE, zone[1], pages.width - BARE, zone[1], 0.2, grey=0.45, dash=(2, 2))


def _corners(pages: Pages, zone: tuple[float, float, float, float]) -> None:
    """The zone's four corners; one that lies off the paper is drawn at its edge, so nobody lays cards too far."""
    low = min(zone[3], pages.height - FOOT)
    left, right = max(zone[0], BARE), min(zone[2], pages.width - BARE)
    for x, inwards in ((left, CORNER), (right, -CORNER)):
        for y, down in ((zone[1], CORNER), (low, -CORNER)):
            pages.line(x, y, x, y + down, 0.5, grey=0.35)
            pages.line(x, y, x + inwards, y, 0.5, grey=0.35)


def _beyond(pages: Pages, zone: tuple[float, float, float, float]) -> None:
    """Say how far the zone goes on where the paper ends."""
    x0, _, x1, y1 = zone
    over = {"left": -x0, "right": x1 - pages.width, "down": y1 - pages.height}
    told = [pages.words[side].format(mm=round(by)) for side, by in over.items() if by >= 1]
    if told:
        words = f"{pages.words['beyond']} {', '.join(told)}."
        pages.text(pages.width / 2, pages.height - FOOT - 2, words, 8, align="middle")
