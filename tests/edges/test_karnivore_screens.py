"""Karnivore's tribes on small tables, in a real Chromium: every card has its name, the chances stay whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Page, expect
from scenes import Scene, scenes
from staged import Stage, enter, sit

from companion.table.cues import Choose

pytestmark = CHROMIUM
SIZES = [(1024, 600), (1280, 720)]
# Names that are not seen, are broken elsewhere than at a space or before the bear, or lie out of their card.
BROKEN = """[...document.querySelectorAll(".ka-name")].filter((e) => {
  if (!e.checkVisibility({ visibilityProperty: true })) return true;
  const text = e.firstChild, lines = [];
  for (let i = 0; i < text.length; i++) if (text.data[i] !== "\\u00ad") {
    const range = document.createRange(); range.setStart(text, i); range.setEnd(text, i + 1);
    const box = [...range.getClientRects()].pop(); // the first one is the hyphen
    if (box && box.width && (!lines.length || box.top > lines.at(-1).top + 3)) lines.push({ top: box.top, before: text.data[i - 1] });
  }
  const card = e.parentElement.getBoundingClientRect(), name = e.getBoundingClientRect();
  return lines.slice(1).some((line) => !" \\u00ad".includes(line.before)) || name.bottom > card.bottom || name.right > card.right + 1;
}).map((e) => e.innerText)"""
LETTERS = "[...new Set([...document.querySelectorAll('.ka-tribe')].map((t) => [...new Set([...t.querySelectorAll('.ka-name')].map((e) => Math.round(parseFloat(getComputedStyle(e).fontSize))))].length))]"
SYMBOLS = """[...document.querySelectorAll(".ka-card svg")].filter((e) => e.checkVisibility({ visibilityProperty: true })
  && e.getBoundingClientRect().bottom > e.closest(".ka-card").getBoundingClientRect().bottom - 1).length"""


def moments(players: int) -> dict[str, Scene]:
    return {scene.phase: scene for scene in scenes("karnivore", players) if scene.phase != "over"}


def laid(page: Page, stage: Stage, scene: Scene, lang: str) -> None:
    stage.show(scene)
    page.goto(f"{stage.address}/table?lang={lang}")
    expect(page.locator(".ka-tribe").first).to_be_visible()
    page.wait_for_function(
        "!document.documentElement.hasAttribute('data-coming') && document.fonts.status === 'loaded'"
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [4, 6])
def test_every_card_of_a_small_table_has_its_name_in_one_size_broken_where_it_may_be(
    browser: Browser, stage: Stage, players: int, size: tuple[int, int], lang: str
) -> None:
    with Watched(browser, *size) as page:
        for phase in ("tribe", "roll"):
            laid(page, stage, moments(players)[phase], lang)
            assert page.evaluate(BROKEN) == []
            assert page.evaluate(LETTERS) == [1]
            assert page.evaluate(SYMBOLS) == 0
            prompt = page.locator("footer .prompt").evaluate("(e) => e.getBoundingClientRect().height")
            assert prompt <= 0.18 * size[1]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_the_chances_of_a_roll_stand_there_with_their_percent_sign(
    browser: Browser, stage: Stage, size: tuple[int, int], lang: str
) -> None:
    with Watched(browser, *size) as page:
        laid(page, stage, moments(6)["roll"], lang)
        told = page.locator(".ka-tray > small")
        expect(told.first).to_be_visible()
        assert all("\u00a0%" in text for text in told.all_text_contents())


@pytest.mark.parametrize(("lang", "text"), [("en", "empty animals 0"), ("de", "leer Tiere 0")])
def test_an_empty_place_and_the_number_beside_it_are_two_words(
    browser: Browser, stage: Stage, lang: str, text: str
) -> None:
    scene = moments(4)["tribe"]
    head = scene.session.head
    empty = replace(head, state=replace(head.state, back=None, last_back=None, animals=0))
    with Watched(browser, 1280, 720) as page:
        laid(page, stage, replace(scene, session=replace(scene.session, head=empty)), lang)
        pile = page.locator(".ka-pile")
        assert " ".join(pile.inner_text().split()).endswith(text)
        assert (
            pile.locator("b").evaluate("(e) => e.getBoundingClientRect().bottom")
            <= pile.locator("small").evaluate("(e) => e.getBoundingClientRect().top") + 1
        )


@pytest.mark.parametrize(
    ("lang", "fighter", "drawer"),
    [
        ("en", "Gain 3 spears.", "Draw 1 card for each die."),
        ("de", "Du bekommst 3 Speere.", "Je Würfel 1 Karte ziehen."),
    ],
)
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_what_a_card_does_stands_under_its_choice_on_both_pages(
    browser: Browser, stage: Stage, size: tuple[int, int], lang: str, fighter: str, drawer: str
) -> None:
    scene = moments(4)["crowns"]
    asked = next(cue for cue in scene.session.cues if isinstance(cue, Choose))
    with Watched(browser, *size) as page:
        sit(page, stage, str(asked.player))
        stage.show(scene)
        page.goto(f"{stage.address}/seat?lang={lang}")
        kept = page.locator(".option", has=page.locator("[data-option='Mia:barbearian:03']")).locator(".does")
        expect(kept).to_have_text(fighter)
        assert {fighter, drawer} <= set(page.locator(".option .does").all_inner_texts())
        plain = page.locator(".option", has=page.locator("[data-option='back']"))
        expect(plain.locator(".does")).to_have_count(0)
        enter(page, stage, lang)
        expect(page.locator(".option .does").first).to_be_visible()
        assert {fighter, drawer} <= set(page.locator(".option .does").all_inner_texts())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
