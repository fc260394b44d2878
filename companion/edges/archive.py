"""The archive of finished games: one row a game, beside the journal."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.table.things import CompanionError
from companion.wire.foreign import loads

_TABLE = (
    "CREATE TABLE IF NOT EXISTS games "
    "(id TEXT PRIMARY KEY, record TEXT NOT NULL, counts INTEGER NOT NULL, lines BLOB NOT NULL DEFAULT x'')"
)
GONE = "–"  # what stands in the place of a player who was deleted
_BETWEEN = r" [+-] |\+|, "  # names of one text; " - " stood in tales of the archives of old
_NAMELESS = ("id", "game", "options", "rule", "why", "key")  # fields in which no player is named
Record = dict[str, Any]
_DAMAGE = (ValueError, TypeError, KeyError, OverflowError, RecursionError)  # of one row


class ArchiveError(CompanionError, OSError):
    """The archive cannot be read or written; the text says what to do."""


class Archive:
    """Finished games by their ids. Any thread may ask; one connection, one question at a time."""

    def __init__(self, path: Path | None) -> None:
        """Open or begin the file; None keeps it in memory. ArchiveError: no access, or no file of ours."""
        self._path, self._lock = path, threading.Lock()
        try:
            self._base = sqlite3.connect(
                ":memory:" if path is None else path, check_same_thread=False, isolation_level=None
            )
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(_TABLE)
        except sqlite3.Error as fault:
            raise self._explained(fault) from fault

    def keep(self, record: Record, lines: bytes = b"") -> None:
        """Keep a game, or its new ending, with its events as lines; whether it counts stays as it was."""
        self._do(
            "INSERT INTO games VALUES (?, ?, 1, ?) ON CONFLICT (id) DO UPDATE "
            "SET record = excluded.record, lines = excluded.lines",
            (record["id"], json.dumps(record), lines),
        )

    def lines(self, name: str) -> bytes:
        """A game's events as lines, to be played again; empty for one that is not kept so."""
        rows = self._do("SELECT lines FROM games WHERE id = ?", (name,))
        return bytes(rows[0][0]) if rows else b""

    def drop(self, name: str) -> None:
        """Forget a game: its end was taken back."""
        self._do("DELETE FROM games WHERE id = ?", (name,))

    def names(self) -> frozenset[str]:
        """The ids of all games kept."""
        return frozenset(str(row[0]) for row in self._do("SELECT id FROM games"))

    def games(self) -> list[Record]:
        """All games, newest first, each with "counts"; a row that is damaged hides no other."""
        games: list[Record] = []
        for record, counts in self._do("SELECT record, counts FROM games"):
            with suppress(*_DAMAGE):
                game = {**json.loads(record), "counts": bool(counts)}
                games.append({**game, "on": int(game["on"]), "players": list(game["players"])})
        return sorted(games, key=lambda game: -int(game["on"]))

    def count(self, name: str, counts: bool) -> None:
        """Say whether a game counts in the statistics."""
        self._do("UPDATE games SET counts = ? WHERE id = ?", (counts, name))

    def forget(self, player: str) -> int:
        """Take a player's name out of every game; in how many it stood. The points stay."""
        found = 0
        for game in self.games():
            if player in game["players"]:
                found += 1
                kept = {k: v for k, v in _without(game, player, _nobody(game)).items() if k != "counts"}
                self.keep(kept)  # without its events: the name stands in them
        return found

    def close(self) -> None:
        """Leave the file in order."""
        with self._lock:
            self._base.close()

    def _do(self, question: str, values: tuple[object, ...] = ()) -> list[Any]:
        with self._lock:
            try:
                return self._base.execute(question, values).fetchall()
            except sqlite3.Error as fault:
                raise self._explained(fault) from fault

    def _explained(self, fault: sqlite3.Error) -> ArchiveError:
        return ArchiveError(
            f"{self._path}: the archive of games cannot be used ({fault}). Move the file away: a new one is made"
        )


def _nobody(game: Record) -> str:
    """What a deleted player of a game is called: "–", the second one "– 2", so that everybody keeps his points."""
    taken, name, number = set(game["players"]), GONE, 1
    while name in taken:
        number += 1
        name = f"{GONE} {number}"
    return name


def _without(content: Any, player: str, nobody: str, inside: str = "") -> Any:
    """The same data with a name taken out wherever names stand, alone or beside others ("Mia+Paul", "Mia, Paul").

    A player may be called like a field or a game: fields keep their names, and what names no player its content.
    """
    if isinstance(content, dict):
        told = inside == "values"  # the words of a sentence, whatever they are called
        return {
            _name(key, player, nobody) if inside == "totals" else key:
            each if key in _NAMELESS and not told else _without(each, player, nobody, key)
            for key, each in content.items()
        }  # fmt: skip
    if isinstance(content, list):
        return [_without(each, player, nobody, inside) for each in content]
    return _name(content, player, nobody) if isinstance(content, str) else content


def _name(text: str, player: str, nobody: str) -> str:
    """A text of one name or of several; a player may be called "A + B", and two of them "A + B+C"."""
    return re.sub(rf"(^|{_BETWEEN}){re.escape(player)}(?=$|{_BETWEEN})", rf"\g<1>{nobody}", text)


def read(path: Path) -> list[Record]:
    """The games of an archive that is left as it is. ArchiveError: there is none, or it cannot be read."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    games: list[Record] = []
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=1)) as base:
            for record, counts in base.execute("SELECT record, counts FROM games"):
                game: Record = {}  # what a damaged row holds: it hides no other, and whoever collects can name it
                with suppress(*_DAMAGE):
                    game = {**loads(record), "counts": bool(counts)}
                games.append(game)
    except sqlite3.Error as fault:
        raise ArchiveError(f"{path}: no archive of games ({fault}). Name a journal's .games.db") from fault
    return games


def people(path: Path) -> tuple[str, ...]:
    """Whoever stands in an archive's games; nobody where there is none that can be read."""
    names: dict[str, None] = {}
    with suppress(ArchiveError):
        for game in read(path):
            players = game.get("players")
            names.update(dict.fromkeys(map(str, players if isinstance(players, list) else ())))
    return tuple(names)
