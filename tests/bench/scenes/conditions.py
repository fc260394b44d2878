"""The conditions of the table, each with the share of markers that ours should read in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.bench.scenes import lens, soft
from tests.bench.scenes.layout import Wish
from tests.bench.scenes.lens import Lens
from tests.bench.scenes.soft import Soft


@dataclass(frozen=True)
class Condition:
    """A row of the table."""

    name: str
    scene: Soft | Lens
    goal: float | None  # percent

    @property
    def side(self):
        return self.scene.wish.side

    @property
    def physics(self):
        return type(self.scene).__name__.lower()

    def picture(self, seed, family):
        scene = replace(self.scene, wish=replace(self.scene.wish, family=family))
        return (soft if isinstance(scene, Soft) else lens).picture(scene, seed)


def _soft(name, goal, side, wish=None, **optics):
    return Condition(name, Soft(Wish(side=side, **(wish or {})), **optics), goal)


def _lens(name, goal, side, wish=None, **optics):
    return Condition(name, Lens(Wish(side=side, **{"curl": 0.002, **(wish or {})}), **optics), goal)


SIZES = {7: None, 8: None, 9: 95, 10: 97, 12: 99, 16: 99.5, 20: 99.5, 30: 99.5, 48: 99.5}
MODERATE = {
    "disc": 1.2, "sway": 2.0, "electrons": 900.0, "faded": 0.75, "streaks": 0.2, "shadow": 0.35, "bands": 0.2,
    "sleeves": 0.08, "jpeg": 75,
}  # fmt: skip
CONDITIONS = (
    *(_soft(f"{side} px", goal, side) for side, goal in SIZES.items()),
    _soft("blur 1.6 @20", None, 20, blur=1.6),
    _soft("blur 2.0 @20", 97, 20, blur=2.0),
    _soft("blur 2.5 @20", 90, 20, blur=2.5),
    _soft("motion 4 @20", None, 20, motion=4),
    _soft("motion 6 @20", 95, 20, motion=6),
    _soft("motion 8 @20", 80, 20, motion=8),
    _soft("noise 24 @16", 99, 16, noise=24),
    _soft("noise 32 @16", None, 16, noise=32),
    _soft("jpeg 30 @16", 99, 16, jpeg=30),
    _soft("light x.25 @16", 98, 16, bright=0.25, glare=0),
    _soft("light x.12 @16", 90, 16, bright=0.12, glare=0),
    _soft("tilt 55 @20", 98, 20, {"tilt": 55}),
    _soft("margin 1.3 mm @12", 98, 12, {"inset": 1.3}),
    _soft("margin .9 mm @20", None, 20, {"inset": 0.9}),
    *(_lens(f"{side} px", goal, side) for side, goal in SIZES.items()),
    _lens("disc 3 @20", 95, 20, disc=3.0),
    _lens("disc 4 @20", 80, 20, disc=4.0),
    _lens("sway 7 @20", 90, 20, sway=7.0),
    _lens("noise 50 e- @16", None, 16, electrons=50.0),
    _lens("noise 200 e- @16", 99, 16, electrons=200.0),
    _lens("jpeg 30 @16", 99, 16, jpeg=30),
    _lens("light x.25 @16", 98, 16, bright=0.2),
    _lens("faded .4 @16", 99, 16, faded=0.4, streaks=0.4),
    _lens("shadow .9 @16", 98, 16, shadow=0.9),
    _lens("shadow .6 @16", None, 16, shadow=0.6),
    _lens("bands .7 @16", 99, 16, bands=0.7),
    _lens("sleeves .2 @16", None, 16, sleeves=0.2),
    _lens("curl 1/60 @16", None, 16, {"curl": 0.0167}),
    _lens("tilt 45 @24", 99, 24, {"tilt": 45}),
    _lens("tilt 55 @24", 96, 24, {"tilt": 55}),
    _lens("tilt 62 @24", 90, 24, {"tilt": 62}),
    _lens("margin 1.3 mm @12", 98, 12, {"inset": 1.3}),
    _lens("margin .5 mm @16", None, 16, {"inset": 0.5}),
    _lens("patch 1.75 mm @12", None, 12, {"patch": 1.75}),
    _lens("fan, touching @16", 95, 16, {"fan": 0.0}),
    _lens("fan, 1.5 mm hidden @16", 85, 16, {"fan": 1.5}),
    _lens("everything @20", 97, 20, {"tilt": 30}, **MODERATE),
    _lens("everything @14", 85, 14, {"tilt": 30}, **MODERATE),
)
