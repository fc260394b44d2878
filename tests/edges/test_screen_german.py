"""Every refusal that a page may show is there in German, too: found in the code, sentence by sentence."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import companion
from companion import house
from companion.edges.screen import Screen
from companion.edges.screen.german import asked, device, german, told
from companion.edges.voice import words as voice
from companion.printing import printed_for_screen
from companion.running import opening
from companion.shelf import phrases, shelf
from companion.wire.screen_message import BadMessage, person

ROOT = Path(companion.__file__).parent
# Files whose refusals reach a page, and the calls in them that carry a sentence (with its place among the arguments).
SOURCES = {
    "paper/page.py": {"BadSheet": 0}, "paper/sheets.py": {"BadSheet": 0},
    "edges/screen/pages.py": {"PlainTextResponse": 0}, "edges/screen/annex.py": {"PlainTextResponse": 0, "NoPaper": 0},
    "edges/screen/sockets.py": {"told": 0}, "edges/screen/look.py": {"PlainTextResponse": 0},
    "wire/screen_message.py": {"BadMessage": 0}, "wire/box_link.py": {"Refused": 0},
    "edges/boxes.py": {"self._trouble": 1}, "edges/gpio.py": {"PinError": 0}, "edges/gpiod_pins.py": {"PinError": 0},
    "edges/journal/__init__.py": {"JournalError": 0}, "edges/journal/base.py": {"JournalError": 0},
    "edges/journal/rows.py": {"JournalError": 0, "sqlite3.DatabaseError": 0},
    "edges/journal/mending.py": {"JournalError": 0},
    "edges/archive.py": {"ArchiveError": 0}, "edges/screen/decks.py": {"PlainTextResponse": 0},
    "edges/camera/pictures.py": {"BadPicture": 0}, "desks/kukakoenig.py": {"BadDeck": 0},
    "games/karnivore/workshop.py": {"BadDeck": 0},
}  # fmt: skip
# Of the one-shot commands, those that the print page calls.
PRINTING = {"printed_for_screen", "drawn_sheets", "_range", "_to_fill"}
# What holds a sentence of somebody else: nothing of our own is said there.
FORWARDED = {"ok", "", "games.csv or games.json", "‹fault.strerror›"}
# Holes that take a word of ours.
FILLED = {
    "self.do": "open", "side": "the box", "remedy": "close the other program that has it open",
    "what": "cannot be opened", "why": "unplugged",
}  # fmt: skip


def sentences(node: ast.AST) -> list[str]:
    """All that an expression may say, what is filled in standing as ‹it›."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        told = [""]
        for part in node.values:
            assert isinstance(part, ast.Constant | ast.FormattedValue)
            said = str(part.value) if isinstance(part, ast.Constant) else f"‹{ast.unparse(part.value)}›"
            told = [each + said for each in told]
        return told
    if isinstance(node, ast.IfExp):
        return sentences(node.body) + sentences(node.orelse)
    return []


def refusals() -> Iterator[tuple[str, str]]:
    """Where and what."""
    for name, calls in SOURCES.items():
        yield from _of(name, ast.parse((ROOT / name).read_text("utf-8")), calls)
    tree = ast.parse((ROOT / "printing.py").read_text("utf-8"))
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name in PRINTING:
            yield from _of("printing.py", each, {"BadOption": 0})


def _of(name: str, tree: ast.AST, calls: dict[str, int]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in calls:
            place = calls[ast.unparse(node.func)]
            for said in sentences(node.args[place]) if len(node.args) > place else []:
                if said not in FORWARDED:
                    yield f"{name}:{node.lineno}", said


def test_every_refusal_of_a_page_is_said_in_german() -> None:
    found = list(refusals())
    assert len(found) > 45
    missing = [f"{where}: {said}" for where, said in found if german(_filled(said)) == _filled(said)]
    assert [each for each in missing if "lang=" not in each] == []  # only names of languages


def devices() -> Iterator[str]:
    """The first word of every line of trouble that the code itself names; a box's name is the box's."""
    yield from (house.JOURNAL, house.RULES, house.OLD, opening.ARCHIVE, opening.MEMORY)
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) in {"Trouble", "self._trouble"}
                and node.args
            ):
                said = node.args[0]
                if isinstance(said, ast.Constant) and isinstance(said.value, str):
                    yield said.value


def test_every_device_that_may_be_in_trouble_has_a_german_name() -> None:
    named = set(devices())
    assert {"camera", "voice", "pins", "old journal", "safe mode"} <= named
    kept = tomllib.loads((ROOT / "edges/screen/sentences.de.toml").read_text("utf-8"))["device"]
    assert kept.keys() == named
    assert (device("camera", "de"), device("box 2", "de"), device("camera", "en")) == (
        "Kamera",
        "box 2",
        "camera",
    )


def _filled(said: str) -> str:
    """A sentence with something in its holes."""
    return re.sub("‹(.*?)›", lambda hole: FILLED.get(hole[1], "x"), said)


def test_advice_of_the_journal_and_of_pins_is_german_too() -> None:
    from companion.edges import gpio
    from companion.edges.journal.base import ADVICE, SOUND

    advice = [*ADVICE.values(), SOUND]
    advice += [gpio._remedy(OSError(word)) for word in ("busy", "permission", "chip", "what")]
    assert [each for each in advice if german(each) == each] == []


@pytest.mark.parametrize(
    ("query", "accepts", "lang"),
    [("de", None, "de"), ("en", "de-DE,de", "en"), (None, "de-AT,en", "de"), (None, "fr", "en"), (None, None, "en")],
)  # fmt: skip
def test_the_page_or_else_the_browser_chooses_the_language(
    query: str | None, accepts: str | None, lang: str
) -> None:
    assert asked(query, accepts) == lang


def test_a_refused_sheet_a_strange_name_and_a_shut_door_speak_german() -> None:
    screen = Screen(lambda event, reply: None, phrases(), "271828", shelf=shelf(), printer=printed_for_screen)
    with TestClient(screen.app, base_url="http://localhost") as page:
        sheet = page.get("/print/koala.pdf", params={"lang": "de", "cards": "9-3"})
        assert (sheet.status_code, sheet.text) == (400, "Karten 9 bis 3: dieses Spiel hat 1 bis 110")
        shut = page.get("/op/steps", headers={"accept-language": "de"})
        assert shut.status_code == 403 and "PIN der Spielleitung" in shut.text
        strange = page.get("/table", headers={"host": "evil.example", "accept-language": "de-DE"})
        assert strange.status_code == 403 and "gehört nicht zu diesem Tisch" in strange.text
        assert page.get("/op/steps", headers={"accept-language": "en"}).text == "the operator's PIN is wanted"


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u200b", "\u200bMia", "\u0301\u0302", "\u3164", "\u2800", "\ufe0f", "--", "...", "–", "– 2", "a+b", "x" * 25],
)  # fmt: skip
def test_nobody_is_called_what_cannot_be_seen_or_what_stands_for_the_deleted(name: str) -> None:
    with pytest.raises(BadMessage) as refused:
        person(name)
    assert german(str(refused.value)) != str(refused.value)


@pytest.mark.parametrize("name", ["Mia", "7", "李", "Åsa", "A\u030asa", "مريم", "🐨", "O'Neill", "– a"])
def test_whatever_can_be_seen_is_a_name(name: str) -> None:
    assert person(name)


@pytest.mark.parametrize("key", ["gone", "device", "library", "preparing"])
@pytest.mark.parametrize("table", ["de", "en"])
@pytest.mark.parametrize("page", ["de", "en"])
def test_what_the_voice_says_in_its_tables_language_is_said_in_that_of_each_page(
    key: str, table: str, page: str
) -> None:
    said = {lang: voice.silent(lang, voice.told(lang, key, "Error -1")) for lang in ("de", "en")}
    assert told(said[table], page) == said[page]
    assert told(voice.told(table, key, "7"), page) == voice.told(page, key, "7")


def test_the_deck_page_has_one_german_word_for_saving_and_the_skulls_name_who_loses_first() -> None:
    desk = tomllib.loads((ROOT / "desks/words.de.toml").read_text("utf-8"))
    for key in ("page_save", "page_close", "kept", "busy", "not_written", "look_at_fields"):
        assert "peicher" in desk[key] and "behalt" not in desk[key].lower(), key
    said = phrases()["karnivore"].texts["de"]["say.skull_cards"].format(name="Mia", count=2)
    assert said == "Mia verliert Handkarten an die Totenköpfe: 2."
