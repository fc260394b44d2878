"""The owner's decks on the operator's page: forms that are filled by hand or by showing a card, files in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.edges.screen.answers import Routes, json_answer

LANGS = ("en", "de")
LONGEST_FORM, LONGEST_FILE, LONGEST_PICTURE = 8_192, 200_000, 8_000_000  # bytes


class Decks(Protocol):
    """The decks as the page reaches them; all answers are plain data. Called from other threads, one at a time."""

    def games(self) -> tuple[str, ...]:
        """The games whose decks can be entered."""

    def words(self, lang: str) -> Mapping[str, str]:
        """What stands on the page above all decks."""

    def state(self, game: str, lang: str) -> dict[str, Any]:
        """Everything the page shows of a deck."""

    def enter(self, game: str, entry: str, values: Mapping[str, Any], lang: str) -> dict[str, Any]:
        """Keep an entry, or say by field why not."""

    def remove(self, game: str, entry: str, lang: str) -> dict[str, Any]:
        """Take an entry away."""

    def take(self, game: str, text: str, lang: str) -> dict[str, Any]:
        """Take a whole deck from a file."""

    def undo(self, game: str, lang: str) -> dict[str, Any]:
        """Take the last change back."""

    def written(self, game: str) -> str:
        """The deck as a file."""

    def seen(self, game: str, lang: str, content: bytes | None = None) -> dict[str, Any]:
        """Which cards the camera sees, or are in a picture."""


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What the form sends."""

    entry: str = ""
    values: dict[str, Any] = {}


class DeckPages:
    """Answers for the page /op/decks. Files and pictures are handled beside the loop: no screen waits for them."""

    def __init__(self, decks: Decks | None) -> None:
        """Reach the decks through this; None: this table has none to enter."""
        self._decks = decks
        self._one = asyncio.Lock()

    def routes(self) -> Routes:
        """Path, endpoint, method of each route that is no plain page."""
        return [
            ("/op/decks/list", self._list, "GET"),
            ("/op/decks/{game}/state", self._state, "GET"),
            ("/op/decks/{game}/deck.toml", self._export, "GET"),
            ("/op/decks/{game}/seen", self._seen, "GET"),
            ("/op/decks/{game}/picture", self._picture, "POST"),
            ("/op/decks/{game}/enter", self._enter, "POST"),
            ("/op/decks/{game}/remove", self._remove, "POST"),
            ("/op/decks/{game}/undo", self._undo, "POST"),
            ("/op/decks/{game}/import", self._import, "POST"),
        ]

    async def _list(self, request: Request) -> Response:
        """The games whose decks can be entered, and the words above them."""
        if self._decks is None:
            return json_answer({"games": [], "words": {}})
        async with self._one:
            games = await to_thread.run_sync(self._decks.games)
            words = await to_thread.run_sync(self._decks.words, _lang(request))
        return json_answer({"games": games, "words": words})

    async def _state(self, request: Request) -> Response:
        return await self._told(request, lambda decks, game, lang: decks.state(game, lang))

    async def _seen(self, request: Request) -> Response:
        return await self._told(request, lambda decks, game, lang: decks.seen(game, lang))

    async def _undo(self, request: Request) -> Response:
        return await self._told(request, lambda decks, game, lang: decks.undo(game, lang))

    async def _picture(self, request: Request) -> Response:
        """A picture file: which cards are in it."""
        content = await _body(request, LONGEST_PICTURE)
        if content is None:
            return PlainTextResponse("a picture of at most 8 MB", 413)
        return await self._told(request, lambda decks, game, lang: decks.seen(game, lang, content))

    async def _enter(self, request: Request) -> Response:
        sent = await _sent(request)
        if sent is None:
            return json_answer({}, 400)
        return await self._told(
            request, lambda decks, game, lang: decks.enter(game, sent.entry, sent.values, lang)
        )

    async def _remove(self, request: Request) -> Response:
        sent = await _sent(request)
        if sent is None:
            return json_answer({}, 400)
        return await self._told(request, lambda decks, game, lang: decks.remove(game, sent.entry, lang))

    async def _import(self, request: Request) -> Response:
        content = await _body(request, LONGEST_FILE)
        if content is None:
            return PlainTextResponse("a deck file of at most 200 kB", 413)
        text = content.decode("utf-8", "replace")
        return await self._told(request, lambda decks, game, lang: decks.take(game, text, lang))

    async def _export(self, request: Request) -> Response:
        game, decks = request.path_params["game"], self._decks
        async with self._one:
            if decks is None or game not in await to_thread.run_sync(decks.games):
                return PlainTextResponse("there is no such deck", 404)
            text = await to_thread.run_sync(decks.written, game)
        held = {"content-disposition": f'attachment; filename="{game}.toml"', "cache-control": "no-store"}
        return Response(text, media_type="application/toml", headers=held)

    async def _told(self, request: Request, ask: Callable[[Decks, str, str], dict[str, Any]]) -> Response:
        """Ask beside the loop, one after the other."""
        game, decks = request.path_params["game"], self._decks
        async with self._one:
            if decks is None or game not in await to_thread.run_sync(decks.games):
                return PlainTextResponse("there is no such deck", 404)
            return json_answer(await to_thread.run_sync(ask, decks, game, _lang(request)))


def _lang(request: Request) -> str:
    lang = request.query_params.get("lang", "en")
    return lang if lang in LANGS else "en"


async def _body(request: Request, longest: int) -> bytes | None:
    """What was posted; None where it is longer, and is not read to its end."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > longest:
            return None
    return body


async def _sent(request: Request) -> _Sent | None:
    """What a form has sent; None for anything else."""
    content = await _body(request, LONGEST_FORM)
    try:
        return None if content is None else msgspec.json.decode(content, type=_Sent)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
