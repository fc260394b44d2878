"""What is heard: clips rendered ahead, mixed by a process of its own into one stream that never closes.

Without PortAudio, without a device or without clips a table plays on in silence: lamps and captions keep the
same beat, and the device is looked for again in the background.
"""

from __future__ import annotations

from companion.edges.voice.speaker import Silence, Speaker, Wanted, speaker
from companion.edges.voice.store import Store, home, slug
from companion.edges.voice.synth import Engine, Make, VoiceError, engine

__all__ = [
    "Engine", "Make", "Silence", "Speaker", "Store", "VoiceError", "Wanted", "engine", "home", "slug", "speaker",
]  # fmt: skip
