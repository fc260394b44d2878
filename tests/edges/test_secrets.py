"""Only one seat's secret is changed, and every other output stays the same to the byte: for all five games.

Twins of one moment: the same table, but one player has answered a sealed question otherwise. What the table, the
operator and every other phone are sent, what is spoken, how lamps burn, which clocks run and what is exported must
not differ until the game opens the seals. Where a game knows no sealed question (Koala, Karnivore) a seat's
view must be the table's, so that there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scenes import people

from companion.edges import bundles
from companion.edges.journal import Journal
from companion.edges.screen.projection import Projection
from companion.house import News
from companion.running.eyes import Sight
from companion.shelf import deck, shelf
from companion.sim.evening import Told, play
from companion.sim.evenings import evening, folders
from companion.table import crank
from companion.table.crank import Turn
from companion.table.cues import Choose, Press
from companion.table.effects import Effect, Say
from companion.table.events import Chosen, Event, Setting
from companion.table.game import Operator, Seat, Table, Viewer
from companion.table.luck import Luck
from companion.table.record import record
from companion.table.session import Session
from companion.table.things import Player
from companion.wire import exports, screen_message
from companion.wiring import StillRig

SHELF = shelf()
SEALING = {"kukakoenig", "rescue", "wine"}  # games that ask somebody in secret
CHOSEN: dict[str, dict[str, object]] = {"rescue": {"depth": "full"}, "wine": {"extension": "all"}}
OPENS = ("ready",)  # an answer that ends a draft: the next test seals it
MOMENTS = 40  # of one game


def course(game: str, seed: int = 7) -> list[Session]:
    """A whole simulated game, moment by moment."""
    played = evening(game)
    count = max(played.few, min(4, played.many))
    chosen = played.options(0, count, CHOSEN.get(game, {}))
    rig = StillRig(Setting(game, people(count), chosen, seed), Journal(None))
    found: list[Session] = []
    plain = rig.ears.show

    def keep(session: Session | None, news: News) -> None:
        plain(session, news)
        if session is not None and (not found or found[-1] is not session):
            found.append(session)

    rig.ears.show = keep  # type: ignore[method-assign]  # an ear more
    try:
        play(
            played, rig, played.seat(deck(played.folder), people(count), Luck(seed), chosen), Told(), mess=0.1
        )
    finally:
        rig.close()
    return found


def courses(game: str) -> Iterator[Session]:
    """Game after game, until a test has seen enough."""
    for seed in range(7, 47):
        yield from course(game, seed)


def everything_but(session: Session, effects: tuple[Effect, ...], whose: Player) -> bytes:
    """All that leaves the companion at this moment, except to one player's own phone."""
    projection = Projection()
    heard = News(captions=tuple(each for each in effects if isinstance(each, Say)))
    others = [player for player in session.setting.players if player != whose]
    roles = ["table", "operator", *(f"seat:{player}" for player in others), "seat:Nobody who plays"]
    told = [screen_message.state(projection.state(session, heard, role)) for role in roles]
    viewers: list[Viewer] = [Table(), Operator(), *(Seat(player) for player in others)]
    looks = [repr(crank.look(session, viewer)) for viewer in viewers]
    steps = msgspec.json.encode(projection.steps(session))
    rest = repr((effects, crank.wake(session), crank.score(session)))
    return b"\n".join([*told, steps, *(text.encode() for text in (*looks, rest))])


def after(session: Session, event: Event) -> Turn | None:
    turn = crank.advance(SHELF, session, event)
    return turn if isinstance(turn, Turn) else None


def may_press(session: Session, player: Player) -> bool:
    return any(isinstance(cue, Press) and cue.player == player for cue in session.cues)


def sealed(session: Session) -> Iterator[tuple[Choose, Turn, Turn]]:
    """Pairs of moments that differ in one player's sealed answer only; nothing opens by either."""
    asked = [cue for cue in session.cues if isinstance(cue, Choose) and cue.secret]
    for cue in asked:
        if cue.what == "offer" and len([each for each in asked if each.what == "offer"]) == 1:
            continue  # the last offer opens all of them
        kinds: dict[str, list[Turn]] = {}
        for option in cue.options:
            word, colon, _ = option.partition(":")
            turn = None if option in OPENS else after(session, Chosen(cue.player, cue.what, option))
            if turn is not None:  # that a draft can be closed now is no secret: the player's lamp says so
                kinds.setdefault(f"{word * bool(colon)} {may_press(turn.session, cue.player)}", []).append(
                    turn
                )
        for turns in kinds.values():
            if len(turns) > 1:
                yield cue, turns[0], turns[-1]


@pytest.mark.parametrize("game", sorted(SEALING))
def test_a_sealed_answer_changes_no_byte_for_anybody_else(game: str) -> None:
    compared = differing = 0
    for session in courses(game):
        for cue, one, two in sealed(session):
            compared += 1
            differing += one.session.state != two.session.state
            assert everything_but(one.session, one.effects, cue.player) == everything_but(
                two.session, two.effects, cue.player
            ), (cue.player, cue.what)
            own = [crank.look(turn.session, Seat(cue.player)) for turn in (one, two)]
            assert game == "wine" or own[0] != own[1] or one.session.state == two.session.state
        if compared >= MOMENTS:
            break
    assert differing > 4, "the twins did differ"


def test_a_sheet_that_is_finished_while_others_draw_changes_no_byte_either() -> None:
    """Rescue: two different drafts, both closed by "ready"; the others still draw."""
    compared = 0
    for session in course("rescue"):
        still = [cue for cue in session.cues if isinstance(cue, Choose) and cue.what == "draw"]
        if len(still) < 2:
            continue
        for cue, one, two in sealed(session):
            ends = [after(turn.session, Chosen(cue.player, "draw", "ready")) for turn in (one, two)]
            if ends[0] is None or ends[1] is None:
                continue
            compared += 1
            assert everything_but(ends[0].session, ends[0].effects, cue.player) == everything_but(
                ends[1].session, ends[1].effects, cue.player
            )
        if compared >= MOMENTS:
            break
    assert compared > 4


def bundle(session: Session, folder: Path) -> bytes:
    """What the operator saves of this moment."""
    folder.mkdir(exist_ok=True)
    file = Sight(folder, lambda: session).bundle()
    if file is None:
        return b""
    kept = bundles.read(folder / file[0])
    return repr((kept.events, {key: text for key, text in kept.table.items() if key != "at"})).encode()


@pytest.mark.parametrize("game", sorted(SEALING))
def test_a_bundle_saved_while_the_game_runs_tells_no_sealed_answer(game: str, tmp_path: Path) -> None:
    pairs = (pair for session in courses(game) for pair in sealed(session))
    few = list(islice(pairs, 3))
    assert len(few) == 3
    for n, (_, one, two) in enumerate(few):
        first = bundle(one.session, tmp_path / f"{n}a")
        assert first == bundle(two.session, tmp_path / f"{n}b")


@pytest.mark.parametrize("game", sorted(set(folders()) - SEALING))
def test_a_game_without_sealed_answers_has_nothing_on_a_phone_that_the_table_does_not_show(game: str) -> None:
    """The claim of Koala and Karnivore: hands are known to their holders only, and the companion never sees them."""
    for session in course(game):
        assert not [cue for cue in session.cues if isinstance(cue, Choose) and (cue.secret or cue.hidden)]
        table: Any = crank.look(session, Table())
        viewers: list[Viewer] = [Operator(), *(Seat(player) for player in session.setting.players)]
        for viewer in viewers:
            assert crank.look(session, viewer) == table


@pytest.mark.parametrize("game", folders())
def test_an_export_is_made_of_what_the_table_saw(game: str) -> None:
    """A finished game has no seals left; what is exported of it names no card that only one had seen."""
    end = course(game)[-1]
    assert end.over
    kept = record(end)
    table: Any = crank.look(end, Table())
    assert table["score"] is None or kept["totals"] == dict(table["score"]["totals"])
    private = end.box.game.private
    hidden = [
        card for node in end.path() if str(getattr(node.event, "zone", "")).startswith(private or ("\0",))
        for card in getattr(node.event, "cards", ())
    ]  # fmt: skip
    text = exports.as_csv([{**kept, "counts": True}]) + exports.as_json([{**kept, "counts": True}])
    assert not [card for card in hidden if str(card) in text]
