"""Three starts that came to nothing are remembered, with the last reason; one that lived wipes them out."""

from __future__ import annotations

from pathlib import Path

from companion.edges.starts import Starts, Told


def test_a_start_counts_as_failed_until_it_was_steady(tmp_path: Path) -> None:
    path = tmp_path / "starts.json"
    assert Starts(path).begin() == Told()
    Starts(path).failed("pin 17 is busy")
    assert Starts(path).begin() == Told(1, "pin 17 is busy")
    assert Starts(path).begin() == Told(2, "pin 17 is busy")  # killed without a word
    Starts(path).steady()
    assert Starts(path).begin() == Told()


def test_a_broken_or_missing_file_never_stops_a_start(tmp_path: Path) -> None:
    path = tmp_path / "starts.json"
    path.write_bytes(b"\x00garbage")
    assert Starts(path).begin() == Told()
    nowhere = Starts(tmp_path / "no" / "starts.json")
    assert nowhere.begin() == Told()
    nowhere.steady()
