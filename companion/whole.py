"""A file written whole or not at all: a pulled plug leaves the old one or the new one, never a piece."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def staged(path: Path, content: bytes) -> Iterator[None]:
    """A file that is on disk beside its place inside the block, and in its place behind it.

    Where the block or a write fails the old one stays. OSError: it cannot be written.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else its name may reach the disk before what stands in it
        yield
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name is on disk, too
    finally:
        os.close(folder)


def write(path: Path, content: bytes) -> None:
    """On disk when it returns. OSError: it cannot be written, and the old file stays."""
    with staged(path, content):
        pass
