"""A served screen for browser tests, and the ways into its pages."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from scenes import Scene

from companion.edges.archive import Archive
from companion.edges.screen import Screen
from companion.printing import printed_for_screen
from companion.shelf import phrases, shelf

PIN = "271828"


class Stage:
    """A served screen whose clock stands where a scene says."""

    def __init__(self, diagonal: float | None = None) -> None:
        self.now, self.archive = 0, Archive(None)
        self.screen = Screen(
            lambda event, reply: None, phrases(), PIN, shelf=shelf(), now=lambda: self.now,
            archive=self.archive, printer=printed_for_screen, diagonal=diagonal,
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{self.screen.serve('127.0.0.1', 0)}"
        self.screen.at("http://192.168.178.123:8080")

    def show(self, scene: Scene) -> None:
        self.now = scene.now
        self.screen.show(scene.session, scene.news)


def enter(page: Page, stage: Stage, lang: str) -> None:
    page.goto(f"{stage.address}/op?lang={lang}")
    page.locator(".pin input").fill(PIN)
    page.locator(".pin button").click()
    expect(page.locator(".op-page")).to_be_visible()


def sit(page: Page, stage: Stage, name: str) -> None:
    """Take a seat by typing a name: no game is under way."""
    page.goto(f"{stage.address}/j?lang=de#{stage.screen.code}")
    page.locator("form input").fill(name)
    page.locator("form button").click()
    page.wait_for_url("**/seat")


# A game's own part of the page is a file that may come late; what it brings is folded.
UNFOLDED = """async () => {
  const picture = () => new Promise((done) => requestAnimationFrame(done));
  for (let still = 0, left = 1800; still < 10 && left > 0; left--) {
    const folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((each) => { each.open = true; });
    await picture();
    const more = folded.length > 0 || document.documentElement.hasAttribute("data-coming");
    still = more ? 0 : still + 1;
  }
}"""


def unfold(page: Page) -> None:
    """Open all that can be opened, also what is in it and what is still on its way."""
    page.evaluate(UNFOLDED)
