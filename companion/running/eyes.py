"""The camera's other side: frames kept for a bundle, the operator's live view, what the game's words are."""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.edges import bundles
from companion.edges.camera.words import texts
from companion.shelf import deck, folders, phrases
from companion.table.events import Shown
from companion.table.secrecy import private, sealed, shut
from companion.table.session import Session
from companion.table.things import Zone
from companion.wire import journal_line

if TYPE_CHECKING:  # OpenCV comes up only where there is a camera, and then after the screens
    from companion.edges.camera import Camera, Frame, Grey, Naming
    from companion.edges.camera.glimpse import Glimpse
    from companion.vision.read import Look
    from companion.vision.scene import Scene

KEPT = 10  # bundles in the folder
SPARE = "owner_spare"  # stickers for replaced or home-made cards: of no game until a deck names them


def strangers() -> Mapping[int, str]:
    """The game of every marker that may be printed for one: cards of all decks, and stickers that none has."""
    from companion.vision.markers import IMITABLE_5X5  # noqa: PLC0415  # as above: a camera wants to know

    ranges = tomllib.loads((files("companion.games") / "markers.toml").read_text("utf-8"))["ranges"]
    owned = {card.marker: deck(folder).game for folder in folders() for card in deck(folder).cards}
    plates = {marker for folder in folders() for plate in deck(folder).plates for marker in plate.markers}
    spare = {
        marker: "" if name == SPARE else name
        for name in (*folders(), SPARE)
        if name in ranges
        for marker in range(ranges[name][0], ranges[name][1] + 1)
        if marker not in IMITABLE_5X5 and marker not in plates
    }
    return {**spare, **owned}


def naming(lang: str) -> Naming:
    """The words of the games in a language."""
    from companion.edges.camera import Naming  # noqa: PLC0415  # as above

    words = phrases()
    facts = {deck(folder).game: deck(folder).facts for folder in folders()}

    def word(game: str, key: str) -> str:
        key = str(facts.get(game, {}).get(key, {}).get("hidden", key))  # a face that is nobody's business
        spoken = words.get(game or key, words[""]).texts[lang]  # a game's own name stands in its own words
        return spoken.get(key, key)

    return Naming(lang, word)


class Joined:
    """What several tell of one device, as one text: who is well again silences nobody else."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """`tell` gets all that is wrong now, "" when nothing is."""
        self._tell, self._texts, self._lock = tell, dict[str, str](), threading.Lock()

    def of(self, who: str) -> Callable[[str], None]:
        """How one of them tells; "": well again. From any thread."""

        def told(text: str) -> None:
            with self._lock:
                self._texts[who] = text
                self._tell("; ".join(each for each in self._texts.values() if each))

        return told


class Sight:
    """Keeps the last ten seconds, and shows the operator what the camera sees."""

    def __init__(self, folder: Path, session: Callable[[], Session | None]) -> None:
        """Save bundles in this folder; `session`: the game under way."""
        self._folder, self._session = folder, session
        self._ring = bundles.Ring()
        self.camera: Camera | None = None
        self.reporter: Callable[[bool], tuple[str, bytes]] | None = None  # whether the last game is left out
        self.zones: Callable[[], tuple[Zone, ...]] = lambda: ()
        self.marker_px: tuple[float, float] = (13.0, 45.0)

    def seen(self, frame: Frame, look: Look, scene: Scene, shown: tuple[Shown, ...]) -> None:
        """Keep a frame."""
        from companion.edges.camera import live  # noqa: PLC0415  # as above: it is loaded where a frame comes from

        lively = bool(shown) or any(zone.held for zone in scene.zones.values())
        self._ring.add(frame.grey, frame.at, live.row(look, scene, shown), lively)

    def state(self, lang: str) -> dict[str, Any] | None:
        """The newest frame as plain data, with the words of the page."""
        page = {
            key.removeprefix("page_"): text.replace("{{", "{").replace("}}", "}")
            for key, text in texts(lang).items()
            if key.startswith("page_")
        }
        glimpse = self._glimpse()
        if glimpse is None:
            return {"none": True, "words": page}
        from companion.edges.camera import live  # noqa: PLC0415  # as above

        return {**live.told(glimpse, naming(lang), self.zones()), "words": page}

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""
        glimpse = self._glimpse()
        if glimpse is None:
            return None
        from companion.edges.camera import live  # noqa: PLC0415  # as above

        return live.jpeg(glimpse)

    def secret(self) -> bool:
        """Whether a game is under way in which people look at cards that nobody else may see."""
        return private(self._session())

    def _glimpse(self) -> Glimpse | None:
        """The newest frame; none while somebody looks alone: the camera looks away, and nobody wakes it."""
        if self.camera is None or (self.secret() and not self.zones()):
            return None
        return self.camera.glimpse()

    def newest(self) -> Grey | None:
        """The newest frame's picture; None where none may be looked at, or none comes."""
        glimpse = self._glimpse()
        return None if glimpse is None else glimpse.frame.grey

    def rule(self, number: int, marker: int | None) -> None:
        """A person says what a doubt is."""
        if self.camera is not None:
            self.camera.rule(number, marker)

    def bundle(self) -> tuple[str, bytes] | None:
        """Save the last ten seconds, here and for whoever asked; of secret cards only once the game is over.

        Where choices are sealed it holds no events until then.
        """
        if self.secret():
            return None
        session = self._session()
        closed = sealed(session)
        table = {
            "game": None if session is None else session.box.deck.game, "marker_px": list(self.marker_px),
            "watched": list(self.zones()),
        }  # fmt: skip
        if closed:
            table["events"] = "left out: sealed choices stay sealed until the game is over"
        content = self._ring.zipped(table, () if closed else tuple(_events(session)))
        name = f"companion-{time.strftime('%Y%m%d-%H%M%S')}.zip"
        self._keep(name, content, "companion-[0-9]*.zip")
        return name, content

    def readings(self) -> tuple[Mapping[str, Any], ...]:
        """How the last seconds were read; nothing while a card may be seen by one only."""
        return () if self.secret() else self._ring.rows()

    def report(self) -> tuple[str, bytes] | None:
        """A report of a problem without names and secrets; kept here, too. None where nobody makes one."""
        if self.reporter is None:
            return None
        name, content = self.reporter(shut(self._session()))
        self._keep(name, content, "companion-report-*.zip")
        return name, content

    def _keep(self, name: str, content: bytes, of: str) -> None:
        """Keep a file here, too. On a disk that is full or read-only whoever asked still gets it."""
        file = self._folder / name
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        except OSError:
            with suppress(OSError):  # what is half written is none
                file.unlink(missing_ok=True)
        else:
            self._tidy(name, of)

    def _tidy(self, newest: str, of: str) -> None:
        """Keep the newest bundles only: a card is soon full of pictures. The name tells when each was saved."""
        others = sorted(file for file in self._folder.glob(of) if file.name != newest)
        for file in others[: max(0, len(others) - KEPT + 1)]:
            with suppress(OSError):  # somebody else has just taken it away, or copies it
                file.unlink()


def _events(session: Session | None) -> Iterator[bytes]:
    """The game's events as journal lines, oldest first; steps that were taken back are left out."""
    if session is not None:
        for node in reversed(tuple(session.path())):
            yield journal_line.encode(node.event)
