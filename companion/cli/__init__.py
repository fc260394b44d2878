"""The commands: what a person types, checked and handed to the room that does it."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import click

from companion.cli import cards, device, records, table
from companion.table.things import CompanionError
from companion.wire.foreign import visible

LANG = "companion.lang"  # where a run of a command keeps its language


def _in(lang: str, told: str) -> str:
    """A fault in the language of the command; a sentence that is not known stays English."""
    if lang != "de":
        return told
    from companion.edges.screen.german import lines_told  # noqa: PLC0415  # a fault only needs it

    return lines_told(told, lang)


class Friendly(click.Group):
    """Every fault of ours ends as one readable line and exit status 2, never as a traceback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As ever; the language of a command is the language of its faults, too."""
        ways = [f"--lang={lang}" for flag, lang in pairwise(args) if flag == "--lang"] + args
        ctx.meta[LANG] = next((lang for lang in ("de", "en") if f"--lang={lang}" in ways), None)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except click.Abort as fault:
            if sys.stdin.isatty():  # Ctrl-C at a terminal: who pressed it knows
                raise
            raise click.ClickException(
                "a question was not answered: there is no terminal to ask at. Nothing was kept. "
                f"Run it in a terminal, or see what it takes: companion {ctx.invoked_subcommand} --help"
            ) from fault
        except CompanionError as fault:
            told = _in(ctx.meta.get(LANG) or fault.lang, str(fault.args[0] if fault.args else fault))
            raise click.ClickException(
                visible(told, keep="\n")
            ) from fault  # much of it may be a foreign file's


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


for command in (
    table.run,
    table.sim,
    table.press_buttons,
    table.look,
    device.pin,
    device.setup,
    device.doctor,
    device.voice,
    cards.read_images,
    cards.score,
    cards.scan,
    cards.deck_of,
    cards.print_sheets,
    records.journal_of,
    records.replay,
    records.bundle,
    records.club,
):
    main.add_command(command)
