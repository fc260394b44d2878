"""The operator's file of the last ten seconds: how many are kept, and why there is none, in both languages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from companion.edges.screen.look import Look, NoLooking
from companion.running.eyes import KEPT, Sight


class Shut(NoLooking):
    """A game with cards that only one may see."""

    def secret(self) -> bool:
        return True


def browser(looking: Any) -> TestClient:
    return TestClient(
        Starlette(routes=[Route(path, to, methods=[how]) for path, to, how in Look(looking).routes()])
    )


@pytest.mark.parametrize(
    ("looking", "status", "english", "german"),
    [
        (NoLooking(), 404, "nothing was seen", "nichts gesehen"),
        (Shut(), 409, "once it is over", "wenn es vorbei ist"),
    ],
)
def test_a_secret_and_an_empty_table_are_two_answers(
    looking: NoLooking, status: int, english: str, german: str
) -> None:
    with browser(looking) as page:
        answers = [page.post(f"/op/bundle{lang}") for lang in ("", "?lang=en", "?lang=de", "?lang=xx")]
    assert {answer.status_code for answer in answers} == {status}
    for answer, word in zip(answers, (english, english, german, english), strict=True):
        assert word in answer.text


def test_only_the_newest_ten_bundles_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.txt").write_text("somebody's own")
    sight, names = Sight(tmp_path, lambda: None), list[str]()
    for second in range(KEPT + 3):
        monkeypatch.setattr(time, "strftime", lambda _, second=second: f"20261130-1000{second:02d}")
        saved = sight.bundle()
        assert saved is not None
        names.append(saved[0])
    assert sorted(file.name for file in tmp_path.glob("*.zip")) == names[-KEPT:]
    monkeypatch.setattr(
        time, "strftime", lambda _: "20200101-000000"
    )  # a clock that went back keeps what is new
    saved = sight.bundle()
    assert saved is not None and (tmp_path / saved[0]).exists()
    assert len(list(tmp_path.glob("*.zip"))) == KEPT and (tmp_path / "notes.txt").exists()
