"""What screens and the companion say to each other, as JSON: commands strictly read, states and answers written.

A command is `{"t": "cmd", "id": hex, "rev": n, "do": what, "args": {...}}`: its own id, so that a repetition
does nothing, and the number of the event that its sender had seen last. Answers: `ack`. States: `state`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.table.cues import Choose as ChooseCue
from companion.table.cues import Cue, Roll, Wait
from companion.table.cues import Press as PressCue
from companion.table.events import (
    Chosen,
    Clock,
    Corrected,
    Event,
    Opened,
    Pressed,
    Rang,
    Setting,
    Shown,
    Undone,
)
from companion.table.game import Refusal
from companion.table.things import Button, CardId, CompanionError, Player, Zone

LONGEST = 16_384  # bytes of a message
LONGEST_NAME = 24  # characters of a player's name
# Letters to Unicode, blanks to the eye: the fillers of Hangul, an empty Braille cell, an invisible sign.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
UNCERTAIN = 50_000_000  # ns: a press on a screen is stamped when it arrives, later than it was made

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Cards = Annotated[list[Name], msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Option = str | float | bool | None


class BadMessage(CompanionError, ValueError):
    """A message that is no command. The text can be shown to whoever sent it; `id` is the command's, if known."""

    def __init__(self, text: str, wish: str = "") -> None:
        """Say what is wrong, and in which command."""
        super().__init__(text)
        self.id = wish


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every part of a message has in common: nothing in it goes unread."""


class _Press(_Strict, frozen=True):
    player: Name
    button: Literal["bid", "call"]

    def event(self, now: int) -> Event:
        return Pressed(Player(self.player), Button(self.button), now, UNCERTAIN)


class _Show(_Strict, frozen=True):
    zone: Name
    cards: Cards

    def event(self, now: int) -> Event:
        del now
        return Shown(Zone(self.zone), _once(self.cards))


class _Choose(_Strict, frozen=True):
    player: Name
    cue: Word
    option: Word

    def event(self, now: int) -> Event:
        del now
        return Chosen(Player(self.player), self.cue, self.option)


class _Ring(_Strict, frozen=True):
    name: Name
    lap: Number

    def event(self, now: int) -> Event:
        del now
        return Rang(Clock(self.name, self.lap))


class _Undo(_Strict, frozen=True):
    to: Number

    def event(self, now: int) -> Event:
        del now
        return Undone(self.to)


class _Correct(_Strict, frozen=True):
    of: Number
    cards: Cards

    def event(self, now: int) -> Event:
        del now
        return Corrected(self.of, _once(self.cards))


class _Open(_Strict, frozen=True):
    game: Name
    players: Annotated[
        list[str], msgspec.Meta(min_length=1, max_length=41)
    ]  # a class of forty and its teacher
    options: dict[Name, Option] = {}
    seed: Number = 0
    instead: bool = False

    def event(self, now: int) -> Event:
        del now
        names = tuple(person(name) for name in self.players)
        if len(set(names)) != len(names):
            raise BadMessage("two players have the same name")
        return Opened(Setting(self.game, names, dict(self.options), self.seed), instead=self.instead)


_Wish = _Press | _Show | _Choose | _Ring | _Undo | _Correct | _Open
_WISHES: dict[str, type[_Wish]] = {
    "press": _Press, "show": _Show, "choose": _Choose, "ring": _Ring, "undo": _Undo, "correct": _Correct,
    "open": _Open,
}  # fmt: skip


class Command(_Strict, frozen=True, tag_field="t", tag="cmd"):
    """A wish of a screen; `event` makes it one."""

    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16,64}$")]
    rev: Number
    do: str
    args: msgspec.Raw

    def event(self, now: int) -> Event:
        """The event asked for; `now` in monotonic ns stamps a press. BadMessage says what is wrong."""
        wanted = _WISHES.get(self.do)
        if wanted is None:
            raise BadMessage(f"{self.do!r} is nothing to do; known are {', '.join(_WISHES)}", self.id)
        try:
            wish = msgspec.json.decode(self.args, type=wanted)
            return wish.event(now)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise BadMessage(f"{self.do}: {fault}", self.id) from fault
        except BadMessage as fault:
            raise BadMessage(f"{self.do}: {fault.args[0]}", self.id) from fault


def command(frame: str | bytes) -> Command:
    """Read a frame as a command. BadMessage for anything else."""
    raw = frame.encode(errors="surrogatepass") if isinstance(frame, str) else frame
    if len(raw) > LONGEST:
        raise BadMessage(f"a message has at most {LONGEST} bytes, not {len(raw)}")
    try:
        return msgspec.json.decode(raw, type=Command)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadMessage(f"no command: {fault}") from fault


def _once(cards: list[Name]) -> tuple[CardId, ...]:
    if len(set(cards)) != len(cards):
        raise BadMessage("a card lies in one place only once")
    return tuple(CardId(card) for card in cards)


def person(name: str) -> Player:
    """A player's name: short, of characters that can be seen, none that the games use between names. BadMessage."""
    plain = unicodedata.normalize("NFC", name).strip()
    if plain and not plain.isprintable():
        raise BadMessage(f"{name[:40]!r} is no name: there are signs in it that cannot be seen; type it anew")
    if not 1 <= len(plain) <= LONGEST_NAME or set(plain) & set("+,:@{}"):
        raise BadMessage(f"{name[:40]!r} is no name: 1 to {LONGEST_NAME} letters, without + , : @ {{ }}")
    if re.fullmatch(r"–( \d+)?", plain):
        raise BadMessage(f"{plain!r} stands for a player who was deleted: choose another name")
    if not any(unicodedata.category(letter)[0] in "LNS" and letter not in BLANK for letter in plain):
        raise BadMessage(
            f"{name[:40]!r} is no name: nothing of it can be seen or said; write at least one letter or figure"
        )
    return Player(plain)


def plain_cue(cue: Cue) -> dict[str, Any]:
    """A cue as plain data: what the operator's page offers to answer by hand."""
    if isinstance(cue, PressCue):
        told = {"is": "press", "player": cue.player, "button": cue.button, "why": cue.why}
        return {**told, "aside": True} if cue.aside else told
    if isinstance(cue, ChooseCue):
        asked = {
            "is": "choose", "player": cue.player, "cue": cue.what, "options": list(cue.options),
            "secret": cue.secret,
        }  # fmt: skip
        return {**asked, "aside": True} if cue.aside else asked
    if isinstance(cue, Wait):
        return {"is": "wait", "name": cue.clock.name, "lap": cue.clock.lap, "seconds": cue.seconds}
    if isinstance(cue, Roll):
        return {"is": "roll", "zone": cue.zone, "dice": cue.dice}
    expect = cue.expect
    exactly = None if expect.exactly is None else list(expect.exactly)
    return {
        "is": "show", "zone": cue.zone, "new": expect.new, "faces": list(expect.faces),
        "lying": [*expect.lying, *expect.seen], "exactly": exactly, "first": list(expect.first),
    }  # fmt: skip


def plain_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data: the phrase that says it, the rule, and the refusal behind it, if there is one."""
    told = {"key": f"no.{refusal.stem}", "values": dict(refusal.values), "rule": refusal.rule}
    return told if refusal.cause is None else {**told, "cause": plain_refusal(refusal.cause)}


def state(content: Mapping[str, Any]) -> bytes:
    """A state message. `content` is plain data."""
    return msgspec.json.encode({"t": "state", **content})


def stamped(message: bytes, now: int) -> bytes:
    """A state message with the time it leaves, `now` in monotonic ms: deadlines are told on the same clock."""
    return b'{"now":%d,' % now + message[1:]


def done(wish: str, rev: int) -> bytes:
    """The answer to a command that the journal has, as event number `rev`."""
    return msgspec.json.encode({"t": "ack", "id": wish, "ok": True, "rev": rev})


def refused(wish: str, code: str, text: str = "", refusal: Refusal | None = None) -> bytes:
    """The answer to a command that changed nothing: "bad", "stale", "role", "pace" or a refusal's code."""
    told: dict[str, Any] = {"t": "ack", "id": wish, "ok": False, "code": code, "text": text}
    if refusal is not None:
        told["refusal"] = plain_refusal(refusal)
    return msgspec.json.encode(told)
