"""Where a game of Koala stands: everything the referee knows, and nothing of anybody's hand but its size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from companion.games.koala import options
from companion.games.koala.rules_auction import Auction, Lead, Split
from companion.games.koala.rules_seats import CAVES, FOODS, Path, Seats, seat_of
from companion.table.effects import Say
from companion.table.events import Clock, Setting
from companion.table.game import Score
from companion.table.things import CardId, Deck, Player, Zone, value

MIDDLE = Zone("middle")  # the revealed card, cards set aside, bids
ACTION = Zone("action")  # action cards from hand; bad, feast and team cards are shown here too
NOTHING = Say("did.nothing")


@value
class Claim:
    """Somebody pressed and is about to lay cards: one player, or both koalas of a koalation."""

    players: tuple[Player, ...]
    at: int  # when the first of them pressed, monotonic ns
    unc: int = 0


@value
class Floor:
    """A zone where presses claim and cards answer: who pressed in which order, what lies there unjudged."""

    zone: Zone
    claims: tuple[Claim, ...] = ()
    fresh: tuple[CardId, ...] = ()  # laid and not judged yet
    strays: tuple[CardId, ...] = ()  # judged invalid: to be taken back to the hand
    spent: tuple[CardId, ...] = ()  # bound for the discard pile; may still lie about
    quiet: bool = False  # the least pause has passed: a call is allowed
    ran_out: bool = False  # the count ended while a claim was still being laid
    lap: int = 0  # of the quiet, pause and call clocks: a new one for each valid bid
    lay: int = 0  # of the lay clock: a new one for each claim that gets the floor


@value
class State:
    """One moment of a game. Cards are known by id as soon as they were seen face up."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    phase: str
    seats: Seats
    caves: tuple[tuple[CardId, ...], ...]
    hands: Mapping[Player, int]
    feasts: Mapping[Player, int]
    pile: int
    feast_cards_left: int
    starter: Player | None = None
    round: int = 1
    first_card: bool = True
    middle: Floor = Floor(MIDDLE)
    action: Floor = Floor(ACTION)
    food: CardId | None = None  # at auction
    bonus: tuple[CardId, ...] = ()  # set aside for the next winner
    pot: tuple[CardId, ...] = ()  # paid in valid bids
    lead: Lead | None = None
    splits: tuple[Split, ...] = ()  # joint bids of which nobody has said yet who paid what
    discarded: tuple[CardId, ...] = ()
    card: CardId | None = None  # the action card being carried out
    owner: Player | None = None  # who decides how
    back: str = ""  # the phase that follows a move
    walks: tuple[Path, ...] = ()
    slid: tuple[Player, ...] = ()
    unsettled: tuple[Player, ...] = ()  # movers who have not yet said that they sit
    stolen: tuple[CardId, ...] = ()
    queue: tuple[Player, ...] = ()  # who is still to be asked in this phase
    feasting: str | None = None  # the food being eaten
    asked: int = 0  # lap of the question clock
    shown: tuple[CardId, ...] = ()  # shown on the action place and done with: bad cards, team cards
    left: tuple[CardId, ...] = ()  # lay on the action place when a team card was shown there last
    drew: tuple[tuple[Player, int], ...] = ()  # who drew last and how many, and whoever then drew none
    exchanged: Player | None = None  # who has put bad cards away last, and keeps what he drew for them
    guess: int | None = None  # bad cards may be another's: so many were booked as drawn by who is at turn
    counted: frozenset[int] = frozenset()  # caves whose scan is done
    seen: Mapping[int, tuple[CardId, ...]] = field(
        default_factory=dict
    )  # caves whose scan differs from the record
    teams: Mapping[Player, str] = field(default_factory=dict)
    joins: str | None = None
    score: Score | None = None
    did: Say = NOTHING


def ruled(state: State, number: int, value: str) -> bool:
    """Whether the ruling KOALA-AMB-nn has this value at this table."""
    return options.ruled(state.rulings, number, value)


def auction(state: State) -> Auction:
    """Where the auction stands, for the rules of a bid."""
    food = "" if state.food is None else state.deck.face(state.food)
    assert state.starter is not None, "an auction has a starting player"
    return Auction(
        food, state.starter, state.seats, state.hands, state.rulings, state.lead,
        state.splits,
    )  # fmt: skip


def booked(state: State, now: Auction) -> State:
    """The state after cards were paid: from hands, or by a koalation that is still to say who paid what."""
    assert now.hands is not None, "the table knows how many cards each holds"
    return replace(state, hands=now.hands, splits=now.splits)


def faces(state: State, cards: Iterable[CardId]) -> tuple[str, ...]:
    """What cards show."""
    return tuple(state.deck.by_id[card].face for card in cards)


def words(state: State, cards: Iterable[CardId]) -> str:
    """Cards as a list of translatable words: "@pizza, @pizza, @bump"."""
    return ", ".join(f"@{face}" for face in faces(state, cards))


def foods(state: State, cave: int) -> dict[str, int]:
    """How many cards of each food a cave holds."""
    held = faces(state, state.caves[cave])
    return {food: held.count(food) for food in FOODS}


def all_foods(state: State) -> tuple[dict[str, int], ...]:
    """The foods of every cave, clockwise."""
    return tuple(foods(state, cave) for cave in range(len(state.caves)))


def cave_zone(cave: int) -> Zone:
    """The zone of a cave by its number."""
    return Zone(f"cave:{CAVES[cave]}")


def own_cave(state: State, player: Player) -> int:
    """The cave a player sits or stands at."""
    return seat_of(state.seats, player)


def place_of(state: State, card: CardId) -> str | None:
    """Where a card is known to belong: a cave's or the discard's phrase key; None if it may come from hand."""
    for cave, held in enumerate(state.caves):
        if card in held:
            return f"@zone.cave:{CAVES[cave]}"
    if card in state.discarded or card in state.middle.spent or card in state.action.spent:
        return "@zone.discard"
    return None


def question_clock(state: State) -> Clock:
    """The clock of the question that is open now."""
    return Clock("ask", state.asked)


def winners(state: State, score: Score) -> str:
    """Who won, for a sentence."""
    return sides(score.winners, bool(state.teams))


def sides(names: Iterable[str], teams: bool) -> str:
    """Who scores together, for a sentence: people by their names, teams as words of the game."""
    return ", ".join(f"@{name}" if teams else name.replace("+", " + ") for name in names)
