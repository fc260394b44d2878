"""Karnivore on the crank: what the camera sees, what people say, and what the companion answers."""

from __future__ import annotations

import pytest
from karn_table import MENU_CARDS, Desk

from companion.games.karnivore.state import Guest
from companion.table.cues import Roll, Show
from companion.table.things import CardId, Player

MIA, BEN = Player("Mia"), Player("Ben")
PLAIN = "spear spear koala koala crown"


def ready(faces: str = PLAIN, **options: object) -> Desk:
    return Desk(**options).started().rolled(faces)


def test_whoever_ate_meat_last_begins_and_seats_count_from_there() -> None:
    """KARN-SET-07, KARN-SET-08: the starting player's king lies first, the others follow clockwise."""
    desk = Desk("Mia", "Ben", "Ada")
    assert desk.press("Ada") == ""
    assert desk.state.order == ("Ada", "Mia", "Ben")
    assert desk.show("menu", *MENU_CARDS) == ""
    assert desk.tribe("king_moss-01", "king_amber-01", name="Ada") == "one_king_each"
    assert desk.show("tribe:a", "king_moss-01") == ""
    assert desk.state.kings == {"Ada": "king_moss-01"}
    assert desk.choose("kings", "by_chance", "Ada") == ""
    assert len(set(desk.state.kings.values())) == 3


def test_the_menu_is_three_dishes_and_the_back_of_the_pile() -> None:
    """KARN-SET-03: appetizer, main dish, dessert from left to right."""
    desk = Desk()
    desk.press()
    assert desk.show("menu", *MENU_CARDS[:3]) == "three_animals_and_the_pile"
    assert desk.show("menu", "fishbear-01") == "foreign_card"
    assert desk.show("menu", *MENU_CARDS, "back_fish-01") == "one_back_only"
    assert desk.show("menu", *MENU_CARDS) == ""
    assert [dish["animal"] for dish in desk.view["menu"]] == ["cameleon", "oystrich", "octoturtle"]
    assert "say.third" in desk.said


def test_a_turn_is_dice_then_skulls_then_tribe_then_the_next_player() -> None:
    """KARN-TRN-02, KARN-TRN-03, KARN-TRI-01, KARN-EOT-01, KARN-EOT-05: a round lasts from one own turn to the next (KARN-TRN-01)."""
    desk = Desk().started()
    assert desk.phase == "roll"
    desk.given(protected=frozenset({MIA}))
    assert desk.tray("skull spear spear koala crown") == ""
    assert desk.press() == ""
    assert desk.phase == "skulls"
    assert desk.press() == "skulls_first"
    assert desk.choose("skull", "king_amber:01") == ""
    assert desk.phase == "tribe"
    assert desk.press("Ben") == "not_your_turn"
    assert desk.press() == ""
    assert desk.phase == "keep" and "say.king_free" in desk.said
    assert desk.press() == ""
    assert (desk.phase, desk.state.player, desk.state.round) == ("roll", BEN, 1)
    assert desk.state.protected == {MIA}  # until the start of Mia's next turn
    desk.given(player=MIA, phase="next")
    desk.given(player=BEN, phase="draw")
    assert desk.press("Ben") == ""
    assert (desk.state.player, desk.state.round, desk.state.protected) == (MIA, 2, frozenset())


def test_old_dice_in_the_tray_are_no_roll_until_they_were_taken_up_or_a_press_says_so() -> None:
    desk = Desk().started().rolled(PLAIN)
    desk.press()
    desk.press()
    assert desk.state.player == BEN
    assert desk.tray(PLAIN) == ""  # they lie there as before
    assert desk.phase == "roll"
    assert desk.tray(PLAIN) == "nothing_new"
    assert desk.show("tray", "spear-01") == ""  # four are taken up
    assert desk.tray(PLAIN) == ""
    assert desk.phase == "decide"
    again = Desk().started().rolled(PLAIN)
    again.press()
    again.press()
    assert again.tray(PLAIN) == ""
    assert again.press("Ben") == ""
    assert again.phase == "decide"


def test_a_re_roll_is_paid_by_a_shown_card_and_the_other_dice_stay() -> None:
    desk = Desk().started()
    assert desk.tray("spear spear koala crown skull") == ""
    assert desk.show("discard", "fishbear-01", "fishbear-02") == "discard_exactly_one"
    assert desk.show("discard", "cameleon-01") == "foreign_card"
    skull = next(o for o in desk.options("reroll") if o.endswith(":skull"))
    assert desk.choose("reroll", skull) == ""
    assert desk.show("discard", "fishbear-01") == ""
    assert (desk.phase, desk.state.hands[MIA], desk.state.discarded) == ("reroll", 2, ("fishbear-01",))
    assert desk.tray("spear koala koala crown crown") == "dice_kept"
    assert desk.tray("spear spear koala crown crown") == ""
    assert desk.state.cup.dice.count("crown") == 2
    assert desk.show("discard", "fishbear-01") == "nothing_new"


def test_dice_may_be_tapped_or_rolled_by_the_companion() -> None:
    desk = Desk().started()
    for face in ("spear", "skull"):
        assert desk.choose("dice", face) == ""
    assert desk.choose("dice", "back") == ""
    assert desk.choose("dice", "sword") == "unknown_face"
    assert desk.state.typed == ("spear",)
    assert desk.choose("dice", "by_chance") == ""
    assert (desk.phase, len(desk.state.cup.dice)) == ("decide", 5)
    assert desk.choose("reroll", "pay") == ""
    assert desk.choose("dice", "by_chance") == "choose_dice"
    assert desk.choose("again", desk.options("again")[0]) == ""
    assert desk.choose("dice", "crown") == ""
    assert (desk.phase, desk.state.hands[MIA]) == ("decide", 2)


def test_cards_thrown_unseen_are_known_once_they_are_seen_and_pay_only_once() -> None:
    """KARN-SET-12: what is discarded lies face up; a card that was only told of is no new payment."""
    desk = Desk().started()
    desk.tray(PLAIN)
    assert desk.choose("reroll", "pay") == ""
    desk.show("tray")
    assert desk.tray(PLAIN) == ""
    assert desk.show("discard", "fishbear-01") == ""
    assert (desk.phase, desk.state.hands[MIA], desk.state.blind) == ("decide", 2, 0)
    assert desk.show("discard", "fishbear-01", "birdbear-01") == ""
    assert (desk.phase, desk.state.hands[MIA]) == ("reroll", 1)


def test_cards_are_placed_from_hand_on_their_side_and_may_be_kept() -> None:
    """KARN-PLA-07 and KARN-TRI-01."""
    desk = ready()
    assert desk.tribe("lurebear-01", "king_amber-01") == "backstabbear_not_placed"
    assert desk.tribe("king_amber-01", "fishbear-01") == ""
    assert desk.said == ["say.side"]  # a hint only
    assert desk.tribe("fishbear-01", "king_amber-01") == "nothing_new"
    assert desk.tribe("fishbear-01", "king_amber-01", "barbearian-01") == ""
    assert (desk.said, desk.state.hands[MIA]) == ([], 1)
    assert desk.tribe("fishbear-01", "king_amber-01") == "put_back"
    assert desk.tribe("cameleon-01", "fishbear-01", "king_amber-01", "barbearian-01") == "foreign_card"
    desk.given(hands={**desk.state.hands, MIA: 0})
    assert desk.tribe("fishbear-01", "fishbear-02", "king_amber-01", "barbearian-01") == "not_in_hand"


def test_an_eighth_koala_asks_its_owner_who_goes() -> None:
    seven = (*(f"fishbear-0{n}" for n in range(1, 6)), "birdbear-01", "birdbear-02")
    desk = ready().owns(*seven, skulled=(CardId("birdbear-01"),))
    assert desk.tribe(*seven, "king_amber-01", "barbearian-01") == ""
    assert (desk.phase, desk.state.guest) == ("room", Guest(MIA, CardId("barbearian-01"), "tribe"))
    assert "birdbear:01" not in desk.options("remove")
    assert desk.choose("remove", "birdbear:01") == "skulled_cannot_be_removed"
    assert desk.choose("remove", "birdbear:02", "Ben") == "room_first"
    assert desk.tribe(*seven[:6], "king_amber-01", "barbearian-01") == ""
    assert desk.state.discarded == ("birdbear-02",)
    assert len(desk.state.tribes[MIA]) == 7


def test_two_crowns_by_word_or_by_hand() -> None:
    """KARN-USE-01, KARN-USE-03."""
    for by_hand in (False, True):
        desk = ready("crown crown spear koala koala").owns("barbearian-01", name="Ben")
        if by_hand:
            assert desk.tribe("king_amber-01", "barbearian-01") == ""
        else:
            assert desk.choose("act", "crowns") == ""
            assert desk.choose("crowns", "Ben:barbearian:02") == "not_in_that_tribe"
            assert desk.choose("crowns", "Ben:barbearian:01") == ""
        assert desk.state.tribes == {"Mia": ("barbearian-01",), "Ben": ()}
        assert desk.state.pool == {"koala": 2, "spear": 1}
    poor = ready().owns("barbearian-01", name="Ben")
    assert poor.tribe("king_amber-01", "barbearian-01") == "need_two_crowns"


def test_a_hunt_by_hand_clears_the_tribe_and_the_menu_is_laid_anew() -> None:
    """KARN-HUN-01, KARN-HUN-14, KARN-HUN-15, KARN-HUN-16: two hunts in one turn; the new animal is that dish for all, the third symbol changes."""
    desk = ready().owns("pondbear-01", "birdbear-01", "barbearian-01", spears=7,
                        dice={CardId("barbearian-01"): ("spear",)})  # fmt: skip
    assert desk.show("hunt", "birdbear-01") == "symbols_missing:fish"
    assert desk.show("hunt", "pondbear-01") == ""
    assert (desk.phase, desk.state.spears, desk.state.gone) == ("clear", 4, ("pondbear-01", "barbearian-01"))
    assert desk.tribe("birdbear-01", "king_amber-01", "barbearian-01") == "still_there"
    assert desk.tribe("king_amber-01") == "put_back"
    assert desk.tribe("birdbear-01", "king_amber-01") == ""
    assert desk.show("menu", "oystrich-01", "octoturtle-01") == "nothing_new"
    assert desk.show("menu", "salamingo-01", "oystrich-01", "octoturtle-01") == "back_wanted"
    assert desk.show("menu", "salamingo-01", "oystrich-01", "octoturtle-01", "back_bird-01") == ""
    assert "say.third" in desk.said
    assert [need["required"] for need in desk.view["needs"]] == [
        ["fish", "reptile", "bird"],
        ["reptile", "bird"],
    ]
    assert desk.state.discarded == ("pondbear-01", "barbearian-01")
    desk.owns("marshbear-01", "birdbear-02")
    assert desk.choose("act", "hunt") == ""
    assert desk.choose("bears", "marshbear:01") == "symbols_missing:bird"
    assert desk.choose("bears", "marshbear:01+birdbear:02") == ""
    assert (len(desk.state.hunted[MIA]), desk.state.spears) == (2, 1)


@pytest.mark.parametrize(
    ("laid", "gone"),
    [
        ("fishbear lizardbear birdbear", "fishbear birdbear"),  # no reptile is wanted
        ("pondbear birdbear", "pondbear birdbear"),  # one symbol of the first, the other of the second
        ("pondbear birdbear fishbear", "pondbear birdbear"),  # two symbols: a third bear has nothing to give
    ],
)
def test_a_laid_workbear_that_gives_nothing_stays(laid: str, gone: str) -> None:
    """KARN-HUN-05, KARN-HUN-13, KARN-AMB-05: who provides a symbol leaves, whoever else lies there does not."""
    bears = tuple(f"{face}-01" for face in laid.split())
    desk = ready().owns(*bears, spears=3)
    assert desk.show("hunt", *bears) == ""
    assert desk.state.gone == tuple(f"{face}-01" for face in gone.split())
    assert ("say.take_back" in desk.said) == (laid != gone)
    assert desk.press() == ""
    assert desk.state.tribes[MIA] == tuple(card for card in bears if card not in desk.state.discarded)
    assert len(desk.state.discarded) == 2


def test_the_dessert_ends_the_game_at_once() -> None:
    """KARN-VIC-01."""
    desk = ready().owns("lizardbear-01", "lizardbear-02", spears=3)
    desk.given(hunted={**desk.state.hunted, MIA: (CardId("salamingo-01"), CardId("gullizard-01"))})
    assert desk.view["needs"][0]["may_win"]
    assert desk.choose("act", "hunt") == ""
    assert desk.choose("bears", desk.options("bears")[0]) == ""
    assert (desk.phase, desk.session.over, desk.view["score"]["winners"]) == ("over", True, ["Mia"])
    assert desk.press() == "game_over"


@pytest.mark.parametrize("phase", ["roll", "decide", "reroll", "skulls", "tribe", "keep"])
def test_a_backstabbear_is_played_in_every_state_of_the_own_turn(phase: str) -> None:
    """KARN-BAC-02, KARN-BAC-04: its effect at once, then it is discarded; the game goes on where it was."""
    desk = Desk().started()
    if phase != "roll":
        desk.tray("skull spear koala koala crown")
    if phase == "reroll":
        desk.choose("reroll", "pay")
    if phase in ("skulls", "tribe", "keep"):
        desk.press()
    if phase in ("tribe", "keep"):
        desk.choose("skull", "king_amber:01")
    if phase == "keep":
        desk.press()
    assert desk.phase == phase
    assert any(isinstance(cue, Show) and cue.zone == "hunt" for cue in desk.session.cues)
    before = desk.state.hands[MIA]
    assert desk.show("hunt", "hoardbear-01") == ""
    assert (desk.phase, desk.state.hands[MIA]) == (phase, before - 1 + 2)
    assert desk.state.discarded == ("hoardbear-01",)
    assert desk.show("hunt", "hoardbear-01") == "nothing_new"
    assert desk.show("hunt", "fishbear-01") == "not_a_backstabbear"


def test_a_card_for_any_turn_asks_whose_it_is() -> None:
    """KARN-BAC-02."""
    desk = ready()
    assert desk.show("hunt", "hidebear-01") == ""
    assert desk.phase == "whose"
    assert desk.press("Ben") == ""
    assert (desk.phase, desk.state.hands[BEN], desk.state.protected) == ("tribe", 2, {BEN})
    assert desk.show("hunt", "hidebear-01", "hidebear-02") == ""
    assert desk.choose("whose", "nobody") == ""
    assert (desk.phase, desk.state.hands) == ("tribe", {"Mia": 3, "Ben": 2})


def test_effects_ask_and_are_booked() -> None:
    desk = ready("koala koala koala crown skull").owns("subearhero-01", "brewbear-01")
    assert desk.choose("skull", "king_amber:01") == ""
    assert desk.choose("act", "koala:subearhero:01") == ""
    assert desk.choose("steal_card", "Ben", "Ben") == "effect_first"
    assert desk.choose("steal_card", "Mia") == "not_possible"
    assert desk.choose("steal_card", "Ben") == ""
    assert desk.state.hands == {"Mia": 4, "Ben": 2}
    assert desk.choose("act", "koala:brewbear:01") == ""
    assert (desk.said[-1], desk.state.hands[MIA], desk.state.pile) == ("say.draw", 5, 73)
    assert desk.show("hunt", "shoutbear-01") == ""
    assert desk.show("discard", "fishbear-01", "fishbear-02") == "discard_count"
    assert desk.show("discard", "fishbear-01") == ""
    assert desk.state.hands == {"Mia": 4, "Ben": 1}
    assert desk.show("hunt", "shoutbear-01", "lurebear-01") == ""
    assert "say.no_effect" in desk.said


def test_a_protected_player_is_no_target_of_an_effect() -> None:
    desk = ready("koala koala koala crown spear").owns("subearhero-01", protected=frozenset({BEN}))
    assert desk.choose("act", "koala:subearhero:01") == ""
    assert (desk.phase, "say.no_effect" in desk.said) == ("tribe", True)


def test_an_effect_rolls_unused_dice_again() -> None:
    desk = ready("crown spear koala koala spear").owns("dicebear-01")
    assert desk.choose("act", "crown:dicebear:01") == ""
    assert any(isinstance(cue, Roll) and cue.dice == 4 for cue in desk.session.cues)
    for option in desk.options("again")[:2]:
        assert desk.choose("again", option) == ""
    assert desk.choose("again", desk.options("again")[2]) == "too_many_dice"
    assert desk.choose("dice", "by_chance") == ""
    assert (desk.phase, sum(desk.state.pool.values())) == ("tribe", 4)
    assert desk.state.pool["spear"] >= 2


def test_the_hand_is_filled_up_and_an_empty_pile_made_anew() -> None:
    desk = ready().given(pile=1, discarded=tuple(CardId(f"fishbear-0{n}") for n in range(1, 6)))
    assert desk.press() == ""
    assert desk.choose("throw", "9") == "more_than_hand"
    assert desk.show("discard", "birdbear-01") == ""
    assert desk.choose("throw", "1") == ""
    assert desk.said == ["say.draw", "say.reshuffle"]
    assert (desk.state.hands[MIA], desk.state.pile, desk.state.discarded, desk.state.blind) == (3, 6, (), 0)
    assert desk.press("Ben") == "not_your_turn"
    assert desk.press() == ""
    assert desk.state.player == BEN


def test_a_card_thrown_just_before_the_press_is_thrown_though_the_camera_sees_it_later() -> None:
    """A hand and a press are faster than a camera: neither is a card drawn too few nor does it pay for another."""
    desk = ready().given(phase="keep", discarded=(CardId("fishbear-05"),), hands={MIA: 2, BEN: 3})
    assert desk.press() == ""
    assert (desk.phase, desk.state.drawn, desk.state.hands[MIA]) == ("draw", 1, 3)
    assert desk.show("discard", "fishbear-05") == "nothing_new"
    assert desk.show("discard", "fishbear-05", "fishbear-01") == ""
    assert "say.draw" in desk.said
    assert (desk.phase, desk.state.drawn, desk.state.hands[MIA]) == ("draw", 2, 3)
    assert desk.show("discard", "fishbear-05", "fishbear-01") == "nothing_new"
    assert (
        desk.show("discard", "fishbear-01", "fishbear-02", "fishbear-03", "birdbear-01") == "more_than_hand"
    )
    assert desk.press() == ""
    assert desk.state.player == BEN


def test_a_card_of_a_full_hand_thrown_just_before_the_press_does_not_pay_for_the_next_players_dice() -> None:
    desk = ready().given(phase="keep", discarded=(CardId("fishbear-05"),), hands={MIA: 4, BEN: 3})
    assert desk.press() == ""
    assert (desk.phase, desk.state.player) == ("roll", BEN)
    assert desk.show("discard", "fishbear-05", "fishbear-01", "fishbear-02") == ""
    assert "say.draw" in desk.said
    assert desk.state.hands == {MIA: 3, BEN: 3}  # two thrown, one drawn
    assert desk.show("tray", "spear-01") == ""  # Ben takes the dice up: what comes now is his
    assert not any(isinstance(cue, Show) and cue.zone == "discard" for cue in desk.session.cues)
    assert desk.tray("spear spear koala crown skull") == ""
    assert desk.show("discard", "fishbear-05", "fishbear-01", "fishbear-02", "birdbear-01") == ""
    assert (desk.phase, desk.state.hands) == ("reroll", {MIA: 3, BEN: 2})


def test_a_card_that_was_told_and_then_seen_is_thrown_once() -> None:
    desk = ready().given(phase="keep", discarded=(CardId("fishbear-05"),), hands={MIA: 3, BEN: 3})
    assert desk.show("discard", "fishbear-05", "fishbear-01") == ""
    assert desk.choose("throw", "1") == ""
    assert (desk.phase, desk.state.drawn, desk.state.blind) == ("draw", 2, 1)
    assert not any(isinstance(cue, Show) and cue.zone == "discard" for cue in desk.session.cues)
    assert desk.press() == ""
    assert not any(isinstance(cue, Show) and cue.zone == "discard" for cue in desk.session.cues)
    assert desk.tray("spear spear koala crown skull") == "" or desk.press("Ben") == ""
    desk.press("Ben")
    assert desk.phase == "decide"
    assert desk.show("discard", "fishbear-05", "fishbear-01", "fishbear-02") == ""
    assert (desk.phase, desk.state.blind, desk.state.hands) == ("decide", 0, {MIA: 3, BEN: 3})
    assert "fishbear-02" in desk.state.discarded


def test_a_pile_that_was_just_made_anew_is_not_looked_at_while_it_may_still_lie_there() -> None:
    desk = ready().given(
        phase="keep",
        discarded=tuple(CardId(f"fishbear-0{n}") for n in (1, 2, 3)),
        hands={MIA: 1, BEN: 3},
        pile=1,
    )
    assert desk.press() == ""
    assert desk.phase == "draw" and desk.state.discarded == ()
    assert desk.show("discard", "fishbear-01", "fishbear-02") == "draw_first"
    assert desk.state.hands[MIA] == 3


def test_the_sand_timer_only_tells() -> None:
    desk = Desk(turn_s=30.0).started()
    assert desk.rang() == ""
    assert (desk.said, desk.phase) == (["say.sand"], "roll")


def test_a_deck_with_faults_is_refused_with_the_remedy() -> None:
    from dataclasses import replace

    from companion.games.karnivore.game import setup
    from companion.shelf import deck
    from companion.table.events import Setting
    from companion.table.game import Refusal

    whole = deck("karnivore")
    broken = replace(whole, facts={**whole.facts, "barbearian": {"symbols": ["sword"]}})
    refused = setup(Setting("karnivore", (MIA, BEN), {}), broken)
    assert isinstance(refused, Refusal)
    assert (refused.code, "barbearian" in str(refused.values["why"])) == ("bad_cards", True)
