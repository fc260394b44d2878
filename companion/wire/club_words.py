"""What a table tells a club's broker: topics and payloads of state, results and discovery. Public things only. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from companion.table import crank
from companion.table.game import Table
from companion.table.session import Session
from companion.table.things import value

ONLINE, OFFLINE = "online", "offline"
RESULT = ("id", "game", "on", "players", "totals", "winners", "counts")  # of a finished game, for a league


@value
class Place:
    """Where a table speaks: `root/name/...`, and under which prefix Home Assistant looks for devices ("": nowhere)."""

    root: str
    name: str
    discovery: str = "homeassistant"

    def topic(self, what: str) -> str:
        """A topic of this table: availability, state, result/ID."""
        return f"{self.root}/{self.name}/{what}"


def state(session: Session | None, health: Iterable[str], paused: bool = False) -> dict[str, Any]:
    """What everybody in the room may see. `health`: devices that are not well."""
    told: dict[str, Any] = {
        "game": None, "phase": "idle", "players": [], "totals": {}, "winners": [], "over": False,
        "paused": paused, "ill": sorted(health), "view": None,
    }  # fmt: skip
    if session is None:
        return told
    view = crank.look(session, Table())
    score = crank.score(session) if session.over else None
    return {
        **told, "game": session.setting.game, "phase": "over" if session.over else str(view.get("phase", "")),
        "players": list(session.setting.players), "over": session.over, "view": dict(view),
        "totals": {} if score is None else dict(score.totals),
        "winners": [] if score is None else list(score.winners),
    }  # fmt: skip


def result(record: Mapping[str, Any], table: str) -> dict[str, Any]:
    """A finished game as a league wants it: who had how many, at which table."""
    return {"table": table, **{key: record[key] for key in RESULT if key in record}}


def discovery(place: Place, version: str) -> tuple[str, dict[str, Any]]:
    """Topic and payload by which Home Assistant finds the table as one device."""
    node = f"companion_{place.root}_{place.name}".replace("/", "_")

    def part(name: str, template: str, icon: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": "sensor", "name": name, "unique_id": f"{node}_{name.lower()}", "icon": icon,
            "state_topic": place.topic("state"), "value_template": template, **more,
        }  # fmt: skip

    told = {
        "device": {"identifiers": [node], "name": f"companion {place.name}", "sw_version": version},
        "origin": {"name": "companion", "sw_version": version},
        "availability": [{"topic": place.topic("availability")}],
        "components": {
            "game": part("Game", "{{ value_json.game or '-' }}", "mdi:cards"),
            "phase": part("Phase", "{{ value_json.phase }}", "mdi:progress-clock"),
            "players": part("Players", "{{ value_json.players | length }}", "mdi:account-group"),
            "winner": part("Winner", "{{ value_json.winners | join(', ') or '-' }}", "mdi:trophy"),
            "trouble": part(
                "Trouble", "{{ 'ON' if value_json.ill else 'OFF' }}", "mdi:alert", platform="binary_sensor",
                device_class="problem",
            ),
        },
    }  # fmt: skip
    return f"{place.discovery}/device/{node}/config", told


def payload(told: Mapping[str, Any]) -> bytes:
    """As it is sent."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
