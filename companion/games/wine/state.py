"""Where a game of Koala & Wine stands. Glasses are numbers; what they hold is private, and never asked by a view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from companion.games.wine import options
from companion.games.wine.rules_deck import WINES, Pile
from companion.games.wine.rules_glasses import MIDDLE, Table
from companion.games.wine.rules_turn import Turn
from companion.table.effects import Say
from companion.table.events import Clock, Setting
from companion.table.figures import number
from companion.table.things import CardId, Deck, Player, Zone, value

PLAYED = Zone("played")  # cards from hand
DRAWN = Zone("drawn")  # every card that is drawn is shown here
CENTRE = Zone("middle")  # the glasses of nobody, in the variant
LETTERS = "abcdef"
NOTHING = Say("did.nothing")
Glass = int  # a glass by its number: who served it to which place, not what it holds


@value
class Seen:
    """A glass was looked at by the whole table: private until the game is over."""

    turn: int
    glass: Glass
    card: CardId


@value
class Went:
    """A glass came to a place: a player's row, the middle, or out of the game. Public."""

    turn: int
    glass: Glass
    owner: str


@value
class Up:
    """A glass that lies face up now, in a row where one was asked for."""

    card: CardId
    t: float  # seconds; only their order counts


@value
class State:
    """One moment of a game. `shown` and `seen` are the only fields that know what a glass holds."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    phase: str
    order: tuple[Player, ...]  # in turn order
    pile: Pile
    rows: Mapping[Player, tuple[Glass, ...]]  # left to right, the middle among them
    hands: Mapping[Player, int]
    per_type: int = 0
    starter: Player | None = None
    turn: Player | None = None
    turns: int = 0  # turns begun so far
    round: int = 1
    play: Turn = Turn(0)
    stopped_early: frozenset[Player] = frozenset()  # laid STOP in the first round before the own turn
    picked: bool = False  # a card was just taken by a Grape Picker
    ready: frozenset[Player] = frozenset()
    lying: Mapping[Zone, tuple[CardId, ...]] = field(default_factory=dict)  # on the places for cards
    spent: frozenset[CardId] = frozenset()  # on the discard pile, or about to
    card: CardId | None = None  # the card being carried out
    wine: str | None = None  # what it asks for, as long as it asks
    target: tuple[Player, int] | None = None  # the glass pointed at
    chooser: Player | None = None  # who is asked now
    asked: tuple[Player, ...] = ()  # whose rows should show a glass
    shown: Mapping[Player, Up] = field(default_factory=dict)  # and what they show
    pressed: Mapping[Player, float] = field(default_factory=dict)  # seconds, in a contest
    down: tuple[Player, ...] = ()  # whose rows must be face down before the game goes on
    tried: bool = False  # a second try at a Sommelier is gone
    passing: Mapping[Player, int] = field(default_factory=dict)  # slots given in a Farandole
    offers: Mapping[Player, int] = field(default_factory=dict)  # sealed until all are in
    answered: frozenset[Player] = frozenset()
    lap: int = 0  # of the clocks
    vintage: frozenset[Player] = frozenset()
    vintage_at: int = -1  # the turn in which it was played
    aged: Mapping[Player, int] = field(default_factory=dict)  # slots
    lost: tuple[Glass, ...] = ()  # eliminated, the last one on top
    out: tuple[Player, ...] = ()
    seen: tuple[Seen, ...] = ()
    went: tuple[Went, ...] = ()
    unsure: frozenset[Glass] = frozenset()  # mixed up by a Sneaky Taster
    deeds: tuple[tuple[Player, str], ...] = ()  # who did what: "thief_right", "sommelier_wrong"
    winner: Player | None = None
    did: Say = NOTHING


def ruled(state: State, number: int, value: str) -> bool:
    """Whether the ruling WINE-AMB-nn has this value at this table."""
    return options.ruled(state.rulings, number, value)


def base(face: str) -> str:
    """A card's name without the wine printed on it: "thieves_red" is a "thieves"."""
    name, _, wine = face.rpartition("_")
    return name if wine in WINES else face


def wine_of(face: str) -> str | None:
    """The wine printed on a card, if it shows one; on a glass its content."""
    wine = face.rpartition("_")[2]
    return wine if wine in WINES else None


def face_of(state: State, card: CardId | None) -> str:
    """A known card's name without its wine."""
    assert card is not None, "a card is being carried out"
    return base(state.deck.face(card))


def is_glass(state: State, card: CardId) -> bool:
    """Whether a card is a glass."""
    known = state.deck.by_id.get(card)
    return known is not None and known.kind == "glass"


def row_zone(state: State, owner: Player) -> Zone:
    """Where a player's glasses lie; the middle has a place of its own."""
    return CENTRE if owner == MIDDLE else Zone(f"row:{LETTERS[state.setting.players.index(owner)]}")


def owner_of(state: State, zone: Zone) -> Player | None:
    """Whose glasses lie in a zone."""
    if zone == CENTRE:
        return MIDDLE
    letter = zone.removeprefix("row:")
    place = LETTERS.find(letter) if letter != zone and len(letter) == 1 else -1
    return state.setting.players[place] if 0 <= place < len(state.setting.players) else None


def table_of(state: State) -> Table:
    """The public side of the table, as the rules know it."""
    glasses = {player: len(state.rows[player]) for player in state.order}
    return Table(
        state.order, glasses, state.hands, state.vintage, state.aged, len(state.rows[MIDDLE]),
        len(state.lost), state.out, state.rulings,
    )  # fmt: skip


def current(state: State) -> Player:
    """Whose turn it is."""
    assert state.turn is not None, "cards are played in somebody's turn"
    return state.turn


def turn_of(state: State) -> Turn:
    """The turn as the rules know it, with the hand as it is now."""
    return replace(state.play, hand=state.hands[current(state)])


def glass_word(owner: Player) -> str:
    """An owner for a sentence: a name, or the middle as a word of the game."""
    return f"@{MIDDLE}" if owner == MIDDLE else owner


def clock(state: State, name: str) -> Clock:
    """The clock of this name that may run now."""
    return Clock(name, state.lap)


def slot_names(owner: Player, slots: Iterable[int]) -> tuple[str, ...]:
    """Glasses as answers: "Mia:2", counted from the left as their owner sees them."""
    return tuple(f"{owner}:{slot}" for slot in slots)


def pointed(option: str) -> tuple[Player, int]:
    """The glass that an answer points at; place 0, where none lies, for a text that names no place."""
    owner, colon, slot = option.rpartition(":")
    return (Player(owner), number(slot)) if colon else (Player(option), 0)


def with_deed(state: State, player: Player, deed: str) -> State:
    """The state with something remembered for the story after the game."""
    return replace(state, deeds=(*state.deeds, (player, deed)))
