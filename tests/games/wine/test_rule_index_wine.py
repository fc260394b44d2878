"""Every rule of Koala & Wine has its home: a case, a test that names it, or people who do it themselves."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
# What people do without any help of a program, and why no program could.
PEOPLE = {
    "WINE-ONL-01": "remarks on the online version: no rules of the table game",
}


def _named() -> str:
    files = [path for path in HERE.glob("*.py") if path != Path(__file__)]
    files += [TESTS / "cases" / "wine.cases.json", TESTS / "adapters" / "wine.py"]
    return "\n".join(path.read_text("utf-8") for path in files)


def _ids() -> list[str]:
    return (HERE / "rule_index.txt").read_text("utf-8").split()


def _spelled(named: str) -> set[str]:
    """Ids as they stand, the span "WINE-THI-01 to 03", and the rulings that tests carry in their names."""
    found = {rule for rule in _ids() if rule in named}
    for number in range(1, 36):
        if f"def test_{number:02d}_" in named or f"and_{number:02d}_" in named:
            found.add(f"WINE-AMB-{number:02d}")
    if "WINE-THI-01 to 03" in named:
        found |= {"WINE-THI-02", "WINE-THI-03"}
    return found


def test_every_rule_id_is_named_by_a_case_or_a_test_or_done_by_people() -> None:
    ids, spelled = _ids(), _spelled(_named())
    assert len(ids) == len(set(ids)) > 140
    assert [rule for rule in ids if rule not in spelled and rule not in PEOPLE] == []


def test_what_people_do_is_in_the_index_and_not_tested_beside_it() -> None:
    assert set(PEOPLE) <= set(_ids())
    assert not set(PEOPLE) & _spelled(_named())
