"""The live line to every screen: the newest state wins, a command is done once and answered when it is on disk."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.edges.screen.german import asked, told
from companion.edges.screen.projection import MS, News, Projection
from companion.edges.screen.rights import OPERATOR, SEAT, TABLE, Rights
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Chosen, Corrected, Event, Opened, Pressed, Rang, Shown
from companion.table.game import Refusal
from companion.table.session import Session
from companion.wire import screen_message
from companion.wire.screen_message import BadMessage, Command

Answer = Turn | Refusal
Put = Callable[[Event, Callable[[Answer], None]], None]

LOG = logging.getLogger(__name__)
PROTOCOL = "table.v1"
SOCKETS = 120
PER_SECOND, BURST = 20.0, 40.0  # messages of one screen
APART_S = 0.02  # least time between two states to one screen
LIFE_S = 5.0  # a state goes out at least so often: a screen that hears nothing longer says that it is stale
REMEMBERED = 500  # answers kept for repetitions


@dataclass(eq=False)
class Client:
    """One screen: its role, whether it has the newest state, its pace. No queue of states: newest wins."""

    socket: WebSocket
    role: str
    lang: str = "en"
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    answers: list[bytes] = field(default_factory=list)
    budget: float = BURST
    heard: float = 0.0

    def pace(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        self.budget = min(BURST, self.budget + (now - self.heard) * PER_SECOND)
        self.heard = now
        self.budget -= 1.0
        return self.budget >= 0.0


class Sockets:
    """All screens that are connected. Everything here runs in the loop's thread."""

    def __init__(self, put: Put, rights: Rights, now: Callable[[], int], epoch: str) -> None:
        """`now` in monotonic ns; `epoch` names this run of the program."""
        self._put, self._rights, self._now, self._epoch = put, rights, now, epoch
        self._clients: set[Client] = set()
        self._done: OrderedDict[str, bytes | None] = OrderedDict()  # None: the house has it, no answer yet
        self._cache: dict[tuple[str, str], bytes] = {}
        self.projection = Projection()
        self.session: Session | None = None
        self.news: News | None = None
        self.diagonal: float | None = None  # of the table screen, inches
        self.address: Callable[[], str] | None = (
            None  # where phones find this table, "http://192.168.1.20:8080"
        )

    def publish(self, session: Session | None, news: News | None) -> None:
        """A new state for everybody."""
        self.session, self.news = session, news
        self._cache.clear()
        for client in self._clients:
            client.fresh.set()

    def refresh(self) -> None:
        """The same state again: something beside it has changed."""
        self.publish(self.session, self.news)

    def join(self) -> dict[str, str] | None:
        """How a phone comes to this table; None while nobody said where that is."""
        if self.address is None:
            return None
        url = f"{self.address()}/j"
        return {"url": url, "at": url.partition("://")[2], "code": self._rights.code}

    def message(self, role: str, lang: str = "en") -> bytes:
        """The newest state for a role, encoded once however many look, stamped with the time it leaves."""
        known = (role, lang)
        if known not in self._cache:
            content = self.projection.state(self.session, self.news, role, lang)
            around = {
                "epoch": self._epoch,
                "join": self.join(),
                "phones": list(self._rights.seats),
                "locked": self._rights.locked,
                "diagonal": self.diagonal,
            }
            self._cache[known] = screen_message.state({**around, **content})
        return screen_message.stamped(self._cache[known], self._now() // MS)

    async def recheck(self) -> None:
        """Part with every page whose cookie is worth nothing any more."""
        for client in tuple(self._clients):
            if client.role == OPERATOR and self._rights.role(client.socket) != OPERATOR:
                await client.socket.close(4401, "the PIN is wanted")
            elif client.role.startswith(SEAT) and client.role != self._seat(client.socket):
                await client.socket.close(4403, "this seat was given up")

    def _seat(self, socket: WebSocket) -> str | None:
        player = self._rights.seat(socket)
        return None if player is None else f"{SEAT}{player}"

    async def serve(self, socket: WebSocket) -> None:
        """One screen, from its first word to its last."""
        # A page may ask for less than its cookie allows: a shared screen shows the public view.
        role, page = TABLE, socket.query_params.get("page")
        if page == "op":
            role = self._rights.role(socket)
            if role != OPERATOR:
                await _turned_away(socket, 4401, "the PIN is wanted")
                return
        elif page == "seat":
            seat = self._seat(socket)
            if seat is None:
                await _turned_away(socket, 4403, "no seat was claimed")
                return
            role = seat
        if len(self._clients) >= SOCKETS:
            await _turned_away(socket, 1013, "too many screens")
            return
        await socket.accept(_protocol(socket))
        lang = asked(socket.query_params.get("lang"), socket.headers.get("accept-language"))
        client = Client(socket, role, lang, heard=asyncio.get_running_loop().time())
        client.fresh.set()
        self._clients.add(client)
        sending = asyncio.create_task(self._sending(client))
        try:
            await self._listen(client)
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone; a screen comes back by itself
        finally:
            self._clients.discard(client)
            sending.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending

    async def _sending(self, client: Client) -> None:
        """A view that cannot be made must not leave a screen that looks alive: it is closed, and comes back."""
        try:
            await self._send(client)
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone; a screen comes back by itself
        except Exception:
            LOG.exception("a screen (%s) could not be told the state", client.role)
            with suppress(WebSocketDisconnect, RuntimeError):
                await client.socket.close(1011, "our fault")

    async def _send(self, client: Client) -> None:
        """Answers first, then the newest state; a slow screen skips the states it missed."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(client.fresh.wait(), LIFE_S)
            client.fresh.clear()
            answers, client.answers = client.answers, []
            for answer in answers:
                await client.socket.send_text(answer.decode())
            await client.socket.send_text(self.message(client.role, client.lang).decode())
            await asyncio.sleep(APART_S)

    async def _listen(self, client: Client) -> None:
        loop = asyncio.get_running_loop()
        while True:
            message = await client.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            frame = message.get("text") or message.get("bytes") or ""
            if not client.pace(loop.time()):
                await client.socket.close(1008, "too many messages")
                return
            self._hear(client, frame)

    def _hear(self, client: Client, frame: str | bytes) -> None:
        """Check a command and hand it to the house, once."""
        try:
            wish = screen_message.command(frame)
            if client.role == TABLE:
                self._answer(
                    client,
                    screen_message.refused(wish.id, "role", told("this screen only shows", client.lang)),
                )
                return
            if wish.id in self._done:
                known = self._done[wish.id]
                if known is not None:
                    self._answer(client, known)
                return
            event = wish.event(self._now())
            if isinstance(event, Opened):
                event = replace(event, on=int(time.time()))
            if client.role != OPERATOR and not _own(client.role, event):
                self._answer(
                    client,
                    screen_message.refused(
                        wish.id, "role", told("a phone answers for its player", client.lang)
                    ),
                )
                return
        except BadMessage as fault:
            self._answer(client, screen_message.refused(fault.id, "bad", told(str(fault), client.lang)))
            return
        refusal = self._objection(wish, event, client.lang)
        if refusal is not None:
            self._answer(client, refusal)
            return
        self._remember(wish.id, None)
        loop = asyncio.get_running_loop()

        def replied(answer: Answer) -> None:  # in the house's thread
            with suppress(RuntimeError):  # the loop has closed: nobody waits any more
                loop.call_soon_threadsafe(self._replied, client, wish.id, answer)

        self._put(event, replied)

    def _objection(self, wish: Command, event: Event, lang: str) -> bytes | None:
        """Why a command is not worth the house's time: it saw an older state, or names cards of no deck."""
        if not self._current(wish, event):
            return screen_message.refused(wish.id, "stale", told("the table has moved on: look again", lang))
        if isinstance(event, Shown | Corrected) and self.session is not None:
            strangers = [card for card in event.cards if card not in self.session.box.deck.by_id]
            if strangers:
                return screen_message.refused(
                    wish.id, "bad", told(f"there is no card {strangers[0]!r}", lang)
                )
        return None

    def _current(self, wish: Command, event: Event) -> bool:
        """Whether a command was meant for what is on the table now.

        It saw the newest event, or it answers a cue that stood then and stands unchanged: in an auction
        everybody acts at once. The house itself judges what comes between here and there.
        """
        session = self.session
        if session is None:
            return wish.rev == 0
        if wish.rev == session.last:
            return True
        if not isinstance(event, Pressed | Shown | Chosen | Rang):
            return False
        for node in session.path():
            if node.number <= wish.rev:
                return node.number == wish.rev and any(
                    cue in session.cues and crank.answers((cue,), event) for cue in node.cues
                )
        return False

    def _replied(self, client: Client, wish: str, answer: Answer) -> None:
        if isinstance(answer, Refusal):
            told = screen_message.refused(wish, answer.code, "", answer)
        else:
            told = screen_message.done(wish, answer.session.last)
        self._remember(wish, told)
        self._answer(client, told)

    def _remember(self, wish: str, told: bytes | None) -> None:
        self._done[wish] = told
        while len(self._done) > REMEMBERED:
            self._done.popitem(last=False)

    def _answer(self, client: Client, told: bytes) -> None:
        client.answers = [*client.answers[-63:], told]  # a lost answer comes again when its command does
        client.fresh.set()


def _own(role: str, event: Event) -> bool:
    """Whether a phone may say this: a press or a choice of its own player."""
    return isinstance(event, Pressed | Chosen) and role == f"{SEAT}{event.player}"


async def _turned_away(socket: WebSocket, code: int, why: str) -> None:
    await socket.accept(_protocol(socket))
    await socket.close(code, why)


def _protocol(socket: WebSocket) -> str | None:
    return PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", ()) else None
