"""Commands that play: a table, simulated games, buttons, what the camera sees."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.shelf import folders
from companion.sim.evenings import folders as sims
from companion.telling import given_options

Command = Callable[..., Any]


def _number(ctx: click.Context, option: click.Parameter, given: float | None) -> float | None:
    """Refuse nan, which passes every range."""
    if given != given:  # noqa: PLR0124  # the definition of nan
        raise click.BadParameter("that is no number", ctx, option)
    return given


_BOXES = click.option(
    "--boxes", default=None, metavar="virtual:N", help="Buttons on N virtual USB boxes, not on pins."
)
_FAULTS = click.option(
    "--faults", default=None, metavar="KNOBS", help="What ails them: drop=1%,jitter=16ms,ppm=200,flip=1%."
)


def _mess(usual: float) -> Callable[[Command], Command]:
    return click.option(
        "--mess",
        default=usual,
        show_default=True,
        type=click.FloatRange(0, 1),
        callback=_number,
        help="How often players err.",
    )


@click.command()
@click.option("--sim", "simulated", is_flag=True, help="Play on the simulated table: no hardware is needed.")
@click.option(
    "--game",
    default="koala",
    show_default=True,
    type=click.Choice(sims()),
    help="The game that is simulated.",
)
@click.option(
    "--players", type=click.IntRange(1, 40), help="Simulated players. [default: 4, or as many as may]"
)
@click.option("--seed", default=None, type=int, help="Luck of the simulated table; without it, of the day.")
@_mess(0.05)
@click.option(
    "--pace",
    default=0.6,
    show_default=True,
    type=click.FloatRange(0, 60),
    callback=_number,
    help="Seconds an act takes.",
)
@click.option("--teams", is_flag=True, help="Koala's team variant.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="ID=VALUE",
    help="A ruling or variant of the simulated game.",
)
@_BOXES
@_FAULTS
@click.option(
    "--camera",
    default=None,
    metavar="SOURCE",
    help="0, /dev/video0, pi, http://..., rtsp://..., a folder, a video.",
)
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
    companion run --sim --boxes virtual:3 --faults drop=1%
    companion run --config companion.toml
    companion run --camera http://phone.local:8080/video
    """
    from companion.running import run as start  # noqa: PLC0415  # other commands need no web server

    options = given_options(given.pop("options"), given.pop("teams") or None, given["game"])
    if given["simulated"] and given["players"] is not None:
        from companion.tasks.simulating import seated  # noqa: PLC0415  # a real table simulates nobody

        seated(given["game"], given["players"])
    virtual, faults, boxes = given.pop("boxes"), given.pop("faults"), None
    if virtual or faults:
        from companion.boxed import plan  # noqa: PLC0415  # a simulated box: a real table has none

        boxes = plan(virtual, faults)
    start(options=options, boxes=boxes, **given)


@click.command()
@click.argument("game", type=click.Choice(sims()))
@click.option(
    "--players", type=click.IntRange(1, 40), help="Players; without it every number the game allows, in turn."
)
@click.option(
    "--seed", default=1, show_default=True, type=int, help="Luck of the first game; the next counts up."
)
@click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option(
    "--eyes",
    default="off",
    show_default=True,
    type=click.Choice(["on", "off"]),
    help="on: through rendered pictures and the reader, some minutes a game; off: what the reader would say.",
)
@click.option(
    "--teams/--no-teams", default=None, help="Koala's team variant; without it every other game from 4."
)
@_mess(0.0)
@click.option(
    "--option", "options", multiple=True, metavar="ID=VALUE", help="A ruling, e.g. KOALA-AMB-13=..."
)
@_BOXES
@_FAULTS
@click.option("--record", type=click.Path(path_type=Path), help="Write how the first game sounds: FILE.wav.")
@click.option(
    "--lang", default="en", show_default=True, type=click.Choice(["en", "de"]), help="... spoken in."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def sim(game: str, **given: Any) -> None:
    """Whole games on the simulated table, at full speed; at the end all is counted. A difference: exit status 1.

    \b
    companion sim koala --games 100 --mess 0.1
    companion sim koala --players 6 --seed 7 --eyes on
    companion sim koala --record evening.wav --lang de
    companion sim koala --boxes virtual:3 --faults drop=1%,jitter=16ms,ppm=200
    """
    from companion.tasks.simulating import simulated  # noqa: PLC0415  # only this command simulates

    record, lang = given.pop("record"), given.pop("lang")
    if record is not None:
        from companion.tasks.recording import written  # noqa: PLC0415  # needs clips, which others do not

        click.echo(written(game, record, lang, given))
        return
    if not simulated(game, given, click.echo, partial(click.echo, err=True)):
        sys.exit(1)


@click.command("buttons")
@click.option(
    "--roll", is_flag=True, help="Roll call: each presses once; places, stuck and silent buttons are told."
)
@click.option("--presses", type=click.IntRange(1), help="End after so many presses; without it with Ctrl-C.")
@click.option(
    "--port", "ports", multiple=True, metavar="PATH", help="A box's port; without it those of the udev rule."
)
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
def press_buttons(settings: Path | None, ports: tuple[str, ...], **given: Any) -> None:
    """Show every press of boxes and pins live with its time. A stuck or chattering button: exit status 1.

    \b
    companion buttons
    companion buttons --roll --lang de
    companion buttons --port /dev/ttyUSB0
    """
    from companion.tasks.buttons import listen  # noqa: PLC0415  # needs the serial library, which others do not

    if not listen(settings, ports, echo=click.echo, **given):
        sys.exit(1)


@click.command()
@click.option(
    "--camera",
    default="0",
    show_default=True,
    metavar="SOURCE",
    help="0, /dev/video0, pi, http://..., rtsp://..., a folder, a video, sim:koala.",
)
@click.option("--game", default="koala", show_default=True, type=click.Choice(folders()), help="Whose table.")
@click.option("-o", "--output", default=Path("look"), show_default=True, type=click.Path(path_type=Path))
@click.option("--pictures", default=1, show_default=True, type=click.IntRange(1, 100), help="How many.")
@click.option("--marker-px", nargs=2, type=float, default=(9.0, 60.0), metavar="MIN MAX", show_default=True)
@click.option(
    "--seconds",
    default=None,
    type=click.FloatRange(1, 600),
    callback=_number,
    help="How long to wait for a picture. [default: 20; 120 with sim:]",
)
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def look(**given: Any) -> None:  # fmt: skip
    """Save what the camera sees with markers, zones and glare drawn in; say what to do. Not all well: exit status 1.

    \b
    companion look --camera 0 -o look
    companion look --camera sim:koala --lang de
    """
    from companion.tasks.looking import looked  # noqa: PLC0415  # OpenCV is loaded only where it is used

    if not looked(given, click.echo):
        sys.exit(1)
