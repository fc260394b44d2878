"""Sheets as people leave them: printed, marked with three pens, photographed badly. The truth comes along."""

from __future__ import annotations

import io
from functools import cache

import cv2
import numpy as np
import pypdfium2

from companion.games.rescue.maps import practice
from companion.games.rescue.sheet_layout import CORNERS, MARKER, corner_markers, layout
from companion.paper.rescue_sheet import rescue_sheets
from companion.shelf import phrases
from companion.vision.read import Reader
from companion.vision.sheet import Blank, Circle

DPI = 200
MM = DPI / 25.4  # pixels a mm of the printed page
PENS = ("pen", "pencil", "marker")
FORMS = ("filled", "scribble", "tick", "cross")


def blank(sheet=1):
    """The printed sheet as the reader knows it."""
    corners = {id: (*place, MARKER) for id, place in zip(corner_markers(sheet), CORNERS, strict=True)}
    circles = tuple(Circle(c.id, c.x, c.y, c.r) for c in layout(practice()).circles)
    return Blank(corners, circles, 210.0, 297.0)


@cache
def reader():
    """Reads the corner markers."""
    return Reader("aruco-5x5-1000", range(630, 648))


@cache
def page(sheet=1):
    """The PDF as pixels, 0 to 255."""
    out = io.BytesIO()
    rescue_sheets(practice(), out, phrases()["rescue"].texts["en"], numbers=(sheet,))
    drawn = pypdfium2.PdfDocument(out.getvalue())[0].render(scale=DPI / 72, grayscale=True)
    grey = np.array(drawn.to_numpy()).squeeze()
    grey.flags.writeable = False
    return grey


def stroke(ink, points, width):
    """A line of a pen through points in mm, its ends round."""
    at = np.round(np.asarray(points) * MM * 16).astype(np.int32)
    cv2.polylines(ink, [at], False, 255, max(1, round(width * MM)), cv2.LINE_AA, 4)


def mark(ink, circle, form, width, rng):
    """One mark as a hand makes it, a little off, never twice the same."""
    x, y = circle.x + rng.normal(0, 0.2), circle.y + rng.normal(0, 0.2)
    r = circle.r
    if form in ("filled", "scribble"):
        step = width * (0.8 if form == "filled" else 1.7)
        turn, reach = rng.uniform(0, np.pi), r * rng.uniform(0.75, 1.0)
        spots = []
        for n, across in enumerate(np.arange(-reach, reach + 0.01, step)):
            long = np.sqrt(max(0.0, reach**2 - across**2)) + rng.normal(0, 0.1)
            ends = [(-long, across), (long, across)]
            spots += ends if n % 2 else ends[::-1]
        c, s = np.cos(turn), np.sin(turn)
        stroke(ink, [(x + c * a - s * b, y + s * a + c * b) for a, b in spots], width)
    elif form == "tick":
        tail = rng.uniform(0.9, 1.5) * r
        stroke(ink, [(x - 0.6 * r, y), (x - 0.1 * r, y + 0.6 * r), (x + tail, y - tail)], width)
    else:
        a = r * rng.uniform(0.6, 0.95)
        stroke(ink, [(x - a, y - a), (x + a, y + a)], width)
        stroke(ink, [(x + a, y - a), (x - a, y + a)], width)


def marked(circles, pen, rng, sheet=1, forms=FORMS):
    """The page with these circles marked."""
    grey = page(sheet).astype(np.float32)
    low, high, dark = {
        "pen": (0.35, 0.7, (0.55, 0.9)),
        "pencil": (0.4, 0.8, (0.3, 0.5)),
        "marker": (1.0, 2.2, (0.7, 0.95)),
    }[pen]
    width, depth = rng.uniform(low, high), rng.uniform(*dark)
    ink = np.zeros(grey.shape, np.uint8)
    for circle in circles:
        mark(ink, circle, forms[rng.integers(len(forms))], width, rng)
    laid = ink.astype(np.float32) / 255
    if pen == "pencil":  # the grain of the paper shows through
        grain = cv2.GaussianBlur(rng.random(grey.shape, np.float32), (0, 0), 1.2)
        laid *= np.clip(0.8 + 4 * (grain - 0.5), 0.35, 1)
    return grey * (1 - depth * laid)


def photo(grey, rng, hard=1.0):
    """A photograph: bent paper, perspective, a shadow's edge, uneven light, blur, noise, JPEG."""
    h, w = grey.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    bend, along = rng.uniform(-1, 1) * hard * MM, rng.uniform(0, np.pi)
    wave = bend * np.sin(np.pi * (x / w * np.cos(along) + y / h * np.sin(along)))
    bent = np.float32(rng.uniform(-1, 1)) * wave
    grey = cv2.remap(
        grey, (x + wave).astype(np.float32), (y + bent).astype(np.float32), cv2.INTER_LINEAR, borderValue=245
    )
    scale = rng.uniform(4.5, 8.0) / MM  # pixels a mm of the photograph
    out_w, out_h = round(w * scale * 1.25), round(h * scale * 1.2)
    margin = np.array([(0.1, 0.08), (0.9, 0.08), (0.9, 0.92), (0.1, 0.92)]) * (out_w, out_h)
    corners = margin + rng.uniform(-0.06, 0.06, (4, 2)) * hard * (out_w, out_h)
    shift = rng.uniform(-0.12, 0.12, 2) * hard * out_w  # a keystone: the far edge is shorter
    corners[0, 0] += abs(shift[0])
    corners[1, 0] -= abs(shift[0])
    turn = np.roll(corners, rng.integers(4) if rng.random() < 0.2 else 0, axis=0)
    to = cv2.getPerspectiveTransform(
        np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32), turn.astype(np.float32)
    )
    view = cv2.warpPerspective(
        grey, to, (out_w, out_h), flags=cv2.INTER_AREA, borderValue=rng.uniform(40, 200)
    )
    y, x = np.mgrid[0:out_h, 0:out_w].astype(np.float32)
    light = 1 - 0.35 * hard * rng.random() * (x / out_w) - 0.3 * hard * rng.random() * (y / out_h)
    for _ in range(rng.integers(0, 3)):
        angle, offset = rng.uniform(0, np.pi), rng.uniform(0.2, 0.8)
        across = (x / out_w - offset) * np.cos(angle) + (y / out_h - offset) * np.sin(angle)
        soft = rng.uniform(0.002, 0.06)
        light *= 1 - 0.45 * hard * rng.random() / (1 + np.exp(np.clip(-across / soft, -50, 50)))
    view = view * light
    view = cv2.GaussianBlur(view, (0, 0), rng.uniform(0.4, 0.6 + 0.9 * hard))
    view = view + rng.normal(0, rng.uniform(1, 1 + 4 * hard), view.shape)
    data = cv2.imencode(
        ".jpg", np.clip(view, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 95))]
    )[1]
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
