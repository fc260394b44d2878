"""Persons who hunt: with which workbears, who leaves the tribe afterwards, and what the menu is laid anew with."""

from __future__ import annotations

from companion.sim.karnivore.physical import PLAY
from companion.sim.karnivore.rolling import Rolling
from companion.table.things import CardId


class Hunting(Rolling):
    """The hunt and the end of a turn, as everybody knows them from the rulebook."""

    def _start_hunt(self) -> bool:
        """By word, or by laying the workbears on the hunt place."""
        if self.view["spears"] != self.spears:
            self.notes.append(f"{self.player} counts {self.spears} spears, the screen {self.view['spears']}")
            self.spears = self.view["spears"]
        if self.table.chance(0.6):
            return self._say("act", "hunt")
        need = next(n for n in self.view["needs"] if n["player"] == self.player)
        bears = self._picked(list(need["with"]))
        for card in bears:
            self.table.leave(card)
            self.table.zones[PLAY].append(card)
        self._hunted(bears)
        return True

    def _picked(self, faces: list[str]) -> list[CardId]:
        """Own workbears of these faces, none with a skull where the table does not let them hunt."""
        rest = self.blocked if self.rules(5, "skulled_workbear_rests") else []
        free = [c for c in self.table.koalas(self.player) if c not in rest]
        out = []
        for face in faces:
            card = next(c for c in free if self.table.face(c) == face and c not in out)
            out.append(card)
        return out

    def _hunted(self, bears: list[CardId]) -> None:
        done = len(self.table.hunted[self.player])
        animal = self.table.menu[done]
        assert animal is not None, "nobody hunts an empty place"
        self.used = bears
        self.table.hunted[self.player].append(animal)
        self.table.menu[done] = None
        self.table.show_menu()
        need = 3 if self.agreed.get("mode", "normal") == "normal" else 4
        self.spears = 0 if self.rules(7, "lost") else self.spears - need

    def _hunt(self) -> bool:
        cue = self.ask("bears")
        assert cue is not None, "a hunt asks for workbears"
        if self._err():
            return self._say("bears", "back")
        options = [option for option in cue.options if option != "back"]
        option = options[0] if self.table.chance(0.7) else str(self.table.pick(options))
        self._hunted([self.card(part) for part in option.split("+")])
        return self._say("bears", option)

    def _clear(self) -> bool:
        gone = [*self.used, *self._huntbears()]
        return self._remove(gone, "cue.cleared")

    def _huntbears(self) -> list[CardId]:
        return [
            c for c in self.active if self.table.kind(c) == "huntbear" and c in self.table.koalas(self.player)
        ]

    def _remove(self, gone: list[CardId], why: str) -> bool:
        """Everybody checks by the rulebook who has to leave; the screen must name the same."""
        if sorted(self.table.face(c) for c in gone) != sorted(self.view["leaving"]):
            self.notes.append(f"{gone} have to leave, the screen says {self.view['leaving']}")
        lying = [c for c in gone if c in (*self.table.koalas(self.player), *self.table.zones[PLAY])]
        for card in lying:
            self.table.throw(card)
            self.active.pop(card, None)
        self.blocked = [card for card in self.blocked if card not in lying]
        self.used = []
        if self.table.chance(0.3):
            presser = self.may_press(why)
            return self._press(presser) if presser else True
        return True

    def _refill(self) -> bool:
        place = len(self.table.hunted[self.player]) - 1
        if self.table.menu[place] is None:
            self.table.turn_up(place)
            return True
        return False

    def _sweep(self) -> bool:
        king = self.table.kings[self.player]
        by_skull = self.rules(4, "stays_after_skull")
        leave = [
            card for card in self.table.koalas(self.player)
            if card in self.blocked
            or (self.table.kind(card) == "huntbear" and card in self.active
                and not (by_skull and set(self.active[card]) == {"skull"}))
        ]  # fmt: skip
        self.blocked = [card for card in self.blocked if card != king]
        return self._remove(leave, "cue.cleared")
