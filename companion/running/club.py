"""The club's broker of a table, as its settings name it; loaded only where they do."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from companion import config
from companion.edges.archive import Archive, ArchiveError

if TYPE_CHECKING:
    from companion.edges.mqtt import Club


def told_by(
    chosen: config.Config, archive: Archive, trouble: Callable[[str], None], lang: str
) -> tuple[Club, ...]:
    """The club that is to be told, or nobody. `trouble`: what is wrong with its broker, "" when all is well."""
    given = chosen.mqtt
    if given is None:
        return ()
    from companion.edges.mqtt import Address, Club  # noqa: PLC0415  # most tables have no broker
    from companion.wire.club_words import Place  # noqa: PLC0415  # as above

    def known() -> list[dict[str, Any]]:
        try:
            return archive.games()
        except ArchiveError:
            return []  # the history says so itself

    place = Place(given.topic, given.name or machine(), given.discovery)
    address = Address(given.host.strip(), given.port, given.user, given.password, given.tls)
    return (Club(address, place, version=version("companion"), trouble=trouble, lang=lang, known=known),)


def machine() -> str:
    """The name of this machine as a part of a topic."""
    return re.sub(r"[^\w-]+", "-", socket.gethostname())[:60] or "table"
