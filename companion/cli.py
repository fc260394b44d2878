"""The commands: what a person types, checked and handed to the room that does it."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from companion.shelf import folders, scored_folders
from companion.sim.evenings import folders as sims
from companion.table.things import CompanionError

LATER = dict.fromkeys(("bundle", "club"), "companion.aftercare")  # loaded when one is asked for


class Friendly(click.Group):
    """Every fault of ours ends as one readable line and exit status 2, never as a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        return sorted({*super().list_commands(ctx), *LATER})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them."""
        if cmd_name in LATER and cmd_name not in self.commands:
            self.add_command(getattr(import_module(LATER[cmd_name]), cmd_name))
        return super().get_command(ctx, cmd_name)

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
@click.option("--teams", is_flag=True, help="Koala's team variant.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="ID=VALUE",
    help="A ruling or variant of the simulated game.",
)
@click.option(
    "--boxes", default=None, metavar="virtual:N", help="Buttons on N virtual USB boxes, not on pins."
)
@click.option(
    "--faults", default=None, metavar="KNOBS", help="What ails them: drop=1%,jitter=16ms,ppm=200,flip=1%."
)
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

    pairs, teams, options = given.pop("options"), given.pop("teams"), {}
    if pairs or teams:
        from companion.reports import given_options  # noqa: PLC0415  # loads OpenCV: a table serves before it

        options = given_options(pairs, True if teams else None)
    virtual, faults, boxes = given.pop("boxes"), given.pop("faults"), None
    if virtual or faults:
        from companion.boxed import plan  # noqa: PLC0415  # a simulated box: a real table has none

        boxes = plan(virtual, faults)
    start(options=options, boxes=boxes, **given)


@main.command()
@click.option("--journal", type=click.Path(path_type=Path), help="The journal of the table that runs.")
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
def pin(journal: Path | None, settings: Path | None) -> None:
    """The operator's PIN of the table that runs on this device.

    \b
    sudo companion pin --config /etc/companion/companion.toml
    """
    from companion import config  # noqa: PLC0415  # msgspec is loaded only where it is used

    kept = journal or Path(config.load(settings).journal).expanduser()
    path = kept.with_suffix(".pin")
    try:
        click.echo(path.read_text("ascii"))
    except OSError as fault:
        raise click.ClickException(
            f"no PIN of a table with the journal {kept} ({path}: {fault.strerror}). Is that table running, with this "
            "journal? Name another one by --journal or --config, or try sudo"
        ) from fault


@main.command()
@click.option(
    "-o", "--output", default="companion.toml", show_default=True, type=click.Path(path_type=Path),
    help="The settings file that is written.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Ask nothing: write what was found.")
@click.option("--force", is_flag=True, help="Replace a file that is there; it is kept as FILE.old.")
def setup(output: Path, yes: bool, force: bool) -> None:
    """Find cameras, boxes and sound, ask for the rest, write companion.toml with comments.

    \b
    companion setup
    sudo companion setup -o /etc/companion/companion.toml --force
    """
    from companion import setting_up  # noqa: PLC0415  # only this command looks for devices

    if output.exists() and not force:
        raise click.ClickException(f"{output}: exists already. Name another file with -o, or use --force")
    rig = setting_up.found()
    if not yes:
        try:
            rig = setting_up.asked(
                rig, lambda question, usual: str(click.prompt(question, default=usual)), click.echo
            )
        except click.Abort as fault:
            raise click.ClickException(
                "the questions were not answered, and nothing was written. Run it in a terminal, or with --yes, "
                "which asks nothing and writes what was found"
            ) from fault
    text = setting_up.written(rig)
    try:
        if output.exists():
            output.replace(output.with_name(output.name + ".old"))
        output.write_text(text, "utf-8")
    except OSError as fault:
        raise click.ClickException(
            f"{output}: {fault.strerror}. Name a file in a folder that exists"
        ) from fault
    click.echo(text)
    click.echo(
        f"{output} is written. Next: companion doctor --config {output}, then companion run --config {output}"
    )


@main.command()
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
@click.option(
    "--journal", type=click.Path(path_type=Path), help="The journal, if not the one of the settings."
)
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option("--all", "everything", is_flag=True, help="Also what is well.")
def doctor(settings: Path | None, journal: Path | None, lang: str, as_json: bool, everything: bool) -> None:
    """Look at the whole device: what is wrong, and what to do. Something bad: exit status 1.

    \b
    companion doctor
    sudo companion doctor --config /etc/companion/companion.toml --journal /var/lib/companion/journal.db --all
    """
    from companion import doctor as practice  # noqa: PLC0415  # only this command looks at devices

    found = tuple(practice.examined(settings, journal=journal))
    if as_json:
        click.echo(json.dumps([practice.plain(finding, lang) for finding in found], ensure_ascii=False))
    else:
        for line in practice.lines(found, lang, everything):
            click.echo(line)
    if any(finding.level == practice.BAD for finding in found):
        sys.exit(1)


@main.group("journal")
def journal_of() -> None:
    """Look at, export or back up a journal while no table has it open."""


@journal_of.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def journal_verify(file: Path) -> None:
    """Check every row and the chain of their hashes; nothing is changed. A fault: exit status 1."""
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals

    found = journal.verify(file)
    click.echo(f"{file}: {found.rows} rows, hash {found.hash}")
    if found.fault:
        click.echo(f"{file}: {found.fault}; good until row {found.rows}. companion run keeps the good part")
        sys.exit(1)


@journal_of.command("export")
@click.argument("file", type=click.Path(path_type=Path))
def journal_export(file: Path) -> None:
    """Print a journal as JSON lines, one event a line: what `companion replay` takes too."""
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals

    click.echo(journal.export(file), nl=False)


@journal_of.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def journal_backup(file: Path, target: Path) -> None:
    """Copy a journal's good rows to TARGET as JSON lines, and read the copy back.

    \b
    companion journal backup ~/.local/state/companion/journal.db evening.jsonl
    """
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals

    if target.exists():
        raise click.ClickException(f"{target}: exists already. Name a new file")
    lines = journal.export(file)
    try:
        target.write_bytes(lines)
    except OSError as fault:
        raise click.ClickException(
            f"{target}: {fault.strerror}. Name a file in a folder that exists"
        ) from fault
    click.echo(f"{target}: {len(journal.read(target))} events, hash {journal.verify(target).hash}")


@main.command()
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
@click.option("--seconds", default=20.0, show_default=True, type=click.FloatRange(1, 600), callback=_number)
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def look(**given: Any) -> None:  # fmt: skip
    """Save what the camera sees with markers, zones and glare drawn in; say what to do. Not all well: exit status 1.

    \b
    companion look --camera 0 -o look
    companion look --camera sim:koala --lang de
    """
    from companion.looking import looked  # noqa: PLC0415  # OpenCV is loaded only where it is used

    if not looked(given, click.echo):
        sys.exit(1)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def replay(file: Path, as_json: bool) -> None:
    """Play a journal again: print state, score and hash. A bundle from /op: read its frames anew.

    \b
    companion replay ~/.local/state/companion/journal.db
    companion replay evening.jsonl --json
    companion replay companion-20261130-2015.zip
    """
    from companion.reports import replayed  # noqa: PLC0415  # only this command reads journals

    click.echo(replayed(file, as_json))


@main.command()
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
    help="on: through rendered pictures and the reader; off: what the reader would say.",
)
@click.option(
    "--teams/--no-teams", default=None, help="Koala's team variant; without it every other game from 4."
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
@click.option(
    "--boxes", default=None, metavar="virtual:N", help="Buttons on N virtual USB boxes, not on pins."
)
@click.option(
    "--faults", default=None, metavar="KNOBS", help="What ails them: drop=1%,jitter=16ms,ppm=200,flip=1%."
)
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
    from companion.reports import simulated  # noqa: PLC0415  # only this command simulates

    record, lang = given.pop("record"), given.pop("lang")
    if record is not None:
        from companion.recording import written  # noqa: PLC0415  # needs clips, which others do not

        click.echo(written(game, record, lang, given))
        return
    if not simulated(game, given, click.echo):
        sys.exit(1)


@main.command("buttons")
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
    from companion.buttons import listen  # noqa: PLC0415  # needs the serial library, which others do not

    if not listen(settings, ports, echo=click.echo, **given):
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
    "--deck", "game", type=click.Choice(folders()), help="Only this game's markers, with their cards."
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


@main.command()
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
    from companion.reports import example, scored  # noqa: PLC0415  # only this command scores files

    if shown:
        click.echo(example(game))
        return
    if file is None:
        raise click.UsageError(
            f"name a FILE, or - for standard input; `companion score {game} --example` prints one"
        )
    click.echo(scored(game, _text(file), as_json, lang, file))


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


@main.group(cls=PerGame, package="companion.scanning")
def scan() -> None:
    """Count a finished table under the camera: no buttons, no referee."""


@main.group("deck", cls=PerGame, package="companion.decking")
def deck_of() -> None:
    """Enter what the rulebook does not say of the owner's own cards."""


@main.command()
@click.option("--lang", default=None, type=click.Choice(["en", "de"]), help="Only this language.")
@click.option(
    "--engine", default=None, type=click.Choice(["espeak", "piper"]), help="What speaks. [default: espeak]"
)
@click.option(
    "--model", default=None, type=click.Path(path_type=Path), help="A piper voice (FILE.onnx) of yours."
)
@click.option("--rate", default=None, type=click.IntRange(80, 300), help="Words a minute. [default: 160]")
@click.option("--name", "names", multiple=True, help="A player's name, rendered ahead too.")
@click.option("--list", "listed", is_flag=True, help="Every spoken phrase, its clips, and their file names.")
@click.option("--calibrate", is_flag=True, help="Measure by microphone how late sounds are heard.")
@click.option(
    "--tap", is_flag=True, help="The same without a microphone: press Enter in time with the ticks."
)
@click.option("--device", default="", help="The speaker, by a part of its name. [default: the usual one]")
@click.option("--microphone", default="", help="The microphone, likewise.")
def voice(**given: Any) -> None:
    """Render every spoken phrase ahead; own recordings come first. Or measure the delay of the speaker.

    \b
    companion voice
    companion voice --engine piper --model thorsten.onnx --lang de
    companion voice --list --lang en
    companion voice --calibrate
    """
    from companion.voicing import voiced  # noqa: PLC0415  # numpy is loaded only where it is used

    voiced(given, click.echo)


@main.command("print")
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
    from companion.reports import printed  # noqa: PLC0415  # reportlab is loaded only where it is used

    click.echo(printed(game, output, **given))


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{file}: {fault}. Name a JSON file, or - for standard input") from fault
