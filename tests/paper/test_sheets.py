"""What is printed can be read back: every id, every size, every join code."""

from __future__ import annotations

import io
from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.paper.page import BadSheet
from companion.paper.pictograms import PICTURES, svg
from companion.paper.sheets import JOIN, Printed, sheets
from companion.shelf import deck, phrases

DPI = 300
PX = DPI / 25.4
DECK = deck("koala")


@cache
def printed(paper: str, marker_mm: float = 12.0) -> tuple[Printed, list[NDArray[np.uint8]]]:
    """The sheets and their pages as grey pictures at 300 dpi."""
    out = io.BytesIO()
    done = sheets(DECK, phrases()["koala"].texts["de"], out, paper=paper, marker_mm=marker_mm, lang="de")
    document = pypdfium2.PdfDocument(out.getvalue())
    pages = [page.render(scale=DPI / 72, grayscale=True).to_numpy() for page in document]
    return done, [np.ascontiguousarray(page.reshape(page.shape[:2]), np.uint8) for page in pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_id_is_read_back_where_it_was_printed_and_as_large(paper: str) -> None:
    done, pages = printed(paper)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000))
    wanted = {card.marker for card in DECK.cards} | {m for plate in DECK.plates for m in plate.markers}
    assert {mark.id for mark in done.markers} == wanted and len(done.markers) == len(wanted)
    for number, page in enumerate(pages, 1):
        corners, ids, _ = detector.detectMarkers(page)
        found = {} if ids is None else dict(zip(ids.ravel().tolist(), corners, strict=True))
        marks = {mark.id: mark for mark in done.markers if mark.page == number}
        assert set(found) == set(marks)
        for marker, mark in marks.items():
            square = found[marker].reshape(4, 2) / PX
            sides = np.linalg.norm(square - np.roll(square, 1, axis=0), axis=1)
            assert np.abs(sides - mark.side).max() <= 0.15
            assert np.abs(square[0] - (mark.x, mark.y)).max() <= 0.2


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_ruler_is_100_mm_on_every_page(paper: str) -> None:
    for page in printed(paper)[1]:
        line = page[round(page.shape[0] - 6.0 * PX)]
        dark = np.flatnonzero(line[: round(112 * PX)] < 128)
        assert abs((dark[-1] - dark[0] + 1) / PX - 100.0) < 0.5


def test_the_join_code_says_the_address() -> None:
    pages = printed("a4")[1]
    told, *_ = cv2.QRCodeDetector().detectAndDecode(
        pages[-1][: pages[-1].shape[0] // 4, : pages[-1].shape[1] // 2]
    )
    assert told == JOIN


def test_a_size_or_paper_that_cannot_be_is_refused_with_the_limits() -> None:
    names = phrases()["koala"].texts["en"]
    with pytest.raises(BadSheet, match="6 to 40"):
        sheets(DECK, names, io.BytesIO(), marker_mm=50)
    with pytest.raises(BadSheet, match="a4, letter"):
        sheets(DECK, names, io.BytesIO(), paper="a3")


def test_larger_markers_are_printed_too() -> None:
    done, pages = printed("a4", 20.0)
    assert {mark.side for mark in done.markers} == {18.0, 20.0} and len(pages) == done.pages


def test_made_up_data_says_so_on_every_page() -> None:
    from dataclasses import replace  # only here

    out = io.BytesIO()
    sheets(replace(DECK, made_up=True), phrases()["koala"].texts["en"], out)
    for page in pypdfium2.PdfDocument(out.getvalue()):
        assert "Made-up data" in page.get_textpage().get_text_bounded()


def test_every_face_of_the_deck_has_a_picture() -> None:
    assert {card.face for card in DECK.cards} <= set(PICTURES)
    assert all(svg(face).startswith("<svg") for face in PICTURES)
