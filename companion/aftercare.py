"""Commands for after an evening: a report of a problem, the league of a club."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--journal", type=click.Path(path_type=Path), help="The journal of the table.")
@click.option("--config", "settings", type=click.Path(path_type=Path), help="companion.toml of this table.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file. [default: by day and time]")
def bundle(journal: Path | None, settings: Path | None, output: Path | None) -> None:
    """Write a report of a problem: journal, log, doctor, versions; without names, passwords or PIN.

    While the table runs, the button on /op does it.

    \b
    sudo companion bundle --config /etc/companion/companion.toml --journal /var/lib/companion/journal.db
    companion replay companion-report-20261130-2015.zip
    """
    from companion.bundling import left  # noqa: PLC0415  # only this command reports

    name, content = left(settings, journal)
    target = output or Path(name)
    try:
        target.write_bytes(content)
    except OSError as fault:
        raise click.ClickException(
            f"{target}: {fault.strerror}. Name a .zip in a folder that exists"
        ) from fault
    click.echo(f"{target}: {len(content) // 1000 + 1} kB. Names, passwords and PIN are left out.")
    click.echo("Look into it before you give it away: log.txt is what the device said.")
