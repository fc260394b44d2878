"""What commands and pages say: wrong options, refusals and scores as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.shelf import phrases, shelf
from companion.table.game import Game, Refusal
from companion.table.phrases import Phrases
from companion.table.things import CompanionError

Echo = Callable[[str], Any]
_TOTAL = {"en": "in total", "de": "insgesamt"}


class BadOption(CompanionError, ValueError):
    """An option on the command line means nothing; the text names it and the remedy."""


def text_of(file: Path, option: str = "", remedy: str = "Name a text file that can be read") -> str:
    """A text file that a person named, with or without a byte order mark. BadOption: there is none, or no text."""
    try:
        return file.read_text("utf-8-sig")
    except (OSError, ValueError) as fault:  # ValueError: bytes that are no UTF-8, a NUL in the name
        why = fault.strerror if isinstance(fault, OSError) else "this is no text in UTF-8"
        raise BadOption(f"{option} {file}: {why}. {remedy}".strip()) from fault


def refused(refusal: Refusal, game: str, lang: str = "en") -> str:
    """A refusal as a sentence."""
    words = phrases()
    return words.get(game, words[""]).text(lang, f"no.{refusal.stem}", refusal.values)


def score_lines(score: Mapping[str, Any], words: Phrases, lang: str, over: bool = True) -> Iterable[str]:
    """Every point with its reason, the totals, and once the game is over the winners."""
    for point in score["lines"]:
        why = words.text(lang, point["why"], point["values"])
        yield f"{point['who']:<12} {point['points']:>2}  {why} ({point['rule']})"
    for name, total in score["totals"].items():
        yield f"{named(name, words, lang):<12} {total:>2}  {_TOTAL[lang]}"
    if over and score["winners"]:
        names = ", ".join(named(name, words, lang) for name in score["winners"])
        yield words.text(lang, "prompt.over", {"names": names, "name": names})


def named(name: str, words: Phrases, lang: str) -> str:
    """A team's name is a word of the game, a player's is his own."""
    return words.texts[lang].get(name, name) if name.startswith(("team_", "question")) else name


def given_options(given: Iterable[str], teams: bool | None = None, game: str = "") -> dict[str, object]:
    """What the command line says of a game's options; BadOption for a pair that is none, or teams where none are."""
    if teams is not None and game in (known := shelf()) and not _has_teams(known[game].game):
        with_teams = ", ".join(sorted(name for name, box in known.items() if _has_teams(box.game)))
        raise BadOption(f"--teams: {game} has no teams (only {with_teams} has). Leave it away")
    options: dict[str, object] = {} if teams is None else {"teams": teams}
    for pair in given:
        name, equals, of = pair.partition("=")
        if not equals:
            raise BadOption(f"--option {pair}: write it as ID=VALUE, for example KOALA-AMB-12=virtual_feasts")
        options[name] = _plain(of)
    return options


def _has_teams(game: Game[Any]) -> bool:
    return any(option.id == "teams" for option in game.options)


def _plain(word: str) -> object:
    """A number, yes or no, or the word itself."""
    if word in ("true", "false"):
        return word == "true"
    try:
        return float(word)
    except ValueError:
        return word
