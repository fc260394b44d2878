"""Inside a Debian of its own: what a maker does with the table, and how it takes it. Prints figures as JSON.

Run by the system's Python; only the standard library is there.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
import urllib.request
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

SOURCE, STATE = Path("/root/companion"), Path("/var/lib/companion")
HEALTH = "http://127.0.0.1:8080/healthz"
CRASHES = 100
PLAY = """
import json, sys, urllib.request
from websockets.sync.client import connect
base, pin = "http://127.0.0.1:8080", sys.argv[1]
ask = urllib.request.Request(base + "/op/pin", json.dumps({"pin": pin}).encode(), {"content-type": "application/json", "origin": base})
cookie = urllib.request.urlopen(ask).headers["set-cookie"].partition(";")[0]
with connect("ws://127.0.0.1:8080/ws?page=op", origin=base, additional_headers={"cookie": cookie}) as line:
    def state():
        while True:
            told = json.loads(line.recv(timeout=20))
            if told["t"] == "state":
                return told
    def do(what, args, number):
        rev = state()["rev"]
        line.send(json.dumps({"t": "cmd", "id": f"{number:032x}", "rev": rev, "do": what, "args": args}))
        while (told := json.loads(line.recv(timeout=20)))["t"] != "ack":
            pass
        assert told["ok"], told
    if sys.argv[2] == "open":
        do("open", {"game": "koala", "players": ["Mia", "Paul", "Ada"], "options": {}, "seed": 1}, 1)
        do("press", {"player": "Mia", "button": "bid"}, 2)
    told = state()
    print(json.dumps({"rev": told["rev"], "phase": told["view"] and told["view"]["phase"], "health": told["health"]}))
"""


def run(*command: str, quiet: bool = True) -> str:
    """A command that must succeed; what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    if not quiet:
        print(done.stdout)
    return done.stdout


def serving(patience: float = 30.0) -> float:
    """Seconds until the table answers."""
    started = time.monotonic()
    while time.monotonic() - started < patience:
        try:
            with urllib.request.urlopen(HEALTH, timeout=1) as answer:  # our own address
                if answer.status == 200:
                    return time.monotonic() - started
        except OSError:
            time.sleep(0.02)
    raise SystemExit(
        f"not serving after {patience} s\n" + run("journalctl", "-u", "companion", "-n", "40", "--no-pager")
    )


def main_pid() -> int:
    return int(run("systemctl", "show", "companion", "-p", "MainPID", "--value"))


def asked(what: str) -> Any:
    """The table's state as the operator sees it; "open" opens a game first."""
    pin = run("companion", "pin", "--journal", str(STATE / "journal.db")).strip()
    return json.loads(run("/opt/companion/venv/bin/python", "-c", PLAY, pin, what))


def fallen(how: Callable[[int], None]) -> float:
    """Seconds from a fall until another process serves."""
    old = main_pid()
    how(old)
    started = time.monotonic()
    while main_pid() in (old, 0):
        if time.monotonic() - started > 30:
            raise SystemExit(
                "never started again\n" + run("journalctl", "-u", "companion", "-n", "40", "--no-pager")
            )
        time.sleep(0.02)
    serving()
    return time.monotonic() - started


def files() -> set[str]:
    """Every file and folder that an installation could leave."""
    found = run("find", "/etc", "/opt", "/usr/local", "/var/lib", "/home", "/srv", "-xdev").split("\n")
    own = (
        "/etc/systemd/system/multi-user.target.wants/inside",
        "/var/lib/systemd",
        "/var/lib/private",
        "/etc/.pwd.lock",
    )
    backups = {"/etc/passwd-", "/etc/group-", "/etc/shadow-", "/etc/gshadow-", "/etc/subuid-", "/etc/subgid-"}
    return {path for path in found if path and not path.startswith(own) and path not in backups}


def uncompiled() -> list[str]:
    """Modules of the table that every start would have to compile: its user may not write beside them."""
    homes = Path("/opt/companion/venv/lib").glob("python*/site-packages/companion")
    modules = [path for home in homes for path in home.rglob("*.py")]
    assert modules, "the table is installed"
    return [str(path) for path in modules if not Path(cache_from_source(str(path))).exists()]


def people() -> str:
    return "".join(Path(name).read_text() for name in ("/etc/passwd", "/etc/group"))


def install() -> dict[str, Any]:
    """First boot: installed twice, played, hung, killed; what it needs and how safe it is."""
    Path("/root/before.json").write_text(json.dumps([sorted(files()), people()]))
    dry = run(str(SOURCE / "deploy" / "install.sh"), "--dry-run", "--no-apt")
    changed = sorted(files() - set(json.loads(Path("/root/before.json").read_text())[0]))
    started = time.monotonic()
    run(str(SOURCE / "deploy" / "install.sh"), "--no-apt")
    serving()
    took = time.monotonic() - started
    opened = asked("open")
    once = files()
    run(str(SOURCE / "deploy" / "install.sh"), "--no-apt")
    serving()
    again = asked("look")
    hang = fallen(lambda pid: os.kill(pid, signal.SIGSTOP))
    crashes = [fallen(lambda pid: os.kill(pid, signal.SIGKILL)) for _ in range(CRASHES)]
    kept = asked("look")
    exposure = run("systemd-analyze", "security", "companion.service", "--no-pager").strip().split("\n")[-1]
    status = Path(f"/proc/{main_pid()}/status").read_text().split()
    memory = int(status[status.index("VmRSS:") + 1]) / 1024
    return {
        "phase": "install", "debian": Path("/etc/debian_version").read_text().strip(),
        "python": run("/opt/companion/venv/bin/python", "-V").strip(),
        "uncompiled": uncompiled()[:5], "dry_run_changed": changed, "dry_run_lines": dry.count("\n"), "install_s": round(took, 1),
        "opened": opened, "after_second_install": again, "second_install_changed": sorted(files() - once)[:5],
        "hang_s": round(hang, 2), "crashes": len(crashes), "crash_max_s": round(max(crashes), 2),
        "crash_median_s": round(sorted(crashes)[len(crashes) // 2], 2), "after_crashes": kept,
        "exposure": float(re.findall(r"[\d.]+", exposure.partition("service:")[2])[0]), "memory_mb": round(memory),
    }  # fmt: skip


def after_reboot() -> dict[str, Any]:
    """Second boot: the game is there without a hand being lifted; then everything is removed."""
    serving()
    kept = asked("look")
    doctor = subprocess.run(["companion", "doctor", "--json"], capture_output=True, text=True, check=False)
    run(str(SOURCE / "deploy" / "install.sh"), "--uninstall", "--keep-games")
    games = (STATE / "journal.db").exists()
    run(str(SOURCE / "deploy" / "install.sh"), "--no-apt")
    serving()
    resumed = asked("look")
    run(str(SOURCE / "deploy" / "install.sh"), "--uninstall", "--yes")
    before, names = json.loads(Path("/root/before.json").read_text())
    return {
        "phase": "after_reboot", "kept": kept, "doctor": doctor.stdout[:2000], "kept_games": games, "resumed": resumed,
        "left_over": sorted(files() - set(before)), "left_people": people() != names,
    }  # fmt: skip


def card() -> dict[str, Any]:
    """First boot of a prepared card: the table is there, and nothing is left that would install it again."""
    serving()
    left = [str(path) for path in Path("/etc/systemd/system").rglob("companion-setup*")]
    return {"phase": "card", "opened": asked("open"), "left": left}


if __name__ == "__main__":
    phase = Path("/root/phase").read_text().strip()
    try:
        told = {"install": install, "after_reboot": after_reboot, "card": card}[phase]()
    except (SystemExit, Exception) as fault:  # whatever it is, it must leave the box as a result
        told = {"phase": phase, "fault": f"{fault}\n{traceback.format_exc()[-1500:]}"}
    Path("/root/result.json").write_text(json.dumps(told) + "\n")
    sys.exit(0)
