"""Pictures of card tables with known markers, in two physics; the peers that read them; the conditions.

`layout` lays cards, `soft` and `lens` photograph them in two different ways. All is made up and seeded. The
reader is tuned on `lens` alone; `soft` is what it has not seen.
"""
