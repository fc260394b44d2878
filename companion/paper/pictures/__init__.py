"""One file a game: a small picture for each face of its cards, found by the game's name."""
