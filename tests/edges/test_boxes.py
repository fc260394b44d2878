"""Boxes on ptys: found, opened, heard; unplugged and back with their players; every fault named with its remedy."""

from __future__ import annotations

import os
import pty
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.edges.boxes import LOST_FOR, Boxes, Key
from companion.sim.boxes import MS, VirtualBox
from companion.table.photo_finish import Closed, Gone, Press
from companion.table.things import BID, Player
from companion.wire.box_link import Lost
from companion.wire.box_words import VERSION, Hello

MIA, OMER = Player("Mia"), Player("Ömer")
KEYS = {b"board #1".hex(): (Key(MIA, BID), None), b"board #2".hex(): (Key(OMER, BID),)}
PATIENCE = 60.0  # s; a limit for broken code, not a goal


class Plug:
    """A virtual box at the far end of a pty, and the name of the port it is plugged into."""

    def __init__(self, folder: Path, port: str, board: bytes) -> None:
        self.link, self.board, self.master = folder / port, board, -1
        self.box = VirtualBox(board, time.monotonic_ns(), buttons=2)
        self.put_in()

    def put_in(self) -> None:
        self.master, far = pty.openpty()
        tty.setraw(far)
        os.set_blocking(self.master, False)
        self.link.symlink_to(os.ttyname(far))
        self._far = far
        self.box.reboot(time.monotonic_ns(), 0)

    def pull(self) -> None:
        self.link.unlink()
        os.close(self.master)
        os.close(self._far)
        self.master = -1

    def pump(self) -> None:
        if self.master < 0:
            return
        now = time.monotonic_ns()
        with suppress(BlockingIOError):
            self.box.received(os.read(self.master, 4096), now)
        self.box.tick(now)
        if self.box.outgoing:
            os.write(self.master, self.box.outgoing)
            self.box.outgoing = b""

    def press(self, button: int) -> int:
        now = time.monotonic_ns()
        self.box.level(button, now, True)
        return now


class Table:
    """Boxes of a table without their thread, and what was told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plugs = folder, list[Plug]()
        self.told: list[Press | Closed | Gone] = []
        self.troubles: dict[str, str] = {}
        self.boxes = Boxes(
            lambda board, _count: KEYS.get(board, ()), self.told.append, self.troubles.__setitem__,
            ports=[f"{folder}/box-*"],
        )  # fmt: skip

    def plug(self, port: str, board: bytes) -> Plug:
        self.plugs.append(Plug(self.folder, port, board))
        return self.plugs[-1]

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, (self.told[-5:], self.troubles)
            for plug in self.plugs:
                plug.pump()
            self.boxes.turn(MS)

    def presses(self) -> list[Press]:
        return [each for each in self.told if isinstance(each, Press)]

    def known(self, *boards: bytes) -> bool:
        """Whether these boxes answer, and their clocks are read."""
        closed = {each.source for each in self.told if isinstance(each, Closed)}
        return (
            set(self.boxes.here()) == {b.hex() for b in boards}
            and {f"box {b.hex()}" for b in boards} <= closed
        )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.boxes.close()
    for plug in made.plugs:
        if plug.master >= 0:
            plug.pull()


def test_a_press_on_a_box_comes_with_its_player_and_its_time_at_the_source(table: Table) -> None:
    plug = table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    at = plug.press(0)
    table.until(lambda: bool(table.presses()))
    (press,) = table.presses()
    assert (press.player, press.button, press.source) == (MIA, BID, "box " + b"board #1".hex())
    assert abs(press.at - at) <= press.unc
    assert press.grain is not None and press.grain < press.unc


def test_a_port_may_be_named_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []

    def busy(name: str) -> None:
        opened.append(name)
        raise OSError(16, "Device or resource busy", name)

    for port in ("./box-x", "box-*", f"{tmp_path}/box-x"):
        (tmp_path / "box-x").write_text("no port")
        boxes = Boxes(lambda *_: (), lambda _: None, lambda *_: None, ports=[port], opened=busy)
        boxes.turn(0)
        boxes.close()
        assert opened.pop() == str(tmp_path / "box-x"), port


def test_a_button_that_is_nobodys_tells_nothing(table: Table) -> None:
    plug = table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    plug.press(1)
    plug.press(0)
    table.until(lambda: bool(table.presses()))
    assert [press.player for press in table.presses()] == [MIA]


def test_boxes_that_swap_ports_keep_their_players(table: Table) -> None:
    one, two = table.plug("box-a", b"board #1"), table.plug("box-b", b"board #2")
    table.until(lambda: table.known(b"board #1", b"board #2"))
    one.pull()
    two.pull()
    table.until(lambda: table.boxes.here() == ())
    assert {each.source for each in table.told if isinstance(each, Gone)} == {f"box {b}" for b in KEYS}
    assert "unplugged" in table.troubles["box " + b"board #1".hex()]
    table.told.clear()
    one.link, two.link = two.link, one.link
    one.put_in()
    two.put_in()
    table.until(lambda: table.known(b"board #1", b"board #2"))
    assert set(table.troubles.values()) == {""}
    two.press(0)
    table.until(lambda: bool(table.presses()))
    assert [press.player for press in table.presses()] == [OMER]


def test_asked_to_close_a_box_closes(table: Table) -> None:
    table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    moment = time.monotonic_ns()
    table.boxes.close_to(moment)
    table.until(lambda: any(isinstance(each, Closed) and each.until > moment for each in table.told))


def test_two_boxes_with_one_id_are_named_with_the_remedy(table: Table) -> None:
    table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    table.plug("box-b", b"board #1")
    table.until(lambda: any("make id" in text for text in table.troubles.values()))
    assert table.boxes.here() == (b"board #1".hex(),)


def test_a_box_of_another_version_is_refused_by_name(table: Table) -> None:
    plug = table.plug("box-a", b"board #1")
    newer = Hello(VERSION + 1, 1, 2, 2, 1, 0, 1, 0, 0, b"board #1")
    plug.box._hello = lambda: newer  # type: ignore[method-assign]  # a box of a year from now
    table.until(lambda: any(f"version {VERSION + 1}" in text for text in table.troubles.values()))


def test_a_port_that_cannot_be_opened_is_named_once_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "box-x").write_text("no port")
    troubles: list[tuple[str, str]] = []

    def forbidden(name: str) -> None:
        raise PermissionError(13, "Permission denied", name)

    boxes = Boxes(
        lambda *_: (), lambda _: None, lambda *each: troubles.append(each), ports=[f"{tmp_path}/box-*"],
        opened=forbidden,
    )  # fmt: skip
    for _ in range(3):
        boxes._scan_at = 0
        boxes.turn(0)
    boxes.close()
    ((device, text),) = troubles
    assert device.endswith("box-x") and "dialout" in text


def test_a_port_that_could_not_be_opened_is_well_again_once_it_is_unplugged(tmp_path: Path) -> None:
    (tmp_path / "box-x").write_text("no port")
    troubles: dict[str, str] = {}

    def busy(name: str) -> None:
        raise OSError(16, "Device or resource busy", name)

    boxes = Boxes(
        lambda *_: (), lambda _: None, troubles.__setitem__, ports=[f"{tmp_path}/box-*"], opened=busy
    )
    for told in ("cannot be opened", "", "cannot be opened"):
        boxes._scan_at = 0
        boxes.turn(0)
        (text,) = troubles.values()
        assert told in text and bool(told) == bool(text)
        if told:
            (tmp_path / "box-x").unlink()
        else:
            (tmp_path / "box-x").write_text("again")
    boxes.close()


def test_a_known_box_that_fell_silent_and_answers_again_is_well_again(table: Table) -> None:
    plug = table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    for _ in range(2):
        table.plugs.clear()  # it hangs: its plug is in, and nothing comes
        table.until(lambda: "no longer answers" in table.troubles["box " + b"board #1".hex()])
        table.plugs.append(plug)
        table.until(lambda: not any(table.troubles.values()))
    assert table.boxes.here() == (b"board #1".hex(),)


def test_lost_presses_are_told_for_a_while_and_then_no_more(table: Table) -> None:
    table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    (line,) = table.boxes._lines.values()
    table.boxes._heed(line, [Lost(3)])
    device = "box " + b"board #1".hex()
    table.told.clear()
    table.until(lambda: table.known(b"board #1"))
    assert "3 presses or releases were lost" in table.troubles[device], (
        "an answer alone does not wipe it away"
    )
    line.lost_until -= LOST_FOR
    table.until(lambda: not table.troubles[device])


def test_whatever_a_port_was_said_to_have_goes_with_its_plug(table: Table) -> None:
    table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    twin = table.plug("box-b", b"board #1")
    table.until(lambda: any("make id" in text for text in table.troubles.values()))
    twin.pull()
    table.until(lambda: not any(table.troubles.values()))


def test_a_lamp_gets_its_look_even_when_its_box_comes_later(table: Table) -> None:
    table.boxes.shine(MIA, "open")
    table.boxes.shine(Player("nobody"), "ask")
    plug = table.plug("box-a", b"board #1")
    table.until(lambda: plug.box.lit(0, time.monotonic_ns()))
    table.boxes.blink(MIA, "seen")
    table.until(lambda: not plug.box.lit(0, time.monotonic_ns()))
    table.until(lambda: plug.box.lit(0, time.monotonic_ns()))
    table.boxes.shine(MIA, "off")
    table.until(lambda: not plug.box.lit(0, time.monotonic_ns()))


def test_a_box_pulled_while_all_are_asked_to_close_stops_nobody(table: Table) -> None:
    plugs = [table.plug("box-a", b"board #1"), table.plug("box-b", b"board #2")]
    table.until(lambda: table.known(b"board #1", b"board #2"))
    plugs[0].pull()
    table.boxes.close_to(time.monotonic_ns() - 1_000 * MS)
    assert table.boxes.here() == (b"board #2".hex(),)


def test_plugging_again_and_again_leaks_no_file_and_no_thread(table: Table) -> None:
    plug = table.plug("box-a", b"board #1")
    table.until(lambda: table.known(b"board #1"))
    files, threads = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    for _ in range(10):
        plug.pull()
        table.until(lambda: table.boxes.here() == ())
        table.told.clear()
        plug.put_in()
        table.until(lambda: table.known(b"board #1"))
    assert (len(list(Path("/proc/self/fd").iterdir())), threading.active_count()) == (files, threads)


def test_with_its_thread_it_works_and_stops(tmp_path: Path) -> None:
    heard = threading.Event()

    def tell(word: Press | Closed | Gone) -> None:
        if isinstance(word, Closed):
            heard.set()

    boxes = Boxes(lambda *_: (), tell, lambda *_: None, ports=[f"{tmp_path}/box-*"])
    boxes.start()
    plug = Plug(tmp_path, "box-a", b"board #1")
    end = time.monotonic() + PATIENCE
    while not heard.is_set() and time.monotonic() < end:
        plug.pump()
        heard.wait(0.001)
    boxes.close_to(time.monotonic_ns())
    boxes.close()
    plug.pull()
    assert heard.is_set()
