"""The phones' door: who takes a seat by the table's code, who leaves it, and what the operator may do about it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from companion.edges.screen.answers import Routes, json_answer, small
from companion.edges.screen.rights import SEAT_COOKIE, SEAT_S, No, Rights
from companion.edges.screen.sockets import Sockets
from companion.table.things import Player
from companion.wire import screen_message
from companion.wire.screen_message import BadMessage


class Seats:
    """Answers for phones that come and go."""

    def __init__(self, rights: Rights, sockets: Sockets) -> None:
        """`rights` holds the seats; `sockets` knows who plays, and hears of every change."""
        self._rights, self._sockets = rights, sockets

    def routes(self) -> Routes:
        """Path, endpoint and method of each."""
        return [
            ("/j/people", self._people, "GET"),
            ("/j/claim", self._claim, "POST"),
            ("/seat/leave", self._leave_seat, "POST"),
            ("/op/release", self._release, "POST"),
            ("/op/lock", self._lock, "POST"),
            ("/op/code", self._new_code, "POST"),
        ]

    async def _people(self, request: Request) -> Response:
        """Who plays, who of them has a phone already, and whose phone this is."""
        session = self._sockets.session
        players = () if session is None or session.over else session.setting.players
        taken = [player for player in players if player in self._rights.seats]
        return json_answer({"players": players, "taken": taken, "me": self._rights.seat(request)})

    async def _claim(self, request: Request) -> Response:
        """A seat's cookie for whoever reads the code off the table screen."""
        body = await small(request)
        if body is None or set(body) != {"code", "name"}:
            return json_answer({"why": "bad"}, 400)
        try:
            player = screen_message.person(body["name"])
        except BadMessage:
            return json_answer({"why": "name"}, 400)
        session = self._sockets.session
        if session is not None and not session.over and player not in session.setting.players:
            return json_answer({"why": "not_playing"}, 409)
        playing = () if session is None else session.setting.players
        token = self._rights.claim(body["code"], player, request, playing)
        if isinstance(token, No):
            return json_answer({"why": token.value}, 409)
        if isinstance(token, float):
            return json_answer({"why": "code", "wait": round(token)}, 429 if token else 403)
        await self._sockets.recheck()
        self._sockets.refresh()
        response = json_answer({"player": player})
        response.set_cookie(SEAT_COOKIE, token, max_age=SEAT_S, httponly=True, samesite="strict", path="/")
        return response

    async def _leave_seat(self, request: Request) -> Response:
        player = self._rights.seat(request)
        if player is not None:
            await self._free(player)
        response = json_answer({})
        response.delete_cookie(SEAT_COOKIE, httponly=True, samesite="strict", path="/")
        return response

    async def _release(self, request: Request) -> Response:
        """The operator frees a seat: its phone is lost, or in the wrong hands."""
        body = await small(request)
        if body is None or "player" not in body:
            return json_answer({}, 400)
        await self._free(Player(body["player"]))
        return json_answer({})

    async def _lock(self, request: Request) -> Response:
        """Nobody else sits down, or everybody may again."""
        body = await small(request)
        if body is None or body.get("locked") not in ("yes", "no"):
            return json_answer({}, 400)
        self._rights.lock(body["locked"] == "yes")
        self._sockets.refresh()
        return json_answer({})

    async def _new_code(self, request: Request) -> Response:
        del request
        self._rights.renew()
        self._sockets.refresh()
        return json_answer({})

    async def _free(self, player: Player) -> None:
        self._rights.release(player)
        await self._sockets.recheck()
        self._sockets.refresh()
