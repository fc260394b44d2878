"""Every command, every bench and every page that there is stands in a guide, and no guide names one that is not."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from click import Context

from companion.cli import main
from companion.config import Boxes, Camera, Config, Mqtt, Screen, Seat, Voice
from companion.edges.screen.rights import ROUTES
from companion.shelf import folders

ROOT = Path(__file__).parents[1]
GUIDES = [ROOT / "README.md", ROOT / "deploy" / "README.md", ROOT / "firmware_profiles" / "README.md",
          *sorted((ROOT / "docs").glob("*.md"))]  # fmt: skip
TEXT = "\n".join(path.read_text("utf-8") for path in GUIDES)


def test_every_command_is_in_a_guide_and_every_named_command_exists() -> None:
    named = set(re.findall(r"\bcompanion (?:\|)?([a-z]+)\b", TEXT))
    there = set(main.list_commands(Context(main)))
    assert there <= named
    called = set(re.findall(r"`(?:sudo )?companion ([a-z]+)", TEXT)) | set(
        re.findall(r"^ {4}(?:sudo )?companion ([a-z]+)", TEXT, re.MULTILINE)
    )
    assert called <= there, called - there


def test_every_bench_is_in_the_readme_and_every_named_one_exists() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    there = {path.stem.removeprefix("bench_") for path in (ROOT / "tests" / "bench").glob("bench_*.py")}
    named = set(re.findall(r"bench-([a-z]+)", readme))
    assert named == there


def test_every_page_for_people_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    pages = {path for path in ROUTES if path.count("/") == 1 and "{" not in path and "." not in path}
    for page in pages - {"/", "/ws", "/healthz"}:
        assert f"`{page}`" in readme, page


def test_every_finding_of_the_doctor_is_on_the_page_of_faults() -> None:
    words = tomllib.loads((ROOT / "companion" / "doctor" / "words.en.toml").read_text("utf-8"))
    page = (ROOT / "docs" / "faults.md").read_text("utf-8")
    for code in (key.removesuffix(".do") for key in words if key.endswith(".do")):
        assert f"| `{code}` | {re.sub('[{}]', '', words[code])} |" in page, code


def test_every_setting_is_in_a_guide() -> None:
    for part in (Config, Mqtt, Camera, Voice, Boxes, Seat, Screen):
        for name in part.__dataclass_fields__:
            assert re.search(rf"\b{name}\b", TEXT), (part.__name__, name)


def test_every_game_has_a_guide_and_every_link_leads_somewhere() -> None:
    for game in folders():
        assert (ROOT / "docs" / f"{game}.md").exists(), game
    for guide in GUIDES:
        for target in re.findall(r"\]\(([^)#:]+)\)", guide.read_text("utf-8")):
            assert (guide.parent / target).exists(), (guide.name, target)
