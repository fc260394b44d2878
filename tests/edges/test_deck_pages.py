"""The decks' pages ask one after the other, and a refusal is said in the language of the page."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from companion.edges.screen import Screen
from companion.edges.screen.decks import LONGEST_FILE, LONGEST_PICTURE, DeckPages
from companion.shelf import phrases, shelf

PIN, HERE = "271828", {"origin": "http://localhost"}


class Alone:
    """Decks that see whether somebody else may ask at the same time."""

    def __init__(self) -> None:
        self.pages = DeckPages(self)
        self.alone: list[bool] = []

    def _asked(self, answer: Any) -> Any:
        self.alone.append(self.pages._one.locked())
        return answer

    def games(self) -> tuple[str, ...]:
        asked: tuple[str, ...] = self._asked(("karnivore",))
        return asked

    def __getattr__(self, name: str) -> Any:
        return lambda *_: self._asked("" if name == "written" else {})


def test_nobody_asks_the_decks_while_another_one_does() -> None:
    decks = Alone()
    routes = [Route(path, to, methods=[how]) for path, to, how in decks.pages.routes()]
    with TestClient(Starlette(routes=routes)) as page:
        for path in (
            "list",
            "karnivore/state",
            "karnivore/deck.toml",
            "karnivore/seen",
            "no/state",
            "no/deck.toml",
        ):
            page.get(f"/op/decks/{path}")
        for path in ("enter", "remove", "undo", "import", "picture"):
            page.post(f"/op/decks/karnivore/{path}", json={})
    assert len(decks.alone) > 15 and all(decks.alone)


@pytest.mark.parametrize(
    ("how", "path", "size", "status", "said"),
    [
        ("GET", "none/state", 0, 404, "diesen Kartensatz gibt es nicht"),
        ("GET", "none/deck.toml", 0, 404, "diesen Kartensatz gibt es nicht"),
        ("POST", "karnivore/import", LONGEST_FILE + 1, 413, "eine Kartensatzdatei von höchstens 200 kB"),
        ("POST", "karnivore/picture", LONGEST_PICTURE + 1, 413, "ein Bild von höchstens 8 MB"),
    ],
)  # fmt: skip
def test_a_refusal_is_german_on_a_german_page(how: str, path: str, size: int, status: int, said: str) -> None:
    screen = Screen(lambda event, reply: None, phrases(), PIN, shelf=shelf(), decks=Alone())
    with TestClient(screen.app, base_url="http://localhost") as page:
        assert page.post("/op/pin", json={"pin": PIN}, headers=HERE).status_code == 200
        answer = page.request(how, f"/op/decks/{path}?lang=de", content=b"x" * size, headers=HERE)
    assert (answer.status_code, answer.text) == (status, said)
