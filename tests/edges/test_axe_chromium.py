"""axe-core finds no serious fault: on every page, with every game in play and at its end, dark and light."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from browsers import CHROMIUM, Watched
from playwright.sync_api import Browser, Page, expect
from scenes import OPTIONS, Scene, classroom, scenes
from staged import Stage, enter, unfold

from companion.table.record import record

pytestmark = CHROMIUM
LOOKS: tuple[Literal["dark", "light"], ...] = ("dark", "light")
AXE = Axe()
PHASES = 3  # of a game, the fullest first, and its end


def serious(page: Page, name: str) -> list[str]:
    """What axe calls serious or critical on this page now."""
    found = AXE.run(page).response["violations"]
    return [
        f"{name}: {fault['id']}: {node['html'][:110]} {node.get('failureSummary', '')[:160]}"
        for fault in found if fault["impact"] in ("serious", "critical") for node in fault["nodes"][:3]
    ]  # fmt: skip


def shown(game: str) -> list[Scene]:
    *before, end = scenes(game)
    spread = before[:: max(1, len(before) // PHASES)]
    return [*spread, end, *([classroom()] if game == "rescue" else [])]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("game", OPTIONS)
def test_the_table_has_no_serious_fault(
    browser: Browser, stage: Stage, game: str, look: Literal["dark", "light"]
) -> None:
    wrong = []
    with Watched(browser, 1280, 720, look=look) as page:
        page.goto(f"{stage.address}/table?lang=de")
        for scene in shown(game):
            stage.show(scene)
            page.wait_for_selector(f'.screen[data-rev="{scene.session.last}"][data-game="{game}"]')
            page.wait_for_selector("main.plain", state="detached")
            wrong += serious(page, f"{game}-{scene.phase}-{look}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("game", OPTIONS)
def test_a_phone_has_no_serious_fault(
    browser: Browser, stage: Stage, game: str, look: Literal["dark", "light"]
) -> None:
    wrong = []
    moments = [scene for scene in shown(game) if scene.phase != "class"]
    with Watched(browser, 390, 844, look=look) as page:
        stage.show(moments[0])
        who = moments[0].session.setting.players[0]
        page.goto(f"{stage.address}/j?lang=en#{stage.screen.code}")
        page.locator(".choices button", has_text=who).first.click()
        page.wait_for_url("**/seat")
        for scene in moments:
            stage.show(scene)
            page.wait_for_selector(f'main[data-rev="{scene.session.last}"]')
            wrong += serious(page, f"{game}-{scene.phase}-phone-{look}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("look", LOOKS)
def test_the_operators_page_has_no_serious_fault_in_any_game(
    browser: Browser, stage: Stage, look: Literal["dark", "light"]
) -> None:
    wrong = []
    with Watched(browser, 800, 900, look=look) as page:
        enter(page, stage, "de")
        for game in OPTIONS:
            for scene in shown(game)[1:3]:
                stage.show(scene)
                page.wait_for_selector(f'.op-page[data-rev="{scene.session.last}"]')
                unfold(page)
                wrong += serious(page, f"{game}-{scene.phase}-op-{look}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("look", LOOKS)
def test_the_quiet_pages_have_no_serious_fault(
    browser: Browser, stage: Stage, look: Literal["dark", "light"]
) -> None:
    for game in OPTIONS:
        stage.archive.keep(record(scenes(game)[-1].session), b"")
    wrong = []
    with Watched(browser, 800, 900, look=look, faults=False) as page:
        for name, there in (("table", ".joining"), ("op", ".pin input"), ("j", "form")):
            page.goto(f"{stage.address}/{name}?lang=en")
            expect(page.locator(there).first).to_be_visible()
            wrong += serious(page, f"{name}-{look}")
        enter(page, stage, "en")
        for name in ("op", "op/look", "print", "help", "history"):
            page.goto(f"{stage.address}/{name}?lang=de")
            expect(page.locator("h1").first).to_be_visible()
            unfold(page)
            wrong += serious(page, f"{name}-{look}")
    assert wrong == [], "\n".join(wrong)
