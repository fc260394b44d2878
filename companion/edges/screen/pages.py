"""The pages' routes: static shells, what they are made of, and the operator's door."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from companion.edges.screen import codes
from companion.edges.screen.annex import Annex
from companion.edges.screen.answers import Endpoint, json_answer, packed, small, spoken
from companion.edges.screen.decks import DeckPages
from companion.edges.screen.likely import likely, printed_apart
from companion.edges.screen.look import Look
from companion.edges.screen.rights import COOKIE, COOKIE_S, Rights, may
from companion.edges.screen.seats import Seats
from companion.edges.screen.sockets import Sockets
from companion.edges.screen.speech import Speech
from companion.table import crank
from companion.table.events import Corrected
from companion.table.game import Operator, Refusal
from companion.table.phrases import Phrases
from companion.table.session import Box, Shelf
from companion.table.things import Card, CardId, Deck
from companion.wire import screen_message

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}
LANGS = ("en", "de")


def words(lang: str) -> dict[str, str]:
    """The screens' own words in one language."""
    path = files("companion.edges.screen") / f"words.{lang}.toml"
    return {str(key): str(text) for key, text in tomllib.loads(path.read_text("utf-8")).items()}


class Pages:
    """Answers for everything that is not live."""

    def __init__(
        self, phrases: Mapping[str, Phrases], rights: Rights, sockets: Sockets, shelf: Shelf, annex: Annex, look: Look,
        speech: Speech, decks: DeckPages,
    ) -> None:  # fmt: skip
        """Read all files once: what is served then is in memory, and nothing else has a name."""
        self._rights, self._sockets, self._shelf = rights, sockets, shelf
        self._annex, self._look, self._speech, self._decks = annex, look, speech, decks
        self._seats = Seats(rights, sockets)
        folder = files("companion.edges") / "static"
        self._files = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
        self._panels = {
            each.name: each.read_bytes() for each in (folder / "panels").iterdir() if each.is_file()
        }
        sockets.projection.panels = frozenset(self._panels)
        self._phrases = {lang: _common(phrases, lang) for lang in LANGS}
        self._spoken = phrases

    def routes(self) -> list[BaseRoute]:
        """All routes, each behind the rights that the table of rights gives it."""
        rooms = (
            *self._seats.routes(), *self._annex.routes(), *self._look.routes(), *self._speech.routes(),
            *self._decks.routes(),
        )  # fmt: skip
        return [
            self._route("/", self._to_table),
            self._route("/table", partial(self._page, "table.html")),
            self._route("/op", partial(self._page, "op.html")),
            self._route("/op/pin", self._pin, "POST"),
            self._route("/op/leave", self._leave, "POST"),
            self._route("/op/steps", self._steps),
            self._route("/op/games", self._games),
            self._route("/op/preview", self._preview, "POST"),
            self._route("/op/likely", self._likely, "POST"),
            self._route("/j", partial(self._page, "join.html")),
            self._route("/join.svg", self._join_code),
            self._route("/history/share.svg", self._share_code),
            self._route("/seat", partial(self._page, "seat.html")),
            self._route("/deck/{game}", self._deck),
            self._route("/phrases/{lang}", self._words),
            self._route("/phrases/{lang}/{game}", self._game_words),
            self._route("/static/{name}", partial(self._static, self._files)),
            self._route("/static/panels/{name}", partial(self._static, self._panels)),
            self._route("/healthz", self._healthz),
            self._route("/history", partial(self._page, "history.html")),
            self._route("/print", partial(self._page, "print.html")),
            self._route("/help", partial(self._page, "help.html")),
            self._route("/op/look", partial(self._page, "look.html")),
            self._route("/op/decks", partial(self._page, "decks.html")),
            *(self._route(*route) for route in rooms),
            WebSocketRoute("/ws", self._sockets.serve),  # asks the rights itself, before its first word
        ]

    def _route(self, path: str, endpoint: Endpoint, method: str = "GET") -> Route:
        async def guarded(request: Request) -> Response:
            if not may(self._rights.role(request), path):
                return spoken(request, PlainTextResponse("the operator's PIN is wanted", 403))
            return spoken(request, await endpoint(request))

        return Route(path, guarded, methods=[method])

    async def _to_table(self, request: Request) -> Response:
        del request
        return RedirectResponse("/table")

    async def _page(self, name: str, request: Request) -> Response:
        return packed(request, Response(self._files[name], media_type="text/html"))

    async def _static(self, held: Mapping[str, bytes], request: Request) -> Response:
        name = request.path_params["name"]
        kind = KINDS.get(name.rpartition(".")[2])
        if kind is None or name not in held:
            return PlainTextResponse("there is no such file", 404)
        return packed(request, Response(held[name], media_type=kind))

    async def _words(self, request: Request) -> Response:
        said = self._phrases.get(request.path_params["lang"])
        return PlainTextResponse("en or de", 404) if said is None else packed(request, json_answer(said))

    async def _game_words(self, request: Request) -> Response:
        """All that one game says."""
        game, lang = request.path_params["game"], request.path_params["lang"]
        if game not in self._spoken or lang not in LANGS:
            return PlainTextResponse("there is no such game, or no such language", 404)
        return packed(request, json_answer(self._spoken[game].texts[lang]))

    async def _healthz(self, request: Request) -> Response:
        del request
        return PlainTextResponse("ok")

    async def _deck(self, request: Request) -> Response:
        """The cards of a game: which there are is no secret, where they are is not told."""
        box = self._boxes().get(request.path_params["game"])
        if box is None:
            return PlainTextResponse("there is no such game", 404)
        return json_answer(
            {"cards": [[card.id, card.face, card.kind, _shows(box.deck, card)] for card in box.deck.cards]}
        )

    async def _games(self, request: Request) -> Response:
        """What can be opened, with the options that leave a choice."""
        del request
        return json_answer(
            [
                {
                    "game": name,
                    "setup": f"{name}_setup.js" in self._panels,
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
        return json_answer([] if session is None else self._sockets.projection.steps(session))

    async def _pin(self, request: Request) -> Response:
        """A cookie for the right PIN. It is readable by no script and sent to no other site."""
        body = await small(request)
        if body is None or "pin" not in body:
            return json_answer({"wait": 0}, 400)
        answer = self._rights.try_pin(body["pin"])
        if isinstance(answer, float):
            return json_answer({"wait": round(answer)}, 429 if answer else 403)
        response = json_answer({})
        response.set_cookie(COOKIE, answer, max_age=COOKIE_S, httponly=True, samesite="strict", path="/")
        return response

    async def _leave(self, request: Request) -> Response:
        self._rights.leave(request)
        await self._sockets.recheck()
        response = json_answer({})
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
        return response

    async def _preview(self, request: Request) -> Response:
        """What a correction would change, before it is made: totals and prompt, or why it does not fit."""
        body, session = await small(request, 4096), self._sockets.session
        if body is None or session is None or not body.get("of", "").isdecimal():
            return json_answer({}, 400)
        cards = tuple(CardId(card) for card in body.get("cards", "").split(",") if card)
        turn = crank.advance(self._boxes(), session, Corrected(int(body["of"]), cards))
        if isinstance(turn, Refusal):
            return json_answer({"refusal": screen_message.plain_refusal(turn)})
        return json_answer({
            "before": dict(crank.score(session).totals), "after": dict(crank.score(turn.session).totals),
            "prompt": crank.look(turn.session, Operator()).get("prompt"),
        })  # fmt: skip

    async def _likely(self, request: Request) -> Response:
        """What may have lain there instead, with the effect of each."""
        body, session = await small(request, 4096), self._sockets.session
        if body is None or session is None or not body.get("of", "").isdecimal():
            return json_answer({}, 400)
        number = int(body["of"])
        found = await to_thread.run_sync(lambda: likely(self._boxes(), session, number, printed_apart()))
        return json_answer({"likely": found})

    async def _join_code(self, request: Request) -> Response:
        """The address for phones as a QR code; what stands behind the # never leaves the phone."""
        del request
        join = self._sockets.join()
        if join is None:
            return PlainTextResponse("this table has no address for phones", 404)
        return await _drawn(f"{join['url']}#{join['code']}")

    async def _share_code(self, request: Request) -> Response:
        """The address of the history as a QR code: a phone finds the result there, to be kept."""
        del request
        join = self._sockets.join()
        if join is None:
            return PlainTextResponse("this table has no address for phones", 404)
        return await _drawn(f"{join['url'].removesuffix('/j')}/history")

    def _boxes(self) -> dict[str, Box]:
        session = self._sockets.session
        playing = {} if session is None else {session.setting.game: session.box}
        return {**playing, **self._shelf}


async def _drawn(address: str) -> Response:
    """An address as a QR code; drawn beside the loop, which has presses to hear."""
    drawn = await to_thread.run_sync(codes.svg, address)
    if drawn is None:
        return PlainTextResponse("this table has no address for phones", 404)
    return Response(drawn, media_type="image/svg+xml")


def _shows(deck: Deck, card: Card) -> list[str]:
    """The symbols on a card's face, where its deck tells them."""
    facts = deck.facts.get(card.face, {})
    found = next((facts[word] for word in ("symbols", "animals", "of") if word in facts), [])
    return [str(each) for each in (found if isinstance(found, list) else [found])]


def _common(phrases: Mapping[str, Phrases], lang: str) -> dict[str, Any]:
    """What every page says in one language: its own words, what all games share, and the games' names."""
    names = {game: said.texts[lang][game] for game, said in phrases.items() if game in said.texts[lang]}
    return {"lang": lang, "common": {**phrases[""].texts[lang], **names}, "screen": words(lang)}
