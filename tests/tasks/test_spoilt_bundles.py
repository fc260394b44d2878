"""Bundles that somebody spoilt: every field of every row is checked when it is read, and no picture is a bomb."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.edges import bundles
from companion.edges.bundles import BadBundle

HEAD: dict[str, Any] = {
    "bundle": 1, "saved": "2026-11-30 20:15:00", "game": "koala", "marker_px": [12, 34], "watched": ["middle"],
}  # fmt: skip
ROW: dict[str, Any] = {
    "file": "frames/0000.jpg", "at": 5, "readings": [{"id": 7, "corners": [], "score": 1.0, "margin": 1.0}],
    "doubtful": [], "zones": {"middle": {"cards": ["pizza-01"], "held": ""}}, "strange": [],
    "said": [["middle", ["pizza-01"]]],
}  # fmt: skip
MISSING = object()
STRANGE: tuple[object, ...] = (
    MISSING,
    None,
    True,
    -1,
    1.5,
    float("nan"),
    "",
    "x",
    [],
    [1],
    [[1]],
    {},
    {"a": 1},
    10**30,
    "\ud800",
)
HEADS = ("game", "marker_px", "watched", "saved")
FIELDS = (
    ("file",), ("at",), ("readings",), ("readings", 0), ("readings", 0, "id"), ("zones",), ("zones", "middle"),
    ("zones", "middle", "cards"), ("zones", "middle", "held"), ("said",), ("said", 0), ("said", 0, 0), ("said", 0, 1),
)  # fmt: skip


def jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((30, 40), 90, np.uint8))[1].tobytes())


def flat(side: int) -> bytes:
    """The head of a PNG that claims to be this large."""
    part = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + part + struct.pack(">I", zlib.crc32(part))


def bundle(
    folder: Path, head: Any = HEAD, rows: Any = (ROW,), pictures: dict[str, bytes] | None = None
) -> Path:
    file = folder / "b.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("bundle.json", json.dumps(head))
        held.writestr("frames.jsonl", "\n".join(map(json.dumps, rows)))
        held.writestr("events.jsonl", "")
        for name, content in (pictures or {"frames/0000.jpg": jpeg()}).items():
            held.writestr(name, content)
    return file


def spoilt(whole: Any, field: tuple[str | int, ...], by: object) -> Any:
    made = deepcopy(whole)
    holder = made
    for step in field[:-1]:
        holder = holder[step]
    if by is MISSING:
        del holder[field[-1]]
    else:
        holder[field[-1]] = by
    return made


def ended(file: Path) -> str:
    """What `companion replay` says: an answer or one sentence, never a traceback."""
    done = CliRunner().invoke(main, ["replay", str(file)])
    assert done.exit_code in (0, 1) and (done.exception is None or isinstance(done.exception, SystemExit))
    assert done.exit_code == 0 or (str(file) in done.output and "/op" in done.output), done.output
    return done.output


def test_a_whole_bundle_is_read(tmp_path: Path) -> None:
    assert "1 frames" in ended(bundle(tmp_path))


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_a_field_of_another_kind_is_named_with_its_row(field: tuple[str | int, ...], tmp_path: Path) -> None:
    refused = 0
    for by in STRANGE:
        if field[-1] == 0 and by is MISSING:
            continue  # one fewer of a list is a list
        file = bundle(tmp_path, rows=(ROW | {"file": "frames/0001.jpg"}, spoilt(ROW, field, by)),
                      pictures={"frames/0000.jpg": jpeg(), "frames/0001.jpg": jpeg()})  # fmt: skip
        told = ended(file)
        if "row 2" in told:
            assert str(field[0]) in told, told
            refused += 1
    assert refused >= 8


@pytest.mark.parametrize("field", HEADS)
def test_a_field_of_the_head_is_named(field: str, tmp_path: Path) -> None:
    told = [ended(bundle(tmp_path, head=spoilt(HEAD, (field,), by))) for by in STRANGE]
    assert sum("bundle.json" in each and field in each for each in told) >= 8


@pytest.mark.parametrize("head", [None, [], "x", 5, {}, {"bundle": 2}, HEAD | {"marker_px": [34, 12]}])
def test_a_head_that_is_none_is_named(head: Any, tmp_path: Path) -> None:
    with pytest.raises(BadBundle):
        bundles.read(bundle(tmp_path, head=head))


@pytest.mark.parametrize("content", [b"", b"no picture", flat(30_000), b"\xff\xd8\xff\xd9"])
def test_no_picture_is_decoded_that_is_none_or_a_bomb(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadBundle, match=r"0000\.jpg"):
        bundles.read(bundle(tmp_path, pictures={"frames/0000.jpg": content}))


def test_a_picture_that_is_cut_off_is_named_when_it_is_looked_at(tmp_path: Path) -> None:
    assert "0000.jpg is no picture" in ended(bundle(tmp_path, pictures={"frames/0000.jpg": flat(40)}))


def test_one_picture_stands_for_one_frame_and_all_together_are_bounded(tmp_path: Path) -> None:
    assert "named twice" in ended(bundle(tmp_path, rows=(ROW, ROW)))
    names = [f"frames/{number:04d}.jpg" for number in range(110)]
    rows = [ROW | {"file": name} for name in names]
    assert "at most 2500" in ended(bundle(tmp_path, rows=rows, pictures=dict.fromkeys(names, flat(4990))))
    assert "at most 400" in ended(bundle(tmp_path, rows=[ROW] * 500))


def test_what_is_told_of_a_foreign_bundle_steers_no_terminal(tmp_path: Path) -> None:
    rows = [ROW | {"said": [["a\x1b[31m\u202e", ["b\nc"]]]}]
    told = ended(bundle(tmp_path, head=HEAD | {"saved": "\x1b[2J"}, rows=rows))
    assert not set(told) & set("\x1b\u202e") and "\nc" not in told
