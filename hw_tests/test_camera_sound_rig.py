"""The rig's camera is sharp, and what the speaker plays reaches the microphone in time."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np
from rigs import NoRig, Rig

Keep = Callable[..., None]
RATE = 48_000
SHARP = 60.0  # variance of the Laplacian of a grey frame; below it a marker of 12 mm is not read at 90 cm


def sharpness(grey: np.ndarray) -> float:
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def delay_ms(played: np.ndarray, heard: np.ndarray) -> float:
    """How much later a click is heard than it was played."""
    return float(np.argmax(np.correlate(heard, played, "valid"))) * 1_000 / RATE


def test_the_camera_is_in_focus(table: Rig, keep: Keep) -> None:
    if table.kind == "real":
        source = cv2.VideoCapture(table.needs("camera"))
        good, frame = source.read()
        source.release()
        if not good:
            raise NoRig("the camera gives no picture")
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    else:  # a chequered sheet, a little blurred, as a lens does it
        chequer = np.kron(np.indices((60, 80)).sum(axis=0) % 2 * 255, np.ones((8, 8))).astype(np.uint8)
        grey = cv2.GaussianBlur(chequer, (0, 0), 1.0)
        assert sharpness(cv2.GaussianBlur(chequer, (0, 0), 12.0)) < SHARP
    keep("focus", sharpness=sharpness(grey))
    assert sharpness(grey) >= SHARP, "turn the lens, or move the camera: cards cannot be read so"


def test_a_click_reaches_the_microphone(table: Rig, keep: Keep) -> None:
    click = np.zeros(480, np.float32)
    click[:48] = np.hanning(48)
    played = np.zeros(RATE, np.float32)
    played[4_800 : 4_800 + len(click)] = click
    if table.kind == "real":
        if not table.wired.get("sound"):
            raise NoRig("rig.toml says sound = false")
        import sounddevice

        heard = sounddevice.playrec(played, RATE, channels=1)[:, 0]
        time.sleep(len(played) / RATE)
        sounddevice.wait()
    else:  # a room: quieter, 7 ms later, with noise
        heard = np.roll(played, RATE * 7 // 1_000) * 0.2
        heard = heard + np.random.default_rng(1).normal(0, 0.005, len(heard)).astype(np.float32)
    late = delay_ms(click, heard) - 100.0
    keep("sound", delay_ms=late)
    assert 0 <= late < 150
