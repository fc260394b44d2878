"""Bad input on the command line: one readable sentence and a status, never a traceback."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.edges.journal import Journal
from companion.shelf import scored_folders

WRONG = (
    (["read", "{tmp}/none.png"], 1, "No such file"),
    (["read", "{tmp}/text.png"], 1, "neither PNG nor JPEG"),
    (["read", "{tmp}/huge.png"], 1, "900 MP"),
    (["read", "{tmp}/text.png", "--marker-px", "50", "10"], 1, "--marker-px"),
    (["read", "{tmp}/text.png", "--draw", "x.foo"], 1, ".png or .jpg"),
    (["score", "koala", "{tmp}/none.json"], 1, "Name a JSON file"),
    (["score", "koala", "{tmp}/broken.json"], 1, "line 1, column 2"),
    (["score", "koala", "{tmp}/deep.json"], 1, "too deep"),
    (["print", "koala", "-o", "{tmp}/x.pdf", "--marker-mm", "500"], 1, "6 to 40"),
    (["print", "koala", "-o", "{tmp}/x.pdf", "--join", "x" * 5000], 1, "1 to 200"),
    (["print", "koala", "-o", "{tmp}/no/x.pdf"], 1, "Name a file in a folder"),
    (["sim", "koala", "--option", "FOO=1"], 1, "no option FOO. Did you mean KOALA-AMB-01"),
    (["sim", "wine", "--teams"], 1, "only koala has"),
    (["run", "--sim", "--game", "rescue", "--teams"], 1, "only koala has"),
    (
        ["print", "koala", "-o", "{tmp}/x.pdf", "--join", "foo"],
        1,
        "--join foo: a phone opens no such address",
    ),
    (
        ["score", "karnivore", "{tmp}/camel.json"],
        1,
        "players.Mia: no card is called camel; did you mean cameleon?",
    ),
    (["score", "karnivore", "{tmp}/camel.json", "--json"], 1, "did you mean cameleon?"),
    (["score", "wine", "{tmp}/empty.json"], 1, "no table in the list"),
    (
        ["club", "{tmp}/empty.json", "--game", "kuala"],
        1,
        "--game kuala: there is none of that name; did you mean koala?",
    ),
    (["run", "--sim", "--game", "wine", "--players", "9"], 1, "--players 9: wine is played by 2 to 6"),
    (
        ["sim", "wine", "--players", "9", "--record", "{tmp}/x.wav"],
        1,
        "--players 9: wine is played by 2 to 6",
    ),
    (["sim", "koala", "--option", "KOALA-AMB-01=zzz"], 1, "cannot be zzz"),
    (["sim", "koala", "--option", "KOALA"], 1, "ID=VALUE"),
    (["sim", "koala", "--mess", "nan"], 2, "no number"),
    (["replay", "{tmp}/none.db"], 1, "journal"),
    (["scan", "koala"], 1, "--camera 0"),
)


NO_FILE = (  # each is asked for a file that is not there
    ["read", "{tmp}/none"], ["score", "wine", "{tmp}/none"], ["club", "{tmp}/none.json"], ["replay", "{tmp}/none"],
    ["run", "--config", "{tmp}/none"], ["doctor", "--config", "{tmp}/none"], ["scan", "koala", "A={tmp}/none", "B=x", "C=x"],
    ["scan", "rescue", "Mia={tmp}/none", "--map", "{tmp}/none"], ["buttons", "--config", "{tmp}/none"],
    ["pin", "--config", "{tmp}/none"], ["bundle", "--config", "{tmp}/none"], ["journal", "verify", "{tmp}/none"],
    ["journal", "export", "{tmp}/none"],
)  # fmt: skip
REMEDY = re.compile(r"\b[Nn]ame an? (PNG|picture|JSON|settings|journal|map|games\.json)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text.png").write_text("no picture", "utf-8")
    (tmp_path / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (30_000).to_bytes(4, "big") * 2)
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "camel.json").write_text('{"players": {"Mia": ["camel"]}}', "utf-8")
    (tmp_path / "empty.json").write_text("[]", "utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, "utf-8")
    return tmp_path


def run(words: list[str], folder: Path) -> Result:
    return CliRunner().invoke(main, [word.replace("{tmp}", str(folder)) for word in words])


@pytest.mark.parametrize(("words", "status", "told"), WRONG, ids=lambda each: str(each)[:40])
def test_bad_input_is_named_with_its_remedy(words: list[str], status: int, told: str, folder: Path) -> None:
    result = run(words, folder)
    assert result.exit_code == status and told in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("words", NO_FILE, ids=lambda words: " ".join(words)[:30])
def test_a_file_that_is_not_there_is_named_in_words_with_its_remedy(words: list[str], folder: Path) -> None:
    told = run(words, folder).output
    assert f"{folder}/none" in told and "Errno" not in told and REMEDY.search(told), told


@pytest.mark.parametrize(
    "words", [["deck", "karnivore", "--import", "{tmp}/text.png"], ["run", "--config", "{tmp}/text.png"]]
)
def test_what_is_no_toml_names_file_and_remedy(words: list[str], folder: Path) -> None:
    told = run(words, folder).output
    assert "text.png: no TOML" in told and ("exported" in told or "README" in told)


def test_a_question_that_nobody_can_answer_names_the_way(folder: Path) -> None:
    result = run(["deck", "kukakoenig"], folder)
    assert (
        result.exit_code == 1 and "no terminal" in result.output and "companion deck --help" in result.output
    )


GERMAN = (
    (["score", "karnivore", "{tmp}/camel.json"], "war cameleon gemeint?"),
    (["score", "wine", "{tmp}/none"], "none: die Datei gibt es nicht. Nenne eine JSON-Datei"),
    (["score", "wine", "{tmp}/broken.json"], "Zeile 1, Spalte 2: kein JSON"),
    (
        ["score", "wine", "{tmp}/empty.json"],
        "kein Tisch in der Liste. `companion score wine --example` zeigt",
    ),
    (["score", "koala", "{tmp}/camel.json"], "der Tisch kennt kein 'players'; bekannt: caves"),
    (["scan", "koala"], "Nenne Bilder"),
    (["scan", "kukakoenig"], "Nenne Personen"),
    (["scan", "rescue"], "Nenne Bilder"),
    (["scan", "koala", "a:b=c"], "schreib PLATZ=BILD"),
    (
        ["scan", "koala", "A={tmp}/none", "B=x", "C=x"],
        "none: die Datei gibt es nicht. Nenne eine lesbare Bilddatei",
    ),
    (["club", "{tmp}/empty.json", "--game", "kuala"], "war koala gemeint?"),
)


@pytest.mark.parametrize(("words", "told"), GERMAN, ids=lambda each: str(each)[:40])
def test_what_is_wrong_is_said_in_the_language_of_the_command(
    words: list[str], told: str, folder: Path
) -> None:
    for lang in (["--lang", "de"], ["--lang=de"]):
        result = run([*words, *lang], folder)
        assert result.exit_code == 1 and told in result.output, result.output
    assert told not in run(words, folder).output


def test_other_pictures_are_read_though_one_is_none(folder: Path) -> None:
    sheet = str(Path(__file__).parents[1] / "docs" / "sticker-sheet.png")
    result = run(["read", "{tmp}/none.png", sheet, "--deck", "koala", "--json"], folder)
    first, second = json.loads(result.output)
    assert result.exit_code == 1 and "error" in first and len(second["markers"]) > 20
    assert set(second["markers"][0]) == {"id", "corners", "score", "margin", "card"}


@pytest.mark.parametrize(
    "text",
    [
        "seats = 3",
        "lang = 'fr'",
        "[screen]\nport = 99999999",
        "[seats.x]\nbutton = 1",
        "[seats.1]\nbutton = 2\n[seats.2]\nbutton = 2",
        "[camera]\nmarker_px = [45, 13]",
        "lang = " + "[" * 3000,
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_starts(text: str, folder: Path) -> None:
    (folder / "c.toml").write_text(text, "utf-8")
    result = run(["run", "--sim", "--config", "{tmp}/c.toml"], folder)
    assert result.exit_code == 1 and "c.toml" in result.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sim", "koala", "--record", "{tmp}/no/x.wav"], "--record"),
        (["look", "--camera", "sim:koala", "--marker-px", "nan", "3"], "--marker-px"),
        (["look", "--camera", "sim:koala", "--marker-px", "9", "3"], "--marker-px"),
    ],
)
def test_what_cannot_be_is_named_with_its_remedy(arguments: list[str], says: str, folder: Path) -> None:
    result = run(arguments, folder)
    assert result.exit_code == 1 and result.output.startswith(f"Error: {says}"), result.output


def test_an_address_that_cannot_be_served_names_its_own_remedy_and_leaves_no_journal(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for words, remedy in (
            (["--port", port], "Is another companion running? Try --port"),
            (["--host", "192.0.2.1", "--port", "0"], "--host 127.0.0.1"),
            (["--host", "no.such.invalid", "--port", "0"], "--host 127.0.0.1"),
        ):
            told = run(["run", "--sim", *words], folder)
            assert told.exit_code == 1 and remedy in told.output, told.output
    assert not list((folder / "build" / "sim").iterdir())


def test_a_start_that_serves_nobody_leaves_no_empty_journal_and_keeps_an_old_one(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        start = ["run", "--sim", "--port", str(taken.getsockname()[1]), "--journal", "{tmp}/x.db"]
        assert run(start, folder).exit_code == 1 and not list(folder.glob("x*.db*"))
        (folder / "x.games.txt").write_text("mine", "utf-8")
        Journal(folder / "x.db").close()
        assert run(start, folder).exit_code == 1
    assert (folder / "x.db").exists() and (folder / "x.games.txt").exists()


@pytest.mark.parametrize(
    ("lang", "asked", "told"),
    [
        ("en", [], "did you mean 'button'?"),
        ("de", [], "war 'button' gemeint?"),
        ("de", ["--lang", "en"], "did you mean"),
    ],
)
def test_a_misspelt_setting_names_its_line_and_the_right_word_in_the_language_of_its_table(
    lang: str, asked: list[str], told: str, folder: Path
) -> None:
    (folder / "c.toml").write_text(f"lang = '{lang}'\n[seats.1]\nbuttn = 2\n", "utf-8")
    result = run(["run", "--sim", "--config", "{tmp}/c.toml", *asked], folder)
    assert "c.toml:3" in result.output and told in result.output


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "lang = 'de'\n[seats.1]\nbutton = 2\n[seats.2]\nlamp = 4\nbutton = 99",
            "6: [seats.2] button = 99: Pins",
        ),
        ("[seats.1]\nbutton = 2\n[seats.2] # him\nbutton = 2", "4: [seats.2] button = 2: this pin"),
        ("[seats.1]\nbutton = 2\n[seats.2]\nbuttn = 3", "4: [seats.2] knows no 'buttn'"),
        ("voice = false\ncall_button = 30", "2: call_button = 30"),
        ("[camera]\nsource = 0\nmarker_px = [45, 13]", "3: [camera] marker_px"),
        ("[mqtt]\nhost = 'a'\nport = 0\n[screen]\nport = 70000", "5: [screen] port"),
        ("[screen]\nport = 8080\n[mqtt]\nhost = 'a'\nport = 0", "5: [mqtt] port"),
        ("[screen]\nport = 8080\n[mqtt]\nhost = 'a'\nport = 'x'", "5: "),
        ("lang = 'de'\n[voice]\nbuffer_ms = 900", "3: [voice] buffer_ms"),
        ("lang = 'de'\nscreen = { host = 'a b' }", "2: [screen] host"),
        ("\njournal = ' '", "2: journal"),
        ("\nlang = 'fr'", "2: lang"),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_its_place(text: str, line: str, folder: Path) -> None:
    (folder / "c.toml").write_text(text, "utf-8")
    told = run(["buttons", "--config", "{tmp}/c.toml"], folder).output
    assert f"c.toml:{line}" in told, told


@pytest.mark.parametrize("game", scored_folders())
def test_the_example_of_every_game_is_scored_and_a_wrong_field_names_file_table_and_remedy(
    game: str, tmp_path: Path
) -> None:
    shown = CliRunner().invoke(main, ["score", game, "--example"])
    file = tmp_path / "table.json"
    file.write_text(shown.output, "utf-8")
    told = CliRunner().invoke(main, ["score", game, str(file)])
    assert shown.exit_code == told.exit_code == 0 and told.output.strip()
    file.write_text(f'[{shown.output}, {{"moon": 1}}]', "utf-8")
    wrong = CliRunner().invoke(main, ["score", game, str(file)])
    assert wrong.exit_code == 1
    assert f"{file}: table 2: " in wrong.output and "moon" in wrong.output
    assert f"companion score {game} --example" in wrong.output


def every(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A command and those below it."""
    yield words
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from every(below, (*words, name))


@pytest.mark.parametrize("words", tuple(every(main, ())), ids=" ".join)
def test_each_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*words, "--help"])
    example = " ".join(("\n  companion", *words))
    assert result.exit_code == 0 and example in result.output.replace("sudo ", ""), result.output
