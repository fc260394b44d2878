"""A koala laid while the turn is ended: seen only after the press, it counts as placed."""

from __future__ import annotations

from karn_table import KINGS, Desk

from companion.table.cues import Show
from companion.table.things import CardId, Player

MIA, BEN = Player("Mia"), Player("Ben")
KING, FISH, BIRD = KINGS[0], "fishbear-01", "birdbear-01"
SEVEN = (*(f"fishbear-0{n}" for n in range(1, 6)), "lizardbear-01", "birdbear-01")


def ended(*koalas: str, **changes: object) -> Desk:
    """Mia has ended her turn with these koalas in her tribe, and holds three cards."""
    desk = Desk().started().rolled("koala koala crown crown spear").owns(*koalas, **changes)
    assert desk.press() == ""
    return desk


def watched(desk: Desk) -> set[str]:
    return {cue.zone for cue in desk.session.cues if isinstance(cue, Show)}


def test_a_koala_seen_after_the_turn_was_ended_is_placed_and_drawn_for() -> None:
    desk = ended()
    assert (desk.phase, "tribe:a" in watched(desk)) == ("keep", True)
    assert desk.tribe(KING) == "nothing_new"
    assert desk.tribe(FISH, KING) == ""
    assert (desk.phase, desk.state.tribes[MIA], desk.state.hands[MIA]) == ("keep", (FISH,), 2)
    assert desk.press() == ""
    assert (desk.phase, desk.state.drawn, desk.state.hands[MIA]) == ("draw", 1, 3)


def test_a_koala_seen_while_cards_are_drawn_is_drawn_for_too() -> None:
    desk = ended(hands={MIA: 2, BEN: 3})
    assert desk.press() == ""
    assert (desk.phase, desk.state.drawn) == ("draw", 1)
    pile = desk.state.pile
    assert desk.tribe(FISH, BIRD, "fishbear-02", KING) == "not_in_hand"  # two were held, one is new in hand
    assert desk.tribe(FISH, KING) == ""
    assert "say.draw" in desk.said
    assert (desk.phase, desk.state.drawn, desk.state.hands[MIA]) == ("draw", 2, 3)
    assert desk.state.pile == pile - 1
    assert desk.press() == ""
    assert desk.state.player == BEN


def test_a_koala_seen_in_the_next_turn_is_still_placed_until_the_dice_are_taken_up() -> None:
    desk = ended()
    assert desk.press() == ""
    assert (desk.phase, desk.state.player) == ("roll", BEN)
    assert desk.tribe(KING, FISH) == ""  # a workbear on the wrong side is only told
    assert {"say.draw", "say.side"} <= set(desk.said)
    assert (desk.state.tribes[MIA], desk.state.hands) == ((FISH,), {MIA: 3, BEN: 3})
    assert desk.show("tray", "spear-01") == ""
    assert "tribe:a" not in watched(desk)
    assert desk.tribe(BIRD, KING, FISH) != ""
    assert desk.state.tribes[MIA] == (FISH,)


def test_who_leaves_and_who_has_just_come_may_be_seen_at_once() -> None:
    desk = ended("netbear-01", "subearhero-01", skulled=(CardId("netbear-01"),))
    assert (desk.phase, desk.state.gone) == ("sweep", ("netbear-01",))
    assert desk.tribe(FISH, KING, "netbear-01", "subearhero-01") == ""
    assert (desk.phase, desk.state.hands[MIA]) == ("sweep", 2)  # one has come, nobody has left yet
    assert desk.tribe(BIRD, FISH, KING, "subearhero-01") == ""
    assert (desk.phase, desk.state.hands[MIA]) == ("keep", 1)
    assert set(desk.state.tribes[MIA]) == {"subearhero-01", FISH, BIRD}


def test_who_was_told_to_have_left_and_still_lies_there_is_not_placed_anew() -> None:
    desk = ended("netbear-01", skulled=(CardId("netbear-01"),), pile=1, hands={MIA: 2, BEN: 3})
    assert desk.press() == ""
    assert desk.tribe(KING, "netbear-01") == "nothing_new"
    assert desk.press() == ""
    assert (desk.phase, desk.state.discarded) == ("draw", ())  # the pile was made anew of it
    assert desk.tribe(KING, "netbear-01") == "nothing_new"
    assert desk.state.tribes[MIA] == ()


def test_a_late_eighth_takes_the_place_of_one_that_is_gone_or_asks_who_goes() -> None:
    desk = ended(*SEVEN)
    assert desk.tribe(*SEVEN[1:], "birdbear-02", KING) == ""
    assert (desk.phase, desk.state.discarded) == ("keep", (SEVEN[0],))
    assert len(desk.state.tribes[MIA]) == 7
    assert desk.tribe(*SEVEN[1:], "birdbear-02", "birdbear-03", "birdbear-04", KING) == "one_by_one"
    assert desk.tribe(*SEVEN[1:], "birdbear-02", "birdbear-03", KING) == ""
    assert (desk.phase, desk.state.hands[MIA]) == ("room", 1)
    assert desk.choose("remove", SEVEN[1].replace("-", ":")) == ""
    assert (desk.phase, len(desk.state.tribes[MIA])) == ("keep", 7)


def test_nobody_looks_for_late_koalas_of_an_empty_hand() -> None:
    desk = ended(hands={MIA: 0, BEN: 3})
    assert "tribe:a" not in watched(desk)


def test_a_koala_laid_late_in_place_of_another_is_refused_while_there_is_room() -> None:
    """KARN-PLA-08: only the eighth takes the place of one."""
    desk = ended(BIRD)
    assert desk.tribe(FISH, KING) == "no_removal_needed"
    assert (desk.state.tribes[MIA], desk.state.hands[MIA]) == ((BIRD,), 3)
    assert desk.tribe(FISH, BIRD, KING) == ""
    assert desk.state.tribes[MIA] == (BIRD, FISH)
