"""Programs that speak: espeak-ng from Debian, or piper with a voice that the owner has. Text in, WAV bytes out."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.table.things import CompanionError, value

LONGEST = 60  # seconds for one clip
USUAL_RATE = 160  # words a minute
Engine = Callable[[str, str], bytes]  # words and language to a WAV file
_VOICES = {"en": "en-gb", "de": "de"}
_SYLLABLES = "de"  # a count is spoken as it is sung at the table, "ah" not "ay", in every language


class VoiceError(CompanionError, OSError):
    """A clip could not be spoken; the text says what the program said, and the remedy."""


@value
class Make:
    """How clips are made: the program, its voice file, words a minute."""

    engine: str = "espeak"
    model: str = ""
    rate: int = USUAL_RATE

    def __str__(self) -> str:
        """As it is kept beside each clip."""
        return f"{self.engine} {Path(self.model).name} {self.rate}".replace("  ", " ")


def engine(make: Make) -> Engine:
    """The program of a make; VoiceError names the package or file that is missing."""
    if make.engine == "espeak":
        if shutil.which("espeak-ng") is None:
            raise VoiceError("espeak-ng is missing: `sudo apt install espeak-ng`")
        return lambda words, lang: _espeak(words, lang, make.rate)
    if shutil.which("piper") is None:
        raise VoiceError("piper is missing: `pip install piper-tts` in the companion's environment")
    if not Path(make.model).is_file():
        raise VoiceError(f"no voice file {make.model or '(none given)'}: name one with --model FILE.onnx")
    return lambda words, _: _piper(words, make)


def syllable(words: str) -> str:
    """A beat as it is to be read: "KO!" is a syllable, not two letters."""
    return words.casefold()


def _espeak(words: str, lang: str, rate: int) -> bytes:
    voice = _VOICES.get(lang.removesuffix("-beat"), lang)
    beat = lang.endswith("-beat")
    command = ["espeak-ng", "-v", _VOICES[_SYLLABLES] if beat else voice, "-s", str(rate), "-a", "150"]
    return _spoken(command, syllable(words) if beat else words, "-w", ("--stdin",))


def _piper(words: str, make: Make) -> bytes:
    scale = f"{USUAL_RATE / make.rate:.3f}"
    command = ["piper", "--model", make.model, "--length_scale", scale]
    return _spoken(command, words, "--output_file", ())


def _spoken(command: Sequence[str], words: str, target: str, more: Sequence[str]) -> bytes:
    """Run a program that reads words and writes a WAV file."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        try:
            done = subprocess.run(
                [*command, target, file.name, *more],
                input=words.encode(),
                capture_output=True,
                timeout=LONGEST,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise VoiceError(f"{command[0]}: {fault}") from fault
        content = Path(file.name).read_bytes()
    if done.returncode or not content:
        raise VoiceError(f"{command[0]}: {done.stderr.decode(errors='replace').strip() or 'no sound came'}")
    return content
