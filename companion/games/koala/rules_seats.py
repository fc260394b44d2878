"""Who sits where, and how the four action cards move people: the rulebook over plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.koala.options import ruled
from companion.table.game import Refusal
from companion.table.things import Player, value

FOODS = ("pizza", "hamburger", "spaghetti")
ACTIONS = ("bump", "sticky_fingers", "ring_a_roses", "leapfrog")
CAVES = "abcdef"
LEFT, RIGHT = "left", "right"  # of a koala facing the table: clockwise, anticlockwise
DIRECTIONS = {LEFT: 1, RIGHT: -1}
WHITE, BLACK = "white", "black"
Food = Mapping[str, int]  # cards of each food in one cave


@value
class Seat:
    """One seat at the table with its cave: who sits there, and who stands behind."""

    white: Player | None = None
    black: Player | None = None


Seats = tuple[Seat, ...]  # clockwise


@value
class Path:
    """One walk from seat to seat, and what the walker becomes there."""

    player: Player
    start: int
    end: int
    becomes: str  # white or black


@value
class Moved:
    """The seats after a card, the walks in the order they happen, and who slid forward to become white."""

    seats: Seats
    walks: tuple[Path, ...] = ()
    slid_forward: tuple[Player, ...] = ()


def seating(players: tuple[Player, ...], teams: bool = False) -> Seats | Refusal:
    """Six sit at most; the others stand behind, spread as evenly as possible (seats floor(6 i / k))."""
    n = len(players)
    if not 3 <= n <= 10:
        return Refusal("KOALA-SET-01", "player_count", {"count": n})
    if teams and n < 4:
        return Refusal("KOALA-TEAM-01", "team_variant_needs_4", {"count": n})
    white, black = players[:6], players[6:]
    behind = {i * 6 // len(black): player for i, player in enumerate(black)} if black else {}
    return tuple(Seat(player, behind.get(i)) for i, player in enumerate(white))


def team_cards(n: int) -> tuple[int, int]:
    """Pairs of team cards and question marks for n players (deduced: the rulebook's table is lost)."""
    return (4, 2) if n == 10 else (n // 2, n % 2)


def seat_of(seats: Seats, player: Player) -> int:
    """The seat a player sits or stands at; KeyError for somebody who is not there."""
    for place, seat in enumerate(seats):
        if player in (seat.white, seat.black):
            return place
    raise KeyError(player)


def partner(seats: Seats, player: Player) -> Player | None:
    """The other one of a player's koalation; None for a single koala."""
    seat = seats[seat_of(seats, player)]
    return seat.black if seat.white == player else seat.white


def is_white(seats: Seats, player: Player) -> bool:
    """Whether a player sits at the table."""
    return seats[seat_of(seats, player)].white == player


def seated(seats: Seats, player: Player) -> bool:
    """Whether a player sits or stands at the table at all."""
    return any(player in (seat.white, seat.black) for seat in seats)


def stranger(seats: Seats, players: Iterable[Player]) -> Refusal | None:
    """That somebody is not at the table at all; None if everybody is."""
    names = [player for player in players if not seated(seats, player)]
    return Refusal("TABLE-PLAYER", "unknown_player", {"name": ", ".join(names)}) if names else None


def distance(seats: Seats, starter: Player, player: Player) -> tuple[int, int]:
    """How many seats clockwise from the starting player; white (0) before black (1) at one seat."""
    seat = seat_of(seats, player)
    return (seat - seat_of(seats, starter)) % len(seats), int(seats[seat].white != player)


def bump(
    seats: Seats, by: Player, target: Player, direction: str, rulings: Mapping[str, object] = {}
) -> Moved | Refusal:
    """A white koala moves one seat; whoever stands behind the koala he meets moves on, and so on."""
    if direction not in DIRECTIONS:
        return Refusal("KOALA-ACT-02", "direction", {"direction": direction})
    if not seated(seats, target):
        return Refusal("KOALA-ACT-01", "unknown_player", {"name": target})
    if by == target:
        return Refusal("KOALA-ACT-04", "bump_self", {"name": by})
    if not is_white(seats, target):
        return Refusal("KOALA-ACT-03", "bump_target_not_white", {"name": target})
    if not _may_bump(seats, by, target, rulings):
        return Refusal("KOALA-AMB-24", "not_own_white", {"name": target})
    now = list(seats)
    place = seat_of(seats, target)
    left_behind = now[place].black
    now[place] = Seat(left_behind)
    walks: list[Path] = []
    mover: Player | None = target
    for _ in range(len(seats)):
        start, place = place, (place + DIRECTIONS[direction]) % len(seats)
        there = now[place]
        assert mover is not None, "a chain goes on only while somebody is pushed"
        walks.append(Path(mover, start, place, WHITE if there.white is None else BLACK))
        if there.white is None:
            now[place] = Seat(mover)
            break
        now[place], mover = Seat(there.white, mover), there.black
        if mover is None:
            break
    else:
        raise AssertionError("a chain around the whole table cannot happen with ten players (KOALA-AMB-15)")
    return Moved(tuple(now), tuple(walks), () if left_behind is None else (left_behind,))


def _may_bump(seats: Seats, by: Player, target: Player, rulings: Mapping[str, object]) -> bool:
    """Whether a koala may bump this one: by ruling 24 not the white one of his own koalation."""
    return not ruled(rulings, 24, "not_own_white") or not seated(seats, by) or partner(seats, by) != target


def ring(seats: Seats, direction: str) -> Moved | Refusal:
    """All white koalas slide one seat at once; black ones stay, and slide forward where nobody arrives."""
    if direction not in DIRECTIONS:
        return Refusal("KOALA-ACT-09", "direction", {"direction": direction})
    step, n = DIRECTIONS[direction], len(seats)
    arriving = [seats[(place - step) % n].white for place in range(n)]
    now: list[Seat] = []
    slid: list[Player] = []
    for seat, white in zip(seats, arriving, strict=True):
        if white is None and seat.black is not None:
            slid.append(seat.black)
            now.append(Seat(seat.black))
        else:
            now.append(Seat(white, seat.black))
    walks = tuple(
        Path(seat.white, place, (place + step) % n, WHITE) for place, seat in enumerate(seats) if seat.white
    )
    return Moved(tuple(now), walks, tuple(slid))


def leap(seats: Seats, cave: int) -> Moved | Refusal:
    """The two koalas of a koalation swap places."""
    if not 0 <= cave < len(seats):
        return Refusal("KOALA-ACT-11", "unknown_cave", {"cave": cave})
    seat = seats[cave]
    if seat.white is None or seat.black is None:
        return Refusal("KOALA-ACT-11", "not_a_koalation", {"names": f"@zone.cave:{CAVES[cave]}"})
    now = (*seats[:cave], Seat(seat.black, seat.white), *seats[cave + 1 :])
    return Moved(now, (Path(seat.black, cave, cave, WHITE), Path(seat.white, cave, cave, BLACK)))


def sticky(seats: Seats, foods: Sequence[Food], cave: int, food: str) -> int | Refusal:
    """How many cards of one food are stolen from an unoccupied cave."""
    if not 0 <= cave < len(seats):
        return Refusal("KOALA-ACT-06", "unknown_cave", {"cave": cave})
    if seats[cave].white is not None:
        return Refusal("KOALA-ACT-06", "cave_occupied", {"cave": CAVES[cave]})
    if foods[cave].get(food, 0) == 0:  # no such food is nothing, too
        return Refusal("KOALA-ACT-07", "nothing_to_steal", {"food": f"@{food}"})
    return foods[cave][food]


def possible(
    action: str, seats: Seats, foods: Sequence[Food], by: Player, rulings: Mapping[str, object] = {}
) -> tuple[str, ...]:
    """Every way a card may be carried out; none: it can have no effect now (KOALA-AMB-05).

    "left:Mia" bumps Mia to the left, "left" slides the ring, "a" swaps at cave a, "a:pizza" steals there.
    """
    caves = range(len(seats))
    if action == "bump":
        whites = [s.white for s in seats if s.white is not None and s.white != by]
        targets = [white for white in whites if _may_bump(seats, by, white, rulings)]
        return tuple(f"{direction}:{target}" for target in targets for direction in DIRECTIONS)
    if action == "ring_a_roses":
        return (LEFT, RIGHT)
    if action == "leapfrog":
        return tuple(CAVES[cave] for cave in caves if seats[cave].white and seats[cave].black)
    if action == "sticky_fingers":
        return tuple(
            f"{CAVES[cave]}:{food}" for cave in caves for food in FOODS
            if isinstance(sticky(seats, foods, cave, food), int)
        )  # fmt: skip
    return ()


def _turned(direction: str, rulings: Mapping[str, object]) -> str:
    """A direction in the sense of these rules, whatever the table calls left (KOALA-AMB-01)."""
    other = {LEFT: RIGHT, RIGHT: LEFT}.get(direction, direction)
    return other if ruled(rulings, 1, "left_is_anticlockwise") else direction


def execute(
    action: str, seats: Seats, foods: Sequence[Food], by: Player, option: str,
    rulings: Mapping[str, object] = {},
) -> Moved | Refusal:  # fmt: skip
    """Carry a card out as its owner decided; for Sticky Fingers people stay and the caller moves the food."""
    first, _, second = option.partition(":")
    if action not in ACTIONS:
        return Refusal("KOALA-PLA-02", "not_an_action", {"card": f"@{action}"})
    if action == "bump":
        return bump(seats, by, Player(second), _turned(first, rulings), rulings)
    if action == "ring_a_roses":
        return ring(seats, _turned(option, rulings))
    if not first or first not in CAVES[: len(seats)]:
        return Refusal("KOALA-ACT-05", "unknown_cave", {"cave": first})
    if action == "leapfrog":
        return leap(seats, CAVES.index(first))
    stolen = sticky(seats, foods, CAVES.index(first), second)
    return stolen if isinstance(stolen, Refusal) else Moved(seats)
