"""Whether a game under way has secrets that a file of its events would tell."""

from __future__ import annotations

from collections.abc import Iterator

from companion.table.cues import Choose
from companion.table.session import Node, Session


def private(session: Session | None) -> bool:
    """Whether a game is under way in which people look at cards that nobody else may see."""
    return session is not None and bool(session.box.game.private) and not session.over


def sealed(session: Session | None) -> bool:
    """Whether choices were made, or are being made, that nobody else may know while the game is under way.

    Whoever saves the events is mostly a player. What a sealed choice was can be told from later events, too (a
    number pressed, the one card that is left), and one that was taken back may be made again: so all events stay
    out, not only the answers themselves.
    """
    if session is None or session.over:
        return False
    return any(isinstance(cue, Choose) and cue.secret for node in _steps(session) for cue in node.cues)


def shut(session: Session | None) -> bool:
    """Whether nothing of the game may be given away yet, for either reason."""
    return private(session) or sealed(session)


def _steps(session: Session) -> Iterator[Node]:
    """Every step of the game, those that were taken back, too."""
    yield from session.path()
    for branch in session.left:
        node: Node | None = branch
        while node is not None:
            yield node
            node = node.before
