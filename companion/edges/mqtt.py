"""A club's own broker: state, results and availability of this table, told in a thread of its own.

Nothing is taken from it. While it is away the table plays on; once it is back it hears what it missed.
"""

from __future__ import annotations

import asyncio
import importlib
import ssl
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from companion.table.session import Session
from companion.table.things import CompanionError, value
from companion.wire import club_words
from companion.wire.club_words import OFFLINE, ONLINE, Place
from companion.wire.foreign import loads

RETRY_S = (1.0, 2.0, 5.0, 15.0)  # before it is tried again; the last one again and again
APART_S = 0.2  # between two states: a club's screen needs no more
KEEPALIVE_S = 15
MISSING = (
    "aiomqtt is missing: `pip install aiomqtt` with the pip of the companion's Python, "
    "or leave [mqtt] out of the settings"
)
_MISSING = {
    "en": MISSING,
    "de": (
        "aiomqtt fehlt: `pip install aiomqtt` mit dem pip aus dem Python des Companion, "
        "oder lass [mqtt] in den Einstellungen weg"
    ),
}
_WORDS = {
    "en": "no broker at {host}:{port} ({why}): the table plays on and tells it all later. Check [mqtt] in the settings",
    "de": "kein Broker auf {host}:{port} ({why}): der Tisch spielt weiter und holt alles nach. [mqtt] prüfen",
}
_FAILED = {
    "en": "the broker at {host}:{port} is not told, by a fault of ours ({why}): the table plays on and tries again. "
    "Report it: Report a problem, on /op",
    "de": "der Broker auf {host}:{port} erfährt nichts, durch einen Fehler von uns ({why}): der Tisch spielt weiter "
    "und versucht es wieder. Melden: Problem melden, auf /op",
}


class BrokerError(CompanionError, OSError):
    """A broker cannot be asked; the text says why and what to do."""


class News(Protocol):
    """What is told beside the session."""

    @property
    def health(self) -> Mapping[str, str]:
        """Devices that are not well."""

    @property
    def paused(self) -> bool:
        """Whether the table rests."""


@value
class Address:
    """A broker, and who we are to it."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False


class Club:
    """Tells a broker of this table. `show`, `finished` and `close` return at once; any thread may call."""

    def __init__(
        self, address: Address, place: Place, *, version: str, trouble: Callable[[str], None], lang: str = "en",
        known: Callable[[], Iterable[Mapping[str, Any]]] = tuple, retry_s: tuple[float, ...] = RETRY_S,
    ) -> None:  # fmt: skip
        """`trouble`: what is wrong, once, and "" when all is well; `known`: games finished before, told anew."""
        self._address, self._place, self._version, self._known = address, place, version, known
        self._trouble, self._lang, self._retry = trouble, lang, retry_s
        self._lock = threading.Lock()
        self._ill: Mapping[str, str] | None = None
        self._newest: tuple[Session | None, News | None] = (None, None)
        self._results: dict[str, bytes] = {}  # not told yet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._ending = False
        self._thread = threading.Thread(target=self._work, name="mqtt", daemon=True)

    def start(self) -> None:
        """Look for the broker from now on."""
        self._thread.start()

    def show(self, session: Session | None, news: News) -> None:
        """Tell this; what is overtaken is never told."""
        with self._lock:
            self._newest = (session, news)
        self._call()

    def finished(self, name: str, record: Mapping[str, Any] | None) -> None:
        """A game has ended, or (None) goes on after all. Kept until the broker has it."""
        told = b"" if record is None else club_words.payload(club_words.result(record, self._place.name))
        with self._lock:
            self._results[self._place.topic(f"result/{name}")] = told
        self._call()

    def close(self) -> None:
        """Say that the table is gone, and end."""
        self._ending = True
        self._call()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _call(self) -> None:
        loop, wake = self._loop, self._wake
        if loop is not None and wake is not None:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(wake.set)

    def _work(self) -> None:
        try:
            mqtt = importlib.import_module("aiomqtt")
        except ImportError:
            self._trouble(_MISSING[self._lang])
            return
        asyncio.run(self._live(mqtt))

    async def _live(self, mqtt: Any) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        tries = 0
        while not self._ending:
            try:
                async with self._client(mqtt) as client:
                    tries = 0
                    await self._meet(client)
                    await self._tell(client)
            except (mqtt.MqttError, OSError, ValueError) as fault:
                self._say(str(fault) or type(fault).__name__)
            except Exception as fault:  # whatever an old record or a bug does to us: the next try may go well
                traceback.print_exception(fault, file=sys.stderr)
                self._say(type(fault).__name__, _FAILED)
            if not self._ending:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._until_end(), self._retry[min(tries, len(self._retry) - 1)])
                tries += 1

    async def _until_end(self) -> None:
        assert self._wake is not None
        while not self._ending:
            await self._wake.wait()
            self._wake.clear()

    def _client(self, mqtt: Any) -> Any:
        given = self._address
        return mqtt.Client(
            given.host, given.port, username=given.user or None, password=given.password or None,
            will=mqtt.Will(self._place.topic("availability"), OFFLINE, qos=1, retain=True),
            keepalive=KEEPALIVE_S, timeout=5, tls_context=ssl.create_default_context() if given.tls else None,
        )  # fmt: skip

    async def _meet(self, client: Any) -> None:
        """What is told whenever the broker is there (again)."""
        if self._place.discovery:
            topic, told = club_words.discovery(self._place, self._version)
            await client.publish(topic, club_words.payload(told), qos=1, retain=True)
        for game in self._known():
            if "id" not in game:
                continue  # a record that is damaged hides no other
            told_so = club_words.payload(club_words.result(game, self._place.name))
            await client.publish(self._place.topic(f"result/{game['id']}"), told_so, qos=1, retain=True)
        await client.publish(self._place.topic("availability"), ONLINE, qos=1, retain=True)
        self._say("")

    async def _tell(self, client: Any) -> None:
        """Tell what is new until the broker is gone (its error is raised) or the table closes."""
        assert self._wake is not None
        gone = asyncio.ensure_future(self._until_gone(client))
        told = b""
        try:
            while not self._ending and not gone.done():
                told = await self._newer(client, told)
                waked = asyncio.ensure_future(self._wake.wait())
                await asyncio.wait((waked, gone), return_when=asyncio.FIRST_COMPLETED)
                waked.cancel()
                self._wake.clear()
                await asyncio.sleep(0 if self._ending else APART_S)
            if gone.done():
                gone.result()
            told = await self._newer(client, told)
            await client.publish(self._place.topic("availability"), OFFLINE, qos=1, retain=True)
        finally:
            gone.cancel()
            await asyncio.wait((gone,))
            if not gone.cancelled():
                gone.exception()  # it is told by whoever sends next

    async def _newer(self, client: Any, told: bytes) -> bytes:
        """The results that wait, and the state if it is another one than was told; the state told last."""
        with self._lock:
            (session, news), results = self._newest, dict(self._results)
        for topic, result in results.items():
            await client.publish(topic, result, qos=1, retain=True)
            with self._lock:
                if self._results.get(topic) == result:
                    del self._results[topic]
        ill, paused = (news.health, news.paused) if news is not None else ({}, False)
        state = club_words.payload(club_words.state(session, ill, paused))
        if state != told:
            await client.publish(self._place.topic("state"), state, qos=1, retain=True)
        return state

    @staticmethod
    async def _until_gone(client: Any) -> None:
        """Nothing is subscribed: this ends only with the connection."""
        async for _ in client.messages:
            pass

    def _say(self, why: str, words: Mapping[str, str] = _WORDS) -> None:
        """Once when it goes, once when it is back, and once when it is something else that is wrong."""
        ill = words if why else None
        if ill is not self._ill:
            self._ill = ill
            given = {"host": self._address.host, "port": self._address.port, "why": why}
            self._trouble(words[self._lang].format(**given) if why else "")


def collected(address: Address, root: str, quiet_s: float = 1.5) -> list[dict[str, Any]]:
    """The results that a club's broker keeps of all tables below `root`. BrokerError: it cannot be asked."""
    try:
        mqtt = importlib.import_module("aiomqtt")
    except ImportError as fault:
        raise BrokerError(MISSING) from fault
    try:
        return asyncio.run(_collect(mqtt, address, root, quiet_s))
    except (mqtt.MqttError, OSError, ValueError) as fault:
        raise BrokerError(
            f"no broker at {address.host}:{address.port} ({fault}). Check [mqtt] in the settings"
        ) from fault


async def _collect(mqtt: Any, address: Address, root: str, quiet_s: float) -> list[dict[str, Any]]:
    """What is kept comes at once; when nothing came for a while, that was all."""
    found: list[dict[str, Any]] = []
    async with mqtt.Client(
        address.host, address.port, username=address.user or None, password=address.password or None,
        timeout=5, tls_context=ssl.create_default_context() if address.tls else None,
    ) as client:  # fmt: skip
        await client.subscribe(f"{root}/+/result/+", qos=1)
        while True:
            try:
                message = await asyncio.wait_for(anext(aiter(client.messages)), quiet_s)
            except TimeoutError:
                return found
            with suppress(ValueError, RecursionError):  # somebody else's message
                told = loads(message.payload)
                if isinstance(told, dict):
                    found.append(told)
