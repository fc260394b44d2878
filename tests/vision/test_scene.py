"""The table as it is filmed: hands, arms, fans, piles, doubts, cards that cannot be. All through pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from rendered_table import (
    CAVE,
    DECK,
    FAMILY,
    LIES,
    MIDDLE,
    PIZZAS,
    ROW,
    TABLE,
    Arm,
    Lying,
    Scene,
    fan,
    on,
    shot,
)

from companion.table.events import Shown
from companion.vision.evidence import ruled
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.read import Bar, Reader
from companion.vision.scene import DOUBT, HIDDEN, MOVING, STRANGE, Memory, Rules
from companion.vision.scene import Scene as Understood
from companion.vision.settle import Settle, settled, watch

FRAME = 50_000_000  # ns
IDS = [card.marker for card in DECK.cards] + [m for plate in DECK.plates for m in plate.markers]
OTHERS = {300: "wine", 301: "wine", 5: "koala"}
READER = Reader(FAMILY, IDS, (10.0, 42.0))
RULES = Rules(DECK, READER.look, OTHERS)
FOREIGN = Reader(FAMILY, [*IDS, *OTHERS], (10.0, 42.0))
FOUR = (*(on(MIDDLE, PIZZAS[n], 5 + n * 22, 35) for n in range(4)),)


class Film:
    """A camera over a table: shows scenes for some frames, keeps what was said."""

    def __init__(self, *zones: str, foreign: bool = False) -> None:
        self.gaze, self.frame = Gaze(), 0
        self.eyes = Eyes(READER, RULES, FOREIGN if foreign else None)
        self.settle = watch(Settle(), zones or tuple(LIES))
        self.said: list[tuple[int, Shown]] = []
        self.scene = Understood()

    @property
    def memory(self) -> Memory:
        return self.gaze.memory

    def rule(self, number: int, marker: int | None) -> None:
        """A person decides a doubt."""
        proof = ruled(self.memory.evidence, number, marker)
        self.gaze = replace(self.gaze, memory=replace(self.memory, evidence=proof))

    def show(self, scene: Scene, frames: int = 7) -> list[Shown]:
        """Film a scene; what was said meanwhile."""
        before = len(self.said)
        for _ in range(frames):
            self.gaze = gazed(self.gaze, shot(scene, self.frame), self.eyes)
            self.scene = self.gaze.scene or Understood()
            self.settle, shown = settled(self.settle, self.scene.sighting, self.frame * FRAME)
            self.said += [(self.frame, each) for each in shown]
            self.frame += 1
        return [shown for _, shown in self.said[before:]]


def names(numbers: Iterable[int]) -> tuple[str, ...]:
    """Card ids of places in PIZZAS."""
    return tuple(f"pizza-{n + 1:02d}" for n in numbers)


def held(shown: Iterable[Shown]) -> dict[str, tuple[str, ...]]:
    return {each.zone: each.cards for each in shown}


@pytest.mark.parametrize(("tilt", "side"), [(0, 0), (30, 190)])
def test_zones_hold_their_cards_from_any_side_with_half_of_each_plates_markers_hidden(
    tilt: float, side: float
) -> None:
    cards = (
        *FOUR,
        *(on(CAVE, PIZZAS[8 + n], 10 + n * 24, 30) for n in range(5)),
        *(on(ROW, PIZZAS[14 + n], 15, 25 + n * 20) for n in range(3)),
    )
    for hidden in ((), (901, 908, 905), (902, 907, 906)):
        scene = Scene(cards, tilt=tilt, side=side, hidden=frozenset(hidden))
        said = held(Film().show(scene, 5))
        assert said[MIDDLE] == names(range(4))
        assert said[CAVE] == names(range(8, 13))
        assert said[ROW] == names(range(14, 17))


def test_a_fan_is_one_row_however_far_it_bends_and_a_pile_is_read_outwards() -> None:
    spread = fan(MIDDLE, [PIZZAS[n] for n in (4, 2, 9, 7, 1, 12, 6)], 120, 40, reach=170)
    pile = tuple(on(CAVE, PIZZAS[n], 30 + n % 2, 24 + i * 17) for i, n in enumerate((15, 13, 17, 14)))
    said = held(Film().show(Scene((*spread, *pile)), 5))
    assert said[MIDDLE] == names((4, 2, 9, 7, 1, 12, 6))
    assert said[CAVE] == names((15, 13, 17, 14))


def test_a_hand_in_a_zone_holds_it_back_until_it_is_gone() -> None:
    film = Film()
    film.show(Scene(FOUR[:1]), 6)
    for n in range(10):  # three cards are laid while the hand stays over the plate
        laid = FOUR[: 2 + n // 4]
        said = film.show(Scene(laid, (Arm(230 + 4 * (n % 3), 130, 230, -80),)), 1)
        assert said == [] and film.scene.zones[MIDDLE].held == (
            MOVING if n else film.scene.zones[MIDDLE].held
        )
    assert held(film.show(Scene(FOUR))) == {MIDDLE: names(range(4))}


def test_a_card_that_is_pushed_along_is_not_said_before_it_lies() -> None:
    film = Film()
    film.show(Scene(FOUR), 5)
    for n in range(12):
        pushed = replace(FOUR[3], x=FOUR[3].x + 6 * n, y=FOUR[3].y + 15 * n)  # out of the middle, slowly
        assert film.show(Scene((*FOUR[:3], pushed)), 1) == []
    assert held(film.show(Scene((*FOUR[:3], pushed)))) == {MIDDLE: names(range(3))}


@pytest.mark.parametrize("shade", [60.0, 100.0, 170.0])  # the cloth is 100
def test_a_zone_hidden_by_an_arm_keeps_what_it_had(shade: float) -> None:
    film = Film()
    film.show(Scene(FOUR), 5)
    resting = Scene(FOUR, (Arm(90, 110, 90, -100, shade=shade),))
    assert film.show(resting, 8) == []
    assert film.scene.zones[MIDDLE].held == HIDDEN and film.scene.zones[MIDDLE].covered
    assert film.show(Scene(FOUR)) == []
    assert held(film.show(Scene(FOUR[1:]))) == {MIDDLE: names(range(1, 4))}


def test_an_arm_exactly_as_bright_as_the_table_holds_back_a_zone_in_which_it_moves_over_nothing() -> None:
    film = Film(MIDDLE)
    film.show(Scene(FOUR[:1]), 6)
    for n in range(4):
        film.show(Scene(FOUR[:1], (Arm(210 + 8 * n, 150, 230, -80, shade=100.0),)), 1)
        assert film.scene.zones[MIDDLE].held == MOVING
    assert film.show(Scene(FOUR[:1])) == []


def test_a_card_taken_away_is_said_though_another_is_laid_in_its_place() -> None:
    film = Film()
    film.show(Scene(FOUR), 5)
    film.show(Scene(FOUR, (Arm(90, 110, 90, -100),)), 4)
    swapped = replace(FOUR[1], marker=PIZZAS[9])
    assert held(film.show(Scene((FOUR[0], swapped, *FOUR[2:])))) == {MIDDLE: names((0, 9, 2, 3))}
    film.show(Scene(FOUR, (Arm(90, 110, 90, -100),)), 4)
    assert held(film.show(Scene()))[MIDDLE] == ()


@pytest.mark.parametrize(("light", "blur"), [(1.0, 0.7), (0.5, 1.2)])
@pytest.mark.parametrize(("before", "after"), [(0, 14), (0, 16), (2, 12)])  # alike in a coarse picture
def test_a_card_never_comes_back_once_another_lies_in_its_place_however_alike(
    before: int, after: int, light: float, blur: float
) -> None:
    first = on(MIDDLE, PIZZAS[before], 60, 60)
    film = Film(MIDDLE)
    film.show(Scene((first,), light=light, blur=blur), 5)
    said = film.show(Scene((replace(first, marker=PIZZAS[after]),), light=light, blur=blur), 9)
    assert [shown.cards for shown in said] == [names((after,))]


def test_cards_taken_one_by_one_are_gone_at_once_and_never_thought_to_be_under_an_arm() -> None:
    film, cards = Film(MIDDLE), tuple(on(MIDDLE, PIZZAS[n], 5 + n * 17, 35) for n in range(6))
    film.show(Scene(cards, blur=0.5), 8)
    for left in range(5, -1, -1):
        said = film.show(Scene(cards[:left], blur=0.5), 7)
        assert held(said) == {MIDDLE: names(range(left))}
        assert film.scene.zones[MIDDLE].held == ""


def test_cards_that_were_taken_while_others_were_laid_are_gone() -> None:
    film = Film(MIDDLE)
    film.show(Scene(FOUR), 6)
    others = tuple(on(MIDDLE, PIZZAS[n], 5 + n * 22, 35) for n in range(4, 8))
    assert held(film.show(Scene((FOUR[3], *others)), 8)) == {MIDDLE: names(range(3, 8))}
    assert film.scene.zones[MIDDLE].held == ""


@pytest.mark.parametrize(("right", "down"), [(3, 35), (5, 70)])
def test_a_card_taken_while_the_others_are_pushed_on_is_gone(right: float, down: float) -> None:
    """What is bare where they lay is no arm: it would hold the zone back as long as nobody lays a card there."""
    film, row = Film(MIDDLE), tuple(on(MIDDLE, PIZZAS[n], 80 + n * 22, 35) for n in range(4))
    film.show(Scene(row), 6)
    pushed = tuple(on(MIDDLE, PIZZAS[n], right + (n - 1) * 22, down) for n in range(1, 4))
    assert held(film.show(Scene(pushed), 8)) == {MIDDLE: names(range(1, 4))}
    assert film.scene.zones[MIDDLE].held == ""


def test_a_card_taken_from_a_dark_cloth_in_the_dusk_is_gone() -> None:
    film = Film(MIDDLE)
    dusk = Scene(FOUR, light=0.35, blur=1.2, noise=2.0)
    film.show(dusk, 8)
    assert held(film.show(replace(dusk, cards=FOUR[:3]), 8)) == {MIDDLE: names(range(3))}


def test_two_changes_within_300_ms_are_both_seen() -> None:
    film = Film()
    film.show(Scene(FOUR[:1]), 6)
    film.show(Scene(FOUR[:2]), 5)  # 250 ms
    film.show(Scene(FOUR[:3]), 8)
    assert [shown.cards for _, shown in film.said if shown.zone == MIDDLE] == [
        names(range(1)), names(range(2)), names(range(3)),
    ]  # fmt: skip
    cave = on(CAVE, PIZZAS[8], 30, 30)
    film.show(Scene((*FOUR[:2], cave)), 2)  # 100 ms after a card left the middle one lies in the cave
    said = held(film.show(Scene((*FOUR[:2], cave))))
    assert said == {MIDDLE: names(range(2)), CAVE: names((8,))}


def test_a_moved_camera_takes_its_zones_along() -> None:
    film = Film()
    film.show(Scene(FOUR), 5)
    assert film.show(Scene(FOUR, tilt=12, side=40)) == []
    assert film.scene.zones[MIDDLE].held == "" and film.scene.zones[MIDDLE].cards == names(range(4))


def test_a_card_seen_twice_is_named_at_once_and_not_counted() -> None:
    film = Film()
    film.show(Scene(FOUR), 5)
    copy = on(CAVE, PIZZAS[2], 40, 30)
    assert film.show(Scene((*FOUR, copy)), 1) == []
    assert [(s.kind, s.card and s.card.id, set(s.zones), s.box) for s in film.scene.strange] == [
        ("twice", "pizza-03", {MIDDLE, CAVE}, 22)
    ]
    assert film.show(Scene((*FOUR, copy)), 7) == []
    assert held(film.show(Scene(FOUR))) == {}


def test_a_card_of_another_game_and_a_sticker_of_none_are_named_and_not_counted() -> None:
    film = Film(foreign=True)
    film.show(Scene(FOUR), 5)
    wine, spare = on(CAVE, 300, 40, 30), on(MIDDLE, 5, 120, 35)
    assert film.show(Scene((*FOUR, wine, spare)), 1) == []
    assert [(s.kind, s.marker, s.game, s.zones) for s in film.scene.strange] == [
        ("extra", 5, "koala", (MIDDLE,)), ("stranger", 300, "wine", (CAVE,)),
    ]  # fmt: skip
    assert film.show(Scene((*FOUR, wine, spare)), 8) == []
    assert {film.scene.zones[zone].held for zone in (MIDDLE, CAVE)} == {STRANGE}
    beside = Lying(300, TABLE[0] - 120, TABLE[1] - 110)
    film.show(Scene((*FOUR, beside)))
    assert [s.zones for s in film.scene.strange] == [()] and not film.scene.zones[MIDDLE].held


def test_a_marker_that_no_frame_reads_alone_is_decided_by_several(monkeypatch: pytest.MonkeyPatch) -> None:
    shy = Reader(
        FAMILY, IDS, (10.0, 42.0), bar=Bar(margins=(3.0,) * 33, far=0.0)
    )  # asks much more of one frame
    monkeypatch.setitem(globals(), "READER", shy)
    dim = tuple(on(MIDDLE, PIZZAS[n], 5 + n * 50, 35) for n in range(5))
    film = Film(MIDDLE)
    evening = Scene(dim, light=0.5, noise=5.0, blur=1.2)
    alone = [r.id for n in range(3) for r in READER.look(shot(evening, n)).readings if r.id < 900]
    said = held(film.show(evening, 14))
    assert alone == [] and said == {MIDDLE: names(range(5))}


def test_a_card_decided_by_several_frames_is_not_told_of_another_that_lies_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shy = Reader(FAMILY, IDS, (10.0, 42.0), bar=Bar(margins=(3.0,) * 33, far=0.0))
    monkeypatch.setitem(globals(), "READER", shy)
    film, evening = Film(MIDDLE), Scene(light=0.5, noise=5.0, blur=1.2)
    film.show(evening.plus(on(MIDDLE, PIZZAS[3], 60, 35)), 14)
    assert [shown.cards for _, shown in film.said][-1] == names((3,))
    said = film.show(evening.plus(on(MIDDLE, PIZZAS[8], 60, 35)), 20)
    assert [shown.cards for shown in said if 3 in (int(c[-2:]) - 1 for c in shown.cards)] == []
    assert said[-1].cards == names((8,))


def test_what_stays_in_doubt_holds_its_zone_and_is_asked_about_with_three_likely_ids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shy = Reader(
        FAMILY, IDS, (10.0, 42.0), bar=Bar(margins=(3.0,) * 33, far=0.0)
    )  # ours reads or leaves out most blur
    monkeypatch.setitem(globals(), "READER", shy)
    blurred = Scene(tuple(on(MIDDLE, PIZZAS[n], 5 + n * 50, 35) for n in range(5)), blur=2.8, noise=4.0)
    film = Film(MIDDLE)
    assert film.show(blurred, 16) == []
    asked = [doubt for doubt in film.memory.open if doubt.asked]
    assert film.scene.zones[MIDDLE].held == DOUBT and asked
    truth = {}
    for doubt in asked:
        assert len(doubt.likely) == 3 and abs(sum(share for _, share in doubt.likely) - 1) < 1e-9
        truth[doubt.number] = doubt.likely[0][0]
    assert set(truth.values()) <= {PIZZAS[n] for n in range(5)}
    for number, marker in truth.items():
        film.rule(number, marker)
    film.show(blurred, 2)
    assert {DECK.by_id[card].marker for card in film.scene.zones[MIDDLE].cards} >= set(truth.values())
    for doubt in film.memory.open:
        film.rule(doubt.number, None)
    film.show(blurred, 1)
    assert not set(film.scene.doubts) & set(truth), "a person's word ends a doubt"


def test_a_marker_that_is_none_of_ours_is_never_believed_however_many_frames_show_it() -> None:
    film = Film()
    film.show(
        Scene(tuple(on(CAVE, marker, 10 + n * 45, 30) for n, marker in enumerate((700, 517, 633, 480, 811)))),
        18,
    )
    assert all(shown.cards == () for _, shown in film.said)
    assert all(seen.cards == () for seen in film.scene.zones.values())
