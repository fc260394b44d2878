"""What a decoder says of a wrong entry of the settings, in words for whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Sequence

KINDS = {
    "int": "a whole number", "float": "a number", "str": 'a text in "quotes"', "bool": "true or false",
    "object": "a table of its own: [{entry}]", "array": "a list in [ ]", "null": "left out",
}  # fmt: skip
_EXPECTED = re.compile(r"Expected `([^`]+)`(?: of length (\d+))?, got `?([^`\s]+)`?")
_MISSING = re.compile(r"missing required field `(\w+)`")


def place_of(fault: str) -> tuple[str, str]:
    """Table and entry that a fault is about: ("screen", "port"); "" for the file itself."""
    path = fault.rpartition("- at `")[2].rstrip("`") if "- at `" in fault else "$"
    path = path.removeprefix("$").lstrip(".").split("[")[0]
    missing = _MISSING.search(fault)
    if missing is not None:
        return path, missing[1]
    place, _, entry = path.rpartition(".")
    return place, entry


def plainly(fault: str, choices: Sequence[str] = ()) -> str:
    """The fault with its entry, what stands there and what is allowed; `choices`: of an entry that has some."""
    place, entry = place_of(fault)
    named = f"[{place}] {entry}" if place else entry or "the file"
    if _MISSING.search(fault):
        return f"{named} is missing: write it, or leave [{place}] out"
    if choices:
        return f"{named}: choose {' or '.join(map(repr, choices))}"
    wanted = _EXPECTED.search(fault)
    if wanted is None:
        return f"{named}: {fault.partition(' - at ')[0]}; compare it with the README"
    allowed = " or ".join(
        KINDS.get(kind, kind).format(entry=entry) for kind in wanted[1].split(" | ") if kind != "null"
    )
    if wanted[2]:
        return f"{named}: {allowed} with {wanted[2]} entries is wanted, there are {wanted[3]}"
    given = KINDS.get(wanted[3], wanted[3]).format(entry=entry)
    return f"{named}: {allowed} is wanted, there stands {given}"
