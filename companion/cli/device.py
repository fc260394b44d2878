"""Commands for the device: its settings, health, PIN and voice."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click


@click.command()
@click.option("--journal", type=click.Path(path_type=Path), help="The journal of the table that runs.")
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
def pin(journal: Path | None, settings: Path | None) -> None:
    """The operator's PIN of the table that runs on this device.

    \b
    sudo companion pin --config /etc/companion/companion.toml
    """
    from companion import config  # noqa: PLC0415  # msgspec is loaded only where it is used
    from companion.edges.pinned import pin_of  # noqa: PLC0415  # only this command asks

    click.echo(pin_of(journal or Path(config.load(settings).journal).expanduser()))


@click.command()
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
    from companion.tasks import setting_up  # noqa: PLC0415  # only this command looks for devices
    from companion.writing import is_there, save, writable  # noqa: PLC0415  # as above

    if is_there(output) and not force:
        raise click.ClickException(f"{output}: exists already. Name another file with -o, or use --force")
    if not is_there(output):
        writable(output, "-o")
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
        if is_there(output):
            output.replace(output.with_name(output.name + ".old"))
    except OSError as fault:
        raise click.ClickException(
            f"{output}: {fault.strerror}. Name a file in a folder that exists"
        ) from fault
    save(output, text, "-o")
    click.echo(text)
    for hint in filter(None, (setting_up.silent(rig, output),)):
        click.echo(hint)
    click.echo(
        f"{output} is written. Next: companion doctor --config {output}, then companion run --config {output}"
    )


@click.command()
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

    found = tuple(practice.examined(settings, journal=journal, lang=lang))
    if as_json:
        click.echo(json.dumps([practice.plain(finding, lang) for finding in found], ensure_ascii=False))
    else:
        for line in practice.lines(found, lang, everything):
            click.echo(line)
    if any(finding.level == practice.BAD for finding in found):
        sys.exit(1)


@click.command()
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

    Both languages take about 330 MB in the home folder.

    \b
    companion voice
    companion voice --engine piper --model thorsten.onnx --lang de
    companion voice --list --lang en
    companion voice --calibrate
    """
    from companion.voicing import voiced  # noqa: PLC0415  # numpy is loaded only where it is used

    voiced(given, click.echo)
