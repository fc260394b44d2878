"""The pages' routes: two static shells, what they are made of, and the operator's door."""

from __future__ import annotations

import tomllib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from companion.edges.screen.rights import COOKIE, COOKIE_S, Rights, may
from companion.edges.screen.sockets import Sockets
from companion.table.crank import Box, Shelf
from companion.table.phrases import Phrases

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}
LONGEST_BODY = 1024  # bytes of what is posted
LANGS = ("en", "de")
Endpoint = Callable[[Request], Awaitable[Response]]


def words(lang: str) -> dict[str, str]:
    """The screens' own words in one language."""
    path = files("companion.edges.screen") / f"words.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}


class Pages:
    """Answers for everything that is not live."""

    def __init__(
        self, phrases: Mapping[str, Phrases], rights: Rights, sockets: Sockets, shelf: Shelf
    ) -> None:
        """Read all files once: what is served then is in memory, and nothing else has a name."""
        self._rights, self._sockets, self._shelf = rights, sockets, shelf
        folder = files("companion.edges") / "static"
        self._files = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
        self._phrases = {lang: _spoken(phrases, lang) for lang in LANGS}

    def routes(self) -> list[BaseRoute]:
        """All routes, each behind the rights that the table of rights gives it."""
        return [
            self._route("/", self._to_table),
            self._route("/table", partial(self._page, "table.html")),
            self._route("/op", partial(self._page, "op.html")),
            self._route("/op/pin", self._pin, "POST"),
            self._route("/op/leave", self._leave, "POST"),
            self._route("/op/steps", self._steps),
            self._route("/op/games", self._games),
            self._route("/deck/{game}", self._deck),
            self._route("/phrases/{lang}", self._words),
            self._route("/static/{name}", self._static),
            self._route("/healthz", self._healthz),
            WebSocketRoute("/ws", self._sockets.serve),  # asks the rights itself, before its first word
        ]

    def _route(self, path: str, endpoint: Endpoint, method: str = "GET") -> Route:
        async def guarded(request: Request) -> Response:
            if not may(self._rights.role(request), path):
                return PlainTextResponse("the operator's PIN is wanted", 403)
            return await endpoint(request)

        return Route(path, guarded, methods=[method])

    async def _to_table(self, request: Request) -> Response:
        del request
        return RedirectResponse("/table")

    async def _page(self, name: str, request: Request) -> Response:
        del request
        return Response(self._files[name], media_type="text/html")

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        kind = KINDS.get(name.rpartition(".")[2])
        if kind is None or name not in self._files:
            return PlainTextResponse("there is no such file", 404)
        return Response(self._files[name], media_type=kind)

    async def _words(self, request: Request) -> Response:
        spoken = self._phrases.get(request.path_params["lang"])
        return _json(spoken) if spoken is not None else PlainTextResponse("en or de", 404)

    async def _healthz(self, request: Request) -> Response:
        del request
        return PlainTextResponse("ok")

    async def _deck(self, request: Request) -> Response:
        """The cards of a game: which there are is no secret, where they are is not told."""
        box = self._boxes().get(request.path_params["game"])
        if box is None:
            return PlainTextResponse("there is no such game", 404)
        return _json({"cards": [[card.id, card.face, card.kind] for card in box.deck.cards]})

    async def _games(self, request: Request) -> Response:
        """What can be opened, with the options that leave a choice."""
        del request
        return _json(
            [
                {
                    "game": name,
                    "options": [
                        {"id": o.id, "default": o.default, "allowed": list(o.allowed), "phrase": o.phrase}
                        for o in box.game.options
                        if len(o.allowed) != 1
                    ],
                }
                for name, box in self._boxes().items()
            ]
        )

    async def _steps(self, request: Request) -> Response:
        del request
        session = self._sockets.session
        return _json([] if session is None else self._sockets.projection.steps(session))

    async def _pin(self, request: Request) -> Response:
        """A cookie for the right PIN. It is readable by no script and sent to no other site."""
        body = await _small(request)
        if body is None or "pin" not in body:
            return _json({"wait": 0}, 400)
        answer = self._rights.try_pin(body["pin"])
        if isinstance(answer, float):
            return _json({"wait": round(answer)}, 429 if answer else 403)
        response = _json({})
        response.set_cookie(COOKIE, answer, max_age=COOKIE_S, httponly=True, samesite="strict", path="/")
        return response

    async def _leave(self, request: Request) -> Response:
        self._rights.leave(request)
        await self._sockets.recheck()
        response = _json({})
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
        return response

    def _boxes(self) -> dict[str, Box]:
        session = self._sockets.session
        playing = {} if session is None else {session.setting.game: session.box}
        return {**playing, **self._shelf}


def _spoken(phrases: Mapping[str, Phrases], lang: str) -> dict[str, Any]:
    """All that is said in one language; games that speak alike share their texts."""
    texts: list[Mapping[str, str]] = []
    games: dict[str, int] = {}
    for game, spoken in phrases.items():
        own = spoken.texts.get(lang, {})
        if own not in texts:
            texts.append(own)
        games[game] = texts.index(own)
    return {"lang": lang, "games": games, "texts": texts, "screen": words(lang)}


def _json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


async def _small(request: Request) -> dict[str, str] | None:
    """A small JSON object of texts; None for anything else, which is not read to its end."""
    headers: Headers = request.headers
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return None
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            return None
    try:
        return msgspec.json.decode(body, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
