"""The owner's own cards: what the rulebook leaves open is entered once. One file a game, each with its command."""
