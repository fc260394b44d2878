"""What is wrong on the table, as sentences: cards that cannot be, arms that stay, doubts to be decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from companion.edges.camera.words import say
from companion.table.things import Deck, Zone, value
from companion.vision.census import TWICE, Strange
from companion.vision.evidence import Open
from companion.vision.scene import DOUBT, HIDDEN, Scene


def _plain(game: str, key: str) -> str:
    del game
    return key


@value
class Naming:
    """How games, zones and faces are called: `word(game, key)` with the keys of the game's phrases."""

    lang: str = "en"
    word: Callable[[str, str], str] = field(default=_plain)

    def zone(self, deck: Deck, zone: Zone) -> str:
        """A zone's name."""
        named = self.word(deck.game, f"zone.{zone}")
        return str(zone) if named == f"zone.{zone}" else named


def troubles(
    scene: Scene, lasting: frozenset[Zone], doubts: Iterable[Open], deck: Deck, naming: Naming
) -> str:
    """All that is to be told now, one sentence after the other; "" when nothing is.

    What cannot be is told at once; what covers or blurs a card only where the zone has been held for long.
    """
    told = [_strange(each, deck, naming) for each in scene.strange]
    asked = {doubt.number: doubt for doubt in doubts if doubt.asked}
    for zone, seen in scene.zones.items():
        name = naming.zone(deck, zone)
        if seen.held == HIDDEN and zone in lasting:
            cards = ", ".join(naming.word(deck.game, deck.face(card)) for card in seen.covered)
            told.append(say(naming.lang, "hidden", {"zone": name, "cards": cards}))
        elif seen.held == DOUBT:
            here = [
                asked[number] for number, where in scene.doubts.items() if where == zone and number in asked
            ]
            told += [
                say(naming.lang, "doubt", {"zone": name, "likely": likely(doubt, deck, naming)})
                for doubt in here
            ]
    return " · ".join(told)


def likely(doubt: Open, deck: Deck, naming: Naming) -> str:
    """The three likeliest cards of a doubt, the likeliest first."""
    cards = [deck.by_marker.get(marker) for marker, _ in doubt.likely]
    named = [f"{naming.word(deck.game, card.face)} ({card.id})" for card in cards if card is not None]
    return " / ".join(named) or "?"


def _strange(each: Strange, deck: Deck, naming: Naming) -> str:
    zones = ", ".join(dict.fromkeys(naming.zone(deck, zone) for zone in each.zones))
    values: dict[str, str | int] = {
        "zones": zones, "game": naming.word("", each.game), "marker": each.marker, "box": each.box,
    }  # fmt: skip
    if each.kind == TWICE:
        assert each.card is not None, "only a card of this deck can be known twice"
        beside = len(each.spots) > len(each.zones)
        places = [zones, say(naming.lang, "beside")] if beside else [zones]
        values["zones"] = ", ".join(place for place in places if place)
        values["card"] = f"{naming.word(deck.game, each.card.face)} ({each.card.id})"
        return say(naming.lang, TWICE, values)
    return say(naming.lang, each.kind if each.zones else f"{each.kind}_beside", values)
