"""What is written, and what a killed or failing table goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest
from house_table import MIDDLE, NAMES, Evening, auction

from companion.house import Tempo
from companion.running.records import Tempi
from companion.table import crank
from companion.table.events import Corrected, Opened, Pressed, Setting, Shown, Undone
from companion.table.game import Refusal
from companion.table.photo_finish import Press
from companion.table.things import BID, CardId, Player


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


def test_a_restart_goes_on_in_the_same_state_in_silence() -> None:
    evening = auction().put(Pressed(NAMES[1], BID, 9))
    again = Evening(tuple(evening.devices.rows))
    again.house.resume()
    assert again.state() == evening.state()
    assert not [did for did in again.devices.did if did.startswith(("say", "write"))]
    assert "watch middle" in again.devices.did and again.clocks.due() is not None


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
