"""Points: six types of cards, the same in both scorings; what stays after the first; who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from companion.games.kukakoenig.options import ruled
from companion.games.kukakoenig.rules_deck import EACH_ANIMAL, FARMERS, KINGS
from companion.table.game import Point, Refusal
from companion.table.things import Card, Player, Words, value

VP_VALUES = (2, 3, 4)
MOST_KINGS, CHURCHES, PAIR, TRIO = 36, 10, 7, 14
GREEN_TYPES = (
    "king",
    "knight",
    "animals",
)  # kings: rulebook; knights and animals: a public review, not verified
ALL_TYPES = ("king", "church", "vp", "knight", "animals", "farmer", "wife", "house")
TYPES = ("kings", "churches", "vp", "knights", "animals", "farm")
RULES = {  # the rule that opens each type's chapter
    "kings": "KUKA-KNG-01", "churches": "KUKA-CHU-01", "vp": "KUKA-VPC-01", "knights": "KUKA-KNI-01",
    "animals": "KUKA-ANI-02", "farm": "KUKA-FRM-01",
}  # fmt: skip


@value
class Held:
    """One player's collection by types: counts, the values of victory point cards, animals by name."""

    king: int = 0
    church: int = 0
    knight: int = 0
    farmer: int = 0
    wife: int = 0
    house: int = 0
    vp: tuple[int, ...] = ()
    animals: Mapping[str, int] = field(default_factory=dict)

    @property
    def cards(self) -> int:
        """How many cards in all."""
        singles = self.king + self.church + self.knight + self.farmer + self.wife + self.house
        return singles + len(self.vp) + sum(self.animals.values())


Tables = Mapping[Player, Held]


def held(cards: Iterable[Card]) -> Held:
    """A collection from its physical cards."""
    listed = list(cards)
    count = Counter(card.face for card in listed)
    vp = tuple(sorted(int(card.face.removeprefix("vp")) for card in listed if card.kind == "vp"))
    animals = Counter(card.face for card in listed if card.kind == "animal")
    return Held(
        count["king"], count["church"], count["knight"], count["farmer"], count["wife"], count["house"], vp,
        dict(animals),
    )  # fmt: skip


def fault(tables: Tables) -> Refusal | None:
    """Why collections cannot be right: more cards of a type than there are, or a value no card has."""
    animals: Counter[str] = Counter()
    for player, table in tables.items():
        strange = [each for each in table.vp if each not in VP_VALUES]
        if strange:
            return Refusal("KUKA-VPC-01", "vp_value", {"name": player, "value": strange[0]})
        animals.update(table.animals)
    for animal, count in animals.items():
        if count > EACH_ANIMAL:
            values: Words = {"animal": f"@{animal}", "count": count}
            rule = "KUKA-AMB-17"
            return Refusal(rule, "more_than_5_of_an_animal", values)
    for kind, most, rule in (("king", KINGS, "KUKA-CMP-06"), ("farmer", FARMERS, "KUKA-CMP-07")):
        count = sum(getattr(table, kind) for table in tables.values())
        if count > most:
            return Refusal(rule, f"{kind}_must_be_{most}", {"count": count, "wanted": most})
    return None


def kings(count: int) -> int:
    """Points for so many kings."""
    return min(MOST_KINGS, max(0, count - 1) ** 2)


def animal(count: int) -> int:
    """Points for so many of one animal."""
    return count * (count + 1) // 2


def farm(farmers: int, wives: int, houses: int) -> tuple[int, int]:
    """How many trios and how many pairs besides: the best grouping there is."""
    couples = min(farmers, wives)
    trios = min(couples, houses)
    return trios, couples - trios


def by_type(tables: Tables, rulings: Mapping[str, object] = {}) -> dict[str, tuple[Point, ...]]:
    """Every point of one scoring, type by type in the rulebook's order, each with its rule and reason."""
    return {kind: tuple(_SCORED[kind](tables, rulings)) for kind in TYPES}


def _kings(tables: Tables, _: Mapping[str, object]) -> list[Point]:
    return [
        Point(
            p, kings(t.king), "KUKA-KNG-02" if t.king > 7 else "KUKA-KNG-01", "score.kings", {"count": t.king}
        )
        for p, t in tables.items()
        if t.king
    ]


def _churches(tables: Tables, rulings: Mapping[str, object]) -> list[Point]:
    most = max((t.church for t in tables.values()), default=0)
    if most == 0 and ruled(rulings, 7, "nobody"):
        return []
    best = [p for p, t in tables.items() if t.church == most]
    rule, why = (
        ("KUKA-CHU-01", "score.churches") if len(best) == 1 else ("KUKA-CHU-03", "score.churches_tied")
    )
    lines = [Point(p, CHURCHES, rule, why, {"count": most}) for p in best]
    for player, table in tables.items():
        if player not in best and table.church:
            lines.append(Point(player, 0, "KUKA-CHU-02", "score.churches_few", {"count": table.church}))
    return lines


def _vp(tables: Tables, _: Mapping[str, object]) -> list[Point]:
    return [
        Point(
            p, sum(t.vp), "KUKA-VPC-01", "score.vp", {"cards": "+".join(map(str, sorted(t.vp, reverse=True)))}
        )
        for p, t in tables.items()
        if t.vp
    ]


def _knights(tables: Tables, _: Mapping[str, object]) -> list[Point]:
    most = max((t.knight for t in tables.values()), default=0)
    tied = sum(1 for t in tables.values() if t.knight == most) > 1
    lines = []
    for player, table in tables.items():
        if not table.knight:
            continue
        values = {"count": table.knight}
        if table.knight == most:
            rule, why = (
                ("KUKA-KNI-03", "score.knights_tied") if tied else ("KUKA-KNI-01", "score.knights_most")
            )
            lines.append(Point(player, 2 * table.knight, rule, why, values))
        else:
            lines.append(Point(player, table.knight, "KUKA-KNI-02", "score.knights", values))
    return lines


def _animals(tables: Tables, _: Mapping[str, object]) -> list[Point]:
    return [
        Point(p, animal(n), "KUKA-ANI-03", "score.animals", {"count": n, "animal": f"@{name}"})
        for p, t in tables.items()
        for name, n in sorted(t.animals.items())
        if n
    ]


def _farm(tables: Tables, _: Mapping[str, object]) -> list[Point]:
    lines = []
    for player, t in tables.items():
        trios, pairs = farm(t.farmer, t.wife, t.house)
        if trios:
            lines.append(Point(player, TRIO * trios, "KUKA-FRM-02", "score.trios", {"count": trios}))
        if pairs:
            lines.append(Point(player, PAIR * pairs, "KUKA-FRM-01", "score.pairs", {"count": pairs}))
        if t.farmer + t.wife + t.house and not trios + pairs:
            count = t.farmer + t.wife + t.house
            lines.append(Point(player, 0, "KUKA-FRM-03", "score.no_farm", {"count": count}))
    return lines


_SCORED: Mapping[str, Callable[[Tables, Mapping[str, object]], list[Point]]] = {
    "kings": _kings, "churches": _churches, "vp": _vp, "knights": _knights, "animals": _animals, "farm": _farm,
}  # fmt: skip


def kind_of(line: Point) -> str:
    """The type a line of the score belongs to, by its rule."""
    chapter = line.rule.rpartition("-")[0]
    return next(kind for kind, rule in RULES.items() if rule.startswith(chapter))


def sums(tables: Tables, rulings: Mapping[str, object] = {}) -> dict[Player, dict[str, int]]:
    """Points of each player by type, and "total"."""
    scored = by_type(tables, rulings)
    out = {}
    for player in tables:
        own = {kind: sum(p.points for p in lines if p.who == player) for kind, lines in scored.items()}
        out[player] = {**own, "total": sum(own.values())}
    return out


def kept(table: Held, green: Iterable[str] = GREEN_TYPES) -> Held:
    """What of a collection stays after the first scoring: the green types; the rest goes back to the box."""
    stays = set(green)

    def count(kind: str) -> int:
        return int(getattr(table, kind)) if kind in stays else 0

    return Held(
        count("king"), count("church"), count("knight"), count("farmer"), count("wife"), count("house"),
        table.vp if "vp" in stays else (), table.animals if "animals" in stays else {},
    )  # fmt: skip


def winners(
    scores: Mapping[Player, tuple[int, ...]], cards: Mapping[Player, int] = {},
    rulings: Mapping[str, object] = {},
) -> tuple[dict[Player, int], tuple[Player, ...]]:  # fmt: skip
    """Totals of the scorings and who has most; equal totals share unless the table agreed on a tie-break."""
    totals = {player: sum(points) for player, points in scores.items()}
    ranks: dict[Player, tuple[int, ...]] = {player: (total,) for player, total in totals.items()}
    if ruled(rulings, 9, "second_scoring"):
        ranks = {player: (totals[player], sum(points[-1:])) for player, points in scores.items()}
    elif ruled(rulings, 9, "more_cards"):
        ranks = {player: (totals[player], cards.get(player, 0)) for player in scores}
    best = max(ranks.values(), default=())
    return totals, tuple(player for player, rank in ranks.items() if rank == best)
