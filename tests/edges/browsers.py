"""Debian's Chromium for tests, and a page that is watched: no fault in its log, no request off the box."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PATH = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = pytest.mark.skipif(
    PATH is None and "CI" not in os.environ, reason="no chromium here; apt install chromium"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium. It lives in the module that asks: its event loop must not run under other tests."""
    assert PATH is not None, "apt install chromium"
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=PATH, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A page with cookies of its own."""

    def __init__(
        self, browser: Browser, width: int, height: int, *, faults: bool = True,
        look: Literal["light", "dark"] = "dark",
    ) -> None:  # fmt: skip
        self._context: Any = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
        )
        self._check, self.faults, self.asked = faults, list[str](), list[str]()

    def __enter__(self) -> Page:
        page: Page = self._context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        page.on("request", lambda request: self.asked.append(request.url))
        return page

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.close()
        if kind is None:
            assert not self._check or self.faults == []
            near = ("http://127.0.0.1:", "data:", "blob:", "chrome")  # the last: Chromium's own PDF viewer
            assert all(url.startswith(near) for url in self.asked), self.asked
