"""What stands on the sheets besides the deck's own names, in each language."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "ruler": "100 mm. Print at 100 % and measure this line.",
        "made_up": "made-up data",
        "stickers": "Stickers: one in the same corner of every card, marker outwards. Cut along the lines.",
        "plates": "Plates",
        "players": "Player cards",
        "plate": "Cards below the dashes, inside the corners.",
        "strip": "Cut along the dashes for a strip: the zone below stays {wide} x {high} mm.",
        "beyond": "The zone goes on beyond the paper:",
        "left": "{mm} mm to the left", "right": "{mm} mm to the right", "down": "{mm} mm below",
        "join": "Open on your phone:", "seat": "Player",
    },
    "de": {
        "ruler": "100 mm. Mit 100 % drucken und diese Linie nachmessen.",
        "made_up": "erfundene Daten",
        "stickers": "Aufkleber: jeder in dieselbe Ecke seiner Karte, Marker nach außen. An den Linien schneiden.",
        "plates": "Platten",
        "players": "Spielerkarten",
        "plate": "Karten unter die gestrichelte Linie, zwischen die Ecken.",
        "strip": "An der Linie geschnitten bleibt ein Streifen: Die Zone darunter misst weiter {wide} x {high} mm.",
        "beyond": "Die Zone reicht über das Papier hinaus:",
        "left": "{mm} mm nach links", "right": "{mm} mm nach rechts", "down": "{mm} mm nach unten",
        "join": "Auf dem Handy öffnen:", "seat": "Spieler",
    },
}  # fmt: skip
