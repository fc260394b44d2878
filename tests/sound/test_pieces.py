"""Sentences are cut at their placeholders into clips that exist; marks become pauses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.sound.pieces import BREATH_MS, TOGETHER_MS, Piece, cleaned, cut, fixed, spoken, words
from companion.table.phrases import Phrases

LEADS = Phrases(
    {"en": {"leads": "{name} leads with {count}, {next} to beat.", "pizza": "pizza", "one": "{name}."}}
)


def known(*texts: str) -> set[str]:
    return {*texts, *(str(number) for number in range(121))}


def pieces(parts: tuple[str, ...], *texts: str) -> list[str]:
    return [piece.words for piece in cut(parts, known(*texts).__contains__)[0]]


def test_fixed_words_are_what_stands_between_placeholders() -> None:
    assert fixed("{name} leads with {count}, {next} to beat.") == ("leads with", "to beat")
    assert fixed("{food}!") == ()
    assert fixed("KO!") == ("KO!",)


def test_a_question_and_a_shout_keep_their_melody() -> None:
    assert cleaned(" a feast? ") == "a feast?" and cleaned("Action cards!") == "Action cards!"
    assert cleaned(": , .") == ""


def test_a_sentence_is_its_parts_in_order_with_pauses_for_marks() -> None:
    parts = LEADS.parts("en", "leads", {"name": "Mia", "count": 3, "next": 4})
    found, missing = cut(parts, known("Mia", "leads with", "to beat").__contains__)
    assert found == (
        Piece("Mia", 0), Piece("leads with", TOGETHER_MS), Piece("3", TOGETHER_MS),
        Piece("4", BREATH_MS[","]), Piece("to beat", TOGETHER_MS),
    )  # fmt: skip
    assert missing == ()


def test_lists_of_names_or_cards_are_spoken_one_by_one() -> None:
    assert pieces(("Mia, Paul",), "Mia", "Paul") == ["Mia", "Paul"]
    assert pieces(("Mia + Anna Lena",), "Mia", "Anna Lena") == ["Mia", "Anna Lena"]
    assert pieces(("pizza, pizza, bump",), "pizza", "bump") == ["pizza", "pizza", "bump"]


def test_a_word_with_a_clip_of_its_own_is_not_taken_apart() -> None:
    assert pieces(("Hinz und Kunz",), "Hinz und Kunz", "Hinz", "Kunz") == ["Hinz und Kunz"]


def test_large_numbers_are_spoken_digit_by_digit() -> None:
    assert pieces(("120",)) == ["120"] and pieces(("305",)) == ["3", "0", "5"]


def test_names_with_their_points_are_spoken_as_both() -> None:
    assert pieces(("Mia 30, Anna Lena 7",), "Mia", "Anna Lena") == ["Mia", "30", "Anna Lena", "7"]
    assert pieces(("2 x pizza",), "pizza") == ["2", "pizza"]


def test_a_word_without_a_clip_is_named_and_the_rest_is_spoken() -> None:
    found, missing = cut(("Zoé", " draws ", "3"), known("draws").__contains__)
    assert [piece.words for piece in found] == ["draws", "3"] and missing == ("Zoé",)


def test_what_only_screens_show_is_not_rendered() -> None:
    assert (
        not spoken("did.bid") and not spoken("ruling.01") and spoken("say.leads") and spoken("no.wrong_food")
    )
    assert words({"did.bid": "bids", "say.a": "{name} leads", "beat.ko": "KO!"})[:2] == ("leads", "KO!")


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_text_is_cut_into_words_that_are_known_or_named(parts: list[str]) -> None:
    found, missing = cut(parts, lambda text: len(text) % 2 == 0)
    assert all(len(piece.words) % 2 == 0 and piece.words for piece in found)
    assert all(missing)
