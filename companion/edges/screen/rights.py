"""Who may do what on a screen: decided by the server from a cookie, never by what a message says of itself."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Mapping
from enum import Enum

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.edges.screen.german import asked, told
from companion.table.things import Player
from companion.wire.foreign import whole_number

COOKIE = "companion_operator"
COOKIE_S = 12 * 3600  # an evening
SEAT_COOKIE = "companion_seat"
SEAT_S = 30 * 86400  # a phone that was at the table last week still has its seat
TABLE, OPERATOR = "table", "operator"
SEAT = "seat:"  # followed by the player's name: the role of his phone
LETTERS = "ABCDEFGHJKLMNPRTUVWXY"  # none that is taken for another one, or for a figure
CODE_LENGTH, MOST_SEATS = 4, 60
# What each route asks of its visitor. A route that is missing here is open to nobody, and a test says so.
ROUTES = {
    "/": TABLE,
    "/table": TABLE,
    "/op": TABLE,  # the empty page with the PIN field; everything on it comes through "/ws"
    "/op/pin": TABLE,
    "/op/leave": OPERATOR,
    "/op/steps": OPERATOR,
    "/op/games": OPERATOR,
    "/op/release": OPERATOR,
    "/op/lock": OPERATOR,
    "/op/code": OPERATOR,
    "/op/preview": OPERATOR,
    "/op/likely": OPERATOR,
    "/op/voice": OPERATOR,
    "/op/tempo": OPERATOR,
    "/op/doctor": OPERATOR,
    "/op/look": TABLE,  # the empty page; what the camera sees comes through the next ones
    "/op/look/state": OPERATOR,
    "/op/look/picture": OPERATOR,
    "/op/look/rule": OPERATOR,
    "/op/bundle": OPERATOR,
    "/op/decks": TABLE,  # the empty page; the decks come through the next ones
    "/op/decks/list": OPERATOR,
    "/op/decks/{game}/state": OPERATOR,
    "/op/decks/{game}/deck.toml": OPERATOR,
    "/op/decks/{game}/seen": OPERATOR,
    "/op/decks/{game}/picture": OPERATOR,
    "/op/decks/{game}/enter": OPERATOR,
    "/op/decks/{game}/remove": OPERATOR,
    "/op/decks/{game}/undo": OPERATOR,
    "/op/decks/{game}/import": OPERATOR,
    "/j": TABLE,
    "/j/people": TABLE,
    "/j/claim": TABLE,  # asks for the code that stands on the table screen
    "/join.svg": TABLE,
    "/seat": TABLE,  # the empty page; what is on it comes through "/ws", for the cookie's player only
    "/seat/leave": TABLE,
    "/deck/{game}": TABLE,
    "/phrases/{lang}": TABLE,
    "/phrases/{lang}/{game}": TABLE,
    "/static/{name}": TABLE,
    "/static/panels/{name}": TABLE,
    "/healthz": TABLE,
    "/history": TABLE,
    "/history/games": TABLE,  # names and results of this table, for whoever is in its network
    "/history/export/{form}": OPERATOR,
    "/history/share.svg": TABLE,
    "/history/bgstats/{id}.svg": TABLE,
    "/history/replay/{id}": TABLE,
    "/history/count": OPERATOR,
    "/history/forget": OPERATOR,
    "/print": TABLE,
    "/print/games": TABLE,
    "/print/{game}.pdf": TABLE,
    "/help": TABLE,
    "/ws": TABLE,  # with ?page=op only for the operator, with ?page=seat only for a claimed seat
}
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
FRAMED = {name: text.replace("ancestors 'none'", "ancestors 'self'") for name, text in HEADERS.items()}
TRIES, WINDOW_S, LONGEST_WAIT_S = 5, 60.0, 3600.0
CODE, LOCK = "", "+"  # under these names, which no player has, code and lock are kept beside the seats


class No(Enum):
    """Why a phone gets no seat."""

    TAKEN, LOCKED, FULL = "taken", "locked", "full"


class Keep:
    """Where claimed seats outlive a restart; this one forgets. What is kept is hashed: a copy opens nothing."""

    def load(self) -> Mapping[str, str]:
        """The seats kept last: names and hashes; code and lock under names of their own."""
        return {}

    def save(self, seats: Mapping[str, str], /) -> None:
        """Keep these seats."""


class Limit:
    """Guessing is slow: five wrong tries a minute from all addresses together, then a pause that doubles."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` in monotonic seconds."""
        self._now = now
        self._tries: list[float] = []
        self._blocked, self._penalty = 0.0, 0.0

    def wait(self) -> float:
        """Seconds until the next try; 0 for at once."""
        now = self._now()
        self._tries = [moment for moment in self._tries if now - moment < WINDOW_S]
        return max(0.0, self._blocked - now)

    def right(self) -> None:
        """A try was right: all is forgotten."""
        self._tries, self._penalty = [], 0.0

    def wrong(self) -> float:
        """A try was wrong; the seconds until the next one."""
        now = self._now()
        self._tries.append(now)
        if len(self._tries) < TRIES:
            return 0.0
        self._penalty = min(LONGEST_WAIT_S, max(WINDOW_S, self._penalty * 2))
        self._blocked, self._tries = now + self._penalty, []
        return self._penalty


class Rights:
    """The operator's PIN, the code of the table, and the cookies given for them."""

    def __init__(self, pin: str, now: Callable[[], float], keep: Keep | None = None) -> None:
        """`pin` is shown on the terminal only; `now` in monotonic seconds; `keep`: seats from before a restart."""
        self._pin = pin
        self._tokens: list[str] = []  # hashed: a copy of our memory opens nothing
        self._at_pin, self._at_code = Limit(now), Limit(now)
        self._keep = keep or Keep()
        kept = dict(self._keep.load())
        self.code = kept.pop(CODE, "") or "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        self._locked = bool(kept.pop(LOCK, ""))
        self._seats = {Player(name): token for name, token in kept.items()}
        self._save()

    def try_pin(self, pin: str) -> str | float:
        """A new cookie for the right PIN; else the seconds until the next try, 0 for at once."""
        wait = self._at_pin.wait()
        if wait:
            return wait
        if not hmac.compare_digest(pin.encode(), self._pin.encode()):
            return self._at_pin.wrong()
        self._at_pin.right()
        token = secrets.token_urlsafe(32)
        self._tokens = [*self._tokens[-15:], _hashed(token)]
        return token

    def claim(
        self, code: str, player: Player, mine: HTTPConnection, playing: Collection[Player] = ()
    ) -> str | float | No:
        """A new cookie for a seat that nobody has, or why there is none; a number: the code is wrong, wait so long.

        A phone that claims another seat gives its first one up. Where all seats are taken whoever sits there
        longest and is not among those `playing` loses his.
        """
        wait = self._at_code.wait()
        if wait:
            return wait
        if not hmac.compare_digest(code.strip().upper().encode(), self.code.encode()):
            return self._at_code.wrong()
        self._at_code.right()
        own = self.seat(mine)
        if player != own and (player in self._seats or self._locked):
            return No.TAKEN if player in self._seats else No.LOCKED
        others = {other: token for other, token in self._seats.items() if other != own}
        if len(others) >= MOST_SEATS:
            idle = next((other for other in others if other not in playing), None)
            if idle is None:
                return No.FULL
            del others[idle]
        token = secrets.token_urlsafe(32)
        self._seats = {**others, player: _hashed(token)}
        self._save()
        return token

    def release(self, player: Player) -> None:
        """Whoever has this seat has it no longer."""
        self._seats.pop(player, None)
        self._save()

    def renew(self) -> None:
        """Another code: the old one was read by the wrong people. Seats that were taken stay."""
        self.code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        self._save()

    @property
    def locked(self) -> bool:
        """Whether nobody else sits down."""
        return self._locked

    def lock(self, locked: bool) -> None:
        """Let nobody else sit down, or everybody again."""
        self._locked = locked
        self._save()

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players who have a phone, in the order they came."""
        return tuple(self._seats)

    def leave(self, connection: HTTPConnection) -> None:
        """The operator's cookie of this connection is worth nothing from now on."""
        gone = _hashed(connection.cookies.get(COOKIE, ""))
        self._tokens = [token for token in self._tokens if token != gone]

    def role(self, connection: HTTPConnection) -> str:
        """The role that a connection's cookie gives it."""
        mine = _hashed(connection.cookies.get(COOKIE, ""))
        known = [hmac.compare_digest(mine, token) for token in self._tokens]
        return OPERATOR if any(known) else TABLE

    def seat(self, connection: HTTPConnection) -> Player | None:
        """Whose phone this is."""
        mine = _hashed(connection.cookies.get(SEAT_COOKIE, ""))
        found = [player for player, token in self._seats.items() if hmac.compare_digest(mine, token)]
        return found[0] if found else None

    def _save(self) -> None:
        seats = {str(player): token for player, token in self._seats.items()}
        self._keep.save({**seats, CODE: self.code, **({LOCK: "yes"} if self._locked else {})})


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

    def __init__(self, app: ASGIApp, hosts: Callable[[], Collection[str]]) -> None:
        """`hosts`: names and addresses without port, in small letters; asked at each request: networks come and go."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection in, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, content in (FRAMED if scope["path"].startswith("/print/") else HEADERS).items():
                    headers[name] = content
            await send(message)

        fault = self._fault(Headers(scope=scope), scope)
        if fault is None:
            await self._app(scope, receive, headed)
        elif scope["type"] == "http":
            lang = asked(None, Headers(scope=scope).get("accept-language"))
            await PlainTextResponse(told(fault, lang), 403)(scope, receive, headed)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": fault})

    def _fault(self, headers: Headers, scope: Scope) -> str | None:
        host = headers.get("host", "").lower()
        name, colon, port = host.rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host, ""
        if name not in self._hosts() or (port and whole_number(port, 0, 65535) is None):
            return "this name does not belong to this table"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and headers.get("origin", "").lower() != f"http://{host}":
            return "this request comes from another site"
        return None
