"""The commands: what a person types, checked and handed to the room that does it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from companion.table.things import CompanionError


class Friendly(click.Group):
    """Every fault of ours ends as one readable line and exit status 2, never as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except CompanionError as fault:
            raise click.ClickException(str(fault.args[0] if fault.args else fault)) from fault


def _number(ctx: click.Context, option: click.Parameter, given: float) -> float:
    """Refuse nan, which passes every range."""
    if given != given:  # noqa: PLR0124  # the definition of nan
        raise click.BadParameter("that is no number", ctx, option)
    return given


@click.group(cls=Friendly, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="companion")
def main() -> None:
    """The companion beside a physical card game: reads cards, hears buttons, keeps rules, counts scores.

    \b
    companion run --sim            play on the simulated table, watch at http://localhost:8080/table
    companion sim koala --games 10 whole simulated games at full speed
    companion print koala -o k.pdf stickers, plates and player cards
    companion read photo.jpg       the markers in a picture
    """


@main.command()
@click.option("--sim", "simulated", is_flag=True, help="Play on the simulated table: no hardware is needed.")
@click.option(
    "--players", default=4, show_default=True, type=click.IntRange(3, 10), help="Simulated players."
)
@click.option("--seed", default=None, type=int, help="Luck of the simulated table; without it, of the day.")
@click.option(
    "--mess",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 1),
    callback=_number,
    help="How often they err.",
)
@click.option(
    "--pace",
    default=0.6,
    show_default=True,
    type=click.FloatRange(0, 60),
    callback=_number,
    help="Seconds an act takes.",
)
@click.option("--teams", is_flag=True, help="The team variant.")
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file; a game in it is resumed.")
@click.option(
    "--host", default=None, help="Address to serve on. [default: 127.0.0.1 with --sim, else 0.0.0.0]"
)
@click.option("--port", default=None, type=click.IntRange(0, 65535), help="[default: 8080]")
@click.option("--lang", default=None, type=click.Choice(["en", "de"]), help="Language spoken. [default: en]")
def run(**given: Any) -> None:
    """Run the table until it is stopped; a game that was under way goes on where it was.

    \b
    companion run --sim --players 6 --lang de
    companion run --config companion.toml
    """
    from companion.running import run as start  # noqa: PLC0415  # other commands need no web server

    start(**given)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def replay(file: Path, as_json: bool) -> None:
    """Play a journal again: print state, score and hash.

    \b
    companion replay ~/.local/state/companion/journal.db
    companion replay evening.jsonl --json
    """
    from companion.reports import replayed  # noqa: PLC0415  # only this command reads journals

    click.echo(replayed(file, as_json))


@main.group()
def sim() -> None:
    """Whole games on the simulated table, at full speed."""


@sim.command("koala")
@click.option("--players", type=click.IntRange(3, 10), help="Players; without it 3 to 10 in turn.")
@click.option(
    "--seed", default=1, show_default=True, type=int, help="Luck of the first game; the next counts up."
)
@click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option(
    "--eyes",
    default="off",
    show_default=True,
    type=click.Choice(["on", "off"]),
    help="on: through rendered pictures and the reader; off: what the reader would say.",
)
@click.option(
    "--teams/--no-teams", default=None, help="The team variant; without it every other game from 4."
)
@click.option(
    "--mess",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 1),
    callback=_number,
    help="How often players err.",
)
@click.option(
    "--option", "options", multiple=True, metavar="ID=VALUE", help="A ruling, e.g. KOALA-AMB-13=..."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def sim_koala(**given: Any) -> None:
    """Play Koala; at the end the physical cards are counted and compared. A difference: exit status 1.

    \b
    companion sim koala --games 100 --mess 0.1
    companion sim koala --players 6 --seed 7 --eyes on
    """
    from companion.reports import simulated  # noqa: PLC0415  # only this command simulates

    if not simulated(given, click.echo):
        sys.exit(1)


@main.command("read")
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
    "--deck", "game", type=click.Choice(["koala"]), help="Only this game's markers, with their cards."
)
@click.option("--json", "as_json", is_flag=True, help="A list, one object an image, in their order.")
@click.option("--draw", type=click.Path(path_type=Path), help="Save the (first) picture with what was read.")
def read_images(images: tuple[str, ...], **given: Any) -> None:
    """Read the markers in pictures. A file that is no picture is named; the others are read; exit status 1.

    \b
    companion read photo.jpg --deck koala --draw seen.png
    companion read *.png --family apriltag-36h11 --json
    """
    from companion.reports import read  # noqa: PLC0415  # OpenCV is loaded only where it is used

    if not read(tuple(Path(image) for image in images), given, click.echo):
        sys.exit(1)


@main.group()
def score() -> None:
    """Score a finished table that was not played with the companion."""


@score.command("koala")
@click.argument("file", type=click.Path(path_type=str))
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON; a list for a list.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
def score_koala(file: str, as_json: bool, lang: str) -> None:
    """Score Koala from FILE ("-": standard input): one object, or a list of them.

    \b
    {"caves": [{"id": "a", "white": "Mia", "black": null, "food": {"pizza": 3, "hamburger": 0, "spaghetti": 1}},
               ...], "feasts": {"Mia": 1}, "teams": {"A": ["Mia", "Paul"], ...}}
    """
    from companion.reports import scored  # noqa: PLC0415  # only this command scores files

    click.echo(scored(_text(file), as_json, lang))


@main.group()
def scan() -> None:
    """Count a finished table under the camera: no buttons, no referee."""


@scan.command("koala")
@click.argument("images", nargs=-1, metavar="[SEAT=IMAGE[,IMAGE...]]...")
@click.option("--camera", default=None, help="Camera number or device instead of pictures.")
@click.option("--teams", is_flag=True, help="The team variant: team cards are shown too.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def scan_koala(images: tuple[str, ...], **given: Any) -> None:
    """Seat by seat, clockwise: one picture or several for each seat; then feast and team cards.

    \b
    companion scan koala Mia=mia1.png,mia2.png Paul+Ada=paul.png -=empty.png feast:Mia=f.png
    companion scan koala a.png b.png c.png          seats called 1, 2, 3
    companion scan koala --camera 0                 press Enter for the next seat
    """
    from companion.scanning import scanned  # noqa: PLC0415  # OpenCV is loaded only where it is used

    if not scanned(images, given, click.echo):
        sys.exit(1)


@main.command("print")
@click.argument("game", type=click.Choice(["koala"]))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF file.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(["a4", "letter"]))
@click.option("--marker-mm", default=12.0, show_default=True, type=float, help="Side of a card's marker.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--join", default=None, metavar="URL", help="Address for the players' join code.")
def print_sheets(game: str, output: Path, **given: Any) -> None:
    """Stickers, plates and player cards as a PDF: print at 100 %, check the 100 mm ruler.

    \b
    companion print koala -o koala.pdf --paper letter --lang de
    """
    from companion.reports import printed  # noqa: PLC0415  # reportlab is loaded only where it is used

    click.echo(printed(game, output, **given))


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{file}: {fault}. Name a JSON file, or - for standard input") from fault
