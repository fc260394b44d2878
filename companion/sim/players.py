"""Simulated persons who play Koala: they look at the public screen, press, lay, take, choose, and err.

A person knows the own hand, the table, and what the companion shows everybody; never its state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from companion.sim.physical import ACTION, CAVES, HAND, MIDDLE, Physical
from companion.table.cues import Choose, Cue, Press
from companion.table.effects import Say
from companion.table.things import BID, CALL, Button, CardId, Player, Zone

View = Any  # the public view as plain data; its shape is the game's own
CAREFUL_AFTER = 6  # mistakes at one point of the game; then even the messiest table pulls itself together


class Hands(Protocol):
    """What persons can do to the companion: press a button, answer on a phone."""

    def press(self, player: Player, button: Button, after_ns: int = 0) -> None:
        """Press, so many ns from now."""

    def choose(self, player: Player, cue: str, option: str) -> None:
        """Answer a question."""


class Persons:
    """Everybody at the table. `act` lets one person do one thing; False: everybody waits."""

    def __init__(self, table: Physical, hands: Hands, mess: float, teams: bool) -> None:
        """Sit down. `mess` from 0 to 1: how often somebody errs."""
        self.table, self.hands, self.mess, self.teams = table, hands, mess, teams
        self.laid: dict[Player, list[CardId]] = {}  # laid and not yet accepted
        self.zone_of: dict[Player, Zone] = {}
        self.wants: dict[Player, list[CardId]] = {}  # pressed, about to lay these
        self.shares: list[tuple[Player, Player, str]] = []  # joint bids as they were paid
        self.taken: list[tuple[Player, CardId]] = []  # bid cards somebody took back though they lay well
        self.decided: tuple[str, str] | None = None  # card and option just chosen
        self.to_draw: list[Player] = []  # told to draw; a mashed button does not draw a card
        self.showing: Player | None = None  # whose feast or team cards lie on the action place
        self.notes: list[str] = []
        self.acts = 0
        self._bid_round: object = None
        self._tried: set[Player] = set()
        self._turned: tuple[int, int] | None = None  # round and pile when the last card was turned
        self._point: object = None  # how far the game is
        self._errors = 0  # how often somebody erred there

    def act(self, view: View, cues: tuple[Cue, ...], heard: tuple[Say, ...]) -> bool:
        """One act of one person, if anybody has anything to do; `heard` is what the voice said meanwhile."""
        self.acts += 1
        for say in heard:
            self._listen(say)
        phase = view["phase"]
        self._note_progress(view)
        if self._mend(view) or self._draw_late(view):
            return True
        doing: dict[str, Callable[[View, tuple[Cue, ...]], bool]] = {
            "starter": self._starter, "team_draw": self._team_draw, "deal": self._deal,
            "reveal": self._reveal, "reveal_action": self._decide, "action_do": self._decide,
            "auction": self._auction, "call": self._auction, "split": self._split,
            "new_starter": self._new_starter, "collect": self._collect, "feast": self._feast,
            "feast_eat": self._eat, "action_wait": self._command, "actions": self._actions,
            "action_call": self._actions, "move": self._move, "take": self._take, "refill": self._refill,
            "scan": self._scan, "scan_feasts": self._show_feasts, "scan_teams": self._show_team,
            "question": self._question,
        }  # fmt: skip
        return doing[phase](view, cues) if phase in doing else False

    # --- mending: what the referee asked for -------------------------------------------------------

    def _listen(self, say: Say) -> None:
        """Whose cards were accepted, the voice says by name."""
        if say.key in ("say.leads", "say.carry_out"):
            names = [Player(name) for name in str(say.values["name"]).split(" + ")]
            paid = {name: len(self.laid.pop(name, [])) for name in names}
            if len(names) == 2:
                white, black = self.table.seats[self.table.seat(names[0])]
                self.shares.append((white, black, f"{paid[white]}+{paid[black]}"))
        elif say.key == "say.draw":
            self.to_draw.append(Player(str(say.values["name"])))

    def _mend(self, view: View) -> bool:
        """Take back what the companion refused; say whose cards lie there unclaimed."""
        for player, cards in list(self.laid.items()):
            zone = self.zone_of[player]
            refused = view["middle"]["take_back"] if zone == MIDDLE else view["action"]["take_back"]
            lying = [card for card in cards if card in self.table.zones[zone]]
            if not lying:
                del self.laid[player]
                continue
            if any(self.table.face(card) in refused for card in lying):
                del self.laid[player]
                self.table.take(player, lying, zone)
                return True
            unclaimed = view["middle" if zone == MIDDLE else "action"]["unclaimed"]
            if any(self.table.face(card) in unclaimed for card in lying):
                if self.table.chance(0.5) and view["phase"] in ("auction", "call", "actions", "action_call"):
                    return self._press(player)
                del self.laid[player]
                self.table.take(player, lying, zone)
                return True
        return False

    def _draw_late(self, view: View) -> bool:
        """Whose button was pressed before the cards were drawn draws them now."""
        turn = view["refill"]["player"] if view["refill"] else None
        late = next((player for player in self.to_draw if player != turn), None)
        if late is None:
            return False
        self.to_draw.remove(late)
        self.table.draw(late, HAND - len(self.table.hands[late]))
        return True

    def _press(self, player: Player, button: Button = BID, after_ns: int = 0) -> bool:
        self.hands.press(player, button, after_ns)
        return True

    def _note_progress(self, view: View) -> None:
        """A count that runs and stops is no progress; a bid, a card or another person's turn is."""
        window = {"call": "auction", "action_call": "actions"}.get(view["phase"], view["phase"])
        point = (
            window, view["round"], view["pile"], view["discard"], view["middle"]["food"], view["middle"]["bid"],
            view["refill"] and view["refill"]["player"], view["feast"] and view["feast"]["player"],
        )  # fmt: skip
        if point != self._point:
            self._point, self._errors = point, 0

    def _err(self) -> bool:
        """Whether somebody errs now; nobody errs without end at one point of the game."""
        if self.mess <= 0 or self._errors >= CAREFUL_AFTER or not self.table.chance(self.mess):
            return False
        self._errors += 1
        return True

    def _somebody(self) -> Player:
        players = list(self.table.hands)
        return players[self.table.roll(len(players))]

    def _clean(self, zone: Zone) -> bool:
        """Action cards that are done with go to the discard pile, now and then a little late."""
        spent = [
            card for card in self.table.zones[zone]
            if self.table.kind(card) == "action" and not any(card in cards for cards in self.laid.values())
        ]  # fmt: skip
        if spent and not self._err():
            self.table.throw(spent, zone)
            return True
        return False

    # --- the phases ---------------------------------------------------------------------------------

    def _starter(self, view: View, cues: tuple[Cue, ...]) -> bool:
        return self._press(self._somebody())

    def _team_draw(self, view: View, cues: tuple[Cue, ...]) -> bool:
        n = len(self.table.hands)
        pairs, marks = (4, 2) if n == 10 else (n // 2, n % 2)
        faces = [f"team_{i + 1}" for i in range(pairs) for _ in range(2)] + ["question"] * marks
        mixed, self.table.luck = self.table.luck.shuffle(faces)
        left = [card for card in self.table.deck.cards if card.kind == "team"]
        for player, face in zip(self.table.hands, mixed, strict=True):
            card = next(card for card in left if card.face == face)
            left.remove(card)
            self.table.teams[player] = card.id
        return self._press(Player(view["starter"]))

    def _deal(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for player in self.table.hands:
            self.table.draw(player, HAND)
        return self._press(Player(view["starter"]))

    def _reveal(self, view: View, cues: tuple[Cue, ...]) -> bool:
        if self._err():
            self._press(self._somebody())
        if self._clean(MIDDLE):
            return True
        if not self.table.pile:
            self.notes.append(f"the pile is empty, the companion thinks {view['pile']} cards are left")
            self.hands.choose(Player(view["starter"]), "pile", "empty")
            return True
        if self._turned == (view["round"], view["pile"]):
            return False  # the card just turned has not been seen yet
        self._turned = (view["round"], view["pile"])
        self.table.turn_up()
        return True

    def _decide(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for cue in cues:
            if isinstance(cue, Choose):
                option = cue.options[self.table.roll(len(cue.options))]
                self.decided = (view["card"], option)
                self.hands.choose(cue.player, cue.what, option)
                return True
        return False

    def _auction(self, view: View, cues: tuple[Cue, ...]) -> bool:
        first = view["middle"]["claims"][0] if view["middle"]["claims"] else []
        for name in first:
            if self._lay_bid(view, Player(name), first):
                return True
        if first:
            return self._err() and self._press(self._somebody())
        mark = (view["round"], view["middle"]["food"], view["pile"], view["middle"]["bid"])
        if mark != self._bid_round:
            self._bid_round, self._tried = mark, set()
        return self._try_bid(view)

    def _try_bid(self, view: View) -> bool:
        food, need = view["middle"]["food"], view["middle"]["next"]
        order, self.table.luck = self.table.luck.shuffle(tuple(self.table.hands))
        for player in order:
            if player in self._tried or player in view["middle"]["leader"] or player in self.laid:
                continue
            self._tried.add(player)
            if self._err():
                return self._bid_badly(view, player)
            own = [card for card in self.table.hands[player] if self.table.face(card) == food]
            mate = self.table.mate(player)
            if len(own) >= need and self.table.chance(0.6):
                self.wants[player] = own[:need]
                return self._press(player)
            free = mate is not None and mate not in view["middle"]["leader"] and mate not in self.laid
            if mate and free and need >= 2 and self._try_joint(player, mate, own, food, need):
                return True
        return False

    def _try_joint(self, player: Player, mate: Player, own: list[CardId], food: str, need: int) -> bool:
        theirs = [card for card in self.table.hands[mate] if self.table.face(card) == food]
        if not own or not theirs or len(own) + len(theirs) < need or not self.table.chance(0.5):
            return False
        mine = max(1, min(len(own), need - 1))
        mine = max(mine, need - len(theirs)) if need - len(theirs) > mine else min(mine, need - 1)
        if not 1 <= need - mine <= len(theirs):
            return False
        self.wants[player], self.wants[mate] = own[:mine], theirs[: need - mine]
        self._tried.add(mate)
        self._press(player)
        return self._press(mate, after_ns=3_000_000)

    def _bid_badly(self, view: View, player: Player) -> bool:
        """Wrong count, wrong food, cards without a press, a press without cards, two at once."""
        hand, kind = self.table.hands[player], self.table.roll(5)
        if not hand or kind == 0:
            self.wants[player] = []
            return self._press(player)
        if kind == 1:
            self.wants[player] = [self.table.pick(hand)]
            return self._press(player)
        if kind == 2:
            self.wants[player] = hand[: 1 + self.table.roll(len(hand))]
            return self._press(player)
        if kind == 3:
            card = self.table.pick(hand)
            self._lay(player, [card], MIDDLE)
            return self._press(player) if self.table.chance(0.5) else True
        other = self._somebody()
        if other not in self.laid and other != player and self.table.hands[other]:
            self.wants[other] = [self.table.pick(self.table.hands[other])]
            self._press(other, after_ns=1_000)
        self.wants[player] = [self.table.pick(hand)]
        return self._press(player)

    def _lay_bid(self, view: View, player: Player, claim: list[str]) -> bool:
        """Lay what was intended; both of a joint bid before the camera looks."""
        done = False
        for name in claim if len(claim) == 2 else [player]:
            cards = [c for c in self.wants.pop(Player(name), []) if c in self.table.hands[Player(name)]]
            if cards:
                self._lay(Player(name), cards, MIDDLE)
                done = True
        return done

    def _lay(self, player: Player, cards: list[CardId], zone: Zone) -> None:
        self.table.lay(player, cards, zone)
        self.laid.setdefault(player, []).extend(cards)
        self.zone_of[player] = zone

    def _split(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for cue in cues:
            if isinstance(cue, Choose) and cue.what == "split":
                found = [s for s in self.shares if s[0] == cue.player and s[2] in cue.options]
                option = found[0][2] if found else cue.options[0]
                self.hands.choose(cue.player, "split", option)
                if found:
                    self.shares.remove(found[0])
                return True
        return False

    def _new_starter(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for cue in cues:
            if isinstance(cue, Choose) and self.table.chance(0.7):
                self.hands.choose(cue.player, cue.what, cue.options[self.table.roll(len(cue.options))])
                return True
        return False

    def _collect(self, view: View, cues: tuple[Cue, ...]) -> bool:
        winner = Player(view["starter"])
        self.wants.clear()
        self.shares.clear()
        if self._err():
            self._press(self._somebody_but(winner))
        theirs = {card for cards in self.laid.values() for card in cards}
        spoils = [c for c in self.table.zones[MIDDLE] if self.table.kind(c) == "food" and c not in theirs]
        if not spoils:
            return self._give_back()
        if len(spoils) > 1 and self._err():
            spoils = spoils[:-1]  # one card is left lying
        if self._err() and not self.taken:
            card, thief = spoils[-1], self._somebody()
            self.table.take(thief, [card], MIDDLE)
            self.taken.append((thief, card))
            spoils = spoils[:-1]
        self.table.move(spoils, MIDDLE, self.table.cave(winner))
        return True

    def _somebody_but(self, player: Player) -> Player:
        other = self._somebody()
        return other if other != player else next(p for p in self.table.hands if p != player)

    def _give_back(self) -> bool:
        if not self.taken:
            return False
        thief, card = self.taken.pop()
        self.table.lay(thief, [card], MIDDLE)
        return True

    def _feast(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for cue in cues:
            if isinstance(cue, Choose):
                if self._err():
                    return False  # dreaming: the companion asks again
                option = cue.options[0] if self.table.chance(0.8) else "no"
                self.hands.choose(cue.player, "feast", option)
                return True
        return False

    def _eat(self, view: View, cues: tuple[Cue, ...]) -> bool:
        feast = view["feast"]
        player, food = Player(feast["player"]), feast["foods"][0]
        held = self.table.zones[self.table.cave(player)]
        if not any(self.table.face(card) == food for card in held):
            return False
        self.table.eat(player, food)
        return True

    def _command(self, view: View, cues: tuple[Cue, ...]) -> bool:
        if self._clean(ACTION):
            return True
        self.wants.clear()
        if self._err():
            self._press(self._somebody())
        if self.table.chance(0.5):
            return self._press(Player(view["starter"]), CALL)
        return False

    def _actions(self, view: View, cues: tuple[Cue, ...]) -> bool:
        claims = view["action"]["claims"]
        if claims:
            player = Player(claims[0][0])
            cards = [card for card in self.wants.pop(player, []) if card in self.table.hands[player]]
            if cards:
                self._lay(player, cards, ACTION)
                return True
            return False
        mark = ("actions", view["round"], len(self.table.discard), tuple(self.table.zones[ACTION]))
        if mark != self._bid_round:
            self._bid_round, self._tried = mark, set()
        return self._try_action()

    def _try_action(self) -> bool:
        order, self.table.luck = self.table.luck.shuffle(tuple(self.table.hands))
        for player in order:
            if player in self._tried or player in self.laid:
                continue
            self._tried.add(player)
            own = [card for card in self.table.hands[player] if self.table.kind(card) == "action"]
            if self._err() and self.table.hands[player]:
                self.wants[player] = [self.table.pick(self.table.hands[player])]
                return self._press(player)
            if own and self.table.chance(0.5):
                self.wants[player] = own[:1]
                self._press(player)
                rival = self._somebody()
                if rival != player and rival not in self.laid and self.table.hands[rival]:
                    self._press(rival, after_ns=400_000)
                return True
        return False

    def _move(self, view: View, cues: tuple[Cue, ...]) -> bool:
        """Everybody goes where the card sends them; the persons know the rules themselves."""
        if self.decided is not None:
            self._walk(*self.decided)
            self.decided = None
            seats = [[s["white"], s["black"]] for s in view["seats"]]
            mine = [[*seat, None, None][:2] for seat in self.table.seats]
            if seats != mine:
                self.notes.append(f"persons sit {mine}, the companion thinks {seats}")
        for cue in cues:
            if isinstance(cue, Press) and cue.button == BID:
                return self._press(cue.player)
        return False

    def _walk(self, card: str, option: str) -> None:
        first, _, second = option.partition(":")
        if card == "bump":
            self.table.bump(Player(second), 1 if first == "left" else -1)
        elif card == "ring_a_roses":
            self.table.ring(1 if first == "left" else -1)
        elif card == "leapfrog":
            self.table.leap(CAVES.index(first))

    def _take(self, view: View, cues: tuple[Cue, ...]) -> bool:
        if self.decided is None:
            return False
        letter, food = self.decided[1].split(":")
        self.decided = None
        source = Zone(f"cave:{letter}")
        loot = [card for card in self.table.zones[source] if self.table.face(card) == food]
        self.table.move(loot, source, self.table.cave(Player(view["owner"])))
        return True

    def _refill(self, view: View, cues: tuple[Cue, ...]) -> bool:
        self.decided = None
        player, again = Player(view["refill"]["player"]), view["refill"]["again"]
        hand = self.table.hands[player]
        if again:
            self.table.throw(list(self.table.zones[ACTION]), ACTION)
            self.table.draw(player, HAND)
            return self._press(player)
        need = HAND - len(hand)
        if min(need, len(self.table.pile)) != view["refill"]["draw"]:
            self.notes.append(f"{player} draws {need}, the companion thinks {view['refill']['draw']}")
        short = need > len(self.table.pile)
        self.to_draw = [late for late in self.to_draw if late != player]
        self.table.draw(player, need)
        if not short and self._bad(hand) and self.table.chance(0.7):
            self.table.lay(player, list(hand), ACTION)
            return True
        if need == 0 and self.table.chance(0.5):
            return False
        if self._err():
            self._press(self._somebody_but(player))
        return self._press(player)

    def _bad(self, hand: list[CardId]) -> bool:
        faces = {self.table.face(card) for card in hand}
        kinds = {self.table.kind(card) for card in hand}
        return len(hand) == HAND and (kinds == {"action"} or (kinds == {"food"} and len(faces) == 1))

    def _scan(self, view: View, cues: tuple[Cue, ...]) -> bool:
        for cue in cues:
            if isinstance(cue, Choose) and cue.what.startswith("scan."):
                self.notes.append(f"{cue.what}: the companion sees another cave than it recorded")
                self.hands.choose(cue.player, cue.what, "as_seen")
                return True
        return False

    def _show_feasts(self, view: View, cues: tuple[Cue, ...]) -> bool:
        return self._show_on_action(cues, "feast")

    def _show_team(self, view: View, cues: tuple[Cue, ...]) -> bool:
        return self._show_on_action(cues, "team")

    def _show_on_action(self, cues: tuple[Cue, ...], kind: str) -> bool:
        """One after the other lays the own cards down and takes them up again."""
        player = next((cue.player for cue in cues if isinstance(cue, Press | Choose)), None)
        zone = self.table.zones[ACTION]
        other = any(self.table.kind(card) not in (kind, "action") for card in zone)
        if self.showing is not None and (self.showing != player or other):
            self.pick_up()
            return True
        if player is None or self.showing is not None:
            return False
        if self._clean(ACTION):
            return True
        self.showing = player
        if kind == "team":
            zone.append(self.table.teams.pop(player))
        else:
            zone.extend(self.table.feasts[player])
            self.table.feasts[player] = []
        return True

    def finish(self, view: View, heard: tuple[Say, ...]) -> None:
        """The game is over: what is still owed is done."""
        for say in heard:
            self._listen(say)
        while self._mend(view) or self._draw_late(view):
            pass
        self.pick_up()

    def pick_up(self) -> None:
        """Whoever shows feast or team cards takes them up again."""
        zone = self.table.zones[ACTION]
        for card in [card for card in zone if self.table.kind(card) in ("feast", "team")]:
            assert self.showing is not None, "such cards lie only where somebody shows them"
            zone.remove(card)
            if self.table.kind(card) == "team":
                self.table.teams[self.showing] = card
            else:
                self.table.feasts[self.showing].append(card)
        self.showing = None

    def _question(self, view: View, cues: tuple[Cue, ...]) -> bool:
        return self._decide(view, cues)
