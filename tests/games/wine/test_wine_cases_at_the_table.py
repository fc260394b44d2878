"""The worked cases once more, card by card at the running table: it books what the rule functions say."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from adapted import adapter
from wine_table import Wine, card

from companion.games.wine.rules_deck import WINES
from companion.games.wine.rules_glasses import MIDDLE
from companion.games.wine.rules_turn import Turn
from companion.games.wine.state import CENTRE
from companion.table.cues import Choose, Wait
from companion.table.game import Refusal
from companion.table.things import Player

TESTS = Path(__file__).parents[2]
WAITS = ("must_show", "drawer_decides", "all_others_must_reveal")
Case = Mapping[str, Any]
Event = Mapping[str, Any]


def cases() -> Iterator[Case]:
    """Those of the table; where the rules miss a word the table waits for it."""
    for path in (TESTS / "cases" / "wine.cases.json", Path(__file__).parent / "own.cases.json"):
        for case in json.loads(path.read_text("utf-8"))["cases"] if path.is_file() else ():
            if (
                case["kind"] == "table"
                and str(case["expect"].get("error", "")).partition(":")[0] not in WAITS
            ):
                yield case


def rules() -> Callable[[Mapping[str, Any], list[Event]], dict[str, Any] | Refusal]:
    """What the rule functions say, by the adapter of the worked cases."""
    answer: Callable[[Mapping[str, Any], list[Event]], dict[str, Any] | Refusal] = (
        adapter("wine").KINDS["table"].answer
    )
    return answer


RULES = rules()
CASES = {str(case["id"]): case for case in cases()}


class Refused(Exception):
    """The table refuses what a case tells; the text is the code."""


def done(code: str) -> None:
    """An event was accepted."""
    if code:
        raise Refused(code)


def laid_out(given: Mapping[str, Any]) -> Wine:
    """The table of a case, in the second round."""
    order = [Player(name) for name in given.get("order", given["glasses"])]
    options = {
        name.replace("-", "_").removeprefix("WINE_"): of for name, of in given.get("options", {}).items()
    }
    game = Wine(*order, extension="all", **options).later()
    rows: dict[Player, tuple[int, ...]] = {}
    for owner in (*order, MIDDLE):
        count = given.get("middle", 0) if owner == MIDDLE else given["glasses"][owner]
        first = 1 + sum(len(row) for row in rows.values())
        rows[owner] = tuple(range(first, first + count))
    return game.set(
        rows=rows, hands={p: given.get("hands", {}).get(p, 3) for p in order}, order=tuple(order),
        out=tuple(p for p in order if not rows[p]), lost=tuple(range(90, 90 + given.get("eliminated_glasses", 0))),
        vintage=frozenset(p for p, kind in given.get("protected", {}).items() if kind == "vintage"),
        aged={Player(p): int(slots[0]) for p, slots in given.get("ageing", {}).items() if slots},
    )  # fmt: skip


def begun(game: Wine, by: str, drawing: bool) -> None:
    """It is this player's turn: to play a card, or to draw one; Refused where nobody gives him one any more."""
    if game.state.winner is not None:
        raise Refused("game_over")
    if Player(by) in game.state.out:
        raise Refused("eliminated_player")
    hand = game.state.hands[Player(by)]
    game.set(
        phase="draw" if drawing else "turn",
        turn=Player(by),
        play=Turn(hand),
        lying={},
        spent=frozenset(),
        card=None,
    )


def answered(game: Wine, name: str, what: str, wish: object = None) -> None:
    """A question answered as wished, else by its first option."""
    options = [
        c.options for c in game.session.cues if isinstance(c, Choose) and (c.player, c.what) == (name, what)
    ]
    assert options, (game.phase, name, what)
    first = options[0][0]
    right = first if wish is None else f"{first.rpartition(':')[0]}:{wish}" if ":" in first else str(wish)
    done(game.choose(name, what, right))


def asked_where(game: Wine, phase: str) -> None:
    """Where every glass is protected nobody is asked for one; the rules refuse each."""
    if game.phase != phase:
        raise Refused("protected")


def thief(game: Wine, event: Event) -> None:
    done(game.play(f"thieves_{event['wine']}"))
    asked_where(game, "thieves")
    done(game.choose(event["by"], "glass", f"{event['target']}:{event.get('slot', 1)}"))
    if event.get("stop_by"):
        stopped(game, event)
        done(game.show("played", card(f"thieves_{event['wine']}"), card("stop")))
        return
    if game.phase == "stop_window":
        answered(game, event["target"], "stop")
    done(game.row(event["target"], event["reveal"]))


def stopped(game: Wine, event: Event) -> None:
    """STOP by the button; the middle and an empty hand are not even asked for one."""
    if game.phase == "stop_window":
        done(game.press(event["stop_by"]))
    else:
        assert game.phase == "show"
        raise Refused("stop_only_by_target" if event["target"] == MIDDLE else "no_hand_card")


def sommelier(game: Wine, event: Event) -> None:
    done(game.draw(f"sommelier_{event['wine']}"))
    if game.phase == "show":
        done(game.row(event["by"], event["show"]))
    if game.phase == "sommelier_lost":
        answered(game, event["by"], "place", event.get("slot"))


def lobbyists(game: Wine, event: Event) -> None:
    done(game.draw(f"lobbyists_{event['wine']}"))
    if game.phase != "lobbyists":
        return
    done(game.choose(event["by"], "glass", f"{event['target']}:{event.get('slot', 1)}"))
    done(game.row(event["target"], event["reveal"]))
    if game.phase == "fine":
        chooser = str(game.state.chooser)
        if event.get("chosen_by", chooser) != chooser:
            code = game.choose(event["chosen_by"], "fine", f"{event['by']}:1")
            raise Refused(f"{code}_{game.refused.values['chooser']}" if game.refused else code)
        answered(game, chooser, "fine", event.get("chosen_slot"))


def wine_fair(game: Wine, event: Event) -> None:
    done(game.draw("wine_fair"))
    for owner in game.state.asked:
        done(game.row(owner, event["shown"][owner]))
    while any(isinstance(cue, Wait) for cue in game.session.cues):
        done(game.ring(next(cue.clock.name for cue in game.session.cues if isinstance(cue, Wait))))


def farandole(game: Wine, event: Event) -> None:
    done(game.draw("farandole"))
    for name in game.names:
        if game.phase == "farandole" and any(getattr(cue, "player", "") == name for cue in game.session.cues):
            answered(game, name, "pass")


def auction(game: Wine, event: Event) -> None:
    done(game.draw("auction"))
    for name in game.names:
        if game.phase == "auction" and game.state.rows[name]:
            done(game.choose(name, "offer", str(event.get("offers", {}).get(name, 0))))
    if game.phase == "auction_tie":
        done(game.choose(event["by"], "winner", event["decides"]))


def charity(game: Wine, event: Event) -> None:
    done(game.play("charity"))
    if game.phase == "charity" and event["giver"] in game.options("giver"):
        if "giver_chosen_by" not in event:
            raise Refused("tie_card_player_chooses")  # the table waits for it
        done(game.choose(event["giver_chosen_by"], "giver", event["giver"]))
    if game.phase in ("charity", "charity_to") and game.state.chooser != event["giver"]:
        raise Refused("giver_must_have_most")  # another one is asked, or only others can be named
    if game.phase == "charity_to":
        giver = str(game.state.chooser)
        done(game.choose(giver, "to", event["to"]))
        answered(game, giver, "give", event.get("slot"))


def blind_test(game: Wine, event: Event) -> None:
    done(game.play("blind_test"))
    asked_where(game, "blind_test")
    done(game.choose(event["by"], "glass", f"{event['target']}:{event.get('slot', 1)}"))
    done(game.choose(event["target"], "announce", event["announced"]))
    done(game.row(event["target"], event["reveal"]))


def contest(game: Wine, event: Event) -> None:
    done(game.play("contest"))
    done(game.choose(event["by"], "wine", event["wine"]))
    shown = {
        name: up
        for name, up in event["reveals"].items()
        if up.get("t") is not None and name in game.state.asked
    }
    for name in sorted(shown, key=lambda name: float(shown[name]["t"])):
        done(game.press(name, at=int(shown[name]["t"] * 1e9)))
    for name, up in shown.items():
        done(game.row(name, up["wine"]))
    if game.phase == "contest_race":
        done(game.ring("contest"))
    if game.phase == "contest_won":
        loser = str(game.state.chooser)
        answered(game, loser, "place", event["reveals"][loser].get("slot"))


def vintage(game: Wine, event: Event) -> None:
    del event
    done(game.play("vintage"))


def ageing(game: Wine, event: Event) -> None:
    done(game.play("ageing"))
    answered(game, event["by"], "age", event.get("slot"))
    done(game.row(event["by"], "red"))


PLAYED = {
    "thief": thief, "charity": charity, "blind_test": blind_test, "contest": contest, "vintage": vintage,
    "ageing": ageing,
}  # fmt: skip
DRAWN = {
    "sommelier": sommelier, "lobbyists": lobbyists, "wine_fair": wine_fair, "farandole": farandole,
    "auction": auction,
}  # fmt: skip


CARDS: Mapping[str, Callable[[Wine, Event], None]] = {**PLAYED, **DRAWN}


def put_down(game: Wine) -> None:
    """Every glass that was shown lies face down again."""
    while game.phase == "down":
        owner = game.state.down[0]
        zone = CENTRE if owner == MIDDLE else f"row:{'abcdef'[game.names.index(owner)]}"
        done(game.show(zone))


def played(case: Case) -> dict[str, Any]:
    """A case at the table, under the keys of the rules; Refused by what nobody may do, or waiting for more."""
    game = laid_out(case["given"])
    before, owner = game.state.out, ""
    for event in case["events"]:
        if event["e"] in ("turn", "turn_start"):
            game.set(vintage=game.state.vintage - {Player(event["by"])})
            continue
        owner = event["by"]
        begun(game, owner, event["e"] in DRAWN)
        CARDS[event["e"]](game, event)
        put_down(game)
    state = game.state
    now: dict[str, Any] = {
        "glasses": {p: len(state.rows[p]) for p in state.order}, "middle": len(state.rows[MIDDLE]),
        "out": [p for p in state.out if p not in before], "winner": state.winner,
        "eliminated_glasses": len(state.lost), "ageing": {p: [str(slot)] for p, slot in state.aged.items()},
    }  # fmt: skip
    if "hands" in case["given"]:
        now["hands"] = dict(state.hands)
    if state.turn == owner:  # the next turn has not ended anybody's Vintage yet
        now["protected"] = dict.fromkeys(state.vintage, "vintage")
    return now


@pytest.mark.parametrize("name", CASES)
def test_a_case_at_the_table_ends_as_by_the_rules(name: str) -> None:
    """Glasses, hands, who is out, who has won, what is protected and lost; not the notes, which are the rules' own."""
    case = CASES[name]
    if "error" in case["expect"]:
        with pytest.raises(Refused, match=f"^{case['expect']['error']}$"):
            played(case)
        return
    now = played(case)
    assert now == {**now, **{key: of for key, of in case["expect"].items() if key in now}}


def any_case(dice: random.Random) -> Case:
    """A table and a card by chance; all that is told may be done, or is forbidden by a protection or the middle."""
    order = list("ABCD")[: dice.randint(2, 4)]
    glasses = {p: dice.randint(1, 3) for p in order}
    by = dice.choice(order)
    others = [p for p in order if p != by]
    middle = dice.choice((0, 0, 1, 3)) if len(order) < 4 else 0
    target = dice.choice([*others, *(["middle"] if middle else [])])
    wine, reveal = dice.choice(WINES), dice.choice(WINES)
    event: dict[str, Any] = {
        "e": dice.choice([*CARDS]),
        "by": by,
        "wine": wine,
        "reveal": reveal,
        "show": reveal,
    }
    event |= {"target": target, "slot": dice.randint(1, middle if target == "middle" else glasses[target])}
    hands = {p: dice.randint(1, 4) for p in order}
    if event["e"] == "thief" and target != "middle" and dice.random() < 0.3:
        event["stop_by"] = target
    if event["e"] == "lobbyists":
        event["chosen_slot"] = dice.randint(1, glasses[by])
    if event["e"] in ("sommelier", "ageing"):
        event["slot"] = dice.randint(1, glasses[by])
    if event["e"] == "blind_test":
        event["announced"] = dice.choice(WINES)
        event["target"], event["slot"] = others[0], dice.randint(1, glasses[others[0]])
    if event["e"] == "wine_fair":
        event["shown"] = {p: dice.choice(WINES) for p in order}
    if event["e"] == "auction":
        event |= {"offers": {p: dice.randint(0, hands[p]) for p in order}, "decides": None}
        most = max(event["offers"].values())
        tied = [p for p in order if event["offers"][p] == most]
        event["decides"] = dice.choice(tied) if len(tied) > 1 else None
    if event["e"] == "charity":
        most = max(glasses.values())
        giver = dice.choice([p for p in order if glasses[p] == most])
        event |= {"giver": giver, "giver_chosen_by": by, "to": dice.choice([p for p in order if p != giver])}
        event["slot"] = dice.randint(1, glasses[giver])
    if event["e"] == "contest":
        times = dice.sample(range(1, 9), len(others))
        event["reveals"] = {
            p: {"t": t, "wine": dice.choice(WINES), "slot": dice.randint(1, glasses[p])}
            for p, t in zip(others, times, strict=True)
        }
    protected = {p: "vintage" for p in order if dice.random() < 0.15 and event["e"] != "charity"}
    ageing = {p: [dice.randint(1, glasses[p])] for p in order if glasses[p] > 1 and dice.random() < 0.3}
    given = {
        "glasses": glasses, "order": order, "hands": hands, "middle": middle, "protected": protected,
        "ageing": ageing, "eliminated_glasses": dice.choice((0, 1, 2)),
    }  # fmt: skip
    return {"given": given, "events": [event]}


def test_any_card_at_any_table_is_booked_there_as_by_the_rules() -> None:
    """By chance, protections and the middle among them: the same counts, or the same refusal."""
    dice, refused, booked = random.Random(4), Counter[str](), Counter[str]()
    for _ in range(600):
        case = any_case(dice)
        rules = RULES(case["given"], case["events"])
        if isinstance(rules, Refusal):
            refused[rules.code] += 1
            with pytest.raises(Refused, match=f"^{rules.code}$"):
                played(case)
            continue
        now = played(case)
        booked[case["events"][0]["e"]] += 1
        if "farandole" in str(case["events"]):
            del now["ageing"]  # the rules pass counts on, the table glasses: the aged one may move up
        assert now == {key: rules[key] for key in now}, case
    assert set(booked) == set(CARDS)
    assert {"protected", "middle_first"} <= set(refused)


def test_the_cases_cover_every_card_that_the_rules_book() -> None:
    played = {event["e"] for case in CASES.values() for event in case["events"]}
    assert played >= {*PLAYED, *DRAWN} - {"ageing", "vintage"}
