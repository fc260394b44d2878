"""The operator's view through the camera: live picture, advice, doubts to decide, the last ten seconds as a file."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.edges.screen.answers import Routes, json_answer, small

LANGS = ("en", "de")
NOTHING = {
    "en": "nothing was seen yet: connect a camera (--camera) and let it watch a zone",
    "de": "noch wurde nichts gesehen: schließ eine Kamera an (--camera) und lass sie eine Zone beobachten",
}
BARE = {  # what the page says where there is no camera at all
    "en": {
        "title": "What the camera sees",
        "save": "Save the last 10 s",
        "back": "Operator",
        "none": NOTHING["en"],
    },
    "de": {
        "title": "Was die Kamera sieht",
        "save": "Letzte 10 s sichern",
        "back": "Spielleitung",
        "none": NOTHING["de"],
    },
}
SEALED = {
    "en": "this game has cards that only one may see: save the pictures once it is over",
    "de": "in diesem Spiel gibt es Karten, die nur einer sehen darf: sichere die Bilder, wenn es vorbei ist",
}


class Looking(Protocol):
    """The camera as the operator's page reaches it. All may be called from any thread."""

    def state(self, lang: str) -> dict[str, Any] | None:
        """Everything the newest frame shows, as plain data; None: there is no frame."""

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""

    def rule(self, number: int, marker: int | None) -> None:
        """A person says what a doubt is: this marker, or nothing."""

    def bundle(self) -> tuple[str, bytes] | None:
        """Save the last ten seconds: the file's name and content. None: nothing was seen, or it is secret."""

    def report(self) -> tuple[str, bytes] | None:
        """A report of a problem, without names and secrets: the file's name and content. None: nobody makes one."""

    def secret(self) -> bool:
        """Whether what was seen stays shut until the game is over."""


class NoLooking:
    """A table without a camera."""

    def state(self, lang: str) -> dict[str, Any] | None:
        """Nothing is seen."""
        del lang
        return None

    def picture(self) -> bytes | None:
        """Nothing is seen."""
        return None

    def rule(self, number: int, marker: int | None) -> None:
        """There is no doubt."""

    def bundle(self) -> tuple[str, bytes] | None:
        """Nothing was seen."""
        return None

    def report(self) -> tuple[str, bytes] | None:
        """Nobody makes one."""
        return None

    def secret(self) -> bool:
        """Nothing is."""
        return False


class Look:
    """Answers for the page /op/look. Pictures are made in another thread: no screen waits for them."""

    def __init__(self, looking: Looking) -> None:
        """Look through this."""
        self._looking = looking

    def routes(self) -> Routes:
        """Path, endpoint, method."""
        return [
            ("/op/look/state", self._state, "GET"),
            ("/op/look/picture", self._picture, "GET"),
            ("/op/look/rule", self._rule, "POST"),
            ("/op/bundle", self._bundle, "POST"),
        ]

    async def _state(self, request: Request) -> Response:
        state = await asyncio.to_thread(self._looking.state, _lang(request))
        return json_answer(state if state is not None else {"none": True, "words": BARE[_lang(request)]})

    async def _picture(self, request: Request) -> Response:
        del request
        jpeg = await asyncio.to_thread(self._looking.picture)
        if jpeg is None:
            return PlainTextResponse("no picture comes", 404)
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def _rule(self, request: Request) -> Response:
        body = await small(request)
        try:
            number, marker = int((body or {})["number"]), (body or {})["marker"]
            await asyncio.to_thread(self._looking.rule, number, int(marker) if marker else None)
        except (KeyError, ValueError):
            return json_answer({}, 400)
        return json_answer({})

    async def _bundle(self, request: Request) -> Response:
        """The last ten seconds with their pictures; with ?what=report what is needed to mend a problem, nameless."""
        if request.query_params.get("what") == "report":
            made = await asyncio.to_thread(self._looking.report)
            return PlainTextResponse("", 404) if made is None else _file(*made)
        saved = await asyncio.to_thread(self._looking.bundle)
        if saved is None and self._looking.secret():
            return PlainTextResponse(SEALED[_lang(request)], 409)
        if saved is None:
            return PlainTextResponse(NOTHING[_lang(request)], 404)
        return _file(*saved)


def _file(name: str, content: bytes) -> Response:
    held = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type="application/zip", headers=held)


def _lang(request: Request) -> str:
    lang = request.query_params.get("lang", "en")
    return lang if lang in LANGS else "en"
