"""Reports of problems come out as they went in; whatever else a file is, it is named. The log is short and whole."""

from __future__ import annotations

import io
import logging
import sys
import threading
import traceback
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.edges import logbook, problems
from companion.edges.logbook import LONGEST, Logbook
from companion.edges.problems import BadReport, Report

WHOLE = Report(
    {"game": "koala"}, (b'{"e":"Undone","to":1}',), ({"at": 5},), "a\nb", ({"code": "x"},), {"lang": "de"}
)


def test_a_report_comes_out_as_it_went_in(tmp_path: Path) -> None:
    (tmp_path / "r.zip").write_bytes(problems.zipped(WHOLE))
    assert problems.is_report(tmp_path / "r.zip")
    back = problems.read(tmp_path / "r.zip")
    assert (back.events, back.readings, back.log, back.doctor, back.settings) == (
        WHOLE.events, WHOLE.readings, WHOLE.log, WHOLE.doctor, WHOLE.settings,
    )  # fmt: skip
    assert back.head["game"] == "koala"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_report_is_named(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(problems.zipped(WHOLE))
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[at] ^= data.draw(st.integers(1, 255))
    else:
        del content[at:]
    path = tmp_path_factory.mktemp("r") / "r.zip"
    path.write_bytes(content)
    try:
        back = problems.read(path)
    except BadReport as fault:
        assert str(path) in str(fault.args[0])
    else:
        assert back.events == WHOLE.events  # what was hit does not matter, such as a date


def test_a_zip_of_something_else_is_no_report(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("letter.txt", "dear")
    (tmp_path / "x.zip").write_bytes(out.getvalue())
    assert not problems.is_report(tmp_path / "x.zip") and not problems.is_report(tmp_path / "none.zip")
    with pytest.raises(BadReport, match="Save it anew"):
        problems.read(tmp_path / "x.zip")


def test_the_log_has_its_times_outlives_a_restart_and_stays_short(tmp_path: Path) -> None:
    path = tmp_path / "j.log"
    Logbook(path, now=lambda: 0.0).note("first\nsecond\n\n")
    again = Logbook(path, now=lambda: 60.0)
    again.note("third")
    assert [line.split(" ", 2)[2] for line in again.told().splitlines()] == ["first", "second", "third"]
    for number in range(3 * LONGEST // 1_000):
        again.note(f"{number} " + "x" * 980)
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) < 2 * LONGEST + 4_000
    assert again.told().splitlines()[-1].endswith("x") and path.stat().st_mode & 0o077 == 0


def test_errors_on_the_terminal_are_in_the_log_by_whole_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Logbook(tmp_path / "j.log")
    with book.listening():
        sys.stderr.write("half")
        sys.stderr.write(" a line\nnot yet")
    sys.stderr.write("nobody hears\n")
    assert [line.split(" ", 2)[2] for line in book.told().splitlines()] == ["half a line"]
    assert capsys.readouterr().err == "half a line\nnot yetnobody hears\n"


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    book = Logbook(tmp_path / "missing" / "j.log")
    book.note("lost")
    assert book.told() == logbook.told(tmp_path / "nothing.log") == ""


def _deep() -> None:
    try:
        dict[str, str]()["glass-01"]
    except KeyError as fault:
        raise ValueError("glass-02\nglass-03") from fault


def _grouped() -> None:
    try:
        _deep()
    except ValueError as fault:
        raise ExceptionGroup("glass-04", [fault, TypeError("glass-05\nglass-06")]) from None


@pytest.mark.parametrize("fails", [_deep, _grouped])
@pytest.mark.parametrize("how", ["printed", "in a thread", "logged", "noted"])
def test_what_an_error_says_stays_on_the_terminal_and_its_kind_and_frames_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fails: Callable[[], None], how: str
) -> None:
    book = Logbook(tmp_path / "j.log")
    with book.listening():
        try:
            fails()
        except Exception as fault:  # whatever it is
            if how == "printed":
                traceback.print_exception(fault, file=sys.stderr)
            elif how == "in a thread":
                broken = threading.Thread(target=fails)
                broken.start()
                broken.join()
            elif how == "logged":
                to = logging.StreamHandler()
                made = logging.LogRecord("x", logging.ERROR, "", 1, "it failed", None, sys.exc_info())
                to.handle(made)
            else:
                book.failed(fault)
        print("box: unplugged", file=sys.stderr)
    told = book.told()
    assert "KeyError" in told and "ValueError" in told and "in _deep" in told
    assert ("ExceptionGroup" in told and "TypeError" in told) == (fails is _grouped)
    said = [line for line in told.splitlines() if "glass" in line]
    assert all("raise " in line or "]()[" in line for line in said)  # lines of code, none of what was said
    assert told.endswith("box: unplugged")
    assert ("glass-02" in capsys.readouterr().err) == (how != "noted")
