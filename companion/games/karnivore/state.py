"""Where a game of Karnivore Koala stands: everything the table may see, and of hands nothing but their size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from companion.games.karnivore import cards, options, rules_hunt
from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.rules_draw import take
from companion.games.karnivore.rules_hunt import next_dish, required
from companion.games.karnivore.rules_setup import DISHES
from companion.games.karnivore.rules_tribe import Bear, Turn
from companion.table.effects import Say
from companion.table.events import Setting
from companion.table.game import Refusal, Step
from companion.table.luck import Luck
from companion.table.things import CardId, Deck, Player, Zone, value

TRAY, MENU, DISCARD, PLAY = Zone("tray"), Zone("menu"), Zone("discard"), Zone("hunt")
LETTERS = "abcdef"
NOTHING = Say("did.nothing")
SAME = Refusal("TABLE-SAME", "nothing_new", aloud=False)


@value
class Todo:
    """A part of an effect that waits for people: what, how many, who does it, and which card says so."""

    kind: str
    n: int
    player: Player
    card: CardId


@value
class Guest:
    """A koala that comes to a full tribe: whose, which card, and the phase that follows."""

    player: Player
    card: CardId
    back: str


@value
class State:
    """One moment of a game. A card is known from the moment it lay face up."""

    setting: Setting
    deck: Deck
    rulings: Mapping[str, object]
    bears: Mapping[CardId, Bear]
    box: frozenset[CardId]  # the cards of this edition
    phase: str
    order: tuple[Player, ...]  # clockwise from the starting player
    hands: Mapping[Player, int]
    pile: int
    animals: int  # in the pile, the one whose back is seen among them
    tribes: Mapping[Player, tuple[CardId, ...]]
    hunted: Mapping[Player, tuple[CardId, ...]]
    luck: Luck
    kings: Mapping[Player, CardId] = field(default_factory=dict)
    round: int = 1
    player: Player = Player("")  # whose turn it is
    menu: tuple[CardId | None, ...] = (None, None, None)
    back: CardId | None = None
    last_back: str | None = None  # the symbol seen last, by a ruling it stays when the pile is empty
    discarded: tuple[CardId, ...] = ()
    blind: int = 0  # on the discard pile, but nobody saw which
    looked: bool = False  # the discard pile was seen since it is watched: what comes now is newly laid
    cup: Cup = Cup(0)
    marks: tuple[int, ...] = ()  # dice to be rolled again, by their place
    typed: tuple[str, ...] = ()  # faces tapped so far
    tray: tuple[str, ...] = ()  # what was read in the tray last
    lifted: bool = False  # dice have left the tray since the roll was asked for
    lying: tuple[str, ...] = ()  # a full set of dice that may be the old one: a press says that it is new
    free: int = 0  # dice that an effect lets roll again without a card
    turns: int = 0  # turns begun; the lap of the sand timer
    sand_over: bool = False
    pool: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[CardId, tuple[str, ...]] = field(default_factory=dict)
    skulled: tuple[CardId, ...] = ()
    spears: int = 0
    skulls_over: bool = False
    third_then: str | None = None  # the pile's back when the turn began
    todo: tuple[Todo, ...] = ()
    resume: str = ""  # the phase that follows the effects
    played: CardId | None = None  # the backstabbear on the table
    stage: tuple[CardId, ...] = ()  # what was seen on the hunt place last
    guest: Guest | None = None
    gone: tuple[CardId, ...] = ()  # to be taken out of the tribe now
    left: tuple[CardId, ...] = ()  # taken out of a tribe since the dice were locked: they may still lie there
    place: int | None = None  # the dish to be laid anew
    drawn: int = 0
    protected: frozenset[Player] = frozenset()
    counts: Mapping[str, Mapping[Player, int]] = field(default_factory=dict)  # for the statistics
    winner: Player | None = None
    did: Say = NOTHING


def ruled(state: State, number: int, chosen: str) -> bool:
    """Whether the ruling KARN-AMB-nn has this value at this table."""
    return options.ruled(state.rulings, number, chosen)


def turn_of(state: State) -> Turn:
    """The turn under way, as the rules see it."""
    return Turn(
        state.tribes[state.player], state.kings[state.player], state.pool, state.dice, state.skulled,
        state.spears, state.skulls_over,
    )  # fmt: skip


def with_turn(state: State, turn: Turn) -> State:
    """The state after the rules have changed the turn."""
    tribes = {**state.tribes, state.player: turn.koalas}
    return replace(
        state, tribes=tribes, pool=turn.pool, dice=turn.dice, skulled=turn.skulled, spears=turn.spears,
        skulls_over=turn.skulls_over,
    )  # fmt: skip


def tribe_zone(state: State, player: Player) -> Zone:
    """Where a player's tribe lies: a is the starting player's, the others follow clockwise."""
    return Zone(f"tribe:{LETTERS[state.order.index(player)]}")


def row(state: State, player: Player, *more: CardId) -> tuple[CardId, ...]:
    """A tribe as it lies: workbears, the king, the others."""
    koalas = (*state.tribes[player], *more)
    left = tuple(card for card in koalas if state.bears[card].kind == "workbear")
    return (*left, state.kings[player], *(card for card in koalas if card not in left))


def lefts(state: State) -> tuple[str, ...]:
    """The faces that lie left of the king."""
    return tuple(dict.fromkeys(card.face for card in state.deck.cards if card.kind == "workbear"))


def owner_of(state: State, zone: Zone) -> Player | None:
    """Whose tribe a zone is."""
    return next((player for player in state.order if tribe_zone(state, player) == zone), None)


def third(state: State) -> str | None:
    """The third symbol that counts: the visible back of the pile, as the table has ruled."""
    return rules_hunt.third(_back(state), state.last_back, state.third_then, state.rulings)


def shown_back(state: State) -> str | None:
    """The symbol on the back that lies on top of the animals now."""
    return rules_hunt.third(_back(state), state.last_back, None, state.rulings)


def _back(state: State) -> str | None:
    return None if state.back is None else cards.back_symbol(state.deck, state.back)


def wanted(state: State, player: Player) -> tuple[str, ...]:
    """The symbols that a player's next dish wants; none if the place is empty or nothing is left to hunt."""
    dish = next_dish(len(state.hunted[player]))
    animal = None if dish is None else state.menu[DISHES.index(dish)]
    if dish is None or animal is None:
        return ()
    return required(dish, cards.front(state.deck, animal), third(state), state.rulings)


def workbears(state: State, player: Player) -> dict[CardId, tuple[str, ...]]:
    """A player's workbears that may hunt, and the symbols they show."""
    own = {
        card: state.bears[card].animals
        for card in state.tribes[player]
        if state.bears[card].kind == "workbear"
    }
    return rules_hunt.able(own, state.skulled, state.rulings)


def face(state: State, card: CardId) -> str:
    """A card as a word of the game."""
    return f"@{state.deck.face(card)}"


def faces(state: State, listed: Iterable[CardId]) -> str:
    """Cards as a list of words: "@fishbear, @birdbear"."""
    return ", ".join(face(state, card) for card in listed)


def token(card: CardId) -> str:
    """A card as an answer: its face and number, "fishbear:02"."""
    name, _, number = card.rpartition("-")
    return f"{name}:{number}"


def untoken(text: str) -> CardId:
    """The card of an answer's last two parts."""
    name, _, number = text.rpartition(":")
    return CardId(f"{name.rpartition(':')[2]}-{number}")


def told(text: str) -> CardId:
    """The card of an answer that names nothing else; for any longer text a card that no deck has."""
    card = untoken(text)
    return card if token(card) == text else CardId(text)


def place_of(state: State, card: CardId) -> str | None:
    """Where a card is known to lie, as a word; None if it may come from a hand or the pile."""
    for player, koalas in state.tribes.items():
        if card in koalas or state.kings.get(player) == card:
            return f"@zone.{tribe_zone(state, player)}"
    if card in state.menu:
        return "@zone.menu"
    if card in state.discarded:
        return "@zone.discard"
    if any(card in animals for animals in state.hunted.values()):
        return "@hunted"
    return None


def stranger(state: State, card: CardId, kinds: Iterable[str]) -> Refusal | None:
    """Why a card cannot newly lie here: none of this game, this edition or these kinds, or it lies elsewhere."""
    known = state.deck.by_id.get(card)
    if known is None:
        return Refusal("KARN-CMP-02", "foreign_card", {"card": card})
    if known.kind not in tuple(kinds) or card not in state.box:
        return Refusal("KARN-CMP-02", "foreign_card", {"card": f"@{known.face}"})
    where = place_of(state, card)
    if where is not None:
        return Refusal("KARN-CMP-02", "belongs_elsewhere", {"card": f"@{known.face}", "place": where})
    return None


def counted(state: State, what: str, player: Player, n: int = 1) -> dict[str, Mapping[Player, int]]:
    """The statistics with one line counted up."""
    line = dict(state.counts.get(what, {}))
    line[player] = line.get(player, 0) + n
    return {**state.counts, what: line}


def after(state: State, player: Player) -> Player:
    """Who sits next, clockwise."""
    return state.order[(state.order.index(player) + 1) % len(state.order)]


def before(state: State, player: Player) -> Player:
    """Who sits before, clockwise."""
    return state.order[state.order.index(player) - 1]


def pile_draw(state: State, player: Player, count: int) -> Step[State]:
    """Cards from the pile into a hand; when it runs out the discard pile becomes the pile at once."""
    discard = len(state.discarded) + state.blind
    drawn = take(count, state.hands[player], state.pile, discard)
    says = [Say("say.draw", {"name": player, "count": drawn.drawn})]
    if drawn.reshuffled:
        says.append(Say("say.reshuffle", {"count": discard}))
    after = replace(state, hands={**state.hands, player: drawn.hand}, pile=drawn.deck)
    if drawn.reshuffled:
        after = replace(after, discarded=(), blind=0)
    return Step(after, tuple(says))


def taken_from(state: State, player: Player, card: CardId) -> State:
    """A koala leaves a tribe; skull and dice on it no longer matter."""
    tribes = {**state.tribes, player: tuple(each for each in state.tribes[player] if each != card)}
    dice = {each: on for each, on in state.dice.items() if each != card}
    return replace(
        state, tribes=tribes, dice=dice, skulled=tuple(each for each in state.skulled if each != card)
    )
