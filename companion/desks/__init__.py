"""The owner's decks on the operator's page: a form in a file of each game's name; kept, taken back, exported.

What stood before the last change is kept beside the deck, so that it can be taken back, also after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from companion.desks.words import Faulty, Words
from companion.edges.screen.german import lines_told
from companion.shelf import deck, folders, keep_deck, own_deck, phrases
from companion.table.things import BadDeck, Deck
from companion.whole import staged

if TYPE_CHECKING:  # OpenCV comes up only where somebody shows a card
    from companion.vision.find import Grey

Answer = dict[str, Any]


class Form(Protocol):
    """A game's file in this folder: what its page shows, and what becomes of what is entered."""

    def told(self, known: Deck, words: Words) -> Answer:
        """The page as plain data: "entries", "fields", "adds" (new entries, cards shown), "hint", "sum"."""

    def values(self, known: Deck, entry: str) -> Answer:
        """What the fields of an entry hold now; of "" those of a new one."""

    def entered(self, known: Deck, entry: str, values: Mapping[str, Any], words: Words) -> Deck:
        """The deck with this entry; Faulty names each field that is wrong and what to do."""

    def notes(self, old: Deck, new: Deck, words: Words) -> tuple[str, ...]:
        """What may be a slip in a deck that is kept."""

    def removed(self, known: Deck, entry: str) -> Deck:
        """The deck without it; BadDeck if there is none."""

    def written(self, known: Deck) -> str:
        """The deck as one TOML file."""

    def read(self, text: str, where: str) -> Deck:
        """A deck as it was written; BadDeck names everything that is wrong."""

    def markers(self, grey: Grey, known: Deck) -> tuple[int, ...]:
        """The markers of a picture that are, or may become, cards of this deck."""


def form(game: str) -> Form:
    """A game's form; KeyError for a game that has none."""
    if game not in formed():
        raise KeyError(game)
    return cast("Form", import_module(f"companion.desks.{game}"))


def formed() -> tuple[str, ...]:
    """The games whose decks can be entered on the page: those with a file here."""
    return tuple(game for game in folders() if find_spec(f"companion.desks.{game}") is not None)


class Desks:
    """All decks as the operator's page reaches them. Its answers are plain data, in the page's language."""

    def __init__(
        self, busy: Callable[[str], bool] = lambda _: False, changed: Callable[[], None] = lambda: None,
        grey: Callable[[], Grey | None] = lambda: None,
    ) -> None:  # fmt: skip
        """`busy`: whether this deck is being played with; `changed`: a deck was kept; `grey`: what the camera sees."""
        self._busy, self._changed, self._grey = busy, changed, grey

    def games(self) -> tuple[str, ...]:
        """The games whose decks can be entered."""
        return formed()

    def words(self, lang: str) -> Mapping[str, str]:
        """What stands on the page above all decks."""
        return Words("", lang).page()

    def state(self, game: str, lang: str) -> Answer:
        """Everything the page shows of a deck."""
        of, known, words = form(game), deck(game), Words(game, lang)
        told = of.told(known, words)
        for entry in (*told["entries"], *([{"id": ""}] if told["adds"] else [])):
            told.setdefault("values", {})[entry["id"]] = of.values(known, entry["id"])
        return {
            **told, "game": game, "made_up": known.made_up, "undo": _before(game).is_file(), "words": words.page(),
            "busy": words("busy") if self._busy(game) else "",
        }  # fmt: skip

    def enter(self, game: str, entry: str, values: Mapping[str, Any], lang: str) -> Answer:
        """Keep an entry; the answer holds "faults" by field where it cannot be kept."""
        words = Words(game, lang)
        return self._made(game, words, lambda known: form(game).entered(known, entry, values, words))

    def remove(self, game: str, entry: str, lang: str) -> Answer:
        """Take an entry away."""
        return self._made(game, Words(game, lang), lambda known: form(game).removed(known, entry))

    def take(self, game: str, text: str, lang: str) -> Answer:
        """Take a whole deck from a file."""
        return self._made(
            game, Words(game, lang), lambda _: form(game).read(text, Words(game, lang)("file_sent"))
        )

    def undo(self, game: str, lang: str) -> Answer:
        """Take the last change back; once more brings it again."""
        words, before = Words(game, lang), _before(game)
        if not before.is_file():
            return words.no("nothing_before")
        try:
            text = before.read_text("utf-8")
            if not text:
                return self._bare(game, words, before)
        except OSError as fault:
            return _unwritten(game, words, fault)
        done = self._made(game, words, lambda _: form(game).read(text, before.name))
        return {**done, "text": words("undone")} if done["ok"] else done

    def _bare(self, game: str, words: Words, before: Path) -> Answer:
        """The deck that came with the companion again; the owner's own is what stood before."""
        if self._busy(game):
            return words.no("busy")
        with _staged(before, _own(game)):
            own_deck(game).unlink(missing_ok=True)
        deck.cache_clear()
        phrases.cache_clear()
        self._changed()
        return {"ok": True, "text": words("undone_all")}

    def written(self, game: str) -> str:
        """The deck as it is exported."""
        return form(game).written(deck(game))

    def seen(self, game: str, lang: str, content: bytes | None = None) -> Answer:
        """The cards that the camera sees now, or that are in a picture file: marker, entry and name of each."""
        from companion.edges.camera.pictures import BadPicture, decoded  # noqa: PLC0415  # loads OpenCV

        words, known = Words(game, lang), deck(game)
        try:
            grey = self._grey() if content is None else decoded(content)
        except BadPicture as fault:
            return words.no("bad_picture", why=lines_told(str(fault), words.lang))
        if grey is None:
            return words.no("no_camera")
        found = [(marker, known.by_marker.get(marker)) for marker in form(game).markers(grey, known)]
        cards = [
            {"marker": marker, "entry": card.face, "title": words.face(card.face)}
            if card is not None else {"marker": marker, "entry": "", "title": ""}
            for marker, card in found
        ]  # fmt: skip
        return {"ok": True, "cards": cards, "text": "" if cards else words("no_marker")}

    def _made(self, game: str, words: Words, make: Callable[[Deck], Deck]) -> Answer:
        """Make a deck and keep it, or say field by field why not."""
        if self._busy(game):
            return words.no("busy")
        try:
            old = deck(game)
            new = make(old)
            text = form(game).written(new)
            with _staged(_before(game), _own(game)):
                keep_deck(game, text)
        except Faulty as fault:
            return {
                "ok": False,
                "faults": fault.faults,
                "text": fault.faults.get("", words("look_at_fields")),
            }
        except BadDeck as fault:
            return words.no("bad_deck", why=lines_told(str(fault), words.lang))
        except OSError as fault:
            return _unwritten(game, words, fault)
        self._changed()
        notes = form(game).notes(old, new, words)
        return {"ok": True, "text": " ".join((words("kept", path=str(own_deck(game))), *notes))}


def _before(game: str) -> Path:
    """Where the deck stands as it was before the last change; an empty file: there was no own one."""
    return own_deck(game).with_suffix(".before")


def _own(game: str) -> str:
    """The owner's own deck as it is written; empty where there is none."""
    return own_deck(game).read_text("utf-8") if own_deck(game).is_file() else ""


def _unwritten(game: str, words: Words, fault: OSError) -> Answer:
    return words.no("not_written", why=fault.strerror or str(fault), path=str(own_deck(game).parent))


def _staged(path: Path, text: str) -> AbstractContextManager[None]:
    """A file written beside its place, and put there behind the block. Where that fails the old one stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return staged(path, text.encode())
