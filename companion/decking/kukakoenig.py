"""The owner's Ku-Ka-König: eight numbers off the cards' corners, and which types stay after the first scoring."""

from __future__ import annotations

from typing import Any

import click

from companion.decking import keep
from companion.games.kukakoenig.numbers import KINDS, NUMBERS, owned, written
from companion.games.kukakoenig.rules_score import GREEN_TYPES
from companion.shelf import deck, own_deck
from companion.table.game import Refusal
from companion.telling import BadOption, refused

GAME = "kukakoenig"
ASKED = {
    "animal": "an animal", "wife": "the farmer's wife", "house": "the farmhouse", "church": "the church",
    "knight": "the knight", "vp2": "a 2-card", "vp3": "a 3-card", "vp4": "a 4-card",
}  # fmt: skip
TYPES = tuple("animals" if kind == "animal" else kind for kind in KINDS)


def green(stays: tuple[str, ...], goes: tuple[str, ...]) -> tuple[str, ...]:
    """The types with a green check; BadOption where the rulebook says otherwise or both are said."""
    if "farmer" in stays or "king" in goes:
        raise BadOption("the rulebook says: kings stay, farmers go back")
    both = set(stays) & set(goes)
    if both:
        raise BadOption(f"{', '.join(sorted(both))} cannot both stay and go")
    return tuple(kind for kind in TYPES if kind in stays or (kind in GREEN_TYPES and kind not in goes))


@click.command(GAME)
@click.argument("numbers", nargs=-1, type=int, metavar="[ANIMAL WIFE HOUSE CHURCH KNIGHT VP2 VP3 VP4]")
@click.option("--stays", multiple=True, type=click.Choice(TYPES), help="A type with a green check.")
@click.option("--goes", multiple=True, type=click.Choice(TYPES), help="A type with a red cross.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--show", is_flag=True, help="Only tell which deck is in use.")
def command(numbers: tuple[int, ...], **given: Any) -> None:
    """Each card says in its upper left corner how many of its type there are: type the eight numbers.

    \b
    companion deck kukakoenig                       asks for them one by one
    companion deck kukakoenig 5 8 6 8 16 6 6 4      an example, not the real ones
    companion deck kukakoenig 5 8 6 8 16 6 6 4 --stays church --goes knight

    All cards together must be 112. Print the stickers after that, not before.
    """
    if given["show"]:
        _show()
        return
    stays = green(given["stays"], given["goes"])
    if len(numbers) not in (0, len(NUMBERS)):
        raise BadOption(f"eight numbers are wanted, {len(numbers)} were given: {' '.join(NUMBERS)}")
    told = numbers or tuple(click.prompt(f"The number on {ASKED[name]}", type=int) for name in NUMBERS)
    made = owned(deck(GAME), dict(zip(NUMBERS, told, strict=True)), stays)
    if isinstance(made, Refusal):
        raise BadOption(refused(made, GAME, given["lang"]))
    keep(GAME, written(made))
    click.echo(f"112 cards. Kept in {own_deck(GAME)}")
    click.echo(f"After the first scoring stay: {', '.join(stays)}")


def _show() -> None:
    now = deck(GAME)
    for face in dict.fromkeys(card.face for card in now.cards if card.kind != "number"):
        count = sum(1 for card in now.cards if card.face == face)
        stays = "stays" if now.facts.get(face, {}).get("stays") else "goes back"
        click.echo(f"{face} {count}, {stays}")
    click.echo(f"Source: {now.source}")
