"""What a sentence is spoken from: fixed words and filled-in ones, each a clip, with pauses between. Pure.

A sentence of the phrase files is cut at its placeholders; so every clip can be rendered before the evening, and
in a round nothing is synthesised. Punctuation at a cut becomes a pause.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.table.things import value

BREATH_MS = {",": 90, ";": 140, ":": 120, ".": 220, "!": 220, "?": 240, "…": 240, "-": 60, "–": 60}
TOGETHER_MS = 25  # between two pieces without a mark
COUNTED = 120  # numbers up to this have a clip of their own; larger ones are spoken digit by digit
UNSPOKEN = ("did.", "score.", "setting.", "ruling.", "phase.", "cue.", "prompt.", "lamp.", "why_not.")
_BETWEEN = re.compile(r"\s*[,;+&/]\s*|\s+(?:and|und)\s+")
_NUMBER = re.compile(r"(\d+)(?:\s*[x×]\s)?")
_MARKS = "".join(BREATH_MS) + "()\"'„“”»« \t\n·+"


@value
class Piece:
    """One clip of a sentence: its words, and the pause before it in ms."""

    words: str
    pause: int = 0


def cleaned(text: str) -> str:
    """Words without the marks around them; "" if there are none. A final ! or ? stays: it is heard."""
    bare = text.strip(_MARKS)
    rest = text[text.rfind(bare) + len(bare) :].strip() if bare else ""
    return bare + rest[0] if rest[:1] in ("!", "?") else bare


def fixed(template: str) -> tuple[str, ...]:
    """The words of a phrase that are the same each time it is said."""
    texts = (cleaned(text) for text, _, _, _ in string.Formatter().parse(template))
    return tuple(text for text in texts if text)


def spoken(key: str) -> bool:
    """Whether a phrase is ever said aloud; the others are for screens only."""
    return not key.startswith(UNSPOKEN)


def words(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Everything that the phrases of one language need rendered ahead, each once, in order."""
    every = [part for key, template in texts.items() if spoken(key) for part in fixed(template)]
    return tuple(dict.fromkeys([*every, *(str(number) for number in range(COUNTED + 1))]))


def cut(parts: Iterable[str], known: Callable[[str], bool]) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """The pieces of a sentence given as its parts in order, and the words that no clip is known for."""
    pieces: list[Piece] = []
    missing: list[str] = []
    pause = 0
    for part in parts:
        pause = max(pause, _pause(part[: len(part) - len(part.lstrip(_MARKS))]))
        found = tuple(_found(part, known))
        for number, (text, there) in enumerate(found):
            gap = pause if number == 0 else BREATH_MS[","]
            if there:
                pieces.append(Piece(text, gap if pieces else 0))
            else:
                missing.append(text)
        if found:
            pause = TOGETHER_MS
        pause = max(pause, _pause(part[len(part.rstrip(_MARKS)) :]))
    return tuple(pieces), tuple(missing)


def _found(part: str, known: Callable[[str], bool]) -> Iterator[tuple[str, bool]]:
    """A part as one clip; else as a list of clips; else its digits; each with whether a clip is known."""
    whole = cleaned(part)
    if not whole:
        return
    if known(whole):
        yield whole, True
        return
    for text in filter(None, (cleaned(text) for text in _BETWEEN.split(part))):
        if known(text):
            yield text, True
        else:
            yield from ((word, known(word)) for word in _counted(text, known))


def _counted(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    """A name with its points ("Mia 30") as both; a number without a clip as its digits."""
    for word in (cleaned(word) for word in _NUMBER.split(text)):
        if word.isdigit() and not known(word):
            yield from word
        elif word:
            yield word


def _pause(marks: str) -> int:
    return max((BREATH_MS.get(mark, 0) for mark in marks), default=0)
