"""Before the first turn: who begins, three animals on the menu, a king for everybody, the deal (KARN-SET)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.karnivore.rules_setup import DISHES, HAND
from companion.games.karnivore.state import (
    MENU,
    SAME,
    State,
    face,
    owner_of,
    shown_back,
    stranger,
    tribe_zone,
)
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Step
from companion.table.phases import step
from companion.table.things import BID, CardId, Player

NOT_NOW = Refusal("KARN-SET-07", "not_waited_for", aloud=False)


def legal_starter(state: State) -> tuple[Cue, ...]:
    """Whoever ate meat last presses; or chance decides."""
    presses = tuple(Press(player, BID, "cue.start") for player in state.setting.players)
    return (*presses, Choose(state.setting.players[0], "starter", ("by_chance", *state.setting.players)))


def apply_starter(state: State, move: Move) -> Step[State] | Refusal:
    """The starting player is known: seats count from there."""
    players, luck = state.setting.players, state.luck
    if isinstance(move, Pressed) and move.button == BID and move.player in players:
        first = move.player
    elif isinstance(move, Chosen) and move.cue == "starter" and move.option in (*players, "by_chance"):
        number, luck = luck.below(len(players))
        first = players[number] if move.option == "by_chance" else Player(move.option)
    else:
        return NOT_NOW
    at = players.index(first)
    order = (*players[at:], *players[:at])
    begins = Say("say.begins", {"name": first})
    return step(state, begins, begins, Say("say.menu"), phase="menu", order=order, player=first, luck=luck)


def legal_menu(state: State) -> tuple[Cue, ...]:
    """Three animals side by side, the pile beside them."""
    faces = tuple(dict.fromkeys(c.face for c in state.deck.cards if c.kind in ("animal", "back")))
    return (Show(MENU, Expect(4, faces)),)


def apply_menu(state: State, move: Move) -> Step[State] | Refusal:
    """The menu lies: appetizer, main dish, dessert from left to right, and the back of the next animal."""
    if not isinstance(move, Shown) or move.zone != MENU:
        return Refusal("KARN-SET-02", "menu_first", aloud=isinstance(move, Shown))
    read = menu_read(state, move.cards)
    if isinstance(read, Refusal):
        return read
    animals, back = read
    if len(animals) != len(DISHES) or back is None:
        count = len(animals)
        return Refusal(
            "KARN-SET-02", "three_animals_and_the_pile", {"count": count}, count + len(move.cards) > 0
        )
    after = replace(state, menu=animals, back=back)
    third = Say("say.third", {"symbol": f"@{shown_back(after)}"})
    return step(after, Say("did.menu"), third, Say("say.kings"), phase="kings")


def menu_read(state: State, seen: tuple[CardId, ...]) -> tuple[tuple[CardId, ...], CardId | None] | Refusal:
    """The animals of the menu place in their order, and the back beside them; a stranger is refused."""
    animals: list[CardId] = []
    backs: list[CardId] = []
    for card in seen:
        if card not in state.menu:
            fault = stranger(state, card, ("animal", "back"))
            if fault is not None:
                return fault
        (animals if state.deck.by_id[card].kind == "animal" else backs).append(card)
    if len(backs) > 1:
        return Refusal("KARN-HUN-07", "one_back_only", {"count": len(backs)})
    return tuple(animals), backs[0] if backs else None


def legal_kings(state: State) -> tuple[Cue, ...]:
    """A king before each player, drawn by hand or by the companion."""
    free = tuple(c.face for c in state.deck.cards if c.kind == "king" and c.id not in state.kings.values())
    shows = tuple(
        Show(tribe_zone(state, player), Expect(1, free))
        for player in state.order
        if player not in state.kings
    )
    return (*shows, Choose(state.player, "kings", ("by_chance",)))


def apply_kings(state: State, move: Move) -> Step[State] | Refusal:
    """A king is laid, or all that are missing are drawn by chance."""
    if isinstance(move, Chosen) and (move.cue, move.option) == ("kings", "by_chance"):
        return _drawn(state)
    owner = owner_of(state, move.zone) if isinstance(move, Shown) else None
    if not isinstance(move, Shown) or owner is None:
        return Refusal("KARN-SET-04", "kings_first", aloud=False)
    seen = tuple(card for card in move.cards if card != state.kings.get(owner))
    if not seen:
        return SAME
    fault = stranger(state, seen[0], ("king",))
    if fault is not None:
        return fault
    if len(seen) > 1 or owner in state.kings:
        return Refusal("KARN-SET-04", "one_king_each", {"name": owner})
    did = Say("did.king", {"name": owner, "card": face(state, seen[0])})
    return _crowned(state, {**state.kings, owner: seen[0]}, did, ())


def _drawn(state: State) -> Step[State]:
    free = [c.id for c in state.deck.cards if c.kind == "king" and c.id not in state.kings.values()]
    mixed, luck = state.luck.shuffle(free)
    late = [player for player in state.order if player not in state.kings]
    drawn = dict(zip(late, mixed, strict=False))
    says = tuple(Say("say.king", {"name": who, "card": face(state, card)}) for who, card in drawn.items())
    return _crowned(replace(state, luck=luck), {**state.kings, **drawn}, Say("did.kings_drawn"), says)


def _crowned(state: State, kings: dict[Player, CardId], did: Say, says: tuple[Say, ...]) -> Step[State]:
    if len(kings) < len(state.order):
        return step(state, did, *says, kings=kings)
    return step(state, did, *says, Say("say.deal"), phase="deal", kings=kings)


def legal_deal(state: State) -> tuple[Cue, ...]:
    """The starting player says that three cards each are drawn."""
    return (Press(state.player, BID, "cue.dealt"),)


def apply_deal(state: State, move: Move) -> Step[State] | Refusal:
    """Three cards each; the first turn begins."""
    if not isinstance(move, Pressed) or move.button != BID:
        return Refusal("KARN-SET-10", "deal_first", aloud=False)
    if move.player != state.player:
        return Refusal("KARN-SET-10", "starter_confirms", {"starter": state.player})
    hands = dict.fromkeys(state.order, HAND)
    return step(state, Say("did.dealt"), hands=hands, phase="turn")
