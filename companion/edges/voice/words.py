"""What is said about the voice itself, on the screens, in both languages; each with its remedy."""

from __future__ import annotations

_WORDS = {
    "en": {
        "silent": "no voice, captions only: {why}",
        "gone": "the sound device went away; it is looked for again",
        "device": "no sound device ({detail}): plug a speaker in, or name it in companion.toml: [voice] device",
        "library": "{detail}: `sudo apt install libportaudio2`",
        "preparing": "the voice is being prepared: {detail} clips",
    },
    "de": {
        "silent": "keine Stimme, nur Untertitel: {why}",
        "gone": "das Tongerät ist weg; es wird wieder gesucht",
        "device": "kein Tongerät ({detail}): Lautsprecher einstecken oder in companion.toml nennen: [voice] device",
        "library": "{detail}: `sudo apt install libportaudio2`",
        "preparing": "die Stimme wird vorbereitet: {detail} Stücke",
    },
}


def told(lang: str, key: str, detail: str = "") -> str:
    """A sentence by its key; what has no key is told as it is."""
    words = _WORDS.get(lang, _WORDS["en"])
    return words[key].format(detail=detail) if key in words else detail or key


def silent(lang: str, why: str) -> str:
    """That there is no voice, and why."""
    return _WORDS.get(lang, _WORDS["en"])["silent"].format(why=why)
