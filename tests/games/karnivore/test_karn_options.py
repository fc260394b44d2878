"""Every ruling is an option, and its other value changes what the rules answer."""

from __future__ import annotations

import pytest
from karn_table import Desk

from companion.games.karnivore import rules_dice, rules_draw, rules_setup, rules_tribe
from companion.games.karnivore.options import (
    EDITIONS,
    MODES,
    OPTIONS,
    RULINGS,
    mode,
    ruled,
    sand,
    settle_options,
)
from companion.games.karnivore.rules_dice import Cup
from companion.games.karnivore.rules_tribe import Bear, Turn
from companion.games.karnivore.state import DISCARD
from companion.table.cues import Show
from companion.table.game import Refusal
from companion.table.things import CardId

KING, BEAR, WORK = CardId("king"), CardId("bear-01"), CardId("work-01")
CERTAIN = {"KARN-AMB-11", "KARN-AMB-21"}  # nothing to choose: the one is proven, the other cannot happen


def bears(*symbols: str, most: int | None = None, kind: str = "huntbear") -> dict[CardId, Bear]:
    return {KING: Bear("king", ("crown",)), BEAR: Bear(kind, symbols, most), WORK: Bear("workbear")}


def test_every_ruling_has_its_default_and_another_value() -> None:
    assert [r.id for r in RULINGS] == [f"KARN-AMB-{n:02d}" for n in range(1, 27)]
    assert {r.id for r in RULINGS if len(r.allowed) == 1} == CERTAIN
    settled = settle_options({})
    assert not isinstance(settled, Refusal)
    assert settled == {each.id: each.default for each in OPTIONS}
    assert (mode(settled), sand(settled)) == (MODES[0], 0.0)


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_every_value_can_be_chosen_and_is_seen(ruling: object) -> None:
    for chosen in ruling.allowed:  # type: ignore[attr-defined]  # pytest hands parameters over untyped
        name: str = ruling.id  # type: ignore[attr-defined]  # as above
        seen = [v for v in ruling.allowed if ruled({name: chosen}, int(name[-2:]), v)]  # type: ignore[attr-defined]  # as above
        assert seen == [chosen]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("KARN-AMB-9", "one_crown", "unknown_option"), ("mode", "hard", "wrong_value"), ("turn_s", -1, "wrong_value"),
     ("turn_s", True, "wrong_value"), ("edition", None, "wrong_value")],
)  # fmt: skip
def test_a_wrong_option_is_refused_by_name(name: str, value: object, says: str) -> None:
    refused = settle_options({name: value})
    assert isinstance(refused, Refusal)
    assert refused.code == says
    assert says != "unknown_option" or refused.values["meant"] == "KARN-AMB-09"


def test_rulings_of_setup_and_dice() -> None:
    """KARN-AMB-01, KARN-AMB-02, KARN-AMB-20, KARN-AMB-25."""
    assert not isinstance(rules_setup.setup(1, {"KARN-AMB-01": "one_to_six"}), Refusal)
    second = {"KARN-AMB-02": "retail_2nd"}
    assert rules_dice.roll(Cup(1), ["card", "koala_spear", "koala", "skull", "crown"], second) != Refusal
    wasted = rules_dice.reroll(Cup(2, ("spear",) * 5), [], [], {"KARN-AMB-20": "card_may_be_wasted"})
    assert isinstance(wasted, Cup)
    assert (wasted.hand, wasted.paid) == (1, 1)
    locked = [
        rules_dice.roll(Cup(0), ["spear"] * 5, {"KARN-AMB-25": v})
        for v in ("locked_at_once", "accepts_first")
    ]
    assert [cup.locked for cup in locked if isinstance(cup, Cup)] == [True, False]


def test_editions_change_the_piles() -> None:
    for edition, koalas, animals in (("rulebook", 74, 11), ("beta", 74, 15), ("shop", 98, 15)):
        stock = rules_setup.setup(2, {"edition": edition})
        assert not isinstance(stock, Refusal)
        assert (stock.koala_deck, stock.animal_pile) == (koalas, animals)
    assert set(EDITIONS) == set(rules_setup.COUNTS)


def test_rulings_of_dice_on_koalas() -> None:
    """KARN-AMB-18, KARN-AMB-19, KARN-AMB-26: symbols without a number, spear dice that hunt too, two skulls."""
    both, pool = bears("koala", "spear"), {"koala": 2, "spear": 1}
    table = {"KARN-AMB-18": "one_each_symbol", "KARN-AMB-19": "hunts_too"}
    once = rules_tribe.assign(both, Turn((BEAR,), KING, pool), "spear", BEAR, table)
    assert isinstance(once, Turn)
    assert once.spears == 1
    twice = rules_tribe.assign(both, once, "koala", BEAR, table)
    assert isinstance(twice, Turn)
    assert isinstance(rules_tribe.assign(both, twice, "koala", BEAR, table), Refusal)
    again = rules_tribe.assign(both, Turn((BEAR,), KING, {"koala": 2}), "koala", BEAR, table)
    assert isinstance(again, Turn)
    assert isinstance(rules_tribe.assign(both, again, "koala", BEAR, table), Refusal)
    skulls = bears("skull", most=2)
    first = rules_tribe.skull(skulls, Turn((BEAR,), KING, {"skull": 2}), BEAR, {})
    assert isinstance(first, Turn)
    assert rules_tribe.skull_places(skulls, first, {}) == (BEAR,)
    assert rules_tribe.skull_places(skulls, first, {"KARN-AMB-26": "one_skull_only"}) == (KING,)


def test_rulings_of_skulls() -> None:
    """KARN-AMB-04, KARN-AMB-22, KARN-AMB-23: who leaves, who may be spared, whether a later card takes a skull."""
    shows, turn = bears("skull"), Turn((BEAR, WORK), KING, {"skull": 1})
    assert rules_tribe.skull_places(shows, turn, {"KARN-AMB-22": "may_spare"}) == (BEAR, WORK, KING)
    used = rules_tribe.skull(shows, turn, BEAR, {})
    assert isinstance(used, Turn)
    assert rules_tribe.leaving(shows, used, {}) == (BEAR,)
    stays = {"KARN-AMB-04": "stays_after_skull"}
    assert rules_tribe.leaving(shows, used, stays) == ()
    assert rules_tribe.leaving(shows, used, stays, hunted=True) == (BEAR,)
    late = Turn((BEAR,), KING, {"skull": 1}, skulls_over=True)
    assert rules_tribe.skull_places(shows, late, {}) == ()
    assert rules_tribe.skull_places(shows, late, {"KARN-AMB-23": "reopens"}) == (BEAR,)


def test_rulings_of_a_full_tribe() -> None:
    """KARN-AMB-15, KARN-AMB-24, and why KARN-AMB-11 cannot happen: five skulls never block seven koalas."""
    seven = tuple(CardId(f"work-{n:02d}") for n in range(2, 9))
    facts = {**bears("koala"), **dict.fromkeys(seven, Bear("workbear"))}
    own = {"KARN-AMB-24": "the_new_one_too"}
    assert rules_tribe.added_to(seven, BEAR, (), own, BEAR) == seven
    assert isinstance(rules_tribe.added_to(seven, BEAR, (), {}, BEAR), Refusal)
    crowned = Turn(seven, KING, {"crown": 2})
    refused = rules_tribe.two_crowns(
        facts,
        crowned,
        {"Ben": (BEAR,)},
        "Ben",
        BEAR,
        {"KARN-AMB-15": "not_into_a_full_tribe"},
        remove=seven[0],
    )
    assert isinstance(refused, Refusal)
    blocked = Turn(seven, KING, {"skull": 5})
    for card in seven[:5]:
        after = rules_tribe.skull(facts, blocked, card, {})
        assert isinstance(after, Turn)
        blocked = after
    assert len(set(seven) - set(blocked.skulled)) == 2


def test_rulings_of_the_end_of_a_turn() -> None:
    """KARN-AMB-13, KARN-AMB-21: more than three cards; nothing left to draw."""
    kept = rules_draw.turn_end(5, 30, 0, 0, {"KARN-AMB-13": "discard_to_three"})
    assert not isinstance(kept, Refusal)
    assert (kept.hand, kept.discard, kept.drawn) == (3, 2, 0)
    empty = rules_draw.turn_end(0, 1, 1)
    assert not isinstance(empty, Refusal)
    assert (empty.drawn, empty.deck, empty.discard) == (2, 0, 0)


def test_a_backstabbear_before_the_skulls_only_where_the_table_says_so() -> None:
    """KARN-AMB-06."""
    for ruling, says in (("before_skulls", ""), ("after_skulls", "skulls_first")):
        desk = Desk(AMB06=ruling).started().rolled("skull spear spear koala koala")
        assert desk.phase == "skulls"
        assert desk.show("hunt", "javelinbear-01") == says


def test_rulings_of_hunts_and_spears() -> None:
    """KARN-AMB-05, KARN-AMB-07, KARN-AMB-08, KARN-AMB-12, KARN-AMB-17."""
    for ruling, left in (("kept", 2), ("lost", 0)):
        desk = Desk(AMB07=ruling).started().rolled("spear spear spear koala koala")
        desk.owns("pondbear-01", spears=5)
        assert desk.choose("act", "hunt") == ""
        assert desk.choose("bears", "pondbear:01") == ""
        assert desk.state.spears == left
    for ruling, says in (
        ("skulled_workbear_hunts", ""),
        ("skulled_workbear_rests", "symbols_missing:bird,fish"),
    ):
        desk = Desk(AMB05=ruling).started().rolled("spear spear spear koala koala")
        desk.owns("pondbear-01", spears=5, skulled=(CardId("pondbear-01"),))
        assert desk.choose("act", "hunt") == says
    for ruling, symbols in (("no_third_symbol", 2), ("last_seen", 3)):
        desk = Desk(AMB08=ruling, mode="expert").started().given(back=None, last_back="fish")
        assert len(desk.view["needs"][0]["required"]) == symbols
    for ruling, third in (("when_declared", "bird"), ("when_the_turn_began", "reptile")):
        desk = Desk(AMB12=ruling).started().given(back=CardId("back_bird-01"))
        assert desk.view["third"] == third
    for ruling, stays in (("nothing_cleaned", ("lizardbear-01", "lizardbear-02")), ("cleaned_up", ())):
        desk = Desk(AMB17=ruling).started().rolled("spear spear spear koala koala")
        eaten = (CardId("salamingo-01"), CardId("gullizard-01"))
        desk.owns("lizardbear-01", "lizardbear-02", spears=3, hunted={**desk.state.hunted, "Mia": eaten})
        assert desk.choose("act", "hunt") == ""
        assert desk.choose("bears", "lizardbear:01+lizardbear:02") == ""
        assert (desk.phase, desk.state.tribes[desk.names[0]]) == ("over", stays)


def test_rulings_that_only_the_table_shows() -> None:
    """KARN-AMB-03, KARN-AMB-10, KARN-AMB-14, KARN-AMB-16: re-rolls later, skulls that cost cards, card against book, face-down payments."""
    desk = Desk(AMB03="rerolls_any_time").started().rolled("spear spear spear koala koala")
    assert "reroll" in desk.options("act")
    assert desk.choose("act", "reroll") == ""
    assert (desk.phase, desk.state.hands[desk.names[0]]) == ("effect", 2)
    desk = Desk(AMB10="cost_a_card").started().rolled("skull skull skull spear spear")
    assert desk.choose("skull", "king_amber:01") == ""
    assert (desk.state.hands[desk.names[0]], desk.state.pool) == (1, {"spear": 2})
    for ruling, phase in (("card_wins", "effect"), ("rulebook_wins", "tribe")):
        desk = Desk(AMB14=ruling).started().rolled("crown spear spear koala koala").owns("dicebear-01")
        assert desk.choose("act", "crown:dicebear:01") == ""
        assert desk.phase == phase
    desk = Desk(AMB16="face_down").started()
    assert desk.tray("skull skull skull spear spear") == ""
    assert desk.choose("reroll", "pay") == ""
    assert (desk.state.blind, desk.state.discarded) == (1, ())
    for ruling, answer in (("face_up", ""), ("face_down", "paid_face_down")):
        desk = Desk(AMB16=ruling).started()
        assert desk.tray("skull skull skull spear spear") == ""
        watched = any(isinstance(cue, Show) and cue.zone == DISCARD for cue in desk.session.cues)
        assert watched == (ruling == "face_up")
        assert desk.show(DISCARD, "dicebear-01") == answer
        assert desk.phase == ("decide" if answer else "reroll")
