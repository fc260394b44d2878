"""The owner's own cards: what the rulebook leaves open is entered once. One file a game, each with its command."""

from __future__ import annotations

from companion.shelf import keep_deck, own_deck
from companion.table.things import BadDeck


def keep(game: str, text: str) -> None:
    """Keep the owner's deck. BadDeck names what is wrong in it, or why its file cannot be written."""
    try:
        keep_deck(game, text)
    except OSError as fault:
        raise BadDeck(
            f"{own_deck(game)}: {fault.strerror}. Name a folder where you may write in COMPANION_DECKS"
        ) from fault
