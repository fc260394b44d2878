"""The files of a table, opened: one that is damaged, strange or out of reach is kept and named, and stops nothing."""

from __future__ import annotations

import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

import click

from companion.edges.archive import Archive, ArchiveError
from companion.edges.journal import Journal, JournalError
from companion.house import OLD, House, Trouble
from companion.running.words import said
from companion.table.things import CompanionError

ARCHIVE, MEMORY = "archive", "memory"
GRACE_S = 15.0  # people sit down again and the screens come back, before a clock of theirs begins


def opened(path: Path, safe: bool, lang: str) -> tuple[Journal, str]:
    """The journal, and what is wrong with it ("" if nothing).

    In safe mode one that cannot be opened stops nothing: the web page must be there to say why.
    """
    try:
        return Journal(path), ""
    except Exception as fault:  # in safe mode nothing that a file does to us may close the page
        if not safe:
            raise
        _trace(fault)
        return Journal(None), said(lang, "unopened", fault=_words(fault))


def resumed(house: House, written: Journal, ill: str = "") -> Journal:
    """Go on where the journal ends. One that this version cannot play is put aside whole, and said so.

    `ill`: what was wrong when it was opened.
    """
    if written.moved_aside is not None:
        ill = said(house.lang, "mended", aside=written.moved_aside)
    try:
        house.resume(GRACE_S)
    except Exception as fault:  # whatever old events do to this version's games
        _trace(fault)
        written, ill = _anew(house, written, _words(fault))
        house.journal = written
        house.resume()
    if ill:
        click.echo(ill)
        house.put(Trouble(OLD if written.path is not None else MEMORY, ill))
    return written


def _anew(house: House, written: Journal, fault: str) -> tuple[Journal, str]:
    """Another journal in place of one that cannot be played; in memory if the folder takes none."""
    try:
        aside = written.put_aside()
        return Journal(written.path), said(house.lang, "unplayable", fault=fault, aside=aside)
    except OSError:
        return Journal(None), said(house.lang, "unplayable_stays", fault=fault, path=written.path)


def archive(path: Path, lang: str) -> tuple[Archive, str]:
    """The finished games, and what is wrong with them; a damaged file is put aside, and the table opens."""
    try:
        return Archive(path), ""
    except ArchiveError as fault:
        aside = path.with_name(f"{path.name}.damaged-{int(time.time())}")
        ill = said(lang, "aside", fault=fault.args[0], aside=aside)
        with suppress(OSError):
            path.replace(aside)
    try:
        return Archive(path), ill
    except ArchiveError as fault:  # the folder cannot be written: this evening's games are kept in memory
        return Archive(None), said(lang, "archive_memory", fault=fault.args[0])


def _words(fault: Exception) -> str:
    """What an error says; one that is not ours is named by its kind only: its text may name secret cards."""
    return str(fault.args[0]) if isinstance(fault, CompanionError) and fault.args else type(fault).__name__


def _trace(fault: Exception) -> None:
    """An error that is not ours is told whole on the terminal."""
    if not isinstance(fault, JournalError):
        traceback.print_exception(fault, file=sys.stderr)
