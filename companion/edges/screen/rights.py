"""Who may do what on a screen: decided by the server from a cookie, never by what a message says of itself."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "companion_operator"
COOKIE_S = 12 * 3600  # an evening
TABLE, OPERATOR = "table", "operator"
# What each route asks of its visitor. A route that is missing here is open to nobody, and a test says so.
ROUTES = {
    "/": TABLE,
    "/table": TABLE,
    "/op": TABLE,  # the empty page with the PIN field; everything on it comes through "/ws"
    "/op/pin": TABLE,
    "/op/leave": OPERATOR,
    "/op/steps": OPERATOR,
    "/op/games": OPERATOR,
    "/deck/{game}": TABLE,
    "/phrases/{lang}": TABLE,
    "/static/{name}": TABLE,
    "/healthz": TABLE,
    "/ws": TABLE,  # with ?page=op only for the operator
}
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
TRIES, WINDOW_S, LONGEST_WAIT_S = 5, 60.0, 3600.0


class Rights:
    """The operator's PIN and the cookies given for it."""

    def __init__(self, pin: str, now: Callable[[], float]) -> None:
        """`pin` is shown on the terminal only; `now` in monotonic seconds."""
        self._pin, self._now = pin, now
        self._tokens: list[str] = []  # hashed: a copy of our memory opens nothing
        self._tries: list[float] = []
        self._blocked, self._penalty = 0.0, 0.0

    def try_pin(self, pin: str) -> str | float:
        """A new cookie for the right PIN; else the seconds until the next try, 0 for at once.

        The limit is one for all addresses together: five tries a minute, then a pause that doubles.
        """
        now = self._now()
        if now < self._blocked:
            return self._blocked - now
        self._tries = [moment for moment in self._tries if now - moment < WINDOW_S]
        if hmac.compare_digest(pin.encode(), self._pin.encode()):
            self._tries, self._penalty = [], 0.0
            token = secrets.token_urlsafe(32)
            self._tokens = [*self._tokens[-15:], _hashed(token)]
            return token
        self._tries.append(now)
        if len(self._tries) < TRIES:
            return 0.0
        self._penalty = min(LONGEST_WAIT_S, max(WINDOW_S, self._penalty * 2))
        self._blocked, self._tries = now + self._penalty, []
        return self._penalty

    def leave(self, connection: HTTPConnection) -> None:
        """The cookie of this connection is worth nothing from now on."""
        gone = _hashed(connection.cookies.get(COOKIE, ""))
        self._tokens = [token for token in self._tokens if token != gone]

    def role(self, connection: HTTPConnection) -> str:
        """The role that a connection's cookie gives it."""
        mine = _hashed(connection.cookies.get(COOKIE, ""))
        known = [hmac.compare_digest(mine, token) for token in self._tokens]
        return OPERATOR if any(known) else TABLE


def may(role: str, path: str) -> bool:
    """Whether a role may use a route; a route without an entry: nobody."""
    return ROUTES.get(path) in (role, TABLE)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Door:
    """Stands before every route: strange hosts and other sites' pages are turned away, headers are set.

    The Host must be on the list, so that no other name can be bound to this address; whatever changes
    something, and every WebSocket, must come from a page of exactly this Host.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """`hosts`: names and addresses without port."""
        self._app, self._hosts = app, {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection in, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, content in HEADERS.items():
                    headers[name] = content
            await send(message)

        fault = self._fault(Headers(scope=scope), scope)
        if fault is None:
            await self._app(scope, receive, told)
        elif scope["type"] == "http":
            await PlainTextResponse(fault, 403)(scope, receive, told)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": fault})

    def _fault(self, headers: Headers, scope: Scope) -> str | None:
        host = headers.get("host", "").lower()
        name, colon, port = host.rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host, ""
        if name not in self._hosts or (port and not port.isdigit()):
            return "this name does not belong to this table"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and headers.get("origin", "").lower() != f"http://{host}":
            return "this request comes from another site"
        return None
