"""Three starts that came to nothing are remembered, with the last reason; one that lived wipes them out."""

from __future__ import annotations

from pathlib import Path

from companion.edges.starts import Starts, Told


def test_a_start_counts_as_failed_until_it_was_steady(tmp_path: Path) -> None:
    path = tmp_path / "starts.json"
    assert Starts(path).begin() == Told()
    Starts(path).failed("pin 17 is busy")
    assert Starts(path).begin() == Told(1, 1, "pin 17 is busy")
    assert Starts(path).begin() == Told(2, 2, "pin 17 is busy")  # killed without a word
    Starts(path).steady()
    assert Starts(path).begin() == Told()


def test_a_broken_or_missing_file_never_stops_a_start(tmp_path: Path) -> None:
    path = tmp_path / "starts.json"
    path.write_bytes(b"\x00garbage")
    assert Starts(path).begin() == Told()
    nowhere = Starts(tmp_path / "no" / "starts.json")
    assert nowhere.begin() == Told()
    nowhere.steady()


def test_three_starts_that_never_served_are_ill_and_a_plug_pulled_three_times_is_not(tmp_path: Path) -> None:
    starts = Starts(tmp_path / "starts.json")
    for _ in range(3):
        assert not starts.begin().ill
        starts.serving()
    for _ in range(3):
        assert not starts.begin().ill
    assert starts.begin().ill


def test_a_table_that_falls_again_and_again_soon_after_it_serves_is_ill_in_the_end(tmp_path: Path) -> None:
    starts = Starts(tmp_path / "starts.json")
    ills = []
    for _ in range(11):
        ills.append(starts.begin().ill)
        starts.serving()
    assert ills == [False] * 10 + [True]
    starts.steady()
    assert not starts.begin().ill
