"""What outlives an evening: every game that ended comes into history, whatever the disk does meanwhile."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.edges.archive import Archive, ArchiveError
from companion.running import records
from companion.running.records import Chronicle
from companion.shelf import shelf
from companion.table import crank
from companion.table.crank import Turn
from companion.table.events import Chosen, Event, Opened, Setting, Shown, Undone
from companion.table.record import name_of, record
from companion.table.session import Session
from companion.table.things import Player, Zone

SHELF = shelf()
PEOPLE = tuple(Player(name) for name in ("Mia", "Ben", "Zoe"))
FOOD = next(card.id for card in SHELF["koala-tally"].deck.cards if card.face == "pizza")


def after(session: Session | None, event: Event) -> Session:
    turn = crank.advance(SHELF, session, event)
    assert isinstance(turn, Turn), turn
    return turn.session


def counted(on: int) -> list[Session]:
    """A short game that was opened then, step by step to its end."""
    steps = [after(None, Opened(Setting("koala-tally", PEOPLE, {}), on))]
    steps.append(after(steps[-1], Shown(Zone("look"), (FOOD,))))
    while not steps[-1].over:
        steps.append(after(steps[-1], Chosen(PEOPLE[0], "tally", "next")))
    return steps


GAMES = [counted(on) for on in (1, 2, 3)]


class Moody(Archive):
    """An archive whose disk is full now and then."""

    def __init__(self) -> None:
        self.full = False
        super().__init__(None)

    def _do(self, question: str, values: tuple[object, ...] = ()) -> list[Any]:
        if self.full:
            raise ArchiveError("the disk is full")
        return super()._do(question, values)


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("end"), st.integers(0, 2)),
        st.tuples(st.just("back"), st.just(0)),
        st.tuples(st.just("disk"), st.booleans()),
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(ACTS, st.booleans())
def test_history_holds_every_game_that_ended_and_none_that_goes_on(
    acts: list[tuple[str, int]], threaded: bool
) -> None:
    archive, told, wanted = Moody(), list[str](), set[str]()
    chronicle, shown = Chronicle(archive, told.append, "en"), None
    if threaded:
        chronicle.begin()
    for act, which in acts:
        if act == "disk":
            archive.full = bool(which)
        elif act == "end":
            for shown in GAMES[which]:
                chronicle.show(shown)
            assert shown is not None
            wanted.add(name_of(shown))
        elif shown is not None and shown.over:
            shown = after(shown, Undone(shown.last - 1))
            chronicle.show(shown)
            wanted.discard(name_of(shown))
    archive.full = False
    chronicle.show(after(None, Opened(Setting("koala", PEOPLE, {}, 1))))
    if threaded:
        chronicle.close()
    assert archive.names() == wanted
    assert not told or told[-1] == ""
    archive.close()


def test_it_is_said_until_the_last_of_the_games_is_written() -> None:
    archive, told = Moody(), list[str]()
    chronicle = Chronicle(archive, told.append, "en")
    archive.full = True
    for game in GAMES[:2]:
        for session in game:
            chronicle.show(session)
    assert len(told) == 1 and "disk is full" in told[0]
    archive.full = False
    for session in GAMES[2]:
        chronicle.show(session)
    assert told[1:] == [""] and [game["on"] for game in archive.games()] == [3, 2, 1]
    archive.close()


def test_whatever_could_not_be_written_is_tried_again_though_nobody_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed, well = threading.Event(), threading.Event()
    archive = Moody()
    monkeypatch.setattr(records, "AGAIN_S", 0.001)
    chronicle = Chronicle(archive, lambda text: (failed if text else well).set(), "en")
    archive.full = True
    chronicle.begin()
    chronicle.show(GAMES[0][-1])
    assert failed.wait(20)
    archive.full = False
    assert well.wait(20)
    assert archive.names() == {name_of(GAMES[0][-1])}
    chronicle.close()
    archive.close()


@pytest.mark.parametrize("over", [True, False])
def test_the_loop_never_waits_for_a_record(monkeypatch: pytest.MonkeyPatch, over: bool) -> None:
    archive, go, makers = Archive(None), threading.Event(), set[int]()

    def slow(session: Session) -> str:
        makers.add(threading.get_ident())
        assert go.wait(20)
        return name_of(session)

    monkeypatch.setattr(records, "name_of", slow)
    chronicle = Chronicle(archive, print, "en")
    chronicle.begin()
    chronicle.show(GAMES[0][-1 if over else 0])  # were it made here, it would wait for what comes only now
    go.set()
    chronicle.close()
    assert makers and threading.get_ident() not in makers
    assert archive.names() == ({name_of(GAMES[0][-1])} if over else set())
    archive.close()


def test_a_start_brings_no_name_back_that_was_deleted_but_a_game_that_was_never_kept() -> None:
    archive, ended = Archive(None), GAMES[0][-1]
    Chronicle(archive, print, "en").show(ended)  # cut off before, it would not be there
    assert [game["players"] for game in archive.games()] == [["Mia", "Ben", "Zoe"]]
    archive.forget("Mia")
    Chronicle(archive, print, "en").show(ended)  # the next start shows the last game of the journal
    assert [game["players"] for game in archive.games()] == [["–", "Ben", "Zoe"]]
    archive.close()


def test_a_record_that_cannot_be_made_keeps_no_other_game_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, told = Archive(None), list[str]()

    def failing(session: Session) -> dict[str, Any]:
        if session is GAMES[0][-1]:
            raise KeyError("secret-card")
        return record(session)

    monkeypatch.setattr(records, "record", failing)
    chronicle = Chronicle(archive, told.append, "en")
    for session in (*GAMES[0], *GAMES[1]):
        chronicle.show(session)
    assert [game["on"] for game in archive.games()] == [2]
    assert len(told) == 2 and "KeyError" in told[0] and "secret-card" not in told[0]
    assert "secret-card" in capsys.readouterr().err
    archive.close()
