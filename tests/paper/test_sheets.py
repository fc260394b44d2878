"""What is printed can be read back: every id, every size, every join code."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.paper.page import FAMILY, MARGIN, PAPERS, BadSheet
from companion.paper.pictograms import drawn, pictogram
from companion.paper.sheets import JOIN, Printed, sheets
from companion.paper.stickers import LABELS
from companion.paper.words import WORDS
from companion.shelf import deck, phrases
from companion.sim.koala.evening import SPOTS
from companion.sim.picture import CARD_MM, TABLE_MM
from companion.vision.read import Reader

DPI = 300
PX = DPI / 25.4
DECK = deck("koala")
NAMES = phrases()["koala"].texts


@cache
def printed(paper: str, marker_mm: float = 12.0) -> tuple[Printed, list[NDArray[np.uint8]]]:
    """The sheets and their pages as grey pictures at 300 dpi."""
    out = io.BytesIO()
    done = sheets(DECK, NAMES["de"], out, paper=paper, marker_mm=marker_mm, lang="de")
    document = pypdfium2.PdfDocument(out.getvalue())
    pages = [page.render(scale=DPI / 72, grayscale=True).to_numpy() for page in document]
    return done, [np.ascontiguousarray(page.reshape(page.shape[:2]), np.uint8) for page in pages]


def said(**wanted: object) -> list[str]:
    """The text of each page."""
    out = io.BytesIO()
    given = {"deck": DECK, "names": NAMES["en"], "out": out, **wanted}
    sheets(**given)  # type: ignore[arg-type]  # the test's own keywords
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(out.getvalue())]


@pytest.mark.parametrize("paper", PAPERS)
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


def test_our_own_reader_reads_a_photographed_sheet() -> None:
    done, pages = printed("a4")
    photo = cv2.GaussianBlur(
        cv2.resize(pages[0], None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA), (0, 0), 0.8
    )
    side = 12.0 * PX * 0.2
    ids = sorted(reading.id for reading in Reader(FAMILY, marker_px=(0.7 * side, 1.4 * side)).read(photo))
    assert ids == sorted(mark.id for mark in done.markers if mark.page == 1)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_is_100_mm_on_every_page(paper: str) -> None:
    for page in printed(paper)[1]:
        band = page[round(page.shape[0] - 8.5 * PX) : round(page.shape[0] - 7.5 * PX)].mean(0)
        ink = (255 - band)[: round((MARGIN + 102) * PX)] / 255
        for end, at in ((MARGIN + 0.1, MARGIN), (MARGIN + 99.9, MARGIN + 100)):
            near = slice(round((at - 1) * PX), round((at + 1) * PX))
            weight = ink[near]
            middle = float((np.arange(near.start, near.stop) + 0.5) @ weight / weight.sum()) / PX
            assert abs(middle - end) < 0.1


@pytest.mark.parametrize("paper", PAPERS)
def test_each_player_card_tells_the_address_to_a_phone_and_to_the_eye(paper: str) -> None:
    url, names = "http://192.168.178.123:8080/j#K7TQ-93XM", ("Mia", "Jörg", "Zoë", "Ağça", "O'Neill")
    out = io.BytesIO()
    sheets(DECK, NAMES["en"], out, paper=paper, join_url=url, players=names)
    page = list(pypdfium2.PdfDocument(out.getvalue()))[-1]
    text = page.get_textpage().get_text_bounded()
    assert text.count(url) == len(names) and "Jörg" in text and "Zoë" in text
    raw = page.render(scale=150 / 72, grayscale=True).to_numpy()
    grey = np.ascontiguousarray(raw.reshape(raw.shape[:2]), np.uint8)
    ok, told, *_ = cv2.QRCodeDetector().detectAndDecodeMulti(grey)
    assert ok and list(told) == [url] * len(names)


def test_without_names_ten_cards_are_printed_with_the_usual_address() -> None:
    text = "".join(said()[-2:])
    assert text.count(JOIN) == 10 and "Player 10" in text


def test_a_size_or_paper_or_language_that_cannot_be_is_refused_with_the_limits() -> None:
    for wrong in (5.9, 40.1, float("nan")):
        with pytest.raises(BadSheet, match="6 to 40"):
            sheets(DECK, NAMES["en"], io.BytesIO(), marker_mm=wrong)
    with pytest.raises(BadSheet, match="a4, letter"):
        sheets(DECK, NAMES["en"], io.BytesIO(), paper="a3")
    with pytest.raises(BadSheet, match="en, de"):
        sheets(DECK, NAMES["en"], io.BytesIO(), lang="fr")


@pytest.mark.parametrize("side", [6.0, 12.0, 20.0, 40.0])
@pytest.mark.parametrize("paper", PAPERS)
def test_markers_of_any_size_keep_their_white_and_stay_on_the_paper(paper: str, side: float) -> None:
    done = sheets(DECK, NAMES["en"], io.BytesIO(), paper=paper, marker_mm=side)
    width, height = PAPERS[paper]
    cards = [mark for mark in done.markers if mark.side == side]
    assert len(cards) == len(DECK.cards)
    for mark in cards:
        assert mark.x >= 5 and mark.y >= 5 and mark.x + side <= width - 5 and mark.y + side <= height - 12
        for other in cards:
            if other.page == mark.page and other is not mark:
                assert max(abs(other.x - mark.x), abs(other.y - mark.y)) >= side + 2 * 1.7


def test_only_made_up_data_says_so_and_on_every_page() -> None:
    for lang in WORDS:
        warning = WORDS[lang]["made_up"]
        assert all(warning in page for page in said(deck=replace(DECK, made_up=True), lang=lang))
        assert not any(warning in page for page in said(lang=lang))


def test_a_plate_says_that_it_can_be_cut_to_a_strip_and_where_its_zone_leaves_the_paper() -> None:
    plates = [page for page in said(paper="letter") if "Cut along the dashes" in page]
    assert len(plates) == len(DECK.plates)
    assert "Middle" in plates[0] and "9 mm to the right" in plates[0].replace("\r\n", " ")
    assert not any("beyond the paper" in page for page in plates[1:])


def test_the_plates_zones_fit_the_cameras_view_without_overlap() -> None:
    boxes = []
    for plate in DECK.plates:
        (x, y), (left, top, wide, high) = SPOTS[plate.zone], plate.area
        boxes.append(
            (x + min(left, 0), y, x + max(left + wide, plate.apart_mm + plate.marker_mm), y + top + high)
        )
        assert (wide - CARD_MM[0]) * (high - CARD_MM[1]) / 16**2 >= (25 if "cave" in plate.zone else 5)
    for number, (x0, y0, x1, y1) in enumerate(boxes):
        assert x0 >= 0 and y0 >= 0 and x1 <= TABLE_MM[0] and y1 <= TABLE_MM[1]
        for u0, v0, u1, v1 in boxes[:number]:
            assert x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0


def test_every_face_of_the_deck_has_a_picture_inside_its_box() -> None:
    assert {card.face for card in DECK.cards} == set(drawn("koala"))
    assert pictogram("koala", "something else") and "something else" not in drawn("koala")
    assert drawn("a game nobody has drawn") == {}
    for shapes in drawn("koala").values():
        assert all(0 <= number <= 100 for shape in shapes for number in shape.at)


def test_both_languages_have_the_same_words() -> None:
    assert len({frozenset(words) for words in WORDS.values()}) == 1


@pytest.mark.parametrize("name", LABELS)
def test_every_sticker_lies_whole_on_its_label(name: str) -> None:
    labels, side = LABELS[name], 12.0
    out = io.BytesIO()
    done = sheets(
        DECK,
        NAMES["en"],
        out,
        paper=labels.paper,
        marker_mm=side,
        parts=("stickers",),
        labels=name,
        cards=(1, 40),
    )
    assert len(done.markers) == 40
    for mark in done.markers:
        column, x = divmod(mark.x - labels.left, labels.step[0])
        row, y = divmod(mark.y - labels.top, labels.step[1])
        assert 0 <= column < labels.columns and 0 <= row < labels.rows
        assert x >= 2.4 and y >= 2.4 and x + side + 2.4 <= labels.size[0] and y + side + 2.4 <= labels.size[1]


def test_only_the_wanted_cards_and_parts_are_printed() -> None:
    out = io.BytesIO()
    done = sheets(DECK, NAMES["en"], out, parts=("stickers",), cards=(5, 7))
    assert [mark.id for mark in done.markers] == [card.marker for card in DECK.cards[4:7]]
