"""Every rule of Rescue Club has its home: a case, a test that names it, or people who do it themselves."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
# What people do without any help of a program, or what a picture shows; and why nothing is left to test.
PEOPLE = {
    "RESC-EXA-01": "picture examples of the rulebook: the cases show the same",
    "RESC-TUR-00": "what an area and its sign are: words of the map file",
}


def _named() -> str:
    files = [path for path in TESTS.rglob("*") if path.suffix in (".py", ".json") and path != Path(__file__)]
    return "\n".join(path.read_text("utf-8") for path in files)


def _spelled_out(text: str) -> str:
    """ "RESC-BAD-01 to RESC-BAD-05" names five rules."""
    import re

    for group, first, last in re.findall(r"RESC-([A-Z]+)-(\d+) to RESC-\1-(\d+)", text):
        text += "".join(f"\nRESC-{group}-{n:02d}" for n in range(int(first), int(last) + 1))
    return text


def test_every_rule_id_is_named_by_a_case_or_a_test_or_done_by_people() -> None:
    named = _spelled_out(_named())
    ids = (HERE / "rule_index.txt").read_text("utf-8").split()
    assert len(ids) == len(set(ids)) > 90
    rulings = {f"RESC-AMB-{n:02d}" for n in range(1, 22)}  # each has its test in test_rescue_rulings.py
    assert rulings <= set(ids)
    assert [rule for rule in ids if rule not in named and rule not in PEOPLE and rule not in rulings] == []


def test_every_ruling_has_a_test_of_its_own() -> None:
    text = (HERE / "test_rescue_rulings.py").read_text("utf-8")
    missing = [n for n in range(1, 22) if f"def test_{n:02d}_" not in text and f"_and_{n:02d}_" not in text]
    assert missing == []


def test_what_people_do_is_in_the_index() -> None:
    assert set(PEOPLE) <= set((HERE / "rule_index.txt").read_text("utf-8").split())
