"""What `companion run` was asked for on top of the settings, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.edges.starts import Told
from companion.table.things import value

if TYPE_CHECKING:  # a table that is not simulated loads nothing of it
    from companion.boxed import Plan


@value
class Evening:
    """What is played at a simulated table: `mess` is how often persons err, `pace` the seconds that an act takes."""

    game: str
    players: int | None
    seed: int | None
    mess: float
    pace: float
    options: Mapping[str, object]
    boxes: Plan | None


@value
class Asked:
    """`evening`: of a simulated table. `ill`: how the starts before failed; then no device is touched."""

    evening: Evening | None = None
    configured: bool = False
    host: str | None = None
    port: int | None = None
    lang: str | None = None
    ill: Told | None = None

    @property
    def quiet(self) -> bool:
        """Whether no voice is to come: in safe mode, and at a simulated table that nobody has set up."""
        return self.ill is not None or (self.evening is not None and not self.configured)
