"""An evening's sheets, photographed: scored as they truly are, doubtful circles and impossible marks asked about."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from companion.games.rescue.finished import finished
from companion.games.rescue.maps import practice
from companion.games.rescue.rules_sheet import fresh
from companion.games.rescue.sheet_layout import layout
from companion.games.rescue.sheet_marks import marked
from companion.scanning.rescue import Heap, Wishes, command, reader, seen, sheeted
from companion.vision.sheet import Mark, Seen

sys.path.insert(0, str(Path(__file__).parent / "vision"))
from drawn_sheets import marked as drawn
from drawn_sheets import photo

BOARD = practice()
CIRCLES = {circle.id: circle for circle in layout(BOARD).circles}


def saved(folder: Path, name: str, marks: frozenset[str], seed: int, pen: str = "pen", sheet: int = 1) -> str:
    """A photograph of a sheet with these marks."""
    rng = np.random.default_rng(seed)
    grey = photo(drawn([CIRCLES[mark] for mark in sorted(marks)], pen, rng, sheet=sheet), rng)
    file = folder / f"{name}.png"
    cv2.imwrite(str(file), grey)
    return str(file)


def sheet_of(areas: str, koalas: str = "", beds: tuple[int, ...] = (0, 0, 0)):
    """A sheet whose areas are full of trees, some also of koalas; every bonus they complete was taken."""
    trees = frozenset(cell for area in areas for cell in BOARD.trees_of[area])
    own = frozenset(cell for area in koalas for cell in BOARD.trees_of[area] & BOARD.koalas)
    lines = frozenset(line for line in BOARD.bonuses if line[0] in koalas)
    return replace(fresh(BOARD), trees=trees, koalas=own, beds=beds, claimed=lines)


def scan(*words: str) -> tuple[int, dict[str, object]]:
    done = CliRunner().invoke(command, [*words, "--json"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, json.loads(done.output.splitlines()[-1])


def test_two_evening_sheets_are_scored_as_they_are_from_one_picture_and_from_two(tmp_path: Path) -> None:
    mia = marked(BOARD, sheet_of("AB", "A", (1, 0, 0)), {"koalas_a": "first"}, 5)
    middle, end = sheet_of("A"), sheet_of("AD", "A", (1, 0, 0))
    paul = [
        saved(tmp_path, f"paul{n}", marked(BOARD, s, {}, None), 20 + n, "marker", 12)
        for n, s in enumerate((middle, end))
    ]
    code, answer = scan(f"Mia={saved(tmp_path, 'mia', mia, 7, 'pencil')}", f"Paul={','.join(paul)}")
    assert answer["open"] == []
    assert answer["illegal"] == {}
    assert code == 0
    truth = {
        "Mia": {"round1": 5, "round2": {"trees": ["A", "B"], "koalas": ["A"], "hospitals": {"h4": 1}}, "badges": {"koalas_a": "first"}},
        "Paul": {"round1": {"trees": ["A"]}, "round2": {"trees": ["A", "D"], "koalas": ["A"], "hospitals": {"h4": 1}}},
    }  # fmt: skip
    assert {key: answer[key] for key in ("rounds", "totals", "winners")} == {
        key: finished({"players": truth})[key] for key in ("rounds", "totals", "winners")
    }


def test_impossible_marks_are_named_asked_about_and_can_be_taken_back(tmp_path: Path) -> None:
    marks = marked(BOARD, sheet_of("A"), {"trees_d": "later"}, 1) | {
        "koala:B-a1",
        "bonus:A-row1",
        "used:1",
        "used:2",
    }
    file = saved(tmp_path, "ada", marks, 3)
    code, answer = scan(f"Ada={file}")
    named = [mark for mark, _ in answer["illegal"]["Ada"]]
    assert set(named) == {"koala:B-a1", "bonus:A-row1", "used:2", "badge:trees_d:later"}
    assert answer["open"] == ["Ada:illegal"]
    assert code == 1
    _, stays = scan(f"Ada={file}", "--illegal", "stays")
    code, undone = scan(f"Ada={file}", "--illegal", "undone")
    assert code == 0
    assert (stays["totals"], undone["totals"]) == ({"Ada": 3}, {"Ada": 2})


@pytest.mark.parametrize(("illegal", "trees"), [("undone", ["A-a1"]), ("stays", ["A-a1", "B-a1"])])
def test_what_hung_on_a_mark_that_is_taken_back_is_named_and_goes_too(illegal: str, trees: list[str]) -> None:
    """A bridge whose row is not complete leads nowhere: what was drawn behind it is taken back as well."""
    own = ("tree:A-a1", "koala:A-a1", "bonus:A-row1", "tree:B-a1", "koala:B-a1", "ones:0")
    sight = Seen(tuple(Mark(id, "filled", 1.0) for id in own))
    one = sheeted(Heap("Mia", ("mia.png",)), [sight], Wishes(BOARD, illegal=illegal))
    behind = ["koala:B-a1", "tree:B-a1"] if illegal == "undone" else []
    assert sorted(mark for mark, _ in one.illegal) == ["bonus:A-row1", *behind]
    assert one.given["round2"]["trees"] == trees
    assert one.questions == ()


def test_a_doubtful_circle_and_a_missing_first_round_are_asked_and_answered(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    grey = drawn([CIRCLES["tree:A-a1"]], "pen", rng)
    faint = CIRCLES["tree:A-b1"]
    spot = (round(faint.x * 200 / 25.4), round(faint.y * 200 / 25.4))
    smudge = np.zeros(grey.shape, np.float32)
    cv2.circle(smudge, spot, 12, 1.0, -1)
    file = tmp_path / "x.png"
    cv2.imwrite(str(file), (grey * (1 - 0.04 * smudge)).astype(np.uint8))
    code, answer = scan(f"Mia={file}")
    assert answer["open"] == ["Mia:tree:A-b1", "Mia:round1"]
    assert code == 1
    code, answer = scan(f"Mia={file}", "--mark", "Mia:tree:A-b1=filled", "--round1", "Mia=4")
    assert code == 0
    assert answer["table"]["players"]["Mia"]["round2"]["trees"] == ["A-a1", "A-b1"]
    assert answer["totals"] == {"Mia": 4}


def test_what_was_read_can_be_looked_at(tmp_path: Path) -> None:
    """A ring lies round each filled circle of the photograph, a square round a doubtful one, nothing round others."""
    own = frozenset({"tree:A-a1", "tree:B-a1"})
    file, folder = saved(tmp_path, "mia", own, 8), tmp_path / "seen"
    folder.mkdir()
    told = CliRunner().invoke(command, [f"Mia={file}", "--look", str(folder), "--round1", "Mia=0"]).output
    assert f"2 of {len(CIRCLES)} circles are marked, 0 doubtful" in told and str(folder / "Mia-1.png") in told
    grey, drawn_in = cv2.imread(file, cv2.IMREAD_GRAYSCALE), cv2.imread(str(folder / "Mia-1.png"))
    sight, _ = seen(reader(), grey, BOARD)
    assert sight.filled == own
    added = (drawn_in != cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)).any(2)
    for mark in sight.marks:
        x, y, r = mark.at
        around = added[int(y - 2 * r) : int(y + 2 * r), int(x - 2 * r) : int(x + 2 * r)]
        if mark.id in own:
            assert around.any() and not added[int(y), int(x)]
    assert added.sum() < 4 * len(own) * 16 * max(mark.at[2] for mark in sight.marks) ** 2
    wrong = CliRunner().invoke(command, [f"Mia={file}", "--look", str(tmp_path / "no")])
    assert wrong.exception is not None and "there is no such folder" in str(wrong.exception)


def test_reasons_are_told_in_both_languages(tmp_path: Path) -> None:
    file = saved(tmp_path, "mia", marked(BOARD, sheet_of("A"), {}, 3), 8)
    for lang, words in (("en", "area A full of trees"), ("de", "Gebiet A voll mit Bäumen")):
        done = CliRunner().invoke(command, [f"Mia={file}", "--lang", lang])
        assert words in done.output
        assert done.exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name pictures"),
        (("Mia=a.png,b.png,c.png",), "NAME=AFTER15,IMAGE"),
        (("Mia=a.png", "Mia=b.png"), "Mia is named twice"),
        (("Mia=nowhere.png",), "nowhere.png"),
        (("Mia=a.png", "--mark", "tree"), "--mark tree"),
        (("Mia=a.png", "--round1", "five"), "--round1 five"),
        (("Mia=a.png", "--map", "nowhere.toml"), "nowhere.toml"),
        (("--print", "x.pdf", "--sheets", "a"), "--sheets a"),
    ],
)
def test_a_wrong_word_is_named_with_the_remedy(words: tuple[str, ...], says: str) -> None:
    done = CliRunner().invoke(command, list(words))
    assert done.exit_code != 0
    assert says in str(done.exception)


def test_a_picture_without_a_sheet_says_so(tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    cv2.imwrite(str(file), np.full((600, 400), 128, np.uint8))
    done = CliRunner().invoke(command, [f"Mia={file}"])
    assert "corner markers" in str(done.exception)


def test_sheets_are_printed_one_page_each_with_their_own_corners(tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    done = CliRunner().invoke(command, ["--print", str(file), "--sheets", "8-10", "--lang", "de"])
    assert done.exit_code == 0
    assert "3 sheets" in done.output
    assert len(pypdfium2.PdfDocument(file.read_bytes())) == 3


def test_sheets_are_read_under_a_camera_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "camera"
    folder.mkdir()
    saved(folder, "seen", marked(BOARD, sheet_of("A"), {}, 7), 11)
    done = CliRunner().invoke(command, ["--camera", str(folder), "Mia", "--json"], input="\n")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.output.splitlines()[-1])
    assert answer["totals"] == {"Mia": 8}
    ended = CliRunner().invoke(command, ["--camera", str(folder), "Mia"], input="")
    assert "Press Enter" in str(ended.exception)
