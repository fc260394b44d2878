"""A bundle played again: its frames read anew and held against how they were read then."""

from __future__ import annotations

import json
from pathlib import Path

from companion.edges import bundles
from companion.edges.bundles import BadBundle, Bundle
from companion.edges.camera import FAMILY, deck_ids
from companion.shelf import deck, folders
from companion.table.events import Shown
from companion.table.things import Deck, Zone, value
from companion.vision.gaze import Eyes, Gaze, gazed
from companion.vision.read import Reader
from companion.vision.scene import Rules, Scene
from companion.vision.settle import Settle, settled, watch
from companion.wire.foreign import visible


@value
class Again:
    """What comes out of the frames now, beside what came out then."""

    frames: int
    seconds: float
    zones: int  # zones that lay open then, counted over all frames
    alike: int  # of these: with the same cards now
    missed: tuple[int, ...]  # markers read then and not now, in any frame
    added: tuple[int, ...]  # markers read now and not then
    said: tuple[Shown, ...]  # what would be said of the frames now
    said_then: tuple[Shown, ...]


def again(bundle: Bundle, cards: Deck) -> Again:
    """Read and understand every frame anew, as the camera would."""
    low, high = bundle.table["marker_px"]
    reader = Reader(FAMILY, deck_ids(cards), (float(low), float(high)))
    eyes, gaze = Eyes(reader, Rules(cards, reader.look)), Gaze()
    watched = bundle.table.get("watched") or {
        zone for frame in bundle.frames for zone, _ in frame.row["said"]
    }
    settle = watch(Settle(), [Zone(zone) for zone in watched])
    said: list[Shown] = []
    total = alike = 0
    missed: set[int] = set()
    added: set[int] = set()
    for frame in bundle.frames:
        gaze = gazed(gaze, frame.grey, eyes)
        look, scene = gaze.look, gaze.scene or Scene()
        settle, shown = settled(settle, scene.sighting, frame.at)
        said += shown
        then = {int(reading["id"]) for reading in frame.row["readings"]}
        now = {reading.id for reading in look.readings}
        missed |= then - now
        added |= now - then
        for zone, seen in frame.row["zones"].items():
            if not seen["held"]:
                total += 1
                alike += zone in scene.zones and sorted(scene.zones[zone].cards) == sorted(seen["cards"])
    first, last = (bundle.frames[0].at, bundle.frames[-1].at) if bundle.frames else (0, 0)
    then_said = tuple(Shown(zone, tuple(held)) for frame in bundle.frames for zone, held in frame.row["said"])
    return Again(
        len(bundle.frames), (last - first) / 1e9, total, alike, tuple(sorted(missed)), tuple(sorted(added)),
        tuple(said), then_said,
    )  # fmt: skip


_SAID = {
    "en": {
        "frames": "{game}: {frames} frames over {seconds:.1f} s, saved {saved}", "then": "then:", "now": "now: ",
        "alike": "zones as then: {alike} of {zones}",
        "odd": "markers missed now: {missed}, read only now: {added}",
    },
    "de": {
        "frames": "{game}: {frames} Bilder in {seconds:.1f} s, gesichert {saved}", "then": "damals:", "now": "jetzt: ",
        "alike": "Plätze wie damals: {alike} von {zones}",
        "odd": "Marker, die jetzt fehlen: {missed}, nur jetzt gelesen: {added}",
    },
}  # fmt: skip


def replayed(file: Path, as_json: bool, lang: str = "en") -> str:
    """What a bundle shows, read anew. BadBundle names what is wrong with it."""
    bundle = bundles.read(file)
    cards = deck_of(bundle, file)
    found = again(bundle, cards)
    if as_json:
        return json.dumps(
            {
                "game": cards.game, "frames": found.frames, "seconds": round(found.seconds, 2), "zones": found.zones,
                "alike": found.alike, "missed": found.missed, "added": found.added, "events": len(bundle.events),
                "said": [[each.zone, each.cards] for each in found.said],
                "said_then": [[each.zone, each.cards] for each in found.said_then],
            }
        )  # fmt: skip
    said, saved = _SAID[lang], bundle.table.get("saved", "?")
    frames = {"game": cards.game, "frames": found.frames, "seconds": found.seconds, "saved": saved}
    lines = [
        said["frames"].format(**frames),
        *(f"  {said['then']} {each.zone}: {', '.join(each.cards) or '-'}" for each in found.said_then),
        *(f"  {said['now']} {each.zone}: {', '.join(each.cards) or '-'}" for each in found.said),
        said["alike"].format(alike=found.alike, zones=found.zones),
    ]
    if found.missed or found.added:
        lines.append(said["odd"].format(missed=list(found.missed), added=list(found.added)))
    return "\n".join(map(visible, lines))


def deck_of(bundle: Bundle, file: Path) -> Deck:
    """The deck a bundle was saved with."""
    game = bundle.table.get("game")
    for folder in folders():
        if deck(folder).game == game:
            return deck(folder)
    raise BadBundle(
        f"{file}: bundle.json: game: there is none of the name {game}. Open a game, then save it on /op"
    )
