"""From what is written after --camera to a source of pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from companion.edges.camera.capture import Device, Rtsp
from companion.edges.camera.feed import Feed, Trouble
from companion.edges.camera.files import KINDS, Folder, Video
from companion.edges.camera.frames import Source, Wishes
from companion.edges.camera.phone import Phone
from companion.edges.camera.pi import PiCamera
from companion.edges.camera.words import CameraError
from companion.wire.foreign import whole_number

MOST_DEVICES = 255  # the last number that the kernel gives a camera
LONGEST_TOLD = 200  # of what names no camera
PI_CAMERA = ("pi", "pi:0", "pi:1", "picamera2")  # the Raspberry Pi's own, by all its names
Sims = Mapping[str, Callable[[], Source]]  # simulated tables by name


def source(spec: int | str, wishes: Wishes | None = None, sims: Sims | None = None) -> Callable[[], Source]:
    """How to open what `spec` names; CameraError lists what can be named.

    A number or /dev/...: V4L2. pi, pi:1, picamera2: the Raspberry Pi's camera. A folder, a picture, a video
    file. http(s)://: MJPEG, or single JPEGs. rtsp://. sim:NAME: a simulated table of those given.
    """
    text, set_so = str(spec), wishes or Wishes()
    if (number := whole_number(text, 0, MOST_DEVICES)) is not None:
        return lambda: Device(number, set_so)
    if text.startswith("/dev/"):
        return lambda: Device(text, set_so)
    if text in PI_CAMERA:
        return lambda: PiCamera(int(text[3:] or 0) if text.startswith("pi:") else 0, set_so)
    if text.startswith(("http://", "https://")):
        return lambda: Phone(text)
    if text.startswith(("rtsp://", "rtsps://")):
        return lambda: Rtsp(text, set_so)
    if text.startswith("sim:"):
        known = sims or {}
        if text[4:] not in known:
            raise CameraError("no_sim", source=text, known=", ".join(f"sim:{name}" for name in known) or "-")
        return known[text[4:]]
    return _stored(text)


def _stored(text: str) -> Callable[[], Source]:
    path = Path(text).expanduser()
    with suppress(OSError):  # nothing can be called so
        if path.is_dir() or (path.is_file() and path.suffix.lower() in KINDS):
            return lambda: Folder(path)
        if path.is_file():
            return lambda: Video(path)
    raise CameraError("no_source", source=text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}...")


def feed(
    spec: int | str, trouble: Trouble = lambda _: None, *, wishes: Wishes | None = None,
    sims: Sims | None = None, lang: str = "en",
) -> Feed:  # fmt: skip
    """Frames of what `spec` names, kept coming. CameraError at once for what names nothing."""
    return Feed(source(spec, wishes, sims), trouble, lang=lang)
