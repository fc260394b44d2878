"""Places at the table: devices are wired to places, and who sits there is known when a game is open."""

from __future__ import annotations

from companion.house import House
from companion.table import crank
from companion.table.game import Table
from companion.table.things import Player

TABLE_KEY = Player("table")  # the table's own button


def seated(house: House, place: Player) -> Player | None:
    """Who sits at a place; at the table's own button, the starting player. None: nobody."""
    if house.session is None:
        return None
    if place == TABLE_KEY:
        starter = crank.look(house.session, Table()).get("starter")
        return Player(str(starter)) if starter is not None else None
    players, number = house.session.setting.players, int(place) - 1
    return players[number] if number < len(players) else None


def place_of(house: House, player: Player) -> Player:
    """The place where a player sits; whoever plays not is a place already."""
    players = house.session.setting.players if house.session is not None else ()
    return Player(str(players.index(player) + 1)) if player in players else player
