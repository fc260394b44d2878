"""The options of a game: which there are, whether a table's wishes are among them, and what holds at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from companion.table.game import Option, Refusal
from companion.table.things import CompanionError

LONGEST_S = 3600  # the largest number that a setting without named values takes


class BadOption(CompanionError, ValueError):
    """No such option, or no such value for it; the text names the option and what is allowed."""


def ruling(prefix: str, number: int, allowed: tuple[str, ...]) -> Option:
    """The ruling PREFIX-nn; the first allowed value is the default, a lone one leaves no choice."""
    return Option(f"{prefix}-{number:02d}", allowed[0], allowed, f"ruling.{number:02d}")


class Options:
    """The options of one game. `prefix`: what its rulings' ids begin with ("KOALA-AMB")."""

    def __init__(
        self, prefix: str, options: Sequence[Option], *, others: tuple[str, ...] = (), numbers: str = ">= 0"
    ) -> None:
        """`others`: names that the game itself checks; `numbers`: how a Refusal tells what numbers are allowed."""
        self._prefix, self._others, self._numbers = prefix, others, numbers
        self._by_id = {option.id: option for option in options}

    def settle(self, given: Mapping[str, object]) -> dict[str, object] | Refusal:
        """All options, the table's values in place of defaults; a Refusal names the wrong one and the right."""
        settled: dict[str, object] = {option.id: option.default for option in self._by_id.values()}
        for name, chosen in given.items():
            if name in self._others:
                continue
            fault = self._fault(name, chosen)
            if fault is not None:
                return fault
            settled[name] = chosen
        return settled

    def option(self, chosen: Mapping[str, object], name: str) -> object:
        """The value of one option at a table, or its default; BadOption for an unknown option or value."""
        known = self._by_id.get(name)
        value = chosen.get(name, known.default if known is not None else None)
        fault = self._fault(name, value)
        if fault is None:
            return value
        raise BadOption(
            f"{fault.code}: " + ", ".join(f"{word} {said}" for word, said in fault.values.items())
        )

    def ruled(self, chosen: Mapping[str, object], number: int, setting: str) -> bool:
        """Whether the ruling of this number has this value at a table; an absent one has its default."""
        known = self._by_id[f"{self._prefix}-{number:02d}"]
        assert setting in known.allowed, f"{known.id} knows no {setting}"
        return chosen.get(known.id, known.default) == setting

    def _fault(self, name: str, chosen: object) -> Refusal | None:
        """What is wrong with an option's name, else with its value."""
        option = self._by_id.get(name)
        if option is None:
            return Refusal("TABLE-OPTION", "unknown_option", {"option": name, "meant": self._meant(name)})
        if _allowed(option, chosen):
            return None
        allowed = ", ".join(str(each) for each in option.allowed) or self._numbers
        return Refusal(
            "TABLE-OPTION", "wrong_value", {"option": name, "value": str(chosen), "allowed": allowed}
        )

    def _meant(self, name: str) -> str:
        """The option most like a name; of rulings the one with the same number; else which there are."""
        number = name.rpartition("-")[2]
        same = f"{self._prefix}-{int(number):02d}" if number.isdecimal() else ""
        if same in self._by_id:
            return same
        known = (*self._by_id, *self._others)
        by_case = {each.casefold(): each for each in reversed(known)}
        near = get_close_matches(name.casefold(), by_case, 1)
        return by_case[near[0]] if near else self._all(known)

    def _all(self, known: Sequence[str]) -> str:
        """The names of all options, the many rulings as their first and last."""
        rulings = [each for each in known if each.startswith(self._prefix)]
        short = [f"{rulings[0]} ... {rulings[-1]}"] if len(rulings) > 1 else rulings
        return ", ".join((*short, *(each for each in known if each not in rulings)))


def _allowed(option: Option, chosen: object) -> bool:
    if option.allowed:
        return any(type(chosen) is type(each) and chosen == each for each in option.allowed)
    return isinstance(chosen, int | float) and not isinstance(chosen, bool) and 0 <= chosen <= LONGEST_S
