"""A complete evening in real browsers: sit down, play by taps, go back past the end, look it up, in both languages.

Cards are laid by simulated persons and told as the camera would tell them; every press and every choice is a
tap on the phone of whoever makes it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.ears import Ears
from companion.edges.archive import Archive
from companion.edges.clocks import StillClocks
from companion.edges.journal import Journal
from companion.edges.screen import Screen
from companion.edges.voice import Silence
from companion.house import House
from companion.printing import printed_for_screen
from companion.running.parts import Both
from companion.running.records import Chronicle
from companion.shelf import deck, phrases, shelf
from companion.sim.evening import Evening, Told, play
from companion.sim.evenings import evening, folders
from companion.table import crank
from companion.table.cues import Press as PressCue
from companion.table.effects import Say
from companion.table.events import Shown
from companion.table.game import Seat, View
from companion.table.luck import Luck
from companion.table.photo_finish import MS
from companion.table.session import Session
from companion.table.things import Button, CardId, Player, Zone
from companion.wiring import NAMES, Looks

sys.path.insert(0, str(Path(__file__).parent / "edges"))
from browsers import CHROMIUM, Watched

pytestmark = CHROMIUM
PIN = "271828"
# Whole drawings by taps have tests of their own (tests/games/rescue): here the sheets are of paper.
CHOSEN: dict[str, dict[str, str]] = {"rescue": {"depth": "light"}}
TEXTS = phrases()
STANDS = {"cue.start": "starter", "cue.mine": "whose"}  # where a choice of a name stands for a press


class Dark:
    """No lamps."""

    def shine(self, player: Player, look: str) -> None: ...
    def blink(self, player: Player, look: str) -> None: ...
    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None: ...


class Taps:
    """The companion in virtual time, reached through phones."""

    def __init__(self) -> None:
        self.clocks, self.ears, self.looks = StillClocks(1_000 * MS), Ears(), Looks()
        self.archive, self.phones = Archive(None), dict[Player, Page]()
        self.screen = Screen(
            lambda event, reply: self.house.put(event, reply),  # noqa: PLW0108  # the house is made a moment later
            TEXTS, PIN, now=self.clocks.now, shelf=shelf(),
            archive=self.archive, printer=printed_for_screen,
        )  # fmt: skip
        self.house = House(
            shelf(), TEXTS, Journal(None), self.clocks, lamps=Dark(), voice=Silence(), eyes=self.looks,
            screens=Both(self.screen, self.ears, Chronicle(self.archive, self._ill, "en")),
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{self.screen.serve('127.0.0.1', 0)}"
        self.screen.at(self.address)

    def _ill(self, text: str) -> None:
        raise AssertionError(text)

    def heed(self) -> None:
        """Wait for what was tapped to arrive, and take it in."""
        heard = self.house.queue.get(timeout=20)
        assert heard is not None
        self.house.hear(heard)
        self.house.step()

    def session(self) -> Session:
        assert self.house.session is not None
        return self.house.session

    def watched(self) -> tuple[Zone, ...]:
        return self.looks.zones

    def anew(self) -> tuple[Zone, ...]:
        return self.looks.anew()

    def heard(self) -> tuple[Say, ...]:
        return self.ears.heard()

    def own(self, player: Player) -> View:
        return crank.look(self.session(), Seat(player))

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        """Press on the phone; where a choice says the same, the phone has no second button for it."""
        self.clocks.advance_to(self.clocks.now() + after_ns)
        whys = [
            c.why
            for c in self.session().cues
            if isinstance(c, PressCue) and (c.player, c.button) == (player, button)
        ]
        texts = TEXTS[self.session().setting.game]
        said = [texts.text("en", why, {}) for why in whys]
        named = [f'[data-cue="{cue}"][data-option="{player}"]' for why, cue in STANDS.items() if why in whys]
        same = [f'button[data-cue]:text-matches("^{re.escape(text)}$", "i")' for text in said]
        self._tap(player, ", ".join((f"button.press[data-button={button}]", *named, *same)))

    def choose(self, player: Player, cue: str, option: str) -> None:
        self._tap(player, f'[data-cue="{cue}"][data-option="{option}"]')

    def _tap(self, player: Player, what: str) -> None:
        """Tap once the phone shows how things stand now."""
        self.house.step()
        page = self.phones[player]
        button = page.locator(f'main[data-rev="{self.session().last}"]').locator(what).first
        button.wait_for(state="attached")
        fold = button.locator("xpath=ancestor::details[not(@open)]").last
        if fold.count():
            fold.locator("summary").first.click()
        button.click()
        self.heed()

    def show(self, zone: Zone, cards: tuple[CardId, ...]) -> None:
        self.house.put(Shown(zone, cards))

    def settle(self) -> None:
        self.house.step()
        self.clocks.advance_to(self.clocks.now() + 20 * MS)
        self.house.step()

    def wait(self) -> bool:
        due = self.house.next_due()
        if due is None:
            return False
        self.clocks.advance_to(due)
        self.house.step()
        return True

    def close(self) -> None:
        self.screen.close()
        self.archive.close()
        self.house.journal.close()


@pytest.fixture
def taps() -> Iterator[Taps]:
    made = Taps()
    yield made
    made.close()


def begin(taps: Taps, op: Page, played: Evening, names: tuple[str, ...], lang: str) -> None:
    """The operator enters, chooses the game and the names, and opens it."""
    op.goto(f"{taps.address}/op?lang={lang}")
    op.locator(".pin input").fill(PIN)
    op.locator(".pin button").click()
    op.locator("select").first.select_option(played.game)
    op.locator(".seating input").fill(", ".join(names))
    op.locator(".seating form button").click()
    for value in CHOSEN.get(played.game, {}).values():
        op.locator("details:has(option) summary").filter(has=op.locator("xpath=.")).last.click()
        op.locator("select").filter(has=op.locator(f'option[value="{value}"]')).first.select_option(value)
    op.locator("button.main", has_text=re.compile(r"\d")).click()
    taps.heed()


def sit(taps: Taps, page: Page, name: str, lang: str) -> None:
    """A phone scans the code and taps its name."""
    page.goto(f"{taps.address}/j?lang={lang}#{taps.screen.code}")
    page.locator(".choices button", has_text=name).click()
    page.wait_for_url("**/seat")
    taps.phones[Player(name)] = page


@pytest.mark.parametrize("game", folders())
def test_a_whole_game_is_played_by_taps_taken_back_past_its_end_and_found_in_history(
    browser: Browser, taps: Taps, game: str, tmp_path: Path
) -> None:
    played, lang = evening(game), "de" if len(game) % 2 else "en"
    count = max(played.few, min(4, played.many))
    names = tuple(Player(name) for name in NAMES[:count])
    body = played.seat(deck(played.folder), names, Luck(5), CHOSEN.get(game, {}))
    watched = [Watched(browser, 412, 915) for _ in range(count + 2)]
    pages: list[Any] = [each.__enter__() for each in watched]
    table, op, *phones = pages
    table.set_viewport_size({"width": 1280, "height": 720})
    table.goto(f"{taps.address}/table?lang={lang}")
    begin(taps, op, played, names, lang)
    for page, name in zip(phones, names, strict=True):
        sit(taps, page, name, lang)
    result = play(played, taps, body, Told())
    assert result.differences == ()
    expect(table.locator(".screen.over .prompt")).not_to_be_empty()
    table.screenshot(path=tmp_path / f"{game}-result.png")
    back = op.get_by_role("button", name=re.compile("One back|Einen zurück")).first
    back.click()
    taps.heed()
    expect(table.locator(".screen.over")).to_have_count(0)
    assert taps.archive.games() == []
    op.get_by_role("button", name=re.compile("Again|Noch einmal")).first.click()
    taps.heed()
    expect(table.locator(".screen.over .prompt")).not_to_be_empty()
    op.goto(f"{taps.address}/history?lang={lang}")
    expect(op.locator("summary b").first).to_be_visible()
    assert taps.archive.games()[0]["winners"] == list(result.winners)
    for each in watched:
        each.__exit__(None, None, None)
