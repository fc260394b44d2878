"""The quiet pages beside the game: history with its exports, the print shop, help."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.edges.screen import codes
from companion.edges.screen.answers import Endpoint, Routes, json_answer, small
from companion.table import crank
from companion.table.game import Table
from companion.table.phrases import Phrases
from companion.table.plain import plain_say
from companion.table.record import tales
from companion.table.session import Shelf
from companion.table.things import CompanionError
from companion.wire import exports, journal_line

PAPERS, LANGS = ("a4", "letter"), ("en", "de")
Printer = Callable[
    [str, Mapping[str, str]], bytes
]  # game and wishes -> a PDF; CompanionError says what is wrong
LONGEST_MAP = 40_000  # bytes of a map of Rescue Club to be printed
WISHES = re.compile(r"^[\w.:/+,-]{0,200}$")


class Archive(Protocol):
    """Where finished games are kept."""

    def games(self) -> list[dict[str, Any]]:
        """All games, newest first, each with "counts"."""

    def lines(self, name: str) -> bytes:
        """A game's events as journal lines; empty for one that is not kept so."""

    def count(self, name: str, counts: bool) -> None:
        """Say whether a game counts in the statistics."""

    def forget(self, player: str) -> int:
        """Take a player's name out of every game; in how many it stood."""


class NoArchive:
    """A table that keeps no games."""

    def games(self) -> list[dict[str, Any]]:
        """None."""
        return []

    def lines(self, name: str) -> bytes:
        """None."""
        del name
        return b""

    def count(self, name: str, counts: bool) -> None:
        """Nothing is there to count."""

    def forget(self, player: str) -> int:
        """Nobody is known."""
        del player
        return 0


def no_printer(game: str, wishes: Mapping[str, str]) -> bytes:
    """A table that prints nothing."""
    del wishes
    raise NoPaper(f"{game}: this table prints nothing; use companion print")


class NoPaper(CompanionError, ValueError):
    """There is nothing to print on; the text says what to do."""


class Annex:
    """Answers for history, print and their files."""

    def __init__(
        self, archive: Archive, printer: Printer, phrases: Mapping[str, Phrases], decks: list[str],
        may_mend: Callable[[Request], bool], shelf: Shelf, panel: Callable[[str], dict[str, Any]],
    ) -> None:  # fmt: skip
        """Take what the pages show; `decks`: games that can be printed; `may_mend`: whether it is the operator."""
        self._archive, self._printer, self._phrases, self._decks = archive, printer, phrases, decks
        self._may_mend, self._shelf, self._panel = may_mend, shelf, panel
        self._one = asyncio.Lock()  # long work, one at a time

    def routes(self) -> Routes:
        """Path, endpoint and method of each route that is no plain page."""
        routes: Routes = [
            ("/history/games", self._games, "GET"),
            ("/history/export/{form}", self._export, "GET"),
            ("/history/bgstats/{id}.svg", self._bg_stats, "GET"),
            ("/history/replay/{id}", self._replay, "GET"),
            ("/history/count", self._count, "POST"),
            ("/history/forget", self._forget, "POST"),
            ("/print/games", self._printed, "GET"),
            ("/print/{game}.pdf", self._print, "GET"),
            ("/print/{game}.pdf", self._print, "POST"),  # with a map of one's own, too long for an address
        ]
        return [(path, _told(endpoint), method) for path, endpoint, method in routes]

    async def _games(self, request: Request) -> Response:
        """All games, and whether whoever asks may mend them."""
        return json_answer({"games": self._archive.games(), "mend": self._may_mend(request)})

    async def _export(self, request: Request) -> Response:
        """Everything, as CSV or JSON, to be saved."""
        form = request.path_params["form"]
        makers = {
            "games.csv": (exports.as_csv, "text/csv"),
            "games.json": (exports.as_json, "application/json"),
        }
        if form not in makers:
            return PlainTextResponse("games.csv or games.json", 404)
        make, kind = makers[form]
        return Response(
            make(self._archive.games()), media_type=f"{kind}; charset=utf-8",
            headers={"content-disposition": f'attachment; filename="{form}"'},
        )  # fmt: skip

    async def _bg_stats(self, request: Request) -> Response:
        """One game as a code that a phone with the app BG Stats scans."""
        game = self._of(request.path_params["id"])
        if game is None:
            return PlainTextResponse("there is no such game", 404)
        title = self._phrases.get(game["game"], self._phrases[""]).texts["en"].get(game["game"], game["game"])
        drawn = codes.svg(exports.bg_stats(game, title), dense=True)
        if drawn is None:
            return PlainTextResponse("too many players for one code: use the JSON file", 404)
        return Response(drawn, media_type="image/svg+xml")

    async def _replay(self, request: Request) -> Response:
        """Every step of a finished game as the table saw it, oldest first."""
        lines = self._archive.lines(request.path_params["id"]).split(b"\n")
        if not lines[0]:
            return PlainTextResponse("this game was not kept step by step", 404)
        try:
            async with self._one:
                told = await to_thread.run_sync(self._played_again, lines)
        except CompanionError as fault:
            return PlainTextResponse(f"this version cannot play it again: {fault.args[0]}", 409)
        return Response(told, media_type="application/json")

    def _played_again(self, lines: list[bytes]) -> bytes:
        session = crank.recall(self._shelf, [journal_line.decode(line, n) for n, line in enumerate(lines, 1)])
        assert session is not None, "there was a line"
        deck = session.box.deck
        told = {
            "game": session.setting.game, "panel": self._panel(deck.game), "made_up": deck.made_up,
            "views": [session.box.game.view(node.state, Table()) for node in session.path()][::-1],
            "tales": [plain_say(say) for say in tales(session)],
        }  # fmt: skip
        return msgspec.json.encode(told)

    async def _count(self, request: Request) -> Response:
        body = await small(request)
        if body is None or set(body) != {"id", "counts"} or self._of(body["id"]) is None:
            return json_answer({}, 400)
        self._archive.count(body["id"], body["counts"] == "yes")
        return json_answer({})

    async def _forget(self, request: Request) -> Response:
        body = await small(request)
        if body is None or not body.get("player"):
            return json_answer({}, 400)
        return json_answer({"games": self._archive.forget(body["player"])})

    async def _printed(self, request: Request) -> Response:
        """The games that have cards to be printed."""
        del request
        return json_answer(self._decks)

    async def _print(self, request: Request) -> Response:
        """A game's sheets as a PDF; a wish that cannot be met is answered in words."""
        wishes = dict(request.query_params)
        own = await small(request, LONGEST_MAP) if request.method == "POST" else {}
        if own is None:
            return PlainTextResponse("only a map is sent to be printed", 400)
        if not all(WISHES.fullmatch(wish) for wish in wishes.values()):
            return PlainTextResponse("letters, figures and . : / + , - only", 400)
        try:
            async with self._one:  # beside the loop, and one at a time: screens must not wait for paper
                sheets = await to_thread.run_sync(
                    self._printer, request.path_params["game"], {**wishes, "map": own.get("map", "")}
                )
        except CompanionError as fault:
            return PlainTextResponse(str(fault.args[0]), 400)
        name = f"{request.path_params['game']}.pdf"
        return Response(
            sheets,
            media_type="application/pdf",
            headers={"content-disposition": f'inline; filename="{name}"'},
        )

    def _of(self, name: str) -> dict[str, Any] | None:
        return next((game for game in self._archive.games() if game["id"] == name), None)


def _told(endpoint: Endpoint) -> Endpoint:
    """The same, where an archive that cannot be used is told in words."""

    async def careful(request: Request) -> Response:
        try:
            return await endpoint(request)
        except CompanionError as fault:
            return PlainTextResponse(str(fault.args[0] if fault.args else fault), 503)

    return careful
