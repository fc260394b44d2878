"""Every rule of the rulebook has its home: a case, a test that names it, or people who do it themselves."""

from __future__ import annotations

from pathlib import Path

from companion.games.karnivore.options import RULINGS

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
# What people do without any help of a program, and why no program could.
PEOPLE = {
    "KARN-SET-05": "the king stands for the tribe: its owner's place on the table says so",
    "KARN-SET-06": "kings that nobody drew go back to the box by hand",
    "KARN-SET-09": "people shuffle and make room for the discard pile",
    "KARN-SET-11": "hands are secret: the companion never asks what is in one",
    "KARN-PLA-03": "cards lie face up, or no camera and nobody else could read them",
    "KARN-DIC-06": "the rulebook's example; it is case KARN-C010",
    "KARN-SKU-08": "the rulebook's example; it is case KARN-C020",
    "KARN-BAC-01": "an introduction without a rule",
}


def _named() -> str:
    files = [path for path in TESTS.rglob("*") if path.suffix in (".py", ".json") and path != Path(__file__)]
    return "\n".join(path.read_text("utf-8") for path in files)


def test_every_rule_id_is_named_by_a_case_or_a_test_or_done_by_people() -> None:
    named = _named()
    ids = (HERE / "rule_index.txt").read_text("utf-8").split()
    assert len(ids) == len(set(ids)) > 100
    assert [rule for rule in ids if rule not in named and rule not in PEOPLE] == []


def test_what_people_do_is_in_the_index() -> None:
    assert set(PEOPLE) <= set((HERE / "rule_index.txt").read_text("utf-8").split())


def test_each_ruling_of_the_index_is_an_option() -> None:
    ids = (HERE / "rule_index.txt").read_text("utf-8").split()
    assert [rule for rule in ids if "-AMB-" in rule] == [ruling.id for ruling in RULINGS]
