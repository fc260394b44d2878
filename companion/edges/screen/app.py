"""The web server of the table: pages, phrases and the live line, served in a thread of its own."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request

from companion.edges.screen.annex import Annex, Archive, NoArchive, Printer, no_printer
from companion.edges.screen.decks import DeckPages, Decks
from companion.edges.screen.look import Look, Looking, NoLooking
from companion.edges.screen.pages import Pages
from companion.edges.screen.projection import News
from companion.edges.screen.rights import OPERATOR, Door, Keep, Rights
from companion.edges.screen.sockets import Put, Sockets
from companion.edges.screen.speech import Ask, Doctor, Speech, Tempo, Volumes
from companion.table.phrases import Phrases
from companion.table.session import Session, Shelf
from companion.table.things import CompanionError
from companion.wire.screen_message import LONGEST

FOLLOW_S = 5.0


class ScreenError(CompanionError, OSError):
    """The screens cannot be served; the text says why and what to do."""


class Screen:
    """Serves every screen. `show` and `close` may be called from any thread."""

    def __init__(
        self, put: Put, phrases: Mapping[str, Phrases], pin: str, *,
        now: Callable[[], int] = time.monotonic_ns, hosts: Callable[[], Iterable[str]] = tuple,
        shelf: Shelf | None = None, keep: Keep | None = None, archive: Archive | None = None,
        printer: Printer = no_printer, looking: Looking | None = None,
        ask: Ask | None = None, tempo: Tempo | None = None, doctor: Doctor | None = None,
        decks: Decks | None = None, diagonal: float | None = None, volumes: Volumes | None = None,
    ) -> None:  # fmt: skip
        """Take what the screens need; nothing is served yet.

        `put(event, reply)`: hand an event to the house; `reply` is called once the journal has it, or with
        the refusal. `pin`: opens the operator's page. `now`: the clock of deadlines, monotonic ns. `hosts`:
        further names and addresses by which this machine may be called, asked again and again. `shelf`: games that can
        be opened. `keep`: where the phones' seats outlive a restart. `archive`: finished games.
        `printer`: makes sheets. `looking`: the camera, for the operator.
        `ask(again, volumes)`: what the operator wants of the voice. `tempo(paused, stretch)`: the operator lets
        the table rest or gives people more time. `doctor(lang)`: what is wrong with the device. `decks`: those
        that the owner can enter. `diagonal`: of the table screen, inches. `volumes`: where those of the voice outlive
        a restart.
        """
        self._own, self._further = {"localhost", "127.0.0.1", "[::1]"}, hosts
        self._rights = Rights(pin, time.monotonic, keep)
        self._sockets = Sockets(put, self._rights, now, secrets.token_hex(4))
        self._sockets.diagonal = diagonal
        self._lock = threading.Lock()
        self._newest: tuple[Session | None, News | None] = (None, None)
        self._waiting = False  # the loop was told of a newer state and has not taken it yet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        printed = sorted({box.deck.game for box in (shelf or {}).values()})
        annex = Annex(
            archive or NoArchive(), printer, phrases, printed, self._may_mend, shelf or {},
            self._sockets.projection.panel,
        )  # fmt: skip
        look = Look(looking or NoLooking())
        pages = Pages(
            phrases, self._rights, self._sockets, shelf or {}, annex, look, Speech(ask, tempo, doctor, volumes),
            DeckPages(decks),
        )  # fmt: skip
        self.app = Starlette(
            routes=pages.routes(), lifespan=self._life, middleware=[Middleware(Door, self._hosts)]
        )

    def show(self, session: Session | None, news: News) -> None:
        """Show this on all screens. Returns at once; a state that is overtaken is never sent."""
        with self._lock:
            self._newest = (session, news)
            if self._loop is None or self._waiting:
                return
            self._waiting = True
            self._loop.call_soon_threadsafe(self._publish)

    def serve(self, host: str, port: int) -> int:
        """Serve in a thread of its own; the port (chosen by the system for port 0). ScreenError if taken."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            listening = socket.create_server((host, port), family=family, backlog=256)
        except OSError as fault:
            raise ScreenError(
                f"the screens cannot be served on {host} port {port}: {fault.strerror or fault}. "
                + _remedy(fault, port)
            ) from fault
        if host not in ("0.0.0.0", "::"):  # noqa: S104  # a comparison
            self._own.add(f"[{host}]" if ":" in host else host.lower())
        config = uvicorn.Config(
            self.app, ws="websockets-sansio", ws_max_size=LONGEST, ws_per_message_deflate=False,
            log_level="warning", access_log=False, server_header=False, lifespan="on",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listening]}, name="screen", daemon=True
        )
        self._thread.start()
        return int(listening.getsockname()[1])

    @property
    def code(self) -> str:
        """What stands on the table screen for phones that sit down."""
        return self._rights.code

    def at(self, address: str | Callable[[], str]) -> None:
        """Where phones find this table: an address such as "http://192.168.1.20:8080", or what tells it.

        One that may change is asked again and again, and every screen is told when it has changed.
        """
        self._sockets.address = (lambda: address) if isinstance(address, str) else address

    def close(self) -> None:
        """Stop serving; screens that are connected will say that they wait."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(timeout=5)

    def _may_mend(self, request: Request) -> bool:
        return self._rights.role(request) == OPERATOR

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        """From the first moment the loop can be told of news, to the last."""
        del app
        with self._lock:
            self._loop = asyncio.get_running_loop()
        self._publish()
        following = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            following.cancel()
            with self._lock:
                self._loop = None

    def _hosts(self) -> set[str]:
        return {*self._own, *(host.lower() for host in self._further())}

    async def _follow(self) -> None:
        """Tell the screens where phones find this table now, whenever that changes."""
        known = self._sockets.join()
        while True:
            await asyncio.sleep(FOLLOW_S)
            now = self._sockets.join()
            if now != known:
                known = now
                self._sockets.refresh()

    def _publish(self) -> None:
        with self._lock:
            self._waiting = False
            session, news = self._newest
        self._sockets.publish(session, news)


def _remedy(fault: OSError, port: int) -> str:
    """What to do when an address cannot be listened at: it is taken, not ours to take, or not this machine's."""
    if fault.errno == errno.EADDRINUSE:
        return f"Is another companion running? Try --port {port % 65535 + 1} (make PORT={port % 65535 + 1})"
    if fault.errno in (errno.EACCES, errno.EPERM):
        return "Ports below 1024 are the system's: try --port 8080"
    return "No address of this machine is called so: try --host 127.0.0.1 (only here) or 0.0.0.0 (all phones)"
