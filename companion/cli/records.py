"""Commands for what was played: journals, replays."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.group("journal")
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


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def replay(file: Path, as_json: bool) -> None:
    """Play a journal again: print state, score and hash. A bundle from /op: read its frames anew.

    \b
    companion replay ~/.local/state/companion/journal.db
    companion replay evening.jsonl --json
    companion replay companion-20261130-2015.zip
    """
    from companion.tasks.replays import replayed  # noqa: PLC0415  # only this command reads journals

    click.echo(replayed(file, as_json))
