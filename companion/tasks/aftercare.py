"""Commands for after an evening: a report of a problem, the league of a club."""

from __future__ import annotations

import json
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


@click.command()
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path), metavar="FILE_OR_FOLDER...")
@click.option("--mqtt", "asked", is_flag=True, help="Also what the broker of [mqtt] in the settings keeps.")
@click.option(
    "--config", "settings", type=click.Path(path_type=Path), help="companion.toml with that [mqtt]."
)
@click.option("--game", default=None, help="Only this game.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option("--csv", "sheet", type=click.Path(path_type=Path), help="Also write a spreadsheet: FILE.csv.")
@click.option("--html", "page", type=click.Path(path_type=Path), help="Also write one page: FILE.html.")
def club(
    sources: tuple[Path, ...], asked: bool, settings: Path | None, game: str | None, lang: str, as_json: bool,
    sheet: Path | None, page: Path | None,
) -> None:  # fmt: skip
    """The results of several tables in one league table. A game that several have kept counts once.

    Sources: archives (journal.games.db beside each table's journal), exports from /history (games.json), or
    folders of both; the tables' names are those of their files.

    \b
    companion club table-1.games.db table-2.games.db --html league.html
    companion club results/ --game koala --json
    companion club --mqtt --config companion.toml
    """
    from companion.tasks.league import collected  # noqa: PLC0415  # only this command collects
    from companion.wire import league  # noqa: PLC0415  # as above

    table = league.league(collected(sources, settings if asked else None, asked, click.echo), game)
    for target, content in ((sheet, league.as_csv(table)), (page, league.as_html(table, lang))):
        if target is not None:
            try:
                target.write_text(content, "utf-8")
            except OSError as fault:
                raise click.ClickException(
                    f"{target}: {fault.strerror}. Name a file in a folder that exists"
                ) from fault
    click.echo(json.dumps(league.plain(table), ensure_ascii=False) if as_json else league.text(table, lang))
