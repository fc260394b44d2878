"""The voice's commands: render clips ahead, list them, calibrate the delay, record a simulated game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.config import Config, Voice
from companion.edges.voice import Make, Silence, Store, VoiceError, Wanted, home, slug, speaker
from companion.shelf import LANGS, phrases
from companion.sound.pieces import cleaned, fixed, spoken, words

Echo = Callable[[str], Any]
MODES: Mapping[str, Mapping[str, float]] = {
    "normal": {},
    "quiet": {"countdown": 0.6, "prompt": 0.35, "chatter": 0.0, "chime": 0.15},
    "child": {"chatter": 0.85},
}
SLOWER, LONGER_PAUSES = 0.8, 1.6  # how children are spoken to
CALIBRATION = "calibration.json"
CLIPS_MB = 165  # of one language, all games, by espeak-ng at the usual rate


def wanted(lang: str) -> Wanted:
    """All that every game may have to say in a language."""
    texts = {(game, key): text for game, each in phrases().items() for key, text in each.texts[lang].items()}
    every = tuple(dict.fromkeys(
        word for each in phrases().values() for word in words(each.texts[lang])
    ))  # fmt: skip
    beats = frozenset(
        cleaned(text) for (_, key), text in texts.items() if key.startswith("beat.") and text.isupper()
    )  # a syllable is sung in capitals; other beats are words of their language
    return Wanted(every, beats)


def voice_of(chosen: Config, lang: str, trouble: Callable[[str], None]) -> Silence:
    """The voice that the settings want, in a language; `trouble` hears of what is missing."""
    given = Voice() if chosen.voice is True else chosen.voice
    if not given:
        return Silence()
    child = given.mode == "child"
    ready = {lang: _for_children(lang) if child else wanted(lang)}
    return speaker(
        ready, folder=home() / "child" if child else home(), trouble=trouble,
        delay_ms=_delay_ms(given), loud={**MODES[given.mode], **given.loud}, device=given.device,
        pauses=LONGER_PAUSES if child else 1.0, buffer_ms=given.buffer_ms,
    )  # fmt: skip


def _for_children(lang: str) -> Wanted:
    """The same words, spoken slower by the same voice."""
    make = Store(home(), lang).make
    return replace(wanted(lang), make=replace(make, rate=round(make.rate * SLOWER)), own=home() / "own")


def _delay_ms(given: Voice) -> float:
    """The delay of the settings, else the calibrated one of this device, else none."""
    if given.delay_ms is not None:
        return given.delay_ms
    return float(_calibrated().get(given.device, 0.0))


def _calibrated() -> dict[str, float]:
    try:
        found = json.loads((home() / CALIBRATION).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(device): float(delay) for device, delay in found.items()} if isinstance(found, dict) else {}


def voiced(given: Mapping[str, Any], echo: Echo) -> None:
    """`companion voice`: one of its jobs, by the options given."""
    if given["listed"]:
        for line in listing(given["lang"]):
            echo(line)
    elif given["calibrate"] or given["tap"]:
        echo(calibrated(given["device"], given["microphone"], tap=given["tap"]))
    else:
        langs = [given["lang"]] if given["lang"] else LANGS
        echo(f"Clips go to {home()}: up to about {CLIPS_MB * len(langs)} MB there. Ctrl-C ends it.")
        for lang in langs:
            echo(rendered(lang, _make(given, lang), tuple(given["names"])))
        echo(
            f"Own recordings: WAV files below {home() / 'own'}/LANG, named as `companion voice --list` says."
        )


def _make(given: Mapping[str, Any], lang: str) -> Make:
    """What the options say; the rest as the clips are that are there."""
    kept = Store(home(), lang).make
    chosen = given["engine"] or ("piper" if given["model"] else kept.engine)
    if chosen == "piper" and given["model"] is not None and given["lang"] is None:
        raise VoiceError("a voice file speaks one language: say which with --lang de or --lang en")
    model = str(given["model"]) if given["model"] is not None else kept.model if chosen == kept.engine else ""
    return Make(chosen, model, given["rate"] or kept.rate)


def rendered(lang: str, make: Make, names: tuple[str, ...] = ()) -> str:
    """Render what a language lacks; what was done."""
    want, store = wanted(lang), Store(home(), lang)
    count = store.render((*want.words, *names), make, beats=want.beats)
    size = sum(entry.length for entry in store.clips.values()) * 2 / 1e6
    return f"{lang}: {count} clips made by {make}, {len(store.clips)} in all, {size:.0f} MB in {store.folder}"


def listing(lang: str | None) -> Iterable[str]:
    """Every phrase that is spoken, the file name of an own recording of each of its pieces, and what it is made by."""
    for each in [lang] if lang else LANGS:
        store = Store(home(), each)
        for game, known in phrases().items():
            for key, text in known.texts[each].items():
                if not spoken(key) or (game and phrases()[""].texts[each].get(key) == text):
                    continue
                for words_ in fixed(text):
                    entry = store.clips.get(words_)
                    made = entry.made if entry else "MISSING"
                    yield f"{each} {game or '-'} {key}: {slug(words_)}.wav {words_!r} {made}"


def calibrated(device: str, microphone: str, *, tap: bool) -> str:
    """Measure the delay of a device and keep it; what was found."""
    from companion.edges.voice.calibrate import by_microphone, by_tapping  # noqa: PLC0415  # needs PortAudio

    found = by_tapping(device) if tap else by_microphone(device, microphone)
    delay = round(found.delay / 1e6, 1)
    home().mkdir(parents=True, exist_ok=True)
    kept = {**_calibrated(), device: delay}
    (home() / CALIBRATION).write_text(json.dumps(kept) + "\n", "utf-8")
    return (
        f"Sounds are heard {delay:.1f} ms after the device says so (single ones {found.spread / 1e6:.1f} ms apart, "
        f"{found.heard} heard). Kept in {home() / CALIBRATION}: counts end that much later."
    )
