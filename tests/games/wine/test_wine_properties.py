"""What holds at every table of wine, whatever is played: glasses are kept, one is lost at a time, one is left."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from wine_random import twins

from companion.games.wine import rules_black, rules_deck, rules_hand, rules_turn
from companion.games.wine.options import RULINGS
from companion.games.wine.rules_deck import FACES, WINES, class_of
from companion.games.wine.rules_glasses import MIDDLE, Done, Table, alive, winner
from companion.games.wine.rules_hand import Raised
from companion.table.game import Refusal
from companion.table.things import Player

NAMES = tuple(Player(name) for name in "ABCDEF")
wines = st.sampled_from(WINES)
slots = st.integers(0, 5)
rulings = st.fixed_dictionaries({ruling.id: st.sampled_from(ruling.allowed) for ruling in RULINGS})


@st.composite
def tables(draw: Any) -> Table:
    """Two to six players, some of them out, with any protections and rulings."""
    order = NAMES[: draw(st.integers(2, 6))]
    glasses = {player: draw(st.integers(0, 4)) for player in order}
    glasses[order[0]] = max(1, glasses[order[0]])
    hands = {player: draw(st.integers(0, 6)) if glasses[player] else 0 for player in order}
    having = [player for player in order if glasses[player]]
    vintage = frozenset(draw(st.sets(st.sampled_from(having), max_size=2)))
    aged = {player: 1 for player in draw(st.sets(st.sampled_from(having), max_size=1)) if glasses[player] > 1}
    out = tuple(player for player in order if not glasses[player])
    middle, lost = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return Table(order, glasses, hands, vintage, aged, middle, lost, out, draw(rulings))


@st.composite
def events(draw: Any, table: Table) -> Done | Refusal:
    """Any event of the table, possible or not."""
    players = st.sampled_from(table.order)
    by, target, slot = draw(players), draw(st.sampled_from((*table.order, MIDDLE))), draw(slots)
    wine, seen = draw(wines), draw(st.one_of(st.none(), wines))
    raised = {
        p: Raised(draw(st.one_of(st.none(), st.floats(0, 9))), draw(wines)) for p in draw(st.sets(players))
    }
    offers = {player: draw(st.integers(0, 7)) for player in draw(st.sets(players))}
    shown = {player: draw(wines) for player in draw(st.sets(players))}
    other, third = draw(st.one_of(st.none(), players)), draw(st.one_of(st.none(), players))
    every: tuple[Any, ...] = (
        lambda: rules_hand.thief(table, by, wine, target, slot, seen, other),
        lambda: rules_black.sommelier(table, by, wine, seen),
        lambda: rules_black.lobbyists(table, by, wine, target, slot, seen, other),
        lambda: rules_black.wine_fair(table, by, shown),
        lambda: rules_black.farandole(table, by),
        lambda: rules_black.auction(table, by, offers, other),
        lambda: rules_hand.charity(table, by, other, third, None, by),
        lambda: rules_hand.blind_test(table, by, target, slot, wine, seen),
        lambda: rules_hand.contest(table, by, wine, raised),
        lambda: rules_hand.vintage(table, by),
        lambda: rules_hand.ageing(table, by, slot),
    )
    answer: Done | Refusal = draw(st.sampled_from(every))()
    return answer


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_glasses_are_kept_and_at_most_one_player_goes_at_a_time(data: Any) -> None:
    """WINE-AMB-17: both of the last two cannot go at once."""
    table = data.draw(tables())
    done = data.draw(events(table))
    if isinstance(done, Refusal):
        return
    after = done.table
    assert sum(after.glasses.values()) + after.middle + after.lost == (
        sum(table.glasses.values()) + table.middle + table.lost
    )
    gone = set(alive(table)) - set(alive(after))
    assert len(gone) <= 1 and set(after.out) == {p for p in after.order if after.glasses[p] == 0}
    assert alive(after) and all(after.hands[player] == 0 for player in gone)
    assert min(after.glasses.values()) >= 0 and min(after.hands.values()) >= 0 and after.middle >= 0
    assert all(1 <= slot <= after.glasses[p] and after.glasses[p] > 1 for p, slot in after.aged.items())
    assert sum(abs(after.glasses[p] - table.glasses[p]) for p in table.order) <= 2


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_protected_glass_is_never_taken_by_somebody_else(data: Any) -> None:
    """Under the default rulings Vintage holds against thieves, tests, contests and the others' lobbyists."""
    table = data.draw(tables())
    table = Table(
        table.order,
        table.glasses,
        table.hands,
        table.vintage,
        table.aged,
        table.middle,
        table.lost,
        table.out,
    )
    if winner(table) is not None:
        return
    done = data.draw(events(table))
    if isinstance(done, Done) and done.note.split(":")[0] in ("stolen", "won", "contest", "target_lost"):
        assert all(done.table.glasses[player] >= table.glasses[player] for player in table.vintage)


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_turn_never_breaks_its_limits(data: Any) -> None:
    """Whatever is tried, what was accepted keeps to the rulebook."""
    chosen = data.draw(rulings)
    now = rules_turn.Turn(data.draw(st.integers(0, 8)), data.draw(st.booleans()), rulings=chosen)
    picked = False
    for _ in range(12):
        face = data.draw(st.sampled_from(FACES))
        act = data.draw(st.sampled_from(("play", "play", "picked", "discard", "draw", "end")))
        if act == "end":
            then: Any = rules_turn.end(now)
        elif act == "discard":
            then = rules_turn.discard(now)
        elif act == "draw":
            then = rules_turn.draw(now, face)
        else:
            then = rules_turn.play(now, face, act == "picked")
        if isinstance(then, Refusal):
            continue
        picked = picked or act == "picked"
        assert then.thieves <= 1 and then.blues <= 1 and not (then.blues and then.greens + then.thieves)
        assert then.played <= 1 or not then.first or picked
        assert not now.ended and (then.has_drawn or not now.has_drawn) and then.hand >= 0
        assert act in ("draw", "end") or not now.has_drawn
        assert act != "draw" or not now.has_drawn or now.hand < 3 or class_of(face) is None
        assert act != "draw" or now.has_drawn or now.hand < now.limit
        now = then


@given(st.lists(st.sampled_from(FACES), max_size=60), st.integers(2, 6))
def test_the_chance_is_a_fraction_of_what_is_left_and_never_falls_but_by_the_auction(
    faces: list[str], n: int
) -> None:
    served = rules_deck.serve(n, {})
    assert isinstance(served, rules_deck.Served)
    pile, before = served.pile, rules_deck.chance(served.pile)
    for face in faces:
        if class_of(face) != "black" and pile.cards <= pile.black:
            continue
        after = rules_deck.drawn(pile, face)
        assert isinstance(after, rules_deck.Pile) and after.cards >= after.black
        assert rules_deck.chance(after) >= before
        pile, before = after, rules_deck.chance(after)


def test_any_course_of_cues_keeps_every_glass_and_ends_with_one_player() -> None:
    ended = 0
    for seed in range(200, 206):
        last = None
        for twin in twins(seed):
            state = last = twin.one.state
            rows = [glass for row in state.rows.values() for glass in row] + list(state.lost)
            assert len(rows) == len(set(rows)) and (not rows or len(rows) == max(rows))
            assert all(state.hands[player] == 0 for player in state.out)
            assert 0 <= state.pile.black <= state.pile.cards
        ended += last is not None and last.phase == "finale"
    assert ended >= 4
