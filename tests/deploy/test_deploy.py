"""The installer as far as it can be held without root; the whole of it runs in nspawn.sh (make test-deploy)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.doctor.devices import BOXES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def test_a_dry_run_names_every_change_and_makes_none(tmp_path: Path) -> None:
    done = subprocess.run(
        [DEPLOY / "install.sh", "--dry-run", "--no-apt", "--kiosk"],
        capture_output=True,
        text=True,
        check=True,
    )
    would = [line for line in done.stdout.splitlines() if line.startswith("would: ")]
    for named in ("useradd", "venv", "companion.service", "70-companion.rules", "companion-kiosk.service"):
        assert any(named in line for line in would), named


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    done = subprocess.run([DEPLOY / "install.sh", "--kisok"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "--kiosk" in done.stderr and "unknown option --kisok" in done.stderr


@pytest.mark.skipif(
    shutil.which("shellcheck") is None and "CI" not in os.environ, reason="apt install shellcheck"
)
def test_the_scripts_are_sound() -> None:
    scripts = [*sorted(DEPLOY.glob("*.sh")), ROOT / "tests" / "deploy" / "nspawn.sh", ROOT / ".ci" / "run"]
    subprocess.run(["shellcheck", *map(str, scripts)], check=True)


def part(name: str) -> str:
    """A function of the installer."""
    found = re.search(
        rf"^{name}\(\) \{{.*?^\}}", (DEPLOY / "install.sh").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return found[0]


def bash(*lines: str) -> subprocess.CompletedProcess[str]:
    """What some lines of bash do where nobody answers."""
    return subprocess.run(
        ["bash", "-c", "\n".join(("set -euo pipefail", *lines))], capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_wheels_are_found_in_a_folder_with_spaces(tmp_path: Path) -> None:
    here = tmp_path / "from a USB stick"
    (here / "deploy" / "wheels").mkdir(parents=True)
    done = bash(
        f'HERE="{here}" APP="{tmp_path}/app" CONFIG="{tmp_path}" DRY=1', "on_a_pi() { false; }",
        "do_() { printf '<%s>' \"$@\"; echo; }", "say() { :; }", part("install_app"), "install_app",
    )  # fmt: skip
    asked = [line for line in done.stdout.splitlines() if "<--find-links>" in line]
    assert len(asked) == 2 and all(
        f"<--find-links><{here}/deploy/wheels><companion>" in line for line in asked
    )


def test_games_are_not_deleted_where_nobody_can_be_asked_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    done = bash(
        f'STATE="{tmp_path}" KEEP=0 YES=0 DRY=0', "do_() { echo did: \"$@\"; }",
        "die() { echo \"$*\" >&2; exit 1; }", part("uninstall"), "uninstall",
    )  # fmt: skip
    assert done.returncode == 1 and "did:" not in done.stdout
    assert "--keep-games" in done.stderr and "nothing was removed" in done.stderr


def test_nothing_is_installed_into_the_systems_python() -> None:
    for script in (DEPLOY / "install.sh", ROOT / "Makefile"):
        for line in script.read_text("utf-8").splitlines():
            if re.search(r"\bpip\b.*\binstall\b", line) and not line.strip().startswith("#"):
                assert "venv" in line or "$(BIN)" in line, line


def test_the_unit_is_never_dead_and_whatever_hangs_serves_again_within_six_seconds() -> None:
    unit = (DEPLOY / "companion.service").read_text("utf-8")
    assert "StartLimitIntervalSec=0" in unit and "Restart=always" in unit and "Type=notify" in unit
    seconds = re.search(r"WatchdogSec=(\d+)", unit)
    assert seconds is not None
    from companion.edges.watchdog import EVERY_S, PATIENCE_S  # only this test compares them

    pause = re.search(r"RestartSec=(\d+)ms", unit)
    assert pause is not None
    start = 1.5  # a second here, and something for a slower machine
    for silent in (PATIENCE_S + EVERY_S, float(seconds[1])):  # a part hangs; all of it does
        assert silent + int(pause[1]) / 1000 + start <= 6
    assert int(seconds[1]) >= 5 * EVERY_S


@pytest.mark.parametrize("told", ["Error: the screens cannot be served on port 8080. Try --port 8081", ""])
def test_an_installed_table_that_does_not_open_says_why_and_what_to_do(told: str) -> None:
    done = bash(
        "CONFIG=/etc/c STATE=/var/lib/c", "die() { echo \"$*\" >&2; exit 1; }",
        f"journalctl() {{ printf '%s\\n' 'Started.' '{told}' 'Main process exited'; }}", part("unopened"), "unopened",
    )  # fmt: skip
    assert done.returncode == 1 and "sudo companion doctor --config /etc/c/companion.toml" in done.stderr
    assert (told or "journalctl -u companion") in done.stderr and "Started" not in done.stderr
    assert "systemctl restart companion.service || unopened" in part("install_units")


@pytest.mark.parametrize("target", ["3.11-aarch64", "3.13-aarch64", "3.11-x86_64", "3.13-x86_64"])
def test_every_wheel_is_asked_for_as_a_wheel_and_for_the_right_machine(target: str) -> None:
    sys.path.insert(0, str(DEPLOY))
    from wheels import command  # a script beside the installer, not a package

    words = command(target, Path("x"))
    assert "--only-binary=:all:" in words and words[words.index("--python-version") + 1] == target[:4]
    assert all(word.endswith(target[5:]) for word in words if word.startswith("manylinux"))
    assert any(word.startswith("opencv-python-headless") for word in words)


@pytest.mark.deploy
@pytest.mark.parametrize("target", ["3.11-aarch64", "3.13-aarch64"])
def test_a_pi_finds_a_wheel_for_everything(target: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, DEPLOY / "wheels.py", target, tmp_path], check=True)
    names = {path.name.partition("-")[0] for path in tmp_path.glob("*.whl")}
    assert {"numpy", "opencv_python_headless", "gpiozero", "starlette", "sounddevice"} <= names


@pytest.mark.deploy
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_a_table_is_installed_played_hung_killed_and_removed(suite: str) -> None:
    done = subprocess.run(
        [ROOT / "tests" / "deploy" / "nspawn.sh", suite], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHON_HERE": sys.executable},
    )  # fmt: skip
    if done.returncode == 77:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    install, after, card = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    print(json.dumps([install, after, card], indent=1))
    assert not any("fault" in told for told in (install, after, card)), (install, after, card)
    assert card["opened"]["phase"] == "deal" and card["left"] == []
    assert install["crashes"] == 100
    assert install["dry_run_changed"] == [] and install["uncompiled"] == []
    assert (
        install["after_second_install"]["phase"]
        == install["after_crashes"]["phase"]
        == after["kept"]["phase"]
        == "deal"
    )
    assert install["hang_s"] <= 6.0
    assert install["exposure"] <= 2.0
    assert after["resumed"]["phase"] == "deal" and after["kept_games"]
    assert after["left_over"] == [] and not after["left_people"]


def test_a_hotspot_says_how_many_phones_it_takes_and_comes_after_known_networks() -> None:
    done = subprocess.run(
        [DEPLOY / "install.sh", "--dry-run", "--no-apt", "--hotspot=club-1"],
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [line for line in done.stdout.splitlines() if "nmcli connection add" in line]
    assert (
        "ssid club-1 mode ap" in line and "ipv4.method shared" in line and "autoconnect-priority -10" in line
    )
    assert line.endswith("psk (made when it is installed)") and "7 to 10 phones" in done.stdout
    plain = subprocess.run(
        [DEPLOY / "install.sh", "--dry-run", "--no-apt"], capture_output=True, text=True, check=True
    )
    assert "nmcli" not in plain.stdout


def test_a_dry_removal_does_not_say_that_anything_was_removed() -> None:
    command = [str(DEPLOY / "install.sh"), "--dry-run", "--uninstall"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Nothing was removed" in done.stdout and "Removed." not in done.stdout
    assert "would: rm -rf /opt/companion" in done.stdout


def test_every_kind_of_button_box_has_a_name_that_stays() -> None:
    rules = (DEPLOY / "70-companion.rules").read_text("utf-8").splitlines()
    named = {vendor: rule for rule in rules for vendor in BOXES if f'idVendor}}=="{vendor}"' in rule}
    assert set(named) == set(BOXES)
    for vendor, rule in named.items():
        assert "%k" not in rule and "%n" not in rule, (
            vendor
        )  # the kernel's number changes with the order of plugging
    assert "$env{ID_PATH}" in named["1a86"]  # a CH340 has no serial
    assert any('IMPORT{builtin}="path_id"' in rule for rule in rules[: rules.index(named["1a86"])])


def test_a_hotspots_name_is_no_command() -> None:
    done = subprocess.run(
        [DEPLOY / "install.sh", "--dry-run", "--hotspot=a b;c"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "letters, figures" in done.stderr


def test_a_hotspot_is_made_once_and_goes_with_the_rest(tmp_path: Path) -> None:
    nmcli = (
        'nmcli() { echo "$*" >>calls; '
        "if [[ \"$*\" == *'-f NAME connection show'* ]]; then cat known 2>/dev/null || true; fi; }"
    )
    here = [
        f'cd "{tmp_path}"',
        "say() { :; }",
        "die() { exit 1; }",
        "has() { true; }",
        'do_() { "$@"; }',
        nmcli,
    ]
    bash(*here, "DRY=0 SSID=companion HOTSPOT=companion-hotspot", part("make_hotspot"), "make_hotspot")
    assert "connection add type wifi" in (tmp_path / "calls").read_text()
    (tmp_path / "known").write_text("home\ncompanion-hotspot\n")
    (tmp_path / "calls").unlink()
    bash(*here, "DRY=0 SSID=companion HOTSPOT=companion-hotspot", part("make_hotspot"), "make_hotspot")
    assert "connection add" not in (tmp_path / "calls").read_text()
    assert "nmcli connection delete" in part("uninstall")


def card(tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Prepare a card whose second partition is a folder."""
    (tmp_path / "etc").mkdir(exist_ok=True)
    (tmp_path / "etc" / "os-release").write_text("ID=debian\n")
    return subprocess.run(
        [DEPLOY / "prepare-card.sh", str(tmp_path), *options], capture_output=True, text=True, check=False
    )


def test_a_prepared_card_installs_itself_once_at_its_first_start(tmp_path: Path) -> None:
    for _ in range(2):  # again without harm
        done = card(tmp_path, "--kiosk", "--hotspot=club")
        assert done.returncode == 0, done.stderr
    unit = (tmp_path / "etc/systemd/system/companion-setup.service").read_text()
    assert "ExecStart=/opt/companion-setup/deploy/first-boot.sh --kiosk --hotspot=club" in unit
    wants = tmp_path / "etc/systemd/system/multi-user.target.wants/companion-setup.service"
    assert (
        wants.is_symlink()
        and wants.resolve() == (tmp_path / "etc/systemd/system/companion-setup.service").resolve()
    )
    setup = tmp_path / "opt/companion-setup"
    assert (setup / "deploy/install.sh").exists() and (setup / "companion/cli/").exists()
    assert not (setup / ".git").exists() and not (setup / ".venv").exists()
    assert (
        "rm -f /etc/systemd/system/multi-user.target.wants/companion-setup.service"
        in (setup / "deploy/first-boot.sh").read_text()
    )


def test_a_card_that_is_none_is_named(tmp_path: Path) -> None:
    empty = subprocess.run(
        [DEPLOY / "prepare-card.sh", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert empty.returncode == 1 and "no system is there" in empty.stderr
    assert card(tmp_path, "--uninstall").returncode == 1
    nothing = subprocess.run([DEPLOY / "prepare-card.sh"], capture_output=True, text=True, check=False)
    assert nothing.returncode == 1 and "second partition" in nothing.stderr
