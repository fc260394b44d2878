"""Commands that read pictures and journals answer in the language that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

ROOT = Path(__file__).parents[2]
JOURNAL = sorted((ROOT / "tests" / "playthroughs").glob("*.jsonl"))[0]


@pytest.mark.parametrize(
    ("lang", "events", "digest"), [("en", " events, ", "hash "), ("de", " Ereignisse, ", "Prüfsumme ")]
)
def test_a_journal_is_told_in_the_language_asked_for(lang: str, events: str, digest: str) -> None:
    told = CliRunner().invoke(main, ["replay", str(JOURNAL), "--lang", lang])
    assert told.exit_code == 0 and events in told.output and f"\n{digest}" in told.output


def test_a_file_that_is_no_picture_is_named_in_german_and_the_markers_are_counted_so(tmp_path: Path) -> None:
    (tmp_path / "no.png").write_text("no picture")
    said = {
        lang: CliRunner().invoke(main, ["read", str(tmp_path / "no.png"), "--lang", lang])
        for lang in ("en", "de")
    }
    assert all(told.exit_code == 1 and "no.png: " in told.output for told in said.values())
    assert said["de"].output != said["en"].output


def test_a_map_that_is_no_toml_is_told_with_file_line_column_and_remedy_in_german(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    for text, place in (("x = = 3\n", "Zeile 1, Spalte 5"), ('a = 1\nb = "open', "Am Ende der Datei")):
        own.write_text(text)
        arguments = ["scan", "rescue", "--map", str(own), "--print", str(tmp_path / "o.pdf"), "--lang", "de"]
        told = CliRunner().invoke(main, arguments)
        assert told.exit_code == 1 and f"{own}: kein TOML: {place}" in told.output
        assert "vergleich es mit der Übungskarte" in told.output and "at line" not in told.output


def test_the_deck_of_karnivore_is_told_in_german_too(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    told = CliRunner().invoke(main, ["deck", "karnivore", "--export", str(out), "--lang", "de"])
    assert told.exit_code == 0 and told.output == f"Geschrieben: {out}\n"
    assert "erfunden" in CliRunner().invoke(main, ["deck", "karnivore", "--lang", "de"]).output
