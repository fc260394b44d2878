"""A table that rests, and more time for those who want it."""

from __future__ import annotations

from pathlib import Path

import pytest
from house_table import MIDDLE, NAMES, Devices, Evening, auction

from companion.edges.clocks import StillClocks
from companion.house import House, News, Tempo
from companion.running.records import Tempi
from companion.shelf import phrases, shelf
from companion.table.events import Corrected, Event, Pressed, Shown, Undone
from companion.table.photo_finish import MS
from companion.table.session import Session
from companion.table.things import BID, CardId


def test_a_resting_table_that_is_taken_up_again_says_nothing_and_rests(tmp_path: Path) -> None:
    evening = auction(Tempi(tmp_path / "tempo"))
    evening.house.put(Tempo(paused=True))
    evening.house.step()
    again = Evening(tuple(evening.devices.rows), Tempi(tmp_path / "tempo"))
    again.house.resume(15.0)
    again.later(60_000)
    assert again.devices.news.paused and again.clocks.due() is None
    assert not [did for did in again.devices.did if did.startswith("say")]


def test_a_resting_table_hears_nobody_and_its_clocks_begin_anew() -> None:
    evening = auction().put(Pressed(NAMES[1], BID, 3))
    assert evening.clocks.due() is not None
    before = evening.state()
    evening.house.put(Tempo(paused=True))
    evening.house.step()
    assert evening.clocks.due() is None
    assert evening.devices.news.paused and evening.devices.news.clocks == ()
    evening.put(Pressed(NAMES[2], BID, 4)).later(60_000)
    assert evening.state() == before
    evening.house.put(Tempo(paused=False))
    evening.house.step()
    assert evening.clocks.due() is not None and not evening.devices.news.paused
    assert evening.devices.did[-1] != "watch " and "watch middle" in evening.devices.did[-8:]


@pytest.mark.parametrize("phase", ["auction", "call"])
@pytest.mark.parametrize(
    "course",
    [
        [Tempo(paused=True)], [Tempo(stretch=2.0)], [Tempo(paused=True, stretch=3.0)], [],
        [Tempo(paused=True), Tempo(stretch=1.5)], [Tempo(stretch=1.5), Tempo(paused=True), Tempo(paused=False)],
        [Tempo(paused=True, stretch=2.0), Tempo(paused=False, stretch=1.0)],
    ],
)  # fmt: skip
def test_a_killed_table_rests_on_and_people_keep_their_time(
    course: list[Tempo], phase: str, tmp_path: Path
) -> None:
    evening = auction(Tempi(tmp_path / "tempo"))
    if phase == "call":
        evening.later(4_010)
    for tempo in course:
        evening.house.put(tempo)
        evening.house.step()
    before = evening.devices.news  # no more is heard of that table
    again = Evening(tuple(evening.devices.rows), Tempi(tmp_path / "tempo"))
    again.house.resume()
    after = again.devices.news
    assert (after.paused, after.stretch, again.phase()) == (before.paused, before.stretch, phase)
    assert (again.clocks.due() is None) == after.paused
    if after.paused:
        assert not [did for did in again.devices.did if did.startswith(("watch", "count"))]
        state = again.state()
        again.later(60_000).put(Pressed(NAMES[2], BID, 4))
        assert again.state() == state
        again.house.put(Tempo(paused=False))
        again.house.step()
    waits = [run for run in again.devices.news.clocks if not run.beats]
    usual = {run.clock.name: run.seconds for run in auction().devices.news.clocks}
    assert [run.seconds for run in waits] == [usual[run.clock.name] * after.stretch for run in waits]
    assert again.clocks.due() is not None


def test_a_rest_is_kept_before_anybody_sees_it() -> None:
    class Order(Devices):
        def load(self) -> Tempo:
            return Tempo()

        def save(self, tempo: Tempo) -> None:
            self.did.append(f"keep {tempo.paused} {tempo.stretch}")

        def show(self, session: Session | None, news: News) -> None:
            self.did.append(f"show {news.paused} {news.stretch}")

    d = Order()
    house = House(
        shelf(), phrases(), d, StillClocks(1), lamps=d, voice=d, eyes=d, screens=d, pace=d
    )  # fmt: skip
    for tempo in (Tempo(paused=True), Tempo(paused=True), Tempo(stretch=2.0)):
        house.put(tempo)
        house.step()
    told = [did for did in d.did if did.startswith(("keep", "show"))]
    assert told == [
        "keep True 1.0", "show True 1.0", "show True 1.0", "keep True 2.0", "show True 2.0",
    ]  # fmt: skip


@pytest.mark.parametrize("stretch", [2.0, 1.5])
def test_more_time_makes_every_clock_longer_but_the_count_is_a_ruling(stretch: float) -> None:
    evening = auction()
    evening.house.put(Tempo(stretch=stretch))
    evening.put(Pressed(NAMES[1], BID, 3))
    plain = auction().put(Pressed(NAMES[1], BID, 3))
    (usual,) = [run.seconds for run in plain.devices.news.clocks]
    assert [run.seconds for run in evening.devices.news.clocks] == [usual * stretch]
    counts = []
    for table in (auction(), auction()):
        table.house.put(Tempo(stretch=stretch if counts else 1.0))
        while table.phase() != "call":
            due = table.house.next_due()
            assert due is not None
            table.later((due - table.clocks.now()) / MS)
        counts.append([(run.beats, run.seconds) for run in table.devices.news.clocks])
    assert counts[0] == counts[1] != []


@pytest.mark.parametrize("course", ["undo", "redo", "correction"])
def test_what_the_operator_mends_while_the_table_rests_wakes_nothing(course: str) -> None:
    evening = auction().put(
        Pressed(NAMES[1], BID, 3), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02")))
    )
    last = len(evening.devices.rows)
    if course == "redo":
        evening.put(Undone(last - 1))
    evening.house.put(Tempo(paused=True))
    evening.house.step()
    evening.devices.did.clear()
    mending: dict[str, Event] = {
        "undo": Undone(last - 1), "redo": Undone(last), "correction": Corrected(last, (CardId("pizza-01"),)),
    }  # fmt: skip
    evening.put(mending[course])
    assert evening.clocks.due() is None and evening.devices.news.clocks == ()
    assert not [did for did in evening.devices.did if did.startswith(("watch", "count"))]
    evening.house.put(Tempo(paused=False))
    evening.house.step()
    assert evening.clocks.due() is not None and evening.devices.news.clocks
    assert [did for did in evening.devices.did if did.startswith("watch")] == ["watch middle"]


def test_undone_into_a_count_a_resting_table_counts_only_when_it_goes_on() -> None:
    evening = auction().later(4_010)
    assert evening.phase() == "call"
    counting = len(evening.devices.rows)
    evening.put(Pressed(NAMES[1], BID, 9))
    evening.house.put(Tempo(paused=True))
    evening.house.step()
    evening.devices.did.clear()
    evening.put(Undone(counting))
    assert evening.phase() == "call" and "count KO! A! LA!" not in evening.devices.did
    evening.house.put(Tempo(paused=False))
    evening.house.step()
    assert evening.devices.did.count("count KO! A! LA!") == 1


@pytest.mark.parametrize(
    "tempo", [Tempo(stretch=2.0), Tempo(paused=False), Tempo(paused=False, stretch=1.5), Tempo()]
)
@pytest.mark.parametrize("phase", ["auction", "call"])
def test_more_time_touches_no_running_clock_and_cuts_no_count(tempo: Tempo, phase: str) -> None:
    evening = auction().later(4_010 if phase == "call" else 500)
    assert evening.phase() == phase
    clocks, due = evening.devices.news.clocks, evening.clocks.due()
    evening.devices.did.clear()
    evening.house.put(tempo)
    evening.house.step()
    assert (evening.devices.news.clocks, evening.clocks.due()) == (clocks, due) and clocks
    assert evening.devices.did == []


def test_a_rest_asked_for_twice_is_one_rest() -> None:
    evening = auction()
    evening.devices.did.clear()
    for stretch in (None, 2.0):
        evening.house.put(Tempo(paused=True, stretch=stretch))
        evening.house.step()
    assert evening.clocks.due() is None and evening.devices.did.count("watch ") == 1
    assert evening.devices.news.stretch == 2.0
