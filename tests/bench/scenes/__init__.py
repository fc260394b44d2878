"""Pictures of card tables with known markers, in two physics; the peers that read them; the conditions.

`layout` lays cards, `soft` and `lens` photograph them in two different ways. All is made up and seeded. The
reader's steps were chosen with `lens` in view and its thresholds on pictures of both, with other seeds than
the bench's; what no picture here was used for is the photographs of `bench-photos`.
"""
