"""Simulated persons who play Koala Rescue Club: they roll, draw on phones or paper, announce badges, and err."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.games.rescue.maps import practice
from companion.sim.evening import Rig
from companion.sim.rescue.desk import TRAY, Desk
from companion.sim.rescue.drawing import TRIES, Drawing
from companion.sim.rescue.paper import plan_of
from companion.table.cues import Choose, Cue, Press, Roll
from companion.table.effects import Say
from companion.table.game import View
from companion.table.things import BID, CALL, Player

PATIENCE = 8  # acts that somebody waits for the camera before the die is thrown anew
CAREFUL_AFTER = 4  # mistakes in one phase of a turn; then even the messiest table pulls itself together


class Persons:
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def __init__(self, desk: Desk, rig: Rig, mess: float, options: Mapping[str, object]) -> None:
        """`mess` from 0 to 1: how often somebody errs; `options`: what the table agreed."""
        self.desk, self.rig, self.mess, self.agreed = desk, rig, mess, options
        self.view: Any = {}
        self.cues: tuple[Cue, ...] = ()
        self.acts = 0
        self.notes: list[str] = []
        self.turns: dict[Player, Drawing] = {}
        self.owed: dict[Player, int] = {}  # steps to take back on the phone
        self.before: tuple[Player, Any] | None = (
            None  # a phone that was told nonsense, and what it showed before
        )
        self.declined: set[Player] = set()
        self.turn = 0
        self._thrown = False  # a die was thrown for this turn
        self._waits = 0  # acts in which everybody only watched the tray
        self._moment: object = None
        self._errors = 0

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person, if anybody has anything to do."""
        del heard  # everything said stands on the screen as well
        self.view, self.cues = view, cues
        self.acts += 1
        if not self.desk.bots:
            told = self.view["map"] or practice().plain
            self.desk.give_out(plan_of(json.dumps(told)), self.view["playing"])
        self._nothing_changed()
        self._note_progress()
        doing: dict[str, Callable[[], bool]] = {
            "roll": self._roll, "draw": self._draw, "badges": self._badges, "score": self._score, "tie": self._tie
        }  # fmt: skip
        return doing[self.view["phase"]]() if self.view["phase"] in doing else False

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over."""
        del heard
        self.view, self.cues = view, ()
        self._note_progress()

    def _note_progress(self) -> None:
        moment = self.view["turn"], self.view["phase"]
        if moment == self._moment:
            return
        was, self._moment, self._errors = self._moment, moment, 0
        if isinstance(was, tuple) and was[1] == "draw":
            self._turn_over(was[0])
        if moment[1] == "draw":
            last = self.view["turn"] == 30
            present = [Player(p) for p in self.view["playing"] if p not in self.view["away"]]
            self.turns = {p: Drawing(self.desk.bots[p], self.view["number"], last) for p in present}
            self.owed = {}
        self.declined, self._thrown, self._waits = set(), False, 0

    def _turn_over(self, turn: int) -> None:
        """All are ready: what the papers are worth now."""
        self.turn = turn
        for player, bot in self.desk.bots.items():
            if player in self.view["away"]:
                continue
            kept = self.view["depth"] == "full" and self.agreed.get("RESC-AMB-18") == "used_number"
            bot.paper.numbers.append(self.turns[player].number if kept else self.view["rolled"][turn - 1])
            if self.view["depth"] == "full" and self.agreed.get("RESC-AMB-14") == "given_at_once":
                for badge in self._earned(player):
                    self.desk.badges[player][badge] = turn
        if turn == 15:
            self.desk.round1 = {player: bot.paper.points() for player, bot in self.desk.bots.items()}

    def _earned(self, player: Player) -> list[str]:
        """The badges of the screen that the own paper fulfils, and which the player has not got."""
        paper, had = self.desk.bots[player].paper, self.desk.badges[player]
        return [b["id"] for b in self.view["badges"] if b["id"] not in had and paper.earns(b["asks"])]

    def _err(self) -> bool:
        """Whether somebody errs now; nobody errs without end."""
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.desk.chance(self.mess):
            return False
        self._errors += 1
        return True

    def _roll(self) -> bool:
        if self._err():
            return self._roll_badly()
        back = next((c for c in self.cues if isinstance(c, Choose) and c.what == "back"), None)
        if back is not None:
            self.rig.choose(back.player, "back", back.options[0])
            return True
        rollers = [cue.player for cue in self.cues if isinstance(cue, Press)]
        tray = any(isinstance(cue, Roll) for cue in self.cues)
        if tray and (not rollers or self.desk.zones[TRAY] or self.desk.chance(0.7)):
            return self._throw()
        if (not tray and not rollers) or self.desk.chance(0.1):
            self.rig.choose(Player(self.view["host"]), "die", str(1 + self.desk.roll(6)))
        else:
            self.rig.press(rollers[self.desk.roll(len(rollers))], BID)
        return True

    def _throw(self) -> bool:
        """Pick the die up, throw it; each time the screen shows whether the camera has followed."""
        faces = [self.desk.face(card) for card in self.desk.zones[TRAY]]
        thrown = len(faces) == 1 and self.view["tray"] != faces and self._thrown
        if (thrown or (not faces and self.view["tray"])) and self._waits < PATIENCE:
            self._waits += 1
            return True
        self._waits = 0
        if faces:
            self.desk.pick_up()
        else:
            self.desk.throw()
            self._thrown = True
        return True

    def _roll_badly(self) -> bool:
        """Two dice, a seven, a pupil who rolls for the teacher, somebody ready for nothing."""
        kind = self.desk.roll(3)
        somebody = self.desk.players[self.desk.roll(len(self.desk.players))]
        if kind == 0 and any(isinstance(cue, Roll) for cue in self.cues):
            self.desk.throw(2)
        elif kind == 1:
            self.rig.choose(Player(self.view["host"]), "die", "7")
        else:
            self.rig.choose(somebody, "draw", "ready")
        return True

    def _draw(self) -> bool:
        if self._leave():
            return True
        waiting = [p for p in self.turns if p not in self.view["ready"] and p not in self.view["away"]]
        if not waiting:
            return False
        player = waiting[self.desk.roll(len(waiting))]
        turn = self.turns[player]
        if self._err():
            return self._draw_badly(player)
        if self.view["depth"] == "light":
            while turn.say() != "ready":
                pass
            self.rig.press(player, BID)
            return True
        if self.owed.get(player):
            self.owed[player] -= 1
            self.rig.choose(player, "draw", "undo")
            return True
        self._tell(player, turn)
        return True

    def _tell(self, player: Player, turn: Drawing) -> None:
        if turn.stage == "bonus":
            self._compare(player, turn)
            if turn.thoughts < TRIES and self.desk.chance(0.04):
                self.owed[player] = turn.rub_out()
                return
        word = turn.say()
        if word == "ready" and self.desk.chance(0.5):
            self.rig.press(player, BID)
        else:
            self.rig.choose(player, "draw", word)

    def _compare(self, player: Player, turn: Drawing) -> None:
        """The phone shows what the paper shows, and offers the bonuses that the player knows of."""
        me: Any = self.rig.own(player)["me"]
        faults = differing(self.desk.bots[player].paper, me["sheet"])
        offered = sorted(each["line"] for each in me["draft"]["bonuses"])
        if sorted(turn.open()) != offered:
            faults.append(f"bonuses {sorted(turn.open())} are open, the phone offers {offered}")
        self.notes += [f"turn {self.view['turn']}, {player}: {fault}" for fault in faults]

    def _leave(self) -> bool:
        """Now and then the teacher sends somebody home for a turn, never when a round is scored."""
        cue = next((c for c in self.cues if isinstance(c, Choose) and c.what == "away"), None)
        if cue is None or self.view["turn"] in (15, 30) or not self.desk.chance(0.01):
            return False
        player = Player(cue.options[self.desk.roll(len(cue.options))])
        self.desk.bots[player].paper = self.turns[player].start
        self.rig.choose(cue.player, "away", player)
        return True

    def _draw_badly(self, player: Player) -> bool:
        """Nonsense, which must change nothing: across areas, nowhere, no shape, twice, a bonus nobody has."""
        kind, paper = self.desk.roll(7), self.desk.bots[player].paper
        cells = sorted(cell for trees in paper.plan.trees.values() for cell in trees)
        word = [
            f"plant:{cells[0]},{cells[-1]}", "plant:A-l12", f"rehome:{cells[-1]}", f"plant:{cells[0]},{cells[0]}",
            "mixed", "number:7", "bonus:A-row9",
        ][kind]  # fmt: skip
        if cells[-1] in paper.free("rehome") and kind == 2:
            word = "plant:"
        if self.view["depth"] == "full":
            self.before = player, self.rig.own(player)["me"]
        self.rig.choose(player, "draw", word)
        return True

    def _nothing_changed(self) -> None:
        """What was nonsense has changed nothing."""
        if self.before is None:
            return
        (player, shown), self.before = self.before, None
        if self.view["phase"] == "draw" and self.rig.own(player)["me"] != shown:
            self.notes.append(f"turn {self.view['turn']}: nonsense changed the sheet of {player}")

    def _badges(self) -> bool:
        known = bool(self.view["map"])
        for cue in self.cues:
            if isinstance(cue, Choose) and cue.what == "badge" and cue.player not in self.declined:
                earned = (
                    self._earned(cue.player) if known else [c for c in cue.options if self.desk.chance(0.02)]
                )
                if self.view["depth"] == "full" and sorted(earned) != sorted(cue.options):
                    self.notes.append(f"{cue.player} earned {earned}, the companion offers {cue.options}")
                if not earned or self._err():
                    self.declined.add(cue.player)
                    continue
                self.desk.badges[cue.player][earned[0]] = self.view["turn"]
                self.rig.choose(cue.player, "badge", earned[0])
                return True
        if self.desk.chance(0.5):
            self.rig.press(Player(self.view["host"]), CALL)
            return True
        return False

    def _score(self) -> bool:
        for cue in self.cues:
            if isinstance(cue, Choose) and cue.what.startswith("desk."):
                if "back" in cue.options and self._err():
                    self.rig.choose(cue.player, cue.what, "back")
                    return True
                self.rig.choose(cue.player, cue.what, str(self._answer(cue)))
                return True
        done = next((cue for cue in self.cues if isinstance(cue, Press) and cue.why == "cue.score"), None)
        if done is None:
            return False
        self.rig.press(done.player, done.button)
        return True

    def _answer(self, cue: Choose) -> int:
        paper, which = self.desk.bots[cue.player].paper, cue.what.removeprefix("desk.")
        if which == "hospitals":
            return paper.hospitals()
        return len(paper.koalas) if which == "circled" else len(paper.whole(which))

    def _tie(self) -> bool:
        return self._score()


def differing(paper: Any, told: Any) -> list[str]:
    """Where a sheet as the companion shows it is not the paper."""
    own = {
        "trees": sorted(paper.trees), "koalas": sorted(paper.koalas), "connected": sorted(paper.connected),
        "circled": paper.circled, "used": paper.used, "beds": paper.beds,
        "claimed": sorted(line.replace("-", ":", 1) for line in paper.claimed),
    }  # fmt: skip
    return [
        f"{key}: {mine} on paper, {told[key]} on the screen"
        for key, mine in own.items()
        if (sorted(told[key]) if key in ("trees", "koalas", "claimed") else told[key]) != mine
    ]
