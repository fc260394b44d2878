"""Journals and texts without the names of people: players become "Player 1", "Player 2" ... wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from unicodedata import normalize
from urllib.parse import parse_qsl, unquote

from companion.table.events import Chosen, Event, Opened, Pressed
from companion.table.things import Player, value

LEFT_OUT = "[left out]"
_BETWEEN = re.compile(r"([:+,]\s*)")  # what stands between names where several stand together

_HOME = re.compile(r"/home/[^/\s\"':,]+")  # whose machine it is
# User and password in an address: a password may hold "/" and "@", so it goes to the last "@" there is. What follows
# "?" is told to the camera alone, too.
_LOGIN = re.compile(r"://[^\s\"'<>]+@")
_QUERY = re.compile(r"(://[^\s\"'<>?]*\?)[^\s\"'<>]+")
ALONE = 5  # letters of a word that is looked for wherever it stands; a shorter one is a part of other words


@value
class Veil:
    """Names and what stands for each, and secrets, for which nothing stands."""

    names: Mapping[str, str]
    secrets: tuple[str, ...] = ()

    def event(self, event: Event) -> Event:
        """The same event of people without names. Cards, zones and clocks are called after no person."""
        if isinstance(event, Opened):
            setting = event.setting
            options = {self._parts(key): self._options(of) for key, of in setting.options.items()}
            players = tuple(map(self._player, setting.players))
            return replace(event, setting=replace(setting, players=players, options=options))
        if isinstance(event, Pressed):
            return replace(
                event, player=self._player(event.player), tied=tuple(map(self._player, event.tied))
            )
        if isinstance(event, Chosen):
            return replace(event, player=self._player(event.player), option=self._parts(event.option))
        return event

    def text(self, text: str) -> str:
        """Free text, in which a name may stand anywhere, also as "Mias"; no secret is left in it."""
        text = normalize("NFC", text)
        text = _QUERY.sub(rf"\1{LEFT_OUT}", _LOGIN.sub(f"://{LEFT_OUT}@", text))
        for secret in self.secrets:
            text = text.replace(normalize("NFC", secret), LEFT_OUT)
        text = _HOME.sub(f"/home/{LEFT_OUT}", text)
        instead = {_plain(name): of for name, of in self.names.items() if _plain(name)}
        if not instead:
            return text
        longest = sorted(instead, key=len, reverse=True)  # "Anna Lena" before "Anna"
        every = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest)
        folded = {name.casefold(): of for name, of in instead.items()}
        return re.sub(
            rf"(?<!\w)(?:{every})(?=s?(?!\w))",
            lambda found: folded.get(_plain(found[0]).casefold(), LEFT_OUT),
            text,
            flags=re.IGNORECASE,
        )

    def plain(self, content: Any) -> Any:
        """Plain data, all of whose texts are free texts."""
        if isinstance(content, Mapping):
            return {self.text(str(key)): self.plain(of) for key, of in content.items()}
        if isinstance(content, list | tuple):
            return [self.plain(of) for of in content]
        return self.text(content) if isinstance(content, str) else content

    def _player(self, player: Player) -> Player:
        return Player(self.names.get(player, player))

    def _parts(self, text: str) -> str:
        """A name, or several, or a name and a card ("Mia:birdbear:03")."""
        return "".join(self.names.get(part, part) for part in _BETWEEN.split(text))

    def _options(self, of: object) -> object:
        if isinstance(of, Mapping):
            return {self._parts(str(key)): self._options(each) for key, each in of.items()}
        if isinstance(of, list | tuple):
            return [self._options(each) for each in of]
        return self._parts(of) if isinstance(of, str) else of


def veil(events: Iterable[Event], further: Iterable[str] = (), secrets: Iterable[str] = ()) -> Veil:
    """For all who play in these events, in the order in which they sat down, and for `further` names."""
    seen = [name for event in events if isinstance(event, Opened) for name in event.setting.players]
    every = dict.fromkeys((*seen, *further))
    names = {name: f"Player {number}" for number, name in enumerate((each for each in every if each), 1)}
    return Veil(names, tuple(sorted({each for each in secrets if each}, key=len, reverse=True)))


def of_address(address: str) -> tuple[str, ...]:
    """What an address holds that nobody else may know: user and password, and what follows its "?".

    An address with "/", "@" or "?" in its password is none that a rule can read: it is taken the way that tells least.
    """
    _, _, rest = address.partition("://")
    login, _, place = rest.rpartition("@")
    user, _, password = login.partition(":")
    query = (place if login else rest).partition("?")[2]
    words = (user, password, *(told for _, told in parse_qsl(query)))
    alone = {each for word in words for each in (word, unquote(word)) if len(each) >= ALONE}
    return tuple(each for each in (login, query, *sorted(alone)) if each)


def _plain(name: str) -> str:
    """A name as it is compared: however its letters are put together, and with one blank at a time."""
    return " ".join(normalize("NFC", name).split())
