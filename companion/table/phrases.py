"""What is said, in every language: a phrase key and values become a sentence."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping

from companion.table.things import CompanionError, value


class BadPhrase(CompanionError, KeyError):
    """A phrase key or a placeholder is missing; the text names language and key."""


@value
class Phrases:
    """Sentences by language and key. A value "@key" is itself a phrase of the same language."""

    texts: Mapping[str, Mapping[str, str]]

    def parts(
        self, lang: str, key: str, values: Mapping[str, str | int] = {}
    ) -> tuple[str, ...]:  # read only
        """The same sentence cut at its placeholders, for a voice that has a clip of each part."""
        try:
            cut = string.Formatter().parse(self.texts[lang][key])
            told = {name: self._word(lang, word) for name, word in values.items()}
            return tuple(
                part for text, name, _, _ in cut for part in (text, told[name] if name else "") if part
            )
        except KeyError as missing:
            raise BadPhrase(f"phrase {key!r} in {lang!r}: {missing.args[0]!r} is missing") from missing

    def text(self, lang: str, key: str, values: Mapping[str, str | int] = {}) -> str:  # read only
        """The sentence of a key with its values filled in; BadPhrase names what is missing."""
        try:
            told = {name: self._word(lang, word) for name, word in values.items()}
            return self.texts[lang][key].format_map(told)
        except KeyError as missing:
            raise BadPhrase(f"phrase {key!r} in {lang!r}: {missing.args[0]!r} is missing") from missing

    def _word(self, lang: str, word: str | int) -> str:
        """Plain values as they are; "@pizza, @bump, @pizza" translated and counted, as on screens: "2 × pizza, ..."."""
        if not isinstance(word, str) or "@" not in word:
            return str(word)
        told = {w: self.texts[lang][w[1:]] if w.startswith("@") else w for w in word.split(", ")}
        counts = Counter(word.split(", "))
        return ", ".join(text if counts[w] == 1 else f"{counts[w]} × {text}" for w, text in told.items())
