"""The house: written down before it is seen, refusals unwritten, presses before their deadline in time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from companion.edges.clocks import StillClocks
from companion.house import House, News, Pace, Tempo, Trouble, Wish
from companion.running.records import Tempi
from companion.shelf import phrases, shelf
from companion.table import crank
from companion.table.crank import Session, Turn
from companion.table.effects import Say
from companion.table.events import Chosen, Corrected, Event, Opened, Pressed, Setting, Shown, Undone
from companion.table.game import Refusal
from companion.table.photo_finish import MS, Closed, Gone, Press
from companion.table.things import BID, CALL, CardId, Player, Zone

NAMES = tuple(Player(name) for name in ("Mia", "Paul", "Ada", "Ben"))
MIDDLE = Zone("middle")


class Devices:
    """Every port at once: keeps what the house does, in order."""

    def __init__(self, old: tuple[Event, ...] = ()) -> None:
        self.did: list[str] = []
        self.rows: list[Event] = list(old)
        self.news = News()
        self.full = False
        self.beats: list[tuple[Player, int, tuple[int, ...]]] = []
        self.slow = 0  # ns from an order to the ear

    def append(self, number: int, event: Event) -> None:
        if self.full:
            raise OSError("disk full")
        assert number == len(self.rows) + 1
        self.rows.append(event)
        self.did.append(f"write {type(event).__name__}")

    def events(self) -> Iterator[Event]:
        yield from self.rows

    def close(self) -> None:
        self.did.append("close")

    def shine(self, player: Player, look: str) -> None:
        self.did.append(f"lamp {player} {look}")

    def blink(self, player: Player, look: str) -> None:
        self.did.append(f"blink {player} {look}")

    def beat(self, player: Player, start: int, phases: tuple[int, ...]) -> None:
        self.beats.append((player, start, phases))

    def say(self, parts: tuple[str, ...], lang: str, lane: str) -> None:
        self.did.append(f"say {''.join(parts)}")

    def count(self, beats: tuple[str, ...], start_ns: int, seconds: float, lang: str) -> None:
        self.did.append(f"count {' '.join(beats)}")

    def hush(self) -> None:
        self.did.append("hush")

    def stop(self) -> None:
        self.did.append("stop")

    def again(self) -> None:
        self.did.append("again")

    def chime(self, seat: int) -> None:
        self.did.append(f"chime {seat}")

    def tune(self, loud: Mapping[str, float]) -> None:
        self.did.append(f"tune {dict(loud)}")

    def know(self, names: tuple[str, ...], lang: str) -> None:
        self.did.append(f"know {' '.join(names)} in {lang}")

    def lead(self) -> int:
        return self.slow

    def watch(self, zones: tuple[Zone, ...], anew: tuple[Zone, ...]) -> None:
        self.did.append(f"watch {' '.join(zones)}")

    def show(self, session: Session | None, news: News) -> None:
        self.news = news


class Evening:
    """A house in virtual time with a game of Koala at its first auction."""

    def __init__(self, old: tuple[Event, ...] = (), pace: Pace | None = None) -> None:
        self.clocks, self.devices = StillClocks(1_000 * MS), Devices(old)
        d = self.devices
        self.house = House(shelf(), phrases(), d, self.clocks, lamps=d, voice=d, eyes=d, screens=d, pace=pace)

    def put(self, *events: Event) -> Evening:
        for event in events:
            self.house.put(event)
            self.house.step()
        return self

    def later(self, ms: float) -> Evening:
        """Time passes, each due thing in its turn."""
        until = self.clocks.now() + round(ms * MS)
        while (due := self.house.next_due()) is not None and due <= until:
            self.clocks.advance_to(due)
            self.house.step()
        self.clocks.advance_to(until)
        self.house.step()
        return self

    def state(self) -> object:
        assert self.house.session is not None
        return self.house.session.state

    def phase(self) -> str:
        return str(getattr(self.state(), "phase"))  # noqa: B009  # the state is the game's own


def auction(pace: Pace | None = None) -> Evening:
    evening = Evening(pace=pace)
    return evening.put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2),
        Shown(MIDDLE, (CardId("pizza-01"),)),
    )  # fmt: skip


def test_an_event_is_on_disk_before_anything_of_it_is_seen() -> None:
    evening = auction()
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[1], BID, 3))
    assert evening.devices.did[0] == "write Pressed" and len(evening.devices.did) > 1


def test_a_refusal_is_spoken_and_not_written() -> None:
    evening = auction()
    rows = len(evening.devices.rows)
    evening.put(Pressed(Player("Nobody"), BID, 3))
    assert len(evening.devices.rows) == rows and evening.devices.news.refusal is not None
    assert evening.devices.did[-2:] == ["blink Nobody no", "say Nobody does not play in this game."]


@pytest.mark.parametrize("before", [None, "koala"])
def test_a_game_that_cannot_be_opened_says_so_in_its_own_words_and_ends_no_evening(
    before: str | None,
) -> None:
    """Whatever is asked for, with nothing on the table or another game that is over."""
    evening = Evening()
    if before is not None:
        evening = auction()
        assert evening.house.session is not None
        done = replace(evening.house.session.head, cues=())
        evening.house.session = replace(evening.house.session, head=done)
    rows = len(evening.devices.rows)
    for game in shelf():
        evening.put(Opened(Setting(game, NAMES[:1] if game != "rescue" else (), {})))
        assert evening.devices.did[-1].startswith("say "), game
    assert evening.devices.did[-1] == "say Koala and Wine is for 2 to 6 players."
    assert evening.devices.news.refusal is None  # its words are not those of what is on the screens
    for odd in (Setting("@moon", NAMES, {}), Setting("koala", NAMES, {"teams": "@moon", "@x": "@y"})):
        evening.put(Opened(odd))
    assert len(evening.devices.rows) == rows


def test_a_second_game_is_refused_by_the_name_of_the_first() -> None:
    evening = auction().put(Opened(Setting("wine", NAMES, {})))
    assert evening.devices.did[-1].startswith("say ") and "Koala" in evening.devices.did[-1]
    assert evening.devices.news.refusal is not None


def test_a_phone_that_answers_nonsense_ends_no_evening() -> None:
    evening = auction()
    for cue in ("@moon", "act.bump"):
        evening.put(Chosen(NAMES[0], cue, "@moon, @sun"), Chosen(Player("@moon"), cue, "x"))
    evening.put(Pressed(Player("@moon"), BID, 3), Shown(MIDDLE, (CardId("@moon"),)))
    assert evening.phase() == "auction"


def test_the_reply_comes_with_the_answer() -> None:
    evening, answers = auction(), []
    evening.house.put(Pressed(NAMES[1], BID, 3), answers.append)
    evening.house.put(Pressed(Player("Nobody"), BID, 3), answers.append)
    evening.house.step()
    assert [type(answer) for answer in answers] == [Turn, Refusal]


def test_raw_presses_are_ordered_by_their_time_at_the_source() -> None:
    evening = auction()
    now = evening.clocks.now()
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.house.put(Press(NAMES[1], BID, now + 1 * MS))
    evening.later(50)
    claims = [claim.players for claim in getattr(evening.state(), "middle").claims]  # noqa: B009  # as above
    assert claims == [("Paul",), ("Ada",)]


def test_a_press_before_its_time_is_told_with_how_much_too_early_it_was() -> None:
    evening = Evening().put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2)
    )  # fmt: skip
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS)).later(240)
    evening.put(Shown(MIDDLE, (CardId("pizza-01"),)))
    told = Say("buttons.early", {"name": NAMES[1], "ms": "240"}, "chatter")
    assert told in evening.devices.news.captions
    evening.later(5).put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS))
    assert told not in evening.devices.news.captions  # once


@pytest.mark.parametrize("waited", [0.5, 1_500.0])  # ms: inside the press's own uncertainty; long ago
def test_a_press_is_no_false_start_when_nobody_can_say_so_or_it_meant_something_else(waited: float) -> None:
    evening = Evening().put(
        Opened(Setting("koala", NAMES, {})), Pressed(NAMES[0], BID, 1), Pressed(NAMES[0], BID, 2)
    )  # fmt: skip
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now(), 1 * MS)).later(waited)
    evening.put(Shown(MIDDLE, (CardId("pizza-01"),)))
    assert all(say.key != "buttons.early" for say in evening.devices.news.captions)


def test_every_lamp_winks_at_the_onset_of_each_beat_until_a_bid_ends_the_count() -> None:
    evening = auction().later(2_005).later(2_005)
    assert evening.phase() == "call"
    (call,) = (clock for clock in evening.house.news.clocks if clock.beats)
    told = evening.devices.beats[-len(NAMES) :]
    assert [player for player, _, _ in told] == list(NAMES)
    start, phases = told[0][1:]
    onsets = [start + sum(phases[:place]) for place in range(0, len(phases), 2)]
    wanted = [call.ends + (beat / 3 - 1) * call.seconds * 1_000 * MS for beat in range(3)]
    assert all(abs(onset - want) <= 10 * MS for onset, want in zip(onsets, wanted, strict=True))
    evening.later(500).put(Pressed(NAMES[1], BID, evening.clocks.now()))
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.devices.beats[-len(NAMES) :] == [(player, 0, ()) for player in NAMES]


def test_a_press_at_the_end_of_la_counts_though_it_arrives_after_it() -> None:  # KOALA-AMB-23
    evening = auction().later(2_005).later(2_005)
    assert evening.phase() == "call"
    end = evening.clocks.due()
    assert end is not None
    evening.later((end - evening.clocks.now()) / MS + 1)  # the end has come, its ring still waits
    evening.house.put(Press(NAMES[1], BID, end))
    evening.later(50)
    assert evening.phase() == "call"
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.phase() == "auction"


def test_a_press_after_the_end_of_la_is_too_late() -> None:
    evening = auction().later(2_005).later(2_005)
    end = evening.clocks.due()
    assert end is not None
    evening.later((end - evening.clocks.now()) / MS + 2)
    evening.house.put(Press(NAMES[1], BID, end + MS))
    evening.later(50)
    assert evening.phase() == "reveal"


def test_the_count_is_voiced_and_cut_off_by_a_valid_bid() -> None:
    evening = auction().later(4_010)
    assert "count KO! A! LA!" in evening.devices.did
    evening.put(Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert "hush" in evening.devices.did


def test_a_restart_goes_on_in_the_same_state_in_silence() -> None:
    evening = auction().put(Pressed(NAMES[1], BID, 9))
    again = Evening(tuple(evening.devices.rows))
    again.house.resume()
    assert again.state() == evening.state()
    assert not [did for did in again.devices.did if did.startswith(("say", "write"))]
    assert "watch middle" in again.devices.did and again.clocks.due() is not None


@pytest.mark.parametrize("counting", [False, True])
def test_after_the_power_came_back_clocks_wait_and_it_is_said(counting: bool) -> None:
    evening = auction().put(Pressed(NAMES[1], BID, 9))
    if counting:
        evening = auction().later(4_010)  # KO! - A! - LA! has begun
    at_once, later = (Evening(tuple(evening.devices.rows)) for _ in range(2))
    at_once.house.resume()
    later.house.resume(15.0)
    assert later.clocks.due() is None and "watch middle" in later.devices.did
    assert [did for did in later.devices.did if did.startswith("say")] == [
        "say We go on where we were. The clocks wait a moment."
    ]
    before = later.state()
    later.later(14_999)  # by now voice and lamps have come up, too
    assert later.state() == before and "count KO! A! LA!" not in later.devices.did
    later.later(2)
    first, then = at_once.clocks.due(), later.clocks.due()
    assert first is not None and then is not None and then - first == 15_000 * MS
    assert later.state() == before and ("count KO! A! LA!" in later.devices.did) is counting
    evening = Evening((Opened(Setting("koala", NAMES, {})),))
    evening.house.resume(15.0)  # nothing runs: nothing needs to be said
    assert not [did for did in evening.devices.did if did.startswith("say")]


def test_a_press_in_the_grace_after_a_restart_counts_and_its_clock_begins_at_once() -> None:
    evening = Evening(tuple(auction().devices.rows))
    evening.house.resume(15.0)
    evening.put(Pressed(NAMES[1], BID, 9))
    due = evening.clocks.due()
    assert due is not None and due < evening.clocks.now() + 15_000 * MS
    evening.later(20_000)  # what is waited for then is not begun a second time
    assert evening.devices.did.count("count KO! A! LA!") <= 1


def test_a_resting_table_that_is_taken_up_again_says_nothing_and_rests(tmp_path: Path) -> None:
    evening = auction(Tempi(tmp_path / "tempo"))
    evening.house.put(Tempo(paused=True))
    evening.house.step()
    again = Evening(tuple(evening.devices.rows), Tempi(tmp_path / "tempo"))
    again.house.resume(15.0)
    again.later(60_000)
    assert again.devices.news.paused and again.clocks.due() is None
    assert not [did for did in again.devices.did if did.startswith("say")]


def test_a_press_of_a_game_that_is_given_up_decides_nothing_in_the_new_one_and_nobody_rests(
    tmp_path: Path,
) -> None:
    evening, answers = auction(Tempi(tmp_path / "tempo")), list[object]()
    evening.house.put(Press(NAMES[1], BID, evening.clocks.now() - 1), answers.append)
    evening.house.put(Tempo(paused=True))
    evening.house.put(Opened(Setting("koala", NAMES, {}), instead=True))
    evening.house.step()
    evening.later(100)
    assert evening.phase() == "starter" and isinstance(evening.devices.rows[-1], Opened)
    assert len(answers) == 1 and isinstance(answers[0], Refusal)
    assert not evening.devices.news.paused and Tempi(tmp_path / "tempo").load() == Tempo(False, 1.0)
    evening.put(Pressed(NAMES[0], BID, evening.clocks.now()))
    assert evening.phase() == "deal"


def test_a_game_is_given_up_for_another_only_if_that_is_asked_for_and_nothing_of_it_runs_on() -> None:
    evening = auction().later(4_010)  # KO! - A! - LA! has begun
    state, others = evening.state(), tuple(Player(name) for name in ("Zoe", "Yara", "Xenia"))
    evening.put(Opened(Setting("koala", others, {})))
    assert evening.state() == state and evening.devices.news.refusal is not None
    evening.devices.did.clear()
    evening.put(Opened(Setting("koala", others, {}), instead=True))
    assert evening.house.session is not None and evening.house.session.setting.players == others
    assert "hush" in evening.devices.did and evening.devices.news.clocks == ()
    assert "watch " in evening.devices.did  # the camera sees nothing of the new game's secrets
    assert set(evening.devices.news.lamps) <= set(others) and evening.devices.news.refusal is None
    due = evening.clocks.due()
    evening.later(60_000)
    assert due is None and evening.phase() == "starter"
    again = Evening(tuple(evening.devices.rows))
    again.house.resume()
    assert again.state() == evening.state()


def test_trouble_of_a_device_is_shown_until_it_is_well() -> None:
    evening = auction()
    evening.house.put(Trouble("camera", "no picture"))
    evening.house.step()
    assert evening.devices.news.health == {"camera": "no picture"}
    evening.house.put(Trouble("camera", ""))
    evening.house.step()
    assert evening.devices.news.health == {}


def counted(slow: int) -> tuple[Evening, int, int]:
    """An evening with a running count: with its start as ordered from the voice, and its end."""
    evening = auction()
    starts: list[tuple[int, float]] = []
    evening.devices.slow = slow
    evening.house.voice.count = (  # type: ignore[method-assign]  # the order itself is what this is about
        lambda beats, start_ns, seconds, lang: starts.append((start_ns, seconds))
    )
    before = evening.clocks.now()
    while not starts:
        evening.later(10)
    end = evening.clocks.due()
    assert end is not None and starts[0][0] >= before
    return evening, starts[0][0], end


@pytest.mark.parametrize("slow", [0, 30 * MS, 250 * MS])
def test_a_count_ends_when_its_last_beat_has_been_heard(slow: int) -> None:
    evening, start, end = counted(slow)
    assert end - start == 3_000 * MS  # KO, A, LA: a second each, from the first one's sound
    assert start - slow - 10 * MS <= evening.clocks.now() <= start - slow + 10 * MS
    clock = evening.devices.news.clocks[0]
    assert (clock.ends, clock.seconds) == (end, 3.0)  # the screens count the same beats


def test_a_bid_inside_the_last_beat_counts_though_the_speaker_is_slow() -> None:
    evening, _, end = counted(250 * MS)
    evening.later((end - evening.clocks.now()) / MS - 1)
    evening.house.put(Press(NAMES[1], BID, evening.clocks.now()))
    evening.later(50)
    assert evening.phase() == "call"
    evening.put(Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert evening.phase() == "auction"


def test_a_count_called_off_starts_anew_after_the_next_quiet() -> None:
    evening = auction().later(4_010)
    evening.put(Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    evening.devices.did.clear()
    evening.later(3_900)
    assert "count KO! A! LA!" not in evening.devices.did
    evening.later(200)
    assert evening.devices.did.count("count KO! A! LA!") == 1


def test_the_starting_player_may_count_before_the_quiet_is_over_but_not_at_once() -> None:
    evening = auction().put(Pressed(NAMES[0], CALL, 4))
    assert evening.phase() == "auction" and evening.devices.news.refusal is not None
    evening.later(2_005).put(Pressed(NAMES[0], CALL, 5))
    assert evening.phase() == "call" and "count KO! A! LA!" in evening.devices.did


def test_a_press_is_answered_with_the_chime_of_its_player_before_anything_is_said() -> None:
    evening = auction()
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[2], BID, 3))
    said = [did for did in evening.devices.did if did.startswith(("chime", "say"))]
    assert said[0] == "chime 2" and said[1].startswith("say Ada")


def test_names_are_learned_when_players_join_and_after_a_restart() -> None:
    assert "know Mia Paul Ada Ben in en" in auction().devices.did
    again = Evening(tuple(auction().devices.rows))
    again.house.resume()
    assert "know Mia Paul Ada Ben in en" in again.devices.did


def test_a_caption_stays_through_silent_turns_and_refusals_until_something_else_is_said() -> None:
    evening = auction()
    caption = evening.devices.news.captions
    assert caption[-1].key == "say.auction"
    evening.later(2_005)  # the least quiet is over: nothing is said of it
    assert evening.devices.news.captions is caption
    evening.put(Pressed(Player("Nobody"), BID, 3))
    assert evening.devices.news.captions is caption and evening.devices.news.refusal is not None
    evening.put(Pressed(NAMES[1], BID, 4))
    assert evening.devices.news.captions[-1].key == "say.lay" and evening.devices.news.refusal is None


def test_a_correction_stops_what_is_said_and_says_only_the_new_result() -> None:
    evening = auction().put(
        Pressed(NAMES[1], BID, 9), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02")))
    )
    number = len(evening.devices.rows)
    evening.devices.did.clear()
    evening.put(Corrected(number, (CardId("pizza-01"), CardId("pizza-02"), CardId("pizza-03"))))
    spoken = [did for did in evening.devices.did if did.startswith(("say", "stop"))]
    assert spoken[0] == "stop" and len(spoken) == 2
    assert "Paul" in spoken[1] and "Corrected" not in spoken[1]


def test_a_screen_may_have_the_last_words_again_and_other_volumes() -> None:
    evening = auction()
    evening.house.put(Wish(again=True, loud={"chatter": 0.0}))
    evening.house.step()
    assert evening.devices.did[-2:] == ["tune {'chatter': 0.0}", "again"]


def test_a_full_disk_stops_no_game_and_is_written_up_once_there_is_room() -> None:
    evening = auction()
    devices, before = evening.devices, len(evening.devices.rows)
    devices.full = True
    evening.put(Pressed(NAMES[1], BID, 3), Shown(MIDDLE, (CardId("pizza-01"), CardId("pizza-02"))))
    assert "full" in devices.news.health["journal"]
    assert len(devices.rows) == before
    devices.full = False
    evening.put(Pressed(NAMES[2], BID, 4))
    assert len(devices.rows) == before + 3
    assert "journal" not in devices.news.health
    again = Evening(tuple(devices.rows))
    again.house.resume()
    assert again.state() == evening.state()


def test_only_the_last_game_of_a_journal_is_folded_under_its_own_numbers() -> None:
    first = auction()
    rows = tuple(first.devices.rows)
    again = Evening((*rows, *rows))
    again.house.resume()
    assert again.house.session is not None
    assert again.house.session.last == 2 * len(rows)
    assert again.state() == first.state()
    again.put(Undone(2 * len(rows) - 1))
    assert again.phase() == "reveal"


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


def test_a_press_a_moment_too_late_is_told_apart_from_a_wrong_one() -> None:
    evening = auction().later(2_005).later(2_005)
    end = evening.clocks.due()
    assert evening.phase() == "call" and end is not None
    evening.later((end - evening.clocks.now()) / MS + 20)
    assert evening.phase() not in ("call", "auction")
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now()))
    assert "blink Paul late" in evening.devices.did
    evening.later(1_500)
    evening.devices.did.clear()
    evening.put(Pressed(NAMES[1], BID, evening.clocks.now()))
    assert "blink Paul no" in evening.devices.did


def test_an_open_box_is_asked_to_close_and_its_earlier_press_wins() -> None:
    evening, asked = auction(), list[int]()
    evening.house.ask = asked.append
    now = evening.clocks.now()
    evening.house.put(Closed("box-1", now))
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.later(10)
    assert asked == [now + 2 * MS]
    evening.house.put(Press(NAMES[1], BID, now + 1 * MS, 0, "box-1"))
    evening.house.put(Closed("box-1", now + 3 * MS))
    evening.later(1)
    claims = [claim.players for claim in getattr(evening.state(), "middle").claims]  # noqa: B009  # as above
    assert claims == [("Paul",), ("Ada",)]
    assert any(say.key == "buttons.margin" for say in evening.devices.news.captions)


def test_a_box_that_is_gone_is_not_waited_for() -> None:
    evening = auction()
    now = evening.clocks.now()
    evening.house.put(Closed("box-1", now))
    evening.house.put(Press(NAMES[2], BID, now + 2 * MS))
    evening.later(10)
    assert evening.house.racing
    evening.house.put(Gone("box-1"))
    evening.later(1)
    assert not evening.house.racing


class Broken(Exception):
    """What a game's bug raises."""


def test_a_bug_in_a_game_ends_no_evening_and_is_said_everywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening, answers = auction(), list[object]()
    before, rows = evening.house.session, len(evening.devices.rows)
    broken = True

    def legal_or_not(*given: object, **named: object) -> object:
        if broken:
            raise Broken("a hole in the rules")
        return crank_advance(*given, **named)  # type: ignore[arg-type]  # handed on as they came

    crank_advance = crank.advance
    monkeypatch.setattr(crank, "advance", legal_or_not)
    number = evening.devices.rows.index(evening.devices.rows[-1]) + 1
    for event in (
        Pressed(NAMES[1], BID, 3), Undone(1), Corrected(number, (CardId("pizza-02"),)), Shown(MIDDLE, ()),
    ):  # fmt: skip
        evening.house.put(event, answers.append)
        evening.house.step()
    evening.later(60_000)  # clocks ring into the hole, too
    assert [getattr(answer, "stem", "") for answer in answers] == ["our_fault"] * 4
    assert evening.house.session is before and len(evening.devices.rows) == rows
    told = evening.devices.news.health["rules"]
    assert "Broken" in told and "a hole in the rules" not in told  # an error's text may name a secret card
    assert evening.devices.news.refusal is not None and evening.devices.did[-1].startswith("say Something")
    assert "Broken: a hole in the rules" in capsys.readouterr().err
    broken = False
    evening.put(Pressed(NAMES[1], BID, 4))
    assert len(evening.devices.rows) == rows + 1 and "rules" not in evening.devices.news.health


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
