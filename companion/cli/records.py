"""Commands for what was played: journals, replays."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import click


@click.group("journal")
def journal_of() -> None:
    """Look at, export or back up a journal while no table has it open.

    \b
    companion journal verify ~/.local/state/companion/journal.db
    companion journal backup ~/.local/state/companion/journal.db evening.jsonl
    """


@journal_of.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def journal_verify(file: Path) -> None:
    """Check every row and the chain of their hashes; nothing is changed. A fault: exit status 1.

    \b
    companion journal verify ~/.local/state/companion/journal.db
    """
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals

    found = journal.verify(file)
    click.echo(f"{file}: {found.rows} rows, hash {found.hash}")
    if found.fault:
        click.echo(f"{file}: {found.fault}; good until row {found.rows}. companion run keeps the good part")
        sys.exit(1)


@journal_of.command("export")
@click.argument("file", type=click.Path(path_type=Path))
def journal_export(file: Path) -> None:
    """Print a journal as JSON lines, one event a line: what `companion replay` takes too.

    \b
    companion journal export ~/.local/state/companion/journal.db > evening.jsonl
    """
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals

    click.echo(journal.export(file), nl=False)


@journal_of.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def journal_backup(file: Path, target: Path) -> None:
    """Copy a journal's good rows to TARGET as JSON lines, and read the copy back. Rows that are lost: exit status 1.

    \b
    companion journal backup ~/.local/state/companion/journal.db evening.jsonl
    """
    from companion.edges import journal  # noqa: PLC0415  # only these commands read journals
    from companion.writing import save  # noqa: PLC0415  # loads every game's phrases

    content, fault = journal.saved(file)
    save(target, content)
    rows = len(journal.read(target)) if content else 0
    click.echo(f"{target}: {rows} events" + (f", hash {journal.verify(target).hash}" if rows else ""))
    if fault:
        click.echo(
            f"{file}: {fault}. The copy ends at row {rows}; what came behind it is lost to it. "
            "Keep the damaged file: companion run puts it aside and goes on with the same good rows"
        )
        sys.exit(1)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "de"]))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def replay(file: Path, lang: str, as_json: bool) -> None:
    """Play a journal again: print state, score and hash. A report of a problem: as a journal.

    A bundle of frames from /op: read anew.

    \b
    companion replay ~/.local/state/companion/journal.db
    companion replay evening.jsonl --json
    companion replay companion-20261130-2015.zip
    """
    from companion.tasks.replays import replayed  # noqa: PLC0415  # only this command reads journals

    click.echo(replayed(file, as_json, lang))


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
    from companion.writing import save, writable  # noqa: PLC0415  # as above

    if output is not None:
        writable(output, "-o")
    name, content = left(settings, journal)
    target = output or Path(name)
    save(target, content, "-o" if output else "")
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
    from companion.tasks.league import collected, known  # noqa: PLC0415  # only this command collects
    from companion.wire import league  # noqa: PLC0415  # as above
    from companion.writing import save, writable  # noqa: PLC0415  # as above

    for target, option in ((sheet, "--csv"), (page, "--html")):
        if target is not None:
            writable(target, option)
    results = collected(sources, settings if asked else None, asked, partial(click.echo, err=True))
    table = league.league(results, None if game is None else known(game, results))
    if sheet is not None:
        save(sheet, league.as_csv(table), "--csv")
    if page is not None:
        save(page, league.as_html(table, lang), "--html")
    click.echo(json.dumps(league.plain(table)) if as_json else league.text(table, lang))
