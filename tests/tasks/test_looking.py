"""`companion look`: pictures saved, zones told, advice given, and a status that says whether all is well."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges.camera.words import texts
from companion.sim.evenings import folders
from companion.simcamera import SimTable, sims


def look(*words: str) -> tuple[int, str]:
    told = CliRunner().invoke(main, ["look", *words])
    assert told.exception is None or isinstance(told.exception, SystemExit), told.exception
    return told.exit_code, told.output


def folder_of(tmp_path: Path, light: float = 1.0, shrink: int = 1, shine: float = 0.0) -> Path:
    """Pictures of a simulated table, darker, smaller, or with a reflection in the middle."""
    table = SimTable("koala")
    table.open()
    folder = tmp_path / "frames"
    folder.mkdir()
    y, x = np.mgrid[0:1080, 0:1920]
    spot = shine * np.exp(-((x - 700) ** 2 + (y - 500) ** 2) / (2 * 60.0**2))
    for n in range(2):  # the last picture stays
        frame = table.read(True)
        assert frame is not None
        lit = np.clip(frame.grey * light + spot, 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"{n}.png"), lit[::shrink, ::shrink])
    return folder


def test_a_good_table_is_drawn_and_found_good(tmp_path: Path) -> None:
    status, told = look("--camera", "sim:koala", "-o", str(tmp_path), "--pictures", "2", "--seconds", "300")
    assert status == 0, told
    assert "Middle" in told or "middle" in told
    assert "!" not in told
    head, first = (told.splitlines()[number] for number in (2, 3))
    assert [head.index(word) for word in ("cards", "marker's", "blur", "light")] == [
        first.index(word)
        for word in (first[25:].split()[0], first[33:].split()[0], "~", first[67:].split()[0])
    ], told
    for n in (1, 2):
        drawn = cv2.imread(str(tmp_path / f"look-{n}.png"))
        assert drawn is not None and drawn.shape == (1080, 1920, 3)
        green = (drawn[..., 1].astype(int) - drawn[..., 2] > 60).sum()
        assert green > 2000, "the zones' outlines are drawn"


def test_glare_and_darkness_and_small_markers_are_advised_about_in_words(tmp_path: Path) -> None:
    shiny = folder_of(tmp_path, shine=230.0)
    status, told = look("--camera", str(shiny), "-o", str(tmp_path), "--lang", "de", "--seconds", "60")
    assert status == 1 and "Mitte: Spiegelung" in told and "Lampe" in told, told
    (tmp_path / "dark").mkdir()
    dark = folder_of(tmp_path / "dark", light=0.25)
    status, told = look("--camera", str(dark), "-o", str(tmp_path), "--seconds", "60", "--json")
    plain = json.loads(told)
    assert status == 1 and any("too dark" in text for zone in plain["zones"] for text in zone["advice"])
    (tmp_path / "small").mkdir()
    small = folder_of(tmp_path / "small", shrink=2)
    status, told = look("--camera", str(small), "-o", str(tmp_path), "--seconds", "60")
    assert status == 1 and "pixels wide, 13 are needed" in told, told


def test_no_camera_is_answered_with_what_to_do(tmp_path: Path) -> None:
    status, told = look("--camera", "99", "-o", str(tmp_path), "--seconds", "5")
    assert status == 1 and "group video" in told
    status, told = look("--camera", "nothing-here", "-o", str(tmp_path))
    assert status == 1 and "Write 0, /dev/video0, pi" in told


def test_the_cameras_words_are_the_same_in_both_languages() -> None:
    english, german = texts("en"), texts("de")
    assert english.keys() == german.keys()
    for key, text in english.items():
        holes = {part.split("}")[0] for part in text.split("{")[1:]}
        assert holes == {part.split("}")[0] for part in german[key].split("{")[1:]}, key


def test_every_game_with_a_simulated_table_is_a_camera_too() -> None:
    assert set(sims()) == set(folders()) >= {"koala", "rescue"}
    for game, make in sims().items():
        camera = make()
        camera.open()
        frame = camera.read(True)
        assert camera.name == f"sim:{game}" and frame is not None and frame.grey.std() > 5, game
        camera.close()


@pytest.mark.parametrize(
    ("lang", "says"), [("en", "Wait longer with --seconds"), ("de", "Warte länger mit --seconds")]
)
def test_a_picture_that_does_not_come_in_time_names_the_remedy(
    lang: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.tasks.looking.DRAWN_S", 0.0)
    status, told = look("--camera", "sim:koala", "-o", str(tmp_path), "--lang", lang)
    assert status == 1 and says in told and "0 s" in told, told
