"""The course of phase 3: commands, action cards and calls at their times; the first card counts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from companion.games.koala import rules_call
from companion.games.koala.options import ruled
from companion.games.koala.rules_call import Fault, Pace, Window
from companion.games.koala.rules_sale import Call
from companion.games.koala.rules_seats import ACTIONS, Seats, distance, seated, stranger
from companion.table.game import Refusal
from companion.table.things import Player, value


@value
class Command:
    """The starting player calls for action cards."""

    t: float  # seconds
    by: Player


@value
class Play:
    """A card from hand laid beside the pile."""

    t: float
    by: Player
    card: str


Event = Command | Play | Call


@value
class Actions:
    """Phase 3 as far as it went. `possible`: whether a player's card could have an effect now."""

    starter: Player
    seats: Seats
    possible: Callable[[str, Player], bool]
    rulings: Mapping[str, object] = field(default_factory=dict)
    pace: Pace = Pace()
    window: Window | None = None  # open from a command until a card is carried out
    decided: bool = False  # a card was carried out since the last command
    ended: bool = False
    executed: tuple[tuple[Player, str], ...] = ()
    taken_back: tuple[tuple[Player, str], ...] = ()
    faults: tuple[Fault, ...] = ()


def fault(
    card: str,
    possible: bool,
    by: Player,
    rulings: Mapping[str, object] = {},
) -> Refusal | None:
    """Why a card from hand is refused: no action, or one that can do nothing now (KOALA-AMB-05)."""
    if card not in ACTIONS:
        return Refusal("KOALA-PLA-02", "not_an_action", {"name": by})
    if not possible and ruled(rulings, 5, "refuse"):
        return Refusal("KOALA-AMB-05", "no_effect_possible", {"name": by})
    return None


def hold(phase: Actions, events: Sequence[Event]) -> Actions:
    """The whole phase: events in their order of time; a count nobody answered ends it at last."""
    for event in sorted(events, key=lambda each: (rules_call.milliseconds(each.t), *_turn(phase, each))):
        if isinstance(event, Play) and _together(phase, event, events):
            phase = _all_back(phase, event)
        else:
            phase = hear(phase, event)
    return replace(phase, ended=phase.ended or (phase.window is not None and phase.window.until is not None))


def _turn(phase: Actions, event: Event) -> tuple[int, int, int]:
    """At one time: the command, then cards (the nearer to the starting player first), then calls."""
    if not isinstance(event, Play):
        return (0 if isinstance(event, Command) else 2), 0, 0
    if ruled(phase.rulings, 2, "time_stamp") or not seated(phase.seats, event.by):
        return 1, 0, 0
    return 1, *distance(phase.seats, phase.starter, event.by)


def _together(phase: Actions, play: Play, events: Sequence[Event]) -> bool:
    """Whether a card is one of several laid by one player at once, where all of these go back (KOALA-AMB-27)."""
    if not ruled(phase.rulings, 27, "all_back"):
        return False
    at = rules_call.milliseconds(play.t)
    same = [each for each in events if isinstance(each, Play) and each.by == play.by]
    return sum(rules_call.milliseconds(each.t) == at for each in same) > 1


def _all_back(phase: Actions, play: Play) -> Actions:
    again = ruled(phase.rulings, 32, "command_again")
    back = (*phase.taken_back, (play.by, play.card))
    return replace(phase, taken_back=back, window=None if again else phase.window)


def hear(phase: Actions, event: Event) -> Actions:
    """One command, card or call. After the end all are named and taken back (KOALA-AMB-30)."""
    if phase.window is not None:
        window = rules_call.at(phase.window, event.t)
        phase = replace(phase, window=window, ended=phase.ended or window.over)
    if phase.ended:
        return _refused(phase, event, Refusal("KOALA-AMB-30", "window_closed", {"name": event.by}))
    if isinstance(event, Command):
        return _command(phase, event)
    return _play(phase, event) if isinstance(event, Play) else _call(phase, event)


def _refused(phase: Actions, event: Event, refusal: Refusal) -> Actions:
    return replace(phase, faults=(*phase.faults, Fault(event.t, refusal)))


def _command(phase: Actions, event: Command) -> Actions:
    if event.by != phase.starter:
        values: Mapping[str, str | int] = {"name": event.by, "starter": phase.starter}
        return _refused(phase, event, Refusal("KOALA-PLA-01", "command_not_start_player", values))
    return replace(phase, window=rules_call.went_on(event.t), decided=False)


def _play(phase: Actions, event: Play) -> Actions:
    """The first valid card is carried out, whoever is later takes his card back."""
    if phase.decided:
        return replace(phase, taken_back=(*phase.taken_back, (event.by, event.card)))
    if phase.window is None:
        return _refused(phase, event, Refusal("KOALA-PLA-01", "window_closed", {"name": event.by}))
    refusal = stranger(phase.seats, (event.by,))
    refusal = refusal or fault(event.card, phase.possible(event.card, event.by), event.by, phase.rulings)
    if refusal is not None:
        again = ruled(phase.rulings, 32, "command_again")
        return _refused(replace(phase, window=None) if again else phase, event, refusal)
    return replace(phase, window=None, decided=True, executed=(*phase.executed, (event.by, event.card)))


def _call(phase: Actions, event: Call) -> Actions:
    """Without an open window there is nobody who hesitates: too early."""
    if phase.window is None:
        return _refused(phase, event, Refusal("KOALA-AUC-18", "call_too_early", {"name": event.by}))
    called = rules_call.call(phase.window, event.t, event.by, phase.starter, phase.pace)
    return _refused(phase, event, called) if isinstance(called, Refusal) else replace(phase, window=called)
