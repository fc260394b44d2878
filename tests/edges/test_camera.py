"""Cameras of every kind, driven as they are on a table: a real local MJPEG server, files, videos, fakes of V4L2 and the Pi."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.edges.camera import Camera, CameraError, Feed, Frame, Wishes, eye, source
from companion.edges.camera.capture import Device
from companion.edges.camera.controls import locked
from companion.edges.camera.pi import PiCamera
from companion.edges.camera.sources import feed
from companion.edges.watchdog import Notify, Watchdog
from companion.shelf import deck
from companion.sim.evenings import evening
from companion.sim.picture import Picture
from companion.table.events import Shown
from companion.table.luck import Luck
from companion.table.things import CardId, Zone
from companion.wire.mjpeg import Stream, fed

DECK = deck("koala")
MIDDLE = Zone("middle")
LAID = (CardId("pizza-01"), CardId("bump-02"))
PATIENCE = 20.0  # s until a test gives up on a machine that does nothing


def table_picture(cards: tuple[CardId, ...] = LAID) -> np.ndarray[Any, Any]:
    return Picture(DECK, Luck(4), evening("koala").spots).shot({MIDDLE: cards})


@pytest.fixture(scope="module")
def pictures() -> tuple[bytes, bytes]:
    """An empty table and one with cards in the middle, as JPEG."""
    return tuple(cv2.imencode(".jpg", table_picture(c))[1].tobytes() for c in ((), LAID))  # type: ignore[return-value]  # two of them


class PhoneApp:
    """A phone's camera app: serves MJPEG until it is told to fail."""

    def __init__(self, picture: bytes, port: int = 0) -> None:
        self.picture, self.mode, self.served = picture, "stream", threading.Semaphore(0)
        app = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                app.answer(self)

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Answer)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.stop = threading.Event()
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        if self.mode == "missing":
            to.send_error(404)
            return
        kind = "image/jpeg" if self.mode == "single" else "multipart/x-mixed-replace; boundary=cut"
        to.send_response(200)
        to.send_header("content-type", "text/html" if self.mode == "page" else kind)
        if self.mode == "single":
            to.send_header("content-length", str(len(self.picture)))
        to.end_headers()
        if self.mode == "single":
            to.wfile.write(self.picture)
            return
        while not self.stop.wait(0.02):
            if self.mode == "silent":
                continue
            if self.mode == "gone":
                return
            try:
                to.wfile.write(b"--cut\r\ncontent-type: image/jpeg\r\n\r\n" + self.picture + b"\r\n")
            except OSError:
                return

    def close(self) -> None:
        self.stop.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"


@pytest.fixture
def phone(pictures: tuple[bytes, bytes]) -> Iterator[PhoneApp]:
    app = PhoneApp(pictures[1])
    yield app
    app.close()


class Told:
    """What a camera says of itself; can be waited for."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._news = threading.Condition()

    def __call__(self, text: str) -> None:
        with self._news:
            self.texts.append(text)
            self._news.notify_all()

    def wait(self, like: Callable[[str], bool]) -> str:
        with self._news:
            assert self._news.wait_for(lambda: any(like(text) for text in self.texts), PATIENCE), self.texts
            return next(text for text in self.texts if like(text))


def quick(spec: str | Callable[[], Any], told: Told, patience: float = 0.6, lang: str = "en") -> Feed:
    return Feed(
        source(spec) if isinstance(spec, str) else spec, told, patience_s=patience, again_s=(0.05,), lang=lang
    )


def some(frames: Feed) -> Frame:
    """The next frame, however many tries it takes a busy machine."""
    got = (frames() for _ in range(40))
    return next(frame for frame in got if frame is not None)


def seen_by(grab: Any) -> tuple[CardId, ...]:
    """What a whole camera says of the middle through these frames."""
    said: list[Shown] = []
    heard = threading.Event()

    def hear(shown: Shown) -> None:
        said.append(shown)
        heard.set()

    camera = Camera(grab, DECK, hear, lambda _: None, marker_px=(12.0, 34.0), pause_s=0.0)
    camera.watch((MIDDLE,))
    assert heard.wait(PATIENCE), "nothing was said"
    camera.close()
    return said[0].cards


def test_a_phone_is_a_camera(phone: PhoneApp) -> None:
    assert set(seen_by(feed(phone.address))) == set(LAID)


def test_an_address_of_single_pictures_is_asked_again_and_again(phone: PhoneApp) -> None:
    phone.mode = "single"
    frames = quick(phone.address, Told())
    assert some(frames).at < some(frames).at
    frames.close()


def test_a_folder_is_a_camera(tmp_path: Path, pictures: tuple[bytes, bytes]) -> None:
    (tmp_path / "0.jpg").write_bytes(pictures[0])
    for n in range(1, 9):
        (tmp_path / f"{n}.jpg").write_bytes(pictures[1])
    assert set(seen_by(feed(str(tmp_path)))) == set(LAID)


def test_a_video_is_a_camera_with_the_times_of_its_own_clock(tmp_path: Path) -> None:
    file = tmp_path / "table.avi"
    written = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (1920, 1080))
    shot = cv2.cvtColor(table_picture(), cv2.COLOR_GRAY2BGR)
    for _ in range(6):
        written.write(shot)
    written.release()
    frames = feed(str(file))
    first, second = some(frames), some(frames)
    assert second.at - first.at == 50_000_000
    frames.close()
    assert set(seen_by(feed(str(file)))) == set(LAID)


def test_a_simulated_table_is_a_camera() -> None:
    class Sim:
        name, live = "sim:test", False

        def open(self) -> tuple[()]:
            return ()

        def read(self, wanted: bool) -> Frame:
            return Frame(np.full((90, 160), 7, np.uint8), 5)

        def close(self) -> None: ...

    frames = feed("sim:test", sims={"test": Sim})
    assert some(frames).grey[0, 0] == 7
    frames.close()
    with pytest.raises(CameraError, match="Known are sim:test"):
        source("sim:other", sims={"test": Sim})


@pytest.mark.parametrize("spec", ["nothing.mp4", "²", "٣", "00", "256", "9" * 5000])
def test_what_names_no_camera_is_answered_with_what_can_be_named(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CameraError, match=r"Write 0, /dev/video0, pi, a folder") as fault:
        source(spec)
    assert "Schreibe 0" in fault.value.told("de")


@pytest.mark.parametrize(("mode", "why"), [("missing", "404"), ("page", "text/html")])
def test_an_address_without_pictures_says_why(phone: PhoneApp, mode: str, why: str) -> None:
    phone.mode, told = mode, Told()
    frames = quick(phone.address, told)
    assert frames() is None
    assert "/video" in told.wait(lambda text: why in text)
    frames.close()


def test_a_camera_that_opens_and_gives_no_frame_is_a_fault_with_a_remedy(phone: PhoneApp) -> None:
    phone.mode, told = "silent", Told()
    frames = quick(phone.address, told, lang="de")
    assert frames() is None
    told.wait(lambda text: "liefert aber in 0.6 s kein Bild" in text and "--camera pi" in text)
    phone.mode = "stream"
    some(frames)
    told.wait(lambda text: text == "")
    frames.close()


def test_a_driver_that_hangs_is_left_behind_and_tried_again() -> None:
    hang, opened = threading.Event(), []

    class Hanging:
        name, live = "0", True

        def open(self) -> tuple[()]:
            opened.append(1)
            return ()

        def read(self, wanted: bool) -> Frame | None:
            hang.wait(PATIENCE)
            return None

        def close(self) -> None: ...

    told = Told()
    frames = quick(Hanging, told, patience=0.1)
    assert frames() is None and frames() is None
    told.wait(lambda text: "gives no frame in 0.1 s" in text)
    assert len(opened) >= 2
    hang.set()
    frames.close()


def test_a_camera_that_goes_away_comes_back_by_itself(pictures: tuple[bytes, bytes]) -> None:
    app, told = PhoneApp(pictures[1]), Told()
    frames = quick(app.address, told)
    some(frames)
    app.mode = "gone"
    told.wait(lambda text: "gives no more pictures" in text)
    app.close()
    told.wait(lambda text: "does not answer" in text or "gives no more" in text)
    back = PhoneApp(pictures[1], app.port)
    some(frames)
    assert told.texts[-1] == ""
    frames.close()
    back.close()


class Broken:
    """A source that raises something of its library's own at one place; then it is mended."""

    name, live = "0", True

    def __init__(self, at: str, fault: Exception | None) -> None:
        self.at, self.fault = at, fault

    def _step(self, at: str) -> None:
        if at == self.at and self.fault is not None:
            raise self.fault

    def open(self) -> tuple[()]:
        self._step("open")
        return ()

    def read(self, wanted: bool) -> Frame | None:
        self._step("read")
        return Frame(np.full((4, 4), 1, np.uint8), time.monotonic_ns())

    def close(self) -> None:
        self._step("close")


@pytest.mark.parametrize("at", ["make", "open", "read", "close"])
@pytest.mark.parametrize(
    "fault",
    [
        FileNotFoundError(2, "No such file", "/table"),
        cv2.error("bad size"),
        KeyError("ExposureTime"),
        RuntimeError(),
    ],
)
def test_whatever_a_camera_raises_is_told_and_tried_again(at: str, fault: Exception) -> None:
    faults: list[Exception | None] = [fault]

    def make() -> Broken:
        now = faults.pop() if faults else None
        if at == "make" and now is not None:
            raise now
        made = Broken(at, now)
        if at == "close" and now is not None:
            made.read = lambda wanted: None  # type: ignore[method-assign]  # it ends, and is closed
        return made

    told = Told()
    frames = quick(make, told, lang="de")
    told.wait(lambda text: type(fault).__name__ in text and str(fault) in text and "Kamera" in text)
    some(frames)
    assert told.texts[-1] == ""
    frames.close()


def test_a_folder_that_vanishes_and_comes_back_is_read_again(tmp_path: Path) -> None:
    folder, told = tmp_path / "table", Told()
    folder.mkdir()
    frames = quick(str(folder), told)
    told.wait(lambda text: "holds no .png" in text)
    folder.rmdir()
    told.wait(lambda text: "FileNotFoundError" in text and str(folder) in text)
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), np.full((8, 8), 200, np.uint8))
    assert some(frames).grey.shape == (8, 8)
    frames.close()


class Stumbling:
    """A witness that raises at its first frames."""

    def __init__(self, times: int) -> None:
        self.times = times

    def seen(self, *_: Any) -> None:
        if self.times:
            self.times -= 1
            raise cv2.error("no room")


@pytest.mark.parametrize("where", ["grab", "frame", "witness", "heard"])
def test_a_picture_that_cannot_be_read_is_told_and_reading_goes_on(where: str) -> None:
    shot, told, troubles, heard = table_picture(), Told(), Told(), threading.Semaphore(0)
    left = {"grab": 3, "frame": 3, "heard": 1}

    def now(place: str) -> bool:
        left[place] -= where == place
        return where == place and left[place] >= 0

    def grab() -> Any:
        if now("grab"):
            raise KeyError("no room")
        return "no room" if now("frame") else shot

    def hear(_: Shown) -> None:
        heard.release()
        if now("heard"):
            raise ValueError("no room")

    camera = Camera(
        grab, DECK, hear, troubles, marker_px=(12.0, 34.0), pause_s=0.0, failed=told,
        witness=Stumbling(3 if where == "witness" else 0),
    )  # fmt: skip
    camera.watch((MIDDLE,))
    told.wait(lambda text: "cannot be read" in text)
    told.wait(lambda text: text == "")
    assert heard.acquire(timeout=PATIENCE)
    camera.close()
    assert troubles.texts == [] and "" in told.texts and len(told.texts) <= 4


def test_the_watchdog_sees_a_camera_that_hangs_and_lets_an_idle_one_be() -> None:
    hang, there = threading.Event(), threading.Event()

    def grab() -> None:
        there.set()
        hang.wait(PATIENCE)

    camera = Camera(grab, DECK, lambda _: None, lambda _: None, pause_s=0.0)
    assert camera.seen is None
    before = time.monotonic()
    camera.watch((MIDDLE,))
    assert there.wait(PATIENCE)
    seen = camera.seen
    assert seen is not None and before <= seen <= time.monotonic()
    dog = Watchdog(Notify(""), {"camera": lambda: camera.seen}, now=lambda: seen + 60)
    assert dog.feed() == ("camera",)
    camera.watch(())
    hang.set()
    end = time.monotonic() + PATIENCE
    while camera.seen is not None and time.monotonic() < end:
        threading.Event().wait(0.01)
    assert camera.seen is None and dog.feed() == ()
    camera.close()


def until(holds: Callable[[], bool]) -> None:
    """Wait for the camera's thread."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_nobody_waits_for_the_frame_that_is_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house gives a deck and zones, the operator decides and looks, while a frame takes as long as it likes."""
    there, go, built = threading.Event(), threading.Event(), list[str]()
    read, reader = eye.gazed, eye.Reader

    def slow(*given: Any) -> Any:
        there.set()
        assert go.wait(PATIENCE)
        return read(*given)

    def building(*given: Any) -> Any:
        built.append(threading.current_thread().name)
        return reader(*given)

    shot, said = table_picture(), list[Shown]()
    camera = Camera(lambda: shot, DECK, said.append, lambda _: None, marker_px=(12.0, 34.0), pause_s=0.0)
    monkeypatch.setattr(eye, "gazed", slow)
    monkeypatch.setattr(eye, "Reader", building)
    camera.watch((MIDDLE,))
    assert there.wait(PATIENCE)
    done = threading.Event()

    def others() -> None:
        camera.rule(1, None)
        camera.play(deck("wine"))
        camera.watch((MIDDLE,))
        assert camera.glimpse() is None
        camera.play(DECK)
        camera.play(deck("wine"))
        done.set()

    threading.Thread(target=others, daemon=True).start()
    assert done.wait(PATIENCE), "somebody waits for the frame"
    assert built == [] and not go.is_set()
    go.set()
    until(lambda: (seen := camera.glimpse()) is not None and seen.deck is deck("wine"))
    assert set(built) == {"camera"} and not any(each.cards for each in said), (
        "Koala's cards are none of Wine's"
    )
    camera.play(DECK)
    camera.watch((MIDDLE,))
    until(lambda: any(set(each.cards) == set(LAID) for each in said))
    camera.close()


def test_what_a_person_decided_is_read_with_the_next_frame_and_forgotten_with_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ruled: list[tuple[int, int | None]] = []
    monkeypatch.setattr(
        eye.evidence, "ruled", lambda tracks, number, marker: (ruled.append((number, marker)), tracks)[1]
    )
    shot = table_picture()
    camera = Camera(lambda: shot, DECK, lambda _: None, lambda _: None, marker_px=(12.0, 34.0), pause_s=0.0)
    camera.rule(5, 7)
    camera.play(deck("wine"))
    camera.rule(1, None)
    camera.rule(2, 4)
    camera.watch((MIDDLE,))
    until(lambda: len(ruled) >= 2)
    camera.close()
    assert ruled == [(1, None), (2, 4)]


class Bursts:
    """A source that has piled up old frames."""

    name, live = "0", True

    def __init__(self, ages: list[int]) -> None:
        self.ages, self.go = ages, threading.Event()

    def open(self) -> tuple[()]:
        return ()

    def read(self, wanted: bool) -> Frame | None:
        self.go.wait(PATIENCE)
        self.go.clear()
        age = self.ages.pop(0) if self.ages else 0
        return Frame(np.full((4, 4), age // 10**8, np.uint8), time.monotonic_ns() - age)

    def close(self) -> None: ...


def test_stale_frames_are_thrown_away() -> None:
    old = Bursts([3 * 10**9, 2 * 10**9, 10**9, 0])
    frames = quick(lambda: old, Told(), patience=PATIENCE)
    feeder = threading.Thread(target=lambda: [old.go.set() or threading.Event().wait(0.03) for _ in range(6)])
    feeder.start()
    got = frames()
    assert got is not None and got.grey[0, 0] == 0
    feeder.join()
    old.go.set()
    frames.close()


class Webcam:
    """A V4L2 camera as OpenCV shows it. `deaf`: properties it takes and ignores."""

    def __init__(self, deaf: frozenset[int] = frozenset(), frames: bool = True) -> None:
        self.deaf, self.frames, self.released = deaf, frames, False
        self.props = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0,
        }  # fmt: skip

    def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
        return True

    def get(self, what: int) -> float:
        return self.props.get(what, 0.0)

    def set(self, what: int, to: float) -> bool:
        if what in self.props and what not in self.deaf:
            self.props[what] = to
        return True

    def grab(self) -> bool:
        return self.frames

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.full((1080, 1920, 3), 90, np.uint8)

    def release(self) -> None:
        self.released = True


def test_exposure_white_balance_and_focus_are_locked_where_the_automatic_found_them() -> None:
    camera = Webcam()
    assert locked(camera, Wishes()) == ()
    assert camera.props[cv2.CAP_PROP_AUTO_EXPOSURE] == 1 and camera.props[cv2.CAP_PROP_EXPOSURE] == 156
    assert camera.props[cv2.CAP_PROP_AUTO_WB] == 0 and camera.props[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert locked(camera, Wishes(exposure=80, white=3200, focus=5)) == ()
    assert [camera.props[k] for k in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_FOCUS)] == [
        80, 3200, 5,
    ]  # fmt: skip


def test_a_camera_that_ignores_its_settings_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Webcam(frozenset({cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_FOCUS}))
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: camera)
    told = Told()
    frames = quick(lambda: Device(0, Wishes(focus=5)), told)
    assert some(frames).grey.shape == (1080, 1920)
    text = told.wait(bool)
    assert "ignores exposure" in text and "ignores focus (set to 5, it says 30)" in text
    assert "white balance" not in text
    frames.close()
    assert camera.released


def test_a_device_without_frames_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: Webcam(frames=False))
    told = Told()
    frames = quick("/dev/video7", told)
    assert frames() is None
    told.wait(lambda text: "/dev/video7 opens but gives no frame in 2 s" in text)
    frames.close()


def test_a_device_that_is_not_there_names_the_remedies() -> None:
    told = Told()
    frames = quick("97", told)
    assert frames() is None
    told.wait(lambda text: "camera 97 does not open" in text and "group video" in text)
    frames.close()


class FakePi:
    """picamera2's camera. `deaf`: controls that an update ignores in silence."""

    deaf: frozenset[str] = frozenset()

    def __init__(self, number: int) -> None:
        self.meta: dict[str, Any] = {
            "ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), "LensPosition": 1.0,
        }  # fmt: skip

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        self.size = main["size"]
        return main

    def configure(self, _: Any) -> None: ...
    def start(self) -> None: ...
    def close(self) -> None: ...

    def capture_metadata(self) -> dict[str, Any]:
        return dict(self.meta)

    def set_controls(self, wanted: dict[str, Any]) -> None:
        self.meta |= {key: value for key, value in wanted.items() if key not in self.deaf}

    def capture_request(self) -> Any:
        width, height = self.size
        whole = np.full((height * 3 // 2, width + 64), 33, np.uint8)  # rows are padded, colour lies below
        return SimpleNamespace(
            get_metadata=lambda: {"SensorTimestamp": 12345}, make_array=lambda _: whole, release=lambda: None
        )


@pytest.fixture
def picamera(monkeypatch: pytest.MonkeyPatch) -> type[FakePi]:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePi  # type: ignore[attr-defined]  # a fake of the library
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(FakePi, "deaf", frozenset())
    return FakePi


def test_the_pis_camera_is_set_read_back_and_stamped_by_its_sensor(picamera: type[FakePi]) -> None:
    camera = PiCamera(0, Wishes(size=(640, 360), exposure=8000, focus=1.2), warm_s=0.0)
    assert camera.open() == ()
    frame = camera.read(True)
    assert frame is not None and frame.at == 12345 and frame.grey.shape == (360, 640)
    picamera.deaf = frozenset({"ExposureTime"})
    again = PiCamera(0, Wishes(exposure=8000), warm_s=0.0)
    assert again.open() == (("exposure", {"want": "8000", "got": "20000"}),)


def test_picamera2_is_asked_for_only_when_it_is_chosen_and_its_absence_has_a_remedy() -> None:
    assert "picamera2" not in sys.modules
    told = Told()
    frames = quick("pi", told)
    assert frames() is None
    told.wait(lambda text: "sudo apt install python3-picamera2" in text)
    frames.close()


def test_rtsp_that_does_not_answer_says_so() -> None:
    told = Told()
    frames = quick("rtsp://127.0.0.1:9/none", told, patience=PATIENCE)
    told.wait(lambda text: "rtsp://127.0.0.1:9/none does not answer" in text)
    frames.close()


def test_pictures_are_cut_out_of_a_stream_that_is_cut_anywhere(pictures: tuple[bytes, bytes]) -> None:
    small = [cv2.imencode(".jpg", np.full((40, 60), n * 60, np.uint8))[1].tobytes() for n in range(3)]
    whole = (
        b"--x\r\n\r\n"
        + b"\r\n--x\r\ncontent-length: 5\r\n\r\n".join(small)
        + b"\xff\xd8\xff\x01broken"
        + small[0]
        + b"--"
    )
    for cut in (1, 2, 3, 7, 100, len(whole)):
        stream, got = Stream(), []
        for at in range(0, len(whole), cut):
            stream, out = fed(stream, whole[at : at + cut])
            got += out
        assert got[:3] == small and got[-1] == small[0]
