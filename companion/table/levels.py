"""What the cues of a session want at the table: how each lamp burns, where the camera looks, which clocks run. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.table.cues import Choose, Press, Show, Wait
from companion.table.effects import Arm, Disarm, Effect, Lamp, Watch
from companion.table.events import Clock, Event, Shown
from companion.table.session import Session
from companion.table.things import CardId, Player, Zone

Exactly = tuple[CardId, ...] | None  # the whole content wanted of a zone, where it is known


def levels(before: Session | None, after: Session, event: Event | None = None) -> Iterator[Effect]:
    """What differs between the levels that two sessions' cues want; all of them when there is no before."""
    old_lamps, old_zones, old_waits = _wanted(before)
    lamps, zones, waits = _wanted(after)
    for clock in old_waits:
        if clock not in waits:
            yield Disarm(clock)
    for player, shine in lamps.items():
        if old_lamps.get(player) != shine:
            yield Lamp(player, shine)
    for player in old_lamps:
        if player not in lamps:
            yield Lamp(player, "off")
    # The same wish after it was fulfilled is a new one: what lies there must be said once more.
    met = event.zone if isinstance(event, Shown) else None
    anew = tuple(
        zone for zone, wish in zones.items()
        if zone in old_zones and (wish != old_zones[zone] or (zone == met and wish is not None))
    )  # fmt: skip
    if anew or tuple(zones) != tuple(old_zones):
        yield Watch(tuple(zones), anew)
    for clock, wait in waits.items():
        if clock not in old_waits:
            yield Arm(clock, wait.seconds, wait.beats)


def _standing(session: Session) -> Mapping[Player, str]:
    """How players stand whom nobody asks: as the game tells; at its end the winners lead."""
    game, state = session.box.game, session.head.state
    if session.head.cues:
        return game.standing(state)
    return {Player(winner): "lead" for winner in game.score(state).winners}


def _wanted(session: Session | None) -> tuple[dict[Player, str], dict[Zone, Exactly], dict[Clock, Wait]]:
    """The levels a session's cues want: lamp looks, watched zones with what is wanted there, running clocks."""
    lamps: dict[Player, str] = {}
    zones: dict[Zone, Exactly] = {}
    waits: dict[Clock, Wait] = {}
    if session is None:
        return lamps, zones, waits
    stands = _standing(session)
    for player in session.setting.players:
        lamps[player] = stands.get(player, "off")
    for cue in session.head.cues:
        if isinstance(cue, Press | Choose) and cue.aside:
            continue  # nobody waits for it
        if isinstance(cue, Choose):
            lamps[cue.player] = "ask"
        elif isinstance(cue, Press):
            if lamps.get(cue.player) == "off":
                lamps[cue.player] = "open"
        elif isinstance(cue, Wait):
            waits[cue.clock] = cue
        else:
            zones[cue.zone] = cue.expect.exactly if isinstance(cue, Show) else None
    return lamps, zones, waits
