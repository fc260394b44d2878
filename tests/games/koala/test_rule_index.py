"""Every rule of the rulebook has its home: a case, a test that names it, or people who do it themselves."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
# What people do without any help of a program, and why no program could.
PEOPLE = {
    "KOALA-AUC-09": "black keeps its cards to itself: nobody but black knows them",
    "KOALA-SET-09": "feast cards are laid ready by hand",
    "KOALA-SET-10": "people shuffle and make room",
    "KOALA-SET-11": "black may look over white's shoulder",
    "KOALA-SET-13": "team cards stay in the box",
    "KOALA-TEAM-03": "the drawn team card is kept secret in the hand",
    "KOALA-TEAM-05": "black may look at white's team card",
    "KOALA-IDEA-01": "the aim of the game; the score test counts it",
    "KOALA-SET-04": "names of things: they are the words of the code",
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
