"""A simulated game that cannot begin says why at once, and its persons touch no other game."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from companion.edges.journal import Journal, read
from companion.table.events import Opened, Setting
from companion.table.things import Player


def first_words(journal: Path, *more: str) -> str:
    """What the program says until it has refused; it would serve on."""
    arguments = ["-m", "companion", "run", "--sim", "--port", "0", "--journal", str(journal), *more]
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = ""
        for line in running.stdout:
            said += line
            if line.startswith("No simulated game"):
                running.send_signal(signal.SIGINT)
                break
        running.stdout.read()
    assert running.returncode == 0
    return said


def test_an_option_nobody_knows_is_told(tmp_path: Path) -> None:
    assert "There is no option moon" in first_words(tmp_path / "j.db", "--option", "moon=1")


def test_persons_leave_a_game_alone_that_is_under_way(tmp_path: Path) -> None:
    path, names = tmp_path / "j.db", tuple(Player(name) for name in ("Mia", "Paul"))
    held = Journal(path)
    held.append(1, Opened(Setting("wine", names, {})))
    held.close()
    assert "leave --sim away" in first_words(path, "--game", "koala")
    assert len(read(path)) == 1
