"""Exports hold every point; a name never becomes a formula; the link for BG Stats reads back."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import parse_qs, urlparse

from hypothesis import given
from hypothesis import strategies as st

from companion.wire.exports import as_csv, as_json, bg_stats


def game(first: str = "Mia") -> dict[str, Any]:
    return {
        "id": "1", "game": "koala", "on": 1_790_000_000, "players": [first, "Paul", "Ada"],
        "totals": {f"{first}+Ada": 5, "Paul": 2}, "winners": [f"{first}+Ada"],
        "lines": [{"who": first, "points": 1, "rule": "R", "why": "score.feasts", "values": {}}],
    }  # fmt: skip


def test_every_total_and_every_point_has_a_row() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([game(), game("Ben")]))))
    assert [row["total"] for row in rows] == ["5", "2", "", "5", "2", ""]
    assert [row["points"] for row in rows if row["rule"]] == ["1", "1"]
    assert rows[0]["date_utc"] == "2026-09-21"


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_no_name_becomes_a_formula_and_none_breaks_a_row(name: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv([game(name)]), newline="")))
    assert len(rows) == 4 and all(len(row) == len(rows[0]) for row in rows)
    assert all(cell[:1] not in ("=", "+", "-", "@") for row in rows for cell in row)


def test_json_holds_what_was_kept() -> None:
    assert json.loads(as_json([game()])) == [game()]


def test_the_link_names_everybody_with_score_and_winner() -> None:
    play = json.loads(parse_qs(urlparse(bg_stats(game(), "Koala")).query)["data"][0])
    assert [(each["name"], each["score"], each["winner"]) for each in play["players"]] == [
        ("Mia", "5", True), ("Paul", "2", False), ("Ada", "5", True),
    ]  # fmt: skip
