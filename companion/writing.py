"""What a command makes goes into a file that a person named: nothing that is there already is lost for it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from companion.telling import BadOption

PDF, PNG, WAV = b"%PDF-", b"\x89PNG\r\n\x1a\n", b"RIFF"  # what such files begin with


def save(target: Path, content: str | bytes, option: str = "", over: bytes = b"") -> None:
    """Write a result into a new file, or nowhere. BadOption names file and remedy: something is there, or none can be.

    `option` is what named it ("-o"). A file that begins with `over` is an older result of its kind and is replaced:
    sheets are printed anew.
    """
    writable(target, option, over)
    named, raw = f"{option} {target}".strip(), content.encode() if isinstance(content, str) else content
    fresh = not target.exists()
    try:
        with target.open("xb" if fresh else "wb") as file:
            file.write(raw)
    except FileExistsError as fault:  # somebody was faster, or a link leads nowhere
        raise BadOption(_taken(named)) from fault
    except OSError as fault:
        if fresh:  # what is half written is none
            with suppress(OSError):
                target.unlink(missing_ok=True)
        raise BadOption(
            f"{named}: {fault.strerror}. Name a file in a folder that exists, with room for it"
        ) from fault


def writable(target: Path, option: str = "", over: bytes = b"") -> None:
    """Refuse a target before work is done for it, as `save` would: another file, a folder, or where there is none."""
    named = f"{option} {target}".strip()
    if "\x00" in named:
        raise BadOption(f"{named!r}: no file is called so. Name a file in a folder that exists")
    try:
        if target.is_dir():
            raise BadOption(f"{named}: that is a folder. Name a file in it")
        if target.exists() and not (target.is_fifo() or target.is_char_device()) and not _older(target, over):
            raise BadOption(_taken(named))
        if not target.parent.is_dir():
            raise BadOption(
                f"{named}: there is no folder {target.parent}. Name a file in a folder that exists"
            )
    except OSError as fault:
        raise BadOption(f"{named}: {fault.strerror}. Name a file in a folder that exists") from fault


def is_there(target: Path) -> bool:
    """Whether a file is there; False for what can be no file."""
    try:
        return target.is_file()
    except (OSError, ValueError):
        return False


def _older(target: Path, over: bytes) -> bool:
    """Whether a file is empty or an older result of the same kind."""
    if not over or not target.is_file():
        return False
    with target.open("rb") as file:
        return file.read(len(over)) in (b"", over)


def _taken(named: str) -> str:
    return f"{named}: exists already. Name a new file"
