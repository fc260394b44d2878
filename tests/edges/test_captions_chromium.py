"""With closed ears: whatever the voice says of a game stands on the table's screen, in the same words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from browsers import CHROMIUM
from playwright.sync_api import Browser, expect
from scenes import Scene
from staged import Stage

from companion.ears import Ears
from companion.house import News
from companion.house.deeds import Deeds
from companion.shelf import phrases
from companion.table.effects import Say
from companion.table.session import Session
from companion.wiring import simulate

pytestmark = CHROMIUM


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Session, News, tuple[Say, ...]]]:
    """A game with mistakes in it: what was said in each turn, and what the screens were told then."""
    said: list[tuple[Say, ...]] = []
    scenes: list[tuple[Session, News, tuple[Say, ...]]] = []
    speak = Deeds.speak

    def noted(deeds: Deeds, says: Iterable[Say], session: Session | None, game: str | None = None) -> None:
        said.append(tuple(says))
        speak(deeds, said[-1], session, game)

    def shown(ears: Ears, session: Session | None, news: News, show: object = Ears.show) -> None:
        if said and session is not None:
            scenes.append((session, news, tuple(each for turn in said for each in turn)))
        said.clear()
        assert callable(show)
        show(ears, session, news)

    monkeypatch.setattr(Deeds, "speak", noted)
    monkeypatch.setattr(Ears, "show", shown)
    simulate("koala", 5, 8, mess=0.1, options={"teams": True})
    return scenes


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_phrase_that_is_spoken_is_on_the_table_in_the_same_words(
    browser: Browser, evening: list[tuple[Session, News, tuple[Say, ...]]], lang: str
) -> None:
    stage, page = Stage(), browser.new_page(viewport={"width": 1280, "height": 720})
    told: set[str] = set()
    try:
        page.goto(f"{stage.address}/table?lang={lang}")
        for session, news, says in evening:
            if {say.key for say in says} <= told:
                continue
            told |= {say.key for say in says}
            stage.show(Scene("koala", "heard", session, news, 0))
            for say in says:
                words = phrases()["koala"].text(lang, say.key, say.values)
                expect(page.locator(".caption")).to_contain_text(words)
    finally:
        page.close()
        stage.screen.close()
    assert len(told) > 30
