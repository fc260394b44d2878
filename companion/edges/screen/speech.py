"""What the operator's page asks of voice and clocks: the last words again, other volumes, a rest, more time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from companion.edges.screen.answers import Routes, json_answer, small

Ask = Callable[[bool, Mapping[str, float]], None]  # again, volumes of lanes
Tempo = Callable[[bool | None, float | None], None]  # paused, stretch of the clocks; None: as it was
STRETCHES = ("1", "1.5", "2", "3")
LANES = ("countdown", "prompt", "chatter", "chime")
LEVELS = ("0", "0.3", "1")  # mute, soft, loud


class Volumes:
    """Where the volumes that were set on the page outlive a restart; this one forgets."""

    def load(self) -> Mapping[str, str]:
        """Lanes and levels kept last."""
        return {}

    def save(self, loud: Mapping[str, str], /) -> None:
        """Keep these. May take its time: it is called beside the loop."""


class Doctor(Protocol):
    """Looks at the device. Both may take their time, and are asked from another thread."""

    def __call__(self, lang: str) -> list[dict[str, str]]:
        """Findings: code, level, text, remedy."""

    def preflight(self, do: str, lang: str) -> dict[str, Any]:
        """For "begin", "look" or "end": {"over": whether it has ended, "items": topic, level, text, remedy}."""


class Speech:
    """Hands wishes on; volumes are remembered for pages that come later, and for the next evening."""

    def __init__(
        self,
        ask: Ask | None,
        tempo: Tempo | None = None,
        doctor: Doctor | None = None,
        volumes: Volumes | None = None,
    ) -> None:
        """Ask these; without them nobody hears."""
        self._ask, self._tempo, self._doctor, self._volumes = ask, tempo, doctor, volumes or Volumes()
        self._loud = {lane: word for lane, word in self._volumes.load().items() if _known(lane, word)}

    def routes(self) -> Routes:
        """Path, endpoint, method."""
        return [
            ("/op/voice", self._state, "GET"),
            ("/op/voice", self._wish, "POST"),
            ("/op/tempo", self._pace, "POST"),
            ("/op/doctor", self._examine, "GET"),
            ("/op/doctor", self._preflight, "POST"),
        ]

    async def _state(self, request: Request) -> Response:
        del request
        return json_answer({"lanes": LANES, "levels": LEVELS, "loud": self._loud})

    async def _wish(self, request: Request) -> Response:
        """{"again": "yes"}, or lanes with their volumes."""
        body = await small(request)
        if not body or not all(
            (key == "again" and word == "yes") or _known(key, word) for key, word in body.items()
        ):
            return json_answer({}, 400)
        volumes = {lane: word for lane, word in body.items() if lane in LANES}
        self._loud.update(volumes)
        if self._ask is not None:
            self._ask("again" in body, levels(volumes))
        if volumes:
            await to_thread.run_sync(self._volumes.save, dict(self._loud))
        return json_answer({"loud": self._loud})

    async def _pace(self, request: Request) -> Response:
        """{"paused": "yes" or "no"}, {"stretch": "1.5"}, or both."""
        body = await small(request)
        if not body or not body.keys() <= {"paused", "stretch"}:
            return json_answer({}, 400)
        if body.get("paused", "no") not in ("yes", "no") or body.get("stretch", "1") not in STRETCHES:
            return json_answer({}, 400)
        paused = body["paused"] == "yes" if "paused" in body else None
        stretch = float(body["stretch"]) if "stretch" in body else None
        if self._tempo is not None:
            self._tempo(paused, stretch)
        return json_answer({})

    async def _preflight(self, request: Request) -> Response:
        """{"do": "begin", "look" or "end"}: how the table stands before an evening."""
        body = await small(request)
        if not body or body.get("do") not in ("begin", "look", "end"):
            return json_answer({}, 400)
        if self._doctor is None:
            return json_answer({"over": True, "items": []})
        lang = "de" if body.get("lang") == "de" else "en"
        return json_answer(await to_thread.run_sync(self._doctor.preflight, body["do"], lang))

    async def _examine(self, request: Request) -> Response:
        """What the doctor finds; the devices are looked at outside the loop, they may take their time."""
        lang = "de" if request.query_params.get("lang") == "de" else "en"
        return json_answer([] if self._doctor is None else await to_thread.run_sync(self._doctor, lang))


def levels(loud: Mapping[str, str]) -> dict[str, float]:
    """The volumes of lanes, 0 to 1, of what the page knows; the rest is left out."""
    return {lane: float(word) for lane, word in loud.items() if _known(lane, word)}


def _known(lane: str, level: str) -> bool:
    return lane in LANES and level in LEVELS
