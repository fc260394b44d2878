"""Nothing can be said that has no words: every key used in a game stands in its phrase files, in each language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from companion.shelf import LANGS, folders, games, phrases

GAMES_FOLDER = Path(__file__).parents[2] / "companion" / "games"
KEY = re.compile(r'"((?:say|did|score|why|prompt|cue|tally|ruling|setting)\.[a-z_.:0-9]+)"')
CODE = re.compile(r'Refusal\(\s*"[A-Z0-9-]+",\s*f?"([a-z_]+)')


def _source(folder: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((GAMES_FOLDER / folder).glob("*.py")))


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("folder", folders())
def test_every_key_a_game_uses_has_words_in_each_language(folder: str) -> None:
    source = _source(folder)
    used = set(KEY.findall(source)) | {f"no.{code.rstrip('_')}" for code in CODE.findall(source)}
    game = games(folder)[0].name
    for lang in LANGS:
        known = phrases()[game].texts[lang]
        missing = [key for key in used if key not in known]
        # f"map_{key}" names a family of words: one of it at least is there
        assert sorted(key for key in missing if not any(has.startswith(f"{key}_") for has in known)) == [], (
            lang
        )


@pytest.mark.parametrize("folder", folders())
def test_each_option_and_ruling_has_words(folder: str) -> None:
    for game in games(folder):
        for lang in LANGS:
            known = phrases()[game.name].texts[lang]
            assert [option.phrase for option in game.options if option.phrase not in known] == [], lang


@pytest.mark.parametrize("folder", folders())
def test_each_choice_of_an_option_has_words(folder: str) -> None:
    for game in games(folder):
        for lang in LANGS:
            known = phrases()[game.name].texts[lang]
            codes = [
                f"{option.id}={choice}" for option in game.options for choice in option.allowed
                if isinstance(choice, str) and f"{option.phrase}.{choice}" not in known and choice not in known
            ]  # fmt: skip
            assert codes == [], lang


@pytest.mark.parametrize("game", sorted(phrases()))
def test_languages_have_the_same_keys_with_the_same_placeholders(game: str) -> None:
    texts = phrases()[game].texts
    first = texts[LANGS[0]]
    for lang in LANGS[1:]:
        assert sorted(texts[lang]) == sorted(first)
        differing = [key for key in first if _placeholders(first[key]) != _placeholders(texts[lang][key])]
        assert differing == [], lang
