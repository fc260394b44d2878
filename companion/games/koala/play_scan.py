"""The game is over: caves, feast cards and team cards are shown once more, then the score stands."""

from __future__ import annotations

from dataclasses import replace

from companion.games.koala.rules_score import score
from companion.games.koala.rules_seats import CAVES
from companion.games.koala.state import ACTION, State, all_foods, cave_zone, sides, winners, words
from companion.table.cues import Choose, Cue, Expect, Press, Show
from companion.table.effects import Say
from companion.table.events import Chosen, Move, Pressed, Shown
from companion.table.game import Refusal, Score, Step
from companion.table.phases import step
from companion.table.things import BID, CALL, Player, Words


def enter(state: State) -> Step[State]:
    """Ask for every cave; when all were seen, for the feast cards."""
    if len(state.counted) == len(state.caves):
        queue = tuple(p for p in state.setting.players if state.feasts[p] > 0)
        return Step(replace(state, phase="scan_feasts", queue=queue, back=""))
    return Step(state, () if state.counted else (Say("say.scan"),))


def legal(state: State) -> tuple[Cue, ...]:
    """Every cave not yet seen; where one differs from the record: which of them is right."""
    assert state.starter is not None, "a finished game had a starting player"
    cues: list[Cue] = [
        Show(
            cave_zone(cave), Expect(lying=state.seen.get(cave, state.caves[cave]), exactly=state.caves[cave])
        )
        for cave in range(len(state.caves))
        if cave not in state.counted
    ]
    for cave in state.seen:
        cues.append(Choose(state.starter, f"scan.{CAVES[cave]}", ("as_seen", "as_recorded")))
    cues.append(Press(state.starter, CALL, "cue.as_recorded"))
    return tuple(cues)


def apply(state: State, move: Move) -> Step[State] | Refusal:
    """A cave seen as recorded counts; a difference is named and waits for a decision."""
    if isinstance(move, Pressed) and move.button == CALL and move.player == state.starter:
        everything = frozenset(range(len(state.caves)))
        return step(state, Say("did.as_recorded"), counted=everything, seen={})
    if isinstance(move, Chosen) and move.cue.startswith("scan."):
        return _decide(state, move)
    if not isinstance(move, Shown) or not move.zone.startswith("cave:"):
        return Refusal("KOALA-END-03", "game_is_over", aloud=isinstance(move, Pressed))
    cave = CAVES.index(move.zone.removeprefix("cave:"))
    if cave >= len(state.caves) or cave in state.counted:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if set(move.cards) == set(state.caves[cave]):
        seen = {other: cards for other, cards in state.seen.items() if other != cave}
        did = Say("did.counted", {"place": f"@zone.{move.zone}"})
        return step(state, did, counted=state.counted | {cave}, seen=seen)
    if state.seen.get(cave) == move.cards:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    missing = tuple(card for card in state.caves[cave] if card not in move.cards)
    extra = tuple(c for c in move.cards if c not in state.caves[cave] and c in state.deck.by_id)
    values = {
        "place": f"@zone.{move.zone}", "missing": words(state, missing) or "-", "extra": words(state, extra) or "-"
    }  # fmt: skip
    did = Say("did.differs", values)
    return step(state, did, Say("say.differs", values), seen={**state.seen, cave: move.cards})


def _decide(state: State, move: Chosen) -> Step[State] | Refusal:
    letter = move.cue.removeprefix("scan.")
    cave = CAVES.find(letter)
    if cave not in state.seen or move.option not in ("as_seen", "as_recorded"):
        return Refusal("KOALA-END-03", "no_such_question", {"option": move.option})
    caves, cards = state.caves, state.seen[cave]
    if move.option == "as_seen":
        odd = [c for c in cards if c not in state.deck.by_id or state.deck.by_id[c].kind != "food"]
        if odd:
            return Refusal("KOALA-CMP-01", "foreign_card", {"card": odd[0]})
        caves = (*caves[:cave], cards, *caves[cave + 1 :])
    seen = {other: shown for other, shown in state.seen.items() if other != cave}
    did = Say(f"did.{move.option}", {"place": f"@zone.cave:{letter}"})
    return step(state, did, caves=caves, counted=state.counted | {cave}, seen=seen)


def enter_feasts(state: State) -> Step[State]:
    """Each player with feast cards shows them; then the team cards, then the score."""
    if state.queue:
        player = state.queue[0]
        return Step(state, (Say("say.show_feasts", {"name": player, "count": state.feasts[player]}),))
    if state.setting.options.get("teams"):
        return Step(replace(state, phase="scan_teams", queue=state.setting.players))
    return Step(replace(state, phase="question"))


def legal_feasts(state: State) -> tuple[Cue, ...]:
    """The feast cards on the action place, or a press: as recorded."""
    player = state.queue[0]
    expect = Expect(state.feasts[player], ("feast",))
    return Show(ACTION, expect), Press(player, BID, "cue.as_recorded")


def apply_feasts(state: State, move: Move) -> Step[State] | Refusal:
    """The cards shown must be as many as the record says; a press takes the record."""
    player = state.queue[0]
    did = Say("did.feasts", {"name": player, "count": state.feasts[player]})
    if isinstance(move, Pressed) and move.player == player:
        return step(state, did, queue=state.queue[1:])
    if not isinstance(move, Shown) or move.zone != ACTION:
        return Refusal("KOALA-END-03", "game_is_over", aloud=False)
    shown = [card for card in move.cards if card in state.deck.by_id and state.deck.face(card) == "feast"]
    if not shown:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if len(shown) != state.feasts[player]:
        values: Words = {"name": player, "count": len(shown), "recorded": state.feasts[player]}
        return Refusal("KOALA-FEA-06", "feasts_differ", values)
    return step(state, did, queue=state.queue[1:])


def enter_teams(state: State) -> Step[State]:
    """Each player shows the team card; when all did, the score."""
    if state.queue:
        return Step(state, (Say("say.show_team", {"name": state.queue[0]}),))
    return Step(replace(state, phase="question"))


def legal_teams(state: State) -> tuple[Cue, ...]:
    """One team card on the action place, or named by hand."""
    left = team_faces(state)
    return Show(ACTION, Expect(1, left, seen=state.left)), Choose(state.queue[0], "team", left)


def team_faces(state: State) -> tuple[str, ...]:
    """The team cards that nobody has shown yet."""
    held = [card.face for card in state.deck.cards if card.kind == "team"]
    for face in state.teams.values():
        held.remove(face)
    return tuple(dict.fromkeys(held))


def apply_teams(state: State, move: Move) -> Step[State] | Refusal:
    """One player's team card, by camera or by hand."""
    player = state.queue[0]
    if isinstance(move, Chosen) and move.cue == "team":
        found = [move.option]
    elif isinstance(move, Shown) and move.zone == ACTION:
        known = [card for card in move.cards if card in state.deck.by_id and card not in state.shown]
        found = [state.deck.face(card) for card in known if state.deck.by_id[card].kind == "team"]
    else:
        return Refusal("KOALA-END-03", "game_is_over", aloud=False)
    if not found:
        return Refusal("TABLE-SAME", "nothing_new", aloud=False)
    if len(found) > 1:
        return Refusal("KOALA-TEAM-03", "one_team_card", {"name": player})
    if found[0] not in team_faces(state):
        return Refusal("KOALA-TEAM-02", "no_such_team_card", {"name": player})
    shown, lie = state.shown, state.left
    if isinstance(move, Shown):  # a card seen once is spent: it may lie on while the next one is shown
        lie = tuple(c for c in move.cards if c in state.deck.by_id)
        shown = (*shown, *lie)
    did = Say("did.team", {"name": player, "team": f"@{found[0]}"})
    return step(
        state, did, queue=state.queue[1:], teams={**state.teams, player: found[0]}, shown=shown, left=lie
    )


def final(state: State) -> Score | Refusal:
    """The score of the table as it was counted."""
    teams = None
    if state.setting.options.get("teams"):
        teams = {face: tuple(p for p, own in state.teams.items() if own == face) for face in _teams(state)}
    return score(state.seats, all_foods(state), state.feasts, teams, state.joins, state.rulings)


def _teams(state: State) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sorted(state.teams.values())))


def enter_question(state: State) -> Step[State]:
    """The score, unless "?" must choose between equally weak teams, or the team cards shown make no teams."""
    result = final(state)
    if isinstance(result, Refusal) and not result.code.startswith("choose_team:"):
        said = Say(f"no.{result.stem}", result.values)
        anew = replace(state, phase="scan_teams", queue=state.setting.players, teams={}, shown=(), left=())
        return Step(anew, (said,))
    if isinstance(result, Refusal):
        return Step(state, (Say("say.question", {"name": _lone(state)}),))
    named = Say(
        "say.winner" if len(result.winners) == 1 else "say.winners", {"names": winners(state, result)}
    )
    return Step(replace(state, phase="over", score=result), (*_points(state, result), named))


def _points(state: State, result: Score) -> tuple[Say, ...]:
    """What each side has, the best last."""
    totals = sorted(result.totals.items(), key=lambda each: each[1])
    return tuple(
        Say("say.points", {"names": sides((name,), bool(state.teams)), "count": count})
        for name, count in totals
    )


def _lone(state: State) -> Player:
    return next(player for player, face in state.teams.items() if face == "question")


def legal_question(state: State) -> tuple[Cue, ...]:
    """The weakest teams, as the score names them."""
    result = final(state)
    assert isinstance(result, Refusal), "the score waits for a choice"
    return (Choose(_lone(state), "joins", tuple(result.code.removeprefix("choose_team:").split(","))),)


def apply_question(state: State, move: Move) -> Step[State] | Refusal:
    """Let "?" join one of the weakest teams."""
    cue = legal_question(state)[0]
    assert isinstance(cue, Choose), "one question is open"
    if not isinstance(move, Chosen) or move.cue != "joins" or move.option not in cue.options:
        return Refusal("KOALA-TEAM-11", "not_a_lowest_team", {"teams": ", ".join(cue.options)}, aloud=False)
    did = Say("did.joins", {"name": _lone(state), "team": f"@{move.option}"})
    return step(state, did, joins=move.option)
