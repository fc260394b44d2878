"""The owner's Karnivore Koala: each face entered once, by its marker or its name, kept in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.decking import keep
from companion.desks.stickers import printable, readable
from companion.edges.camera import picture
from companion.games.karnivore import workshop
from companion.games.karnivore.cards import ALL_KINDS, COUNTED, OPS, SYMBOLS
from companion.shelf import deck, own_deck
from companion.table.things import BadDeck, Deck
from companion.telling import text_of
from companion.wire.foreign import visible
from companion.writing import save

GAME = "karnivore"


def ops(told: tuple[str, ...]) -> list[dict[str, object]]:
    """Effects as typed: "spears 3", "discard 1 others", "protect"; BadDeck names what is not understood."""
    out: list[dict[str, object]] = []
    for each in told:
        name, *rest = each.split()
        if name not in OPS:
            raise BadDeck(f"effect {each!r}: {name} is none of {', '.join(OPS)}")
        op: dict[str, object] = {"op": name}
        for word in rest:
            op["n" if word.isdecimal() else "who"] = int(word) if word.isdecimal() else word
        if name in COUNTED:
            op.setdefault("n", 1)
        out.append(op)
    return out


def seen(image: Path, known: Deck) -> tuple[int, ...]:
    """The markers in a picture file, those of the deck and free ones."""
    return readable(picture(image), known)


_SAID = {
    "en": {
        "written": "Written to {out}", "kept": "Kept in {file}", "would": "Your own deck would be kept in {file}",
        "part": " (partly made up)", "new": "no card yet: name it", "marker": "marker {marker}: {about}",
        "none": "no marker is seen in the picture. Hold the card closer, in better light",
    },
    "de": {
        "written": "Geschrieben: {out}", "kept": "Gespeichert in {file}",
        "would": "Ein eigenes Deck käme in {file}",
        "part": " (zum Teil erfunden)", "new": "noch keine Karte: gebt ihr einen Namen",
        "marker": "Marker {marker}: {about}",
        "none": "im Bild ist kein Marker zu sehen. Haltet die Karte näher heran, in besserem Licht",
    },
}  # fmt: skip


@click.command(GAME)
@click.argument("face", required=False)
@click.option(
    "--image", type=click.Path(path_type=Path, exists=True), help="A picture of the card: its marker."
)
@click.option("--kind", type=click.Choice(ALL_KINDS[:7]), help="What it is; for a known face as it was.")
@click.option("--count", type=click.IntRange(1, 40), help="How many of them; markers are allotted.")
@click.option("--symbol", "symbols", multiple=True, help=f"{', '.join(SYMBOLS)}; of an animal its two.")
@click.option("--most", type=click.IntRange(1, 9), help="The number beside the symbols: most dice a turn.")
@click.option(
    "--animal", "animals", multiple=True, help="An animal symbol of a workbear: fish, bird, reptile ..."
)
@click.option("--of", help="The animal symbol on a back.")
@click.option("--window", type=click.Choice(["own", "any"]), help="Turns a backstabbear may be played in.")
@click.option("--op", "effects", multiple=True, help=f'What it does: "spears 3". Known: {", ".join(OPS)}.')
@click.option("--text", nargs=2, metavar="EN DE", help="Its effect in words, English and German.")
@click.option("--name", nargs=2, metavar="EN DE", help="Its name, English and German.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--remove", is_flag=True, help="Take the face away.")
@click.option("--only-own", is_flag=True, help="Take away all that is made up.")
@click.option("--export", "out", type=click.Path(path_type=Path), help="Write the deck to a file.")
@click.option(
    "--import", "given", type=click.Path(path_type=Path, exists=True), help="Take a deck from a file."
)
def command(face: str | None, lang: str, **told: Any) -> None:
    """Enter the cards that you own; the rulebook gives only a few, the others are made up until then.

    \b
    companion deck karnivore                                    what is known
    companion deck karnivore --image card.jpg                   which card is that?
    companion deck karnivore netbear --kind huntbear --count 2 --symbol spear --most 2 --op "spears 2"
    companion deck karnivore --export mine.toml
    companion deck karnivore --import mine.toml
    """
    current = deck(GAME)
    markers = seen(told["image"], current) if told["image"] else ()
    if told["given"]:
        _keep(workshop.read(text_of(told["given"], "--import"), str(told["given"])), lang)
    elif told["out"]:
        save(told["out"], workshop.written(current), "--export")
        click.echo(_SAID[lang]["written"].format(out=told["out"]))
    elif told["only_own"]:
        _keep(workshop.only_own(current), lang)
    elif face and told["remove"]:
        _keep(workshop.removed(current, face), lang)
    elif face:
        _keep(_entered(current, face, told, markers), lang)
    else:
        _show(current, markers, bool(told["image"]), lang)


def _entered(current: Deck, face: str, told: dict[str, Any], markers: tuple[int, ...]) -> Deck:
    """The face as told, over what was known of it."""
    old = [card for card in current.cards if card.face == face]
    facts: dict[str, Any] = {k: v for k, v in current.facts.get(face, {}).items() if k != "source"}
    for word in ("symbols", "animals"):
        if told[word]:
            facts[word] = list(told[word])
    for word in ("most", "window", "of"):
        if told[word] is not None:
            facts[word] = told[word]
    if told["effects"]:
        facts["ops"] = ops(told["effects"])
    for word, entry in (("text", "effect"), ("name", "name")):
        if told[word]:
            facts[entry] = dict(zip(("en", "de"), told[word], strict=True))
    kind = told["kind"] or (old[0].kind if old else None)
    if kind is None:
        raise BadDeck(f"{face} is new: say its --kind, one of {', '.join(ALL_KINDS[:7])}")
    codes = list(dict.fromkeys((*(card.marker for card in old), *markers)))
    wanted = told["count"] or len(codes) or 1
    codes += workshop.free(current, printable(), max(0, wanted - len(codes)))
    return workshop.entered(current, face, kind, facts, codes[:wanted])


def _keep(made: Deck, lang: str) -> None:
    keep(GAME, workshop.written(made))
    click.echo(f"{_summary(made, lang)}. {_SAID[lang]['kept'].format(file=own_deck(GAME))}")


def _summary(known: Deck, lang: str) -> str:
    found = ", ".join(f"{count} {kind}" for kind, count in workshop.counts(known).items())
    return f"{found}{_SAID[lang]['part'] if known.made_up else ''}"


def _show(known: Deck, markers: tuple[int, ...], asked: bool, lang: str) -> None:
    """What is known of the cards in a picture, else of the whole deck."""
    by_marker = known.by_marker
    if asked and not markers:
        raise click.ClickException(_SAID[lang]["none"])
    for marker in markers:
        card = by_marker.get(marker)
        about = (
            _SAID[lang]["new"] if card is None else f"{card.face}, {card.kind}: {_facts(known, card.face)}"
        )
        click.echo(visible(_SAID[lang]["marker"].format(marker=marker, about=about)))
    if not asked:
        click.echo(_summary(known, lang))
        own = own_deck(GAME)
        click.echo(_SAID[lang]["kept" if own.is_file() else "would"].format(file=own))


def _facts(known: Deck, face: str) -> str:
    return ", ".join(f"{word} {told}" for word, told in known.facts.get(face, {}).items())
