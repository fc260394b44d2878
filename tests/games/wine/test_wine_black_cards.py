"""Black cards at the table, the deal before them, and the chance of drawing one."""

from __future__ import annotations

from wine_table import DECK, Wine, card

from companion.edges.screen.projection import Projection
from companion.games.wine.rules_deck import BASIC, EXTENSION, class_of
from companion.games.wine.tales import tales
from companion.shelf import LANGS, phrases
from companion.table.cues import Show, Wait
from companion.table.events import Undone
from companion.wire import screen_message


def drawing(**options: object) -> Wine:
    """A table at which Mia draws."""
    game = Wine(**options).later()
    assert game.press("Mia") == ""
    return game


def test_the_deck_holds_what_the_rulebook_counts() -> None:
    """WINE-THI-06, WINE-STO-03, WINE-TIP-04, WINE-GRP-03, WINE-OEN-03, WINE-SOM-06, WINE-LOB-06, WINE-FAI-02,
    WINE-SNE-03, WINE-AUD-02, WINE-MET-02, WINE-FAR-03, WINE-AUC-06, WINE-CHA-02, WINE-BLI-03, WINE-VIN-02,
    WINE-CON-05, WINE-AGE-03; the wine on a card is read from the card: WINE-SOM-05."""
    counts: dict[str, int] = {}
    for each in DECK.cards:
        facts = DECK.facts[each.face]
        name = "glass" if each.kind == "glass" else str(facts.get("card", each.face))
        counts[name] = counts.get(name, 0) + 1
        assert each.kind in ("glass", "thieves", "stop", "green", "black", "blue")
        assert each.kind == "glass" or class_of(name) == each.kind
    assert counts == {"glass": 18, **BASIC, **EXTENSION}
    assert sum(counts.values()) == 89


def test_an_assumption_says_so_in_the_file() -> None:
    """The split of glasses and of the wines on cards is not the rulebook's."""
    assert "assumed and not verified" in DECK.source
    unsure = {face for face, facts in DECK.facts.items() if facts.get("verified") is False}
    assert unsure == {face for face, facts in DECK.facts.items() if "wine" in facts}


def test_glasses_are_memorised_with_the_camera_off_and_lie_face_down_before_the_deal() -> None:
    """WINE-SET-03, WINE-SET-04, WINE-SET-05, WINE-SET-07."""
    game = Wine("Mia", "Paul")
    game.press("Mia")
    assert game.press("Paul") == "starter_confirms" and game.press("Mia") == ""
    assert game.phase == "memorise" and game.view["camera"] == "away"
    assert not any(isinstance(cue, Show) for cue in game.session.cues)
    game.press("Paul")
    assert game.view["ready"] == ["Paul"] and game.press("Mia") == "" and game.view["camera"] == "on"
    assert game.row("Mia", "red") == "turn_down" and game.row("Mia") == "" and game.row("Paul") == ""
    assert game.phase == "deal" and game.press("Mia") == "" and game.view["hands"] == {"Mia": 3, "Paul": 3}


def test_the_variant_serves_two_each_and_three_into_the_middle() -> None:
    """WINE-VAR-02."""
    game = Wine("Mia", "Paul", "Ada", variant_2_3=True).later()
    assert game.counts() == {"Mia": 2, "Paul": 2, "Ada": 2, "middle": 3} and game.view["middle"] == 3
    assert set(game.view["hands"].values()) == {3}


def test_a_sommelier_is_satisfied_by_a_right_glass_and_goes_back_into_the_deck() -> None:
    """WINE-BLK-02, WINE-NB-01: the chance stays, and with three cards the turn is over."""
    game = drawing()
    assert game.draw("sommelier_red") == "" and game.view["wine"] == "red"
    assert game.row("Paul", "red") == "wrong_row" and game.refused is not None
    assert game.refused.values == {"name": "Paul", "names": "Mia"}
    assert game.row("Mia", "red", "red") == "one_glass_only"
    assert game.row("Mia", "red") == "" and game.keys == ["say.right", "say.into_deck"]
    assert game.view["wine"] is None and game.view["card"] is None and game.view["pile"] == 40
    assert game.row("Mia") == "" and game.view["turn"] == "Paul" and game.counts()["Mia"] == 3


def test_a_wrong_glass_at_the_sommelier_is_lost_from_the_place_it_had() -> None:
    game = drawing()
    game.draw("sommelier_red")
    assert game.row("Mia", "rose") == "" and game.phase == "sommelier_lost" and game.view["wine"] is None
    assert (
        game.choose("Mia", "place", "2") == ""
        and game.state.rows["Mia"] == (1, 3)
        and game.state.lost == (2,)
    )
    assert game.row("Mia") == "" and game.view["turn"] == "Paul"


def test_lobbyists_that_are_wrong_cost_a_glass_that_the_target_player_chooses() -> None:
    """WINE-LOB-03, WINE-LOB-04, WINE-LOB-05: one glass is always lost, and this one unseen."""
    game = drawing()
    game.draw("lobbyists_white")
    assert game.choose("Mia", "glass", "Mia:1") == "own_glass" and game.choose("Mia", "glass", "Ben:1") == ""
    assert game.row("Ben", "red") == "" and game.phase == "fine"
    assert (
        game.choose("Paul", "fine", "Mia:1") == "chooser_is"
        and game.choose("Ben", "fine", "Mia:9") == "no_such_glass"
    )
    assert game.choose("Ben", "fine", "Mia:2") == "" and game.state.lost == (2,) and game.phase == "down"
    hit = drawing()
    hit.draw("lobbyists_white")
    hit.choose("Mia", "glass", "Ben:1")
    assert hit.row("Ben", "white") == "" and "say.lobby_hit" in hit.keys and hit.counts()["Ben"] == 2


def test_an_aged_glass_cannot_be_the_one_that_is_chosen() -> None:
    game = drawing(extension="all").set(aged={"Mia": 2, "Paul": 1})
    game.draw("lobbyists_white")
    assert (
        game.choose("Mia", "glass", "Paul:1") == "protected" and game.choose("Mia", "glass", "Paul:2") == ""
    )
    game.row("Paul", "red")
    assert game.options("fine") == ("Mia:1", "Mia:3") and game.choose("Paul", "fine", "Mia:1") == ""
    assert game.view["rows"][0]["aged"] == 1


def test_at_the_wine_fair_all_turn_one_over_and_who_forgets_is_named() -> None:
    game = drawing().set(vintage=frozenset({"Ben"}))
    assert game.draw("wine_fair") == "" and game.keys == ["say.fair"]
    count = next(cue for cue in game.session.cues if isinstance(cue, Wait))
    assert count.beats == ("beat.three", "beat.two", "beat.one")
    assert game.row("Ben", "red") == "wrong_row" and game.row("Mia", "red") == ""
    assert game.ring("turn_up") == "" and game.ring("missing") == ""
    assert game.said[0].key == "say.must_show" and game.said[0].values == {"names": "Paul, Ada"}
    assert game.row("Paul", "white") == "" and game.row("Ada", "white") == "" and game.phase == "fair_look"
    assert game.ring("fair") == "" and game.view["down"] == ["Mia", "Paul", "Ada"]
    assert (
        game.press("Ada") == ""
        and game.row("Mia") == ""
        and game.row("Paul") == ""
        and game.view["turn"] == "Paul"
    )


def test_in_a_farandole_each_gives_one_to_the_next_and_nobody_sees_it() -> None:
    """WINE-FAR-02: no row is watched."""
    game = drawing(extension="all")
    game.draw("farandole")
    assert not any(isinstance(cue, Show) for cue in game.session.cues)
    for name in ("Mia", "Ben", "Paul"):
        assert game.choose(name, "pass", f"{name}:1") == ""
    assert (
        game.view["passed"] == ["Ben", "Mia", "Paul"]
        and game.choose("Ada", "pass", "Ada:4") == "no_such_glass"
    )
    assert game.choose("Ada", "pass", "Ada:3") == "" and game.keys[:2] == ["say.pass_on", "say.into_deck"]
    assert game.state.rows["Paul"] == (5, 6, 1) and game.state.rows["Mia"] == (2, 3, 10)


def test_an_auction_by_counted_presses_stays_sealed_until_the_time_is_over() -> None:
    """WINE-AUC-02: the highest offer; nobody sees the others' before."""
    game = drawing(extension="all").set(lost=(99,))
    assert game.draw("auction") == ""
    before = {key: of for key, of in game.view.items() if key not in ("did", "waiting_for")}
    for name in ("Mia", "Paul", "Paul", "Ada"):
        assert game.press(name) == ""
        assert {key: of for key, of in game.view.items() if key not in ("did", "waiting_for")} == before
    assert game.choose("Ada", "offer", "4") == "offer_exceeds_hand"
    assert game.ring("offer") == "" and game.keys[0] == "say.auction_won"
    assert game.state.rows["Paul"][-1] == 99 and game.view["hands"]["Paul"] == 1 and game.view["black"] == 16


def test_an_auction_between_equals_is_decided_by_who_drew_and_without_a_glass_goes_back() -> None:
    game = drawing(extension="all").set(lost=(99,))
    game.draw("auction")
    for name in game.names:
        assert game.choose(name, "offer", "1") == ""
    assert game.phase == "auction_tie" and game.choose("Paul", "winner", "Paul").startswith("drawer_decides")
    assert game.choose("Mia", "winner", "Ben") == "" and game.state.rows["Ben"][-1] == 99
    none = drawing(extension="all")
    assert none.draw("auction") == "" and "say.auction_back" in none.keys and none.view["black"] == 17


def test_with_less_than_three_cards_one_may_draw_again_also_after_a_black_card() -> None:
    game = drawing().set(hands={"Mia": 1, "Paul": 3, "Ada": 3, "Ben": 3})
    assert game.draw("stop") == "" and game.keys == ["say.may_draw"] and game.phase == "draw"
    assert game.show("drawn", card("stop"), card("lobbyists_red")) == "" and game.phase == "lobbyists"
    game.choose("Mia", "glass", "Ben:1")
    game.row("Ben", "red")
    assert game.row("Ben") == "" and game.phase == "draw" and game.view["turn"] == "Mia"
    assert (
        game.show("drawn") == ""
        and game.show("drawn", "oenologist-01", "oenologist-02") == "one_card_at_a_time"
    )
    assert game.press("Mia") == "" and game.view["turn"] == "Paul" and game.view["hands"]["Mia"] == 2


def test_the_chance_of_black_follows_every_card() -> None:
    game = drawing()
    assert game.view["chance"] == 35.0
    game.draw("oenologist")
    assert game.view["chance"] == 35.9
    game.press("Paul")
    game.show("drawn", card("sommelier_red"))
    assert game.view["chance"] == 35.9 and game.view["pile"] == 39


def test_a_drawn_card_is_public_when_it_is_drawn_and_nobody_is_reminded_of_it() -> None:
    """Neither the title of the step nor the operator's list of readings tells who drew what."""
    game = drawing()
    game.draw("stop")
    assert game.show("drawn") == ""  # it was taken up
    told = screen_message.state(Projection().state(game.session, None, "operator")).decode()
    steps = screen_message.state({"steps": Projection().steps(game.session)}).decode()
    assert '"did.drew"' in steps and "stop-01" not in told + steps
    assert game.hear(Undone(game.session.last - 1)) == ""  # a step back is a look back, too
    again = screen_message.state(Projection().state(game.session, None, "operator")).decode()
    assert '"zone":"drawn"' in again and "stop-01" not in again
    black = drawing()
    black.draw("wine_fair")
    assert black.view["did"] == {"key": "did.drawn", "values": {"name": "Mia", "card": "@wine_fair"}}


def test_for_beginners_every_card_that_comes_is_explained() -> None:
    game = Wine(beginners=True, extension="all").later()
    assert game.play("grape_picker") == "" and game.keys == ["explain.grape_picker", "say.pick_from"]
    texts = phrases()["wine"].texts
    names = {class_of(name) and name for name in (*BASIC, *EXTENSION)} - {"stop"}
    assert all(f"explain.{name}" in texts[lang] for name in names for lang in LANGS)
    plain = Wine().later()
    assert plain.play("grape_picker") == "" and plain.keys == ["say.pick_from"]


def test_tales_are_told_at_the_end_only_and_without_a_wine() -> None:
    game = Wine("Mia", "Paul").later()
    game.set(rows={**game.state.rows, "Paul": (4,)})
    assert tales((game.state,)) == ()
    game.play("thieves_red")
    game.choose("Mia", "glass", "Paul:1")
    game.ring("stop")
    game.row("Paul", "red")
    game.row("Paul")
    told = tales((game.state,))
    assert [say.key for say in told] == ["tale.thief"] and told[0].values == {
        "name": "Mia",
        "count": 1,
        "tries": 1,
    }
