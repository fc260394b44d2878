"""Every rule of the rulebook has its home: a case, a test that names it, or people who do it themselves."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
# What people do without any help of a program, and why no program could.
PEOPLE = {
    "KUKA-CMP-04": "the corner tells people what a type is worth; screens and explanations tell it, too",
    "KUKA-SET-02": "surplus number cards go into the box by hand: rows beyond the players' do not exist",
    "KUKA-RND-01": "every round is the same: the phases follow each other without another way",
    "KUKA-AMB-18": "talking is not forbidden: the companion only says whether this table wants quiet",
}


def _named() -> str:
    files = [path for path in TESTS.rglob("*") if path.suffix in (".py", ".json") and path != Path(__file__)]
    return "\n".join(path.read_text("utf-8") for path in files)


def test_every_rule_id_of_ku_ka_koenig_is_named_by_a_case_or_a_test_or_done_by_people() -> None:
    named = _named()
    ids = (HERE / "rule_index.txt").read_text("utf-8").split()
    assert len(ids) == len(set(ids)) > 70
    assert [rule for rule in ids if rule not in named and rule not in PEOPLE] == []


def test_what_people_do_in_ku_ka_koenig_is_in_the_index() -> None:
    assert set(PEOPLE) <= set((HERE / "rule_index.txt").read_text("utf-8").split())
