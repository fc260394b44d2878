"""Where a game of Ku-Ka-König stands: rows and collections card by card, and what is sealed until the beat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from companion.games.kukakoenig import options
from companion.games.kukakoenig.rules_rows import Refill, Reveal, Rows
from companion.games.kukakoenig.rules_score import Tables, held
from companion.games.kukakoenig.rules_seen import Difference
from companion.table.effects import Say
from companion.table.events import Setting
from companion.table.figures import number
from companion.table.game import Point, Score
from companion.table.things import Card, CardId, Deck, Player, Zone, value

BOX = Zone("box")
NOTHING = Say("did.nothing")
ONWARD = "onward"  # the phase between two phases: the next one of `todo` begins


@value
class State:
    """One moment of a game. Pile and box are known by number; a card by id once it was seen face up."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    phase: str
    rows: Rows  # each from inside to outside
    pile: int
    unseen: int  # cards in the box that nobody has seen: counted out before the game
    box: tuple[CardId, ...] = ()  # cards in the box that were seen
    collections: Mapping[Player, tuple[CardId, ...]] = field(default_factory=dict)
    todo: tuple[str, ...] = ()  # phases to come
    round: int = 1
    stage: int = 1  # 2 after the first scoring
    final: bool = False
    groups: tuple[tuple[Player, ...], ...] = ()  # who has no row yet; the first group chooses now
    ready: frozenset[Player] = frozenset()
    sealed: Mapping[Player, int] = field(default_factory=dict)  # SECRET until the beat has ended
    counted: Mapping[Player, int] = field(default_factory=dict)  # presses counted since the beat
    shown: Mapping[Player, int] = field(default_factory=dict)  # choices that everybody knows
    seen: Mapping[int, tuple[CardId, ...]] = field(
        default_factory=dict
    )  # rows that lie otherwise than `rows`
    asking: int | None = None  # whose row is this? pressed by who took it
    nobody: frozenset[int] = frozenset()  # rows that nobody says to have taken: their last card went
    claims: Mapping[Player, int] = field(default_factory=dict)  # who says to have taken a row alone
    calls: Player | None = None  # wants the reveal once more
    lap: int = 0  # of the beat and its windows
    reveal: Reveal | None = None  # the last reveal, while people take rows
    differences: Mapping[int, Difference] = field(default_factory=dict)
    empty_handed: tuple[Player, ...] = ()  # of this round
    special: bool = False  # this round ended with one row left
    plan: Refill | None = None  # of the refill under way
    filled: frozenset[int] = frozenset()
    early: bool = False  # a row was filled before its turn, and that was said
    at: int = 0  # type being scored
    points: tuple[tuple[Point, ...], ...] = ()  # of each scoring so far
    laid: tuple[CardId, ...] | None = None  # on the box plate while red-cross cards go back; None: not seen
    queue: tuple[Player, ...] = ()  # who still has red-cross cards
    alike: Mapping[tuple[Player, Player], int] = field(default_factory=dict)  # chose the same row so often
    lost: Mapping[Player, int] = field(default_factory=dict)  # removals each took part in
    score: Score | None = None
    did: Say = NOTHING

    @property
    def affected(self) -> tuple[Player, ...]:
        """Who chooses now."""
        return self.groups[0] if self.groups else ()

    @property
    def available(self) -> tuple[int, ...]:
        """The rows that can be chosen."""
        return tuple(row for row, cards in self.rows.items() if cards)


def ruled(state: State, number: int, value: str) -> bool:
    """Whether the ruling KUKA-AMB-nn has this value at this table."""
    return options.ruled(state.rulings, number, value)


def row_zone(row: int) -> Zone:
    """The zone of a row."""
    return Zone(f"row:{row}")


def row_of(zone: Zone, rows: Rows) -> int | None:
    """The row of a zone; None if it is none of these."""
    row = number(zone.removeprefix("row:"))
    return row if zone.startswith("row:") and row in rows else None


def playing(deck: Deck, cards: Iterable[CardId]) -> tuple[CardId, ...]:
    """What lies in a zone without the number cards: their stickers are seen beside the row."""
    return tuple(c for c in dict.fromkeys(cards) if c not in deck.by_id or deck.by_id[c].kind != "number")


def in_order(state: State, row: int, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """A row's cards in the order in which they lay before: a reading may take them in another."""
    old = state.rows[row]
    return (*(card for card in old if card in cards), *(card for card in cards if card not in old))


def stranger(deck: Deck, cards: Iterable[CardId]) -> CardId | None:
    """The first card that is none of this game's; None if there is none."""
    return next((card for card in cards if card not in deck.by_id), None)


def words(state: State, cards: Iterable[CardId]) -> str:
    """Cards as a list of translatable words: "@king, @sheep"; a stranger's card by its id."""
    known = state.deck.by_id
    return ", ".join(f"@{known[card].face}" if card in known else str(card) for card in cards) or "-"


def kinds_of(state: State, cards: Iterable[CardId]) -> str:
    """The kinds among cards, each once: for sentences that also tell how many there are."""
    return ", ".join(dict.fromkeys(f"@{state.deck.face(card)}" for card in cards)) or "-"


def tables(state: State) -> Tables:
    """Everybody's collection by types."""
    return {
        player: held(state.deck.by_id[card] for card in cards) for player, cards in state.collections.items()
    }


def stays(state: State, card: Card) -> bool:
    """Whether a card has the green check, as the deck says."""
    return bool(state.deck.facts.get(card.face, {}).get("stays", False))


def red(state: State, player: Player) -> tuple[CardId, ...]:
    """A player's cards with the red cross: they go back to the box after the first scoring."""
    return tuple(c for c in state.collections[player] if not stays(state, state.deck.by_id[c]))


def place_of(state: State, card: CardId) -> str | None:
    """Where a card is known to be, as a word for a sentence; None if it may come from pile or unseen box."""
    for row, cards in state.rows.items():
        if card in cards:
            return f"@zone.row:{row}"
    owner = next((player for player, cards in state.collections.items() if card in cards), None)
    if owner is not None:
        return str(owner)
    return "@zone.box" if card in state.box and not state.final else None
