"""Commands for cards: read, count, score, print, and the owner's own decks."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from companion.shelf import folders, scored_folders
from companion.telling import BadOption, text_of


@click.command("read")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option(
    "--family",
    default="aruco-5x5-1000",
    show_default=True,
    type=click.Choice(["aruco-5x5-1000", "aruco-4x4-1000", "aruco-6x6-1000", "apriltag-36h11"]),
)
@click.option(
    "--marker-px", nargs=2, type=float, metavar="MIN MAX", help="Side of the markers; faster and surer."
)
@click.option(
    "--deck", "game", type=click.Choice(folders()), help="Only this game's markers, with their cards."
)
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="A list, one object an image, in their order.")
@click.option("--draw", type=click.Path(path_type=Path), help="Save the (first) picture with what was read.")
def read_images(images: tuple[str, ...], **given: Any) -> None:
    """Read the markers in pictures. A file that is no picture is named; the others are read; exit status 1.

    \b
    companion read photo.jpg --deck koala --draw seen.png
    companion read *.png --family apriltag-36h11 --json
    """
    from companion.tasks.reading import read  # noqa: PLC0415  # OpenCV is loaded only where it is used

    if not read(tuple(Path(image) for image in images), given, click.echo):
        sys.exit(1)


@click.command()
@click.argument("game", type=click.Choice(scored_folders()))
@click.argument("file", type=click.Path(path_type=str), required=False)
@click.option("--example", "shown", is_flag=True, help="Print a table of this game as FILE may tell it.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON; a list for a list.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
def score(game: str, file: str | None, shown: bool, as_json: bool, lang: str) -> None:
    """Score a finished table that was not played with the companion.

    FILE ("-": standard input) holds one JSON object or a list of them.

    \b
    companion score wine --example > table.json
    companion score wine table.json --lang de
    """
    from companion.tasks.scoring import example, scored  # noqa: PLC0415  # only this command scores files

    if shown:
        click.echo(example(game))
        return
    if file is None:
        raise click.UsageError(
            f"name a FILE, or - for standard input; `companion score {game} --example` prints one"
        )
    click.echo(scored(game, _text(file), as_json, lang, file))


def _text(file: str) -> str:
    wanted = "Name a JSON file, or - for standard input"
    try:
        return sys.stdin.read() if file == "-" else text_of(Path(file), remedy=wanted)
    except UnicodeDecodeError as fault:
        raise BadOption(f"standard input: this is no text in UTF-8. {wanted}") from fault


class PerGame(click.Group):
    """One command a game, in a file of the game's name; loaded when it is asked for, as OpenCV takes its time."""

    def __init__(self, package: str = "", **given: Any) -> None:
        """Find the commands in a package."""
        super().__init__(**given)
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The games that have such a command."""
        del ctx  # the same everywhere
        return [game for game in folders() if find_spec(f"{self._package}.{game}") is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A game's command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = import_module(f"{self._package}.{cmd_name}").command
        return found


@click.group(cls=PerGame, package="companion.scanning")
def scan() -> None:
    """Count a finished table under the camera: no buttons, no referee.

    \b
    companion scan koala Mia=mia.jpg Paul=paul.jpg Ada=ada.jpg
    companion scan kukakoenig --camera 0 Mia Paul Ada
    companion scan rescue --help        what a game takes
    """


@click.group("deck", cls=PerGame, package="companion.decking")
def deck_of() -> None:
    """Enter what the rulebook does not say of the owner's own cards.

    \b
    companion deck kukakoenig           asks for the eight numbers
    companion deck karnivore --image card.jpg
    """


@click.command("print")
@click.argument("game", type=click.Choice(folders()))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF file.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]))
@click.option("--marker-mm", default=12.0, show_default=True, type=float, help="Side of a card's marker.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--join", default=None, metavar="URL", help="Address for the players' join code.")
@click.option(
    "--part", "parts", multiple=True, help="stickers, plates or players; several times for several."
)
@click.option("--cards", default=None, metavar="1-20", help="Stickers for these cards only.")
@click.option("--labels", default=None, help="Ready-made labels: 63x38, 70x37, 38x21 (A4) or 67x25 (Letter).")
@click.option("--player", "players", multiple=True, help="A player's name for a player card; several times.")
def print_sheets(game: str, output: Path, **given: Any) -> None:
    """Stickers, plates and player cards as a PDF: print at 100 %, check the 100 mm ruler.

    \b
    companion print koala -o koala.pdf --paper letter --lang de
    companion print koala -o spare.pdf --part stickers --cards 1-20 --labels 70x37
    """
    from companion.printing import printed  # noqa: PLC0415  # reportlab is loaded only where it is used

    click.echo(printed(game, output, **given))
