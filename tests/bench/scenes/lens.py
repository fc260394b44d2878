"""The second physics: a lens, a sensor, toner and hands, each with its own ways to spoil a marker.

Toner spreads, fades and drops out in streaks; cards curl and lie in glossy sleeves; the lens blurs in discs
and the hand moves in curves; lamps cast hard shadows and flicker in bands; the sensor counts electrons
behind a colour mosaic; its processor applies gamma and draws halos; JPEG packs it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.bench.scenes.layout import Wish, lay
from tests.bench.scenes.soft import packed, wash

COLOURS = (0.82, 1.0, 0.68)  # blue, green and red as the sensor sees warm light on white paper


@dataclass
class Lens:
    """One scene: what lies there, and how it is seen."""

    wish: Wish = field(default_factory=lambda: Wish(curl=0.002))
    disc: float = 0.7  # radius of the defocus, px
    soft: float = 0.45  # sigma of the rest of the optics, px
    spread: float = 0.06  # how far toner creeps, mm; its edge is as soft
    faded: float = 1.0  # contrast of the print that is left
    streaks: float = 0.0  # share of toner that is lost along the worst lines
    sway: float = 0.0  # length of a curved, uneven motion, px
    electrons: float = 4000.0  # at white; their root is the noise
    bright: float = 0.8  # white paper in full light, of what the sensor holds
    falloff: float = 0.35
    shadow: float = 0.0  # how much of the light a hard shadow takes, its edge across each marker
    bands: float = 0.0  # depth of the flicker, 0 to 1
    sleeves: float = 0.0  # light that a sleeve throws back over a card; some carry a bright streak
    gamma: float = 1 / 2.2
    halo: float = 0.6  # strength of the sharpening
    jpeg: int = 90


def picture(scene, seed):
    """Take the picture: grey, and the markers that are truly in it."""
    chance = np.random.default_rng(seed)
    laid = lay(scene.wish, chance, lambda face, ppm, dice: _printed(face, ppm, dice, scene))
    height, width = laid.light.shape[0] // laid.fine, laid.light.shape[1] // laid.fine
    seen = cv2.resize(laid.light, (width, height), interpolation=cv2.INTER_AREA)
    seen *= _lamp(scene, laid, seen.shape, chance)
    veil = _sleeves(scene, laid, seen.shape, chance) if scene.sleeves else np.zeros_like(seen)
    wash(laid.markers, 255 * scene.bright * seen, 255 * scene.bright * veil)
    seen += veil
    if scene.disc > 0.3:
        seen = cv2.filter2D(seen, -1, disc(scene.disc), borderType=cv2.BORDER_REFLECT)
    seen = cv2.GaussianBlur(seen, (0, 0), scene.soft)
    if scene.sway:
        seen = cv2.filter2D(seen, -1, sway(scene.sway, chance), borderType=cv2.BORDER_REFLECT)
    if scene.bands:
        rows = np.arange(height) / chance.uniform(14, 90) + chance.uniform(0, 1)
        seen *= (1 - scene.bands * (0.5 + 0.5 * np.cos(2 * math.pi * rows)))[:, None].astype(np.float32)
    return packed(
        _processed(_sensor(seen * scene.bright, scene.electrons, chance), scene), scene.jpeg
    ), laid.markers


def _printed(face, ppm, chance, scene):
    """Toner on paper: it creeps, its edges are soft, it fades and fails along lines."""
    reach = scene.spread * chance.uniform(0.4, 1.6) * ppm
    if reach > 0.2:
        soft = cv2.GaussianBlur(face, (0, 0), reach)
        face = np.clip(soft - 0.25 * (1 - soft) * soft * 4 * min(1, reach), 0, 1)
    if scene.faded < 1 or scene.streaks:
        paper = float(face[2, -3])
        across = cv2.GaussianBlur(
            chance.standard_normal((1, face.shape[1])).astype(np.float32), (0, 0), 0.25 * ppm
        )
        lost = scene.streaks * np.clip(across / across.std() - 0.6, 0, 1)
        grain = cv2.GaussianBlur(chance.standard_normal(face.shape).astype(np.float32), (0, 0), 0.1 * ppm)
        left = scene.faded * (1 - lost) * (1 + 0.15 * scene.streaks * grain / grain.std())
        face = paper - (paper - face) * np.clip(left, 0, 1)
    return face.astype(np.float32)


def _lamp(scene, laid, shape, chance):
    """One lamp from a side, and hard shadows whose edges run over the markers."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    toward = chance.uniform(0, 2 * math.pi)
    ramp = (x / shape[1] - 0.5) * math.cos(toward) + (y / shape[0] - 0.5) * math.sin(toward)
    light = 1 - scene.falloff * (ramp - ramp.min()) / np.ptp(ramp)
    if scene.shadow:
        for marker in laid.markers:
            middle, reach, angle = marker.corners.mean(0), 1.3 * marker.side, chance.uniform(0, 2 * math.pi)
            off = chance.uniform(-0.35, 0.35) * marker.side
            lo = np.maximum(np.floor(middle - reach).astype(int), 0)
            hi = np.ceil(middle + reach).astype(int) + 1
            part = (slice(lo[1], hi[1]), slice(lo[0], hi[0]))
            ahead = (x[part] - middle[0]) * math.cos(angle) + (y[part] - middle[1]) * math.sin(angle) - off
            near = np.hypot(x[part] - middle[0], y[part] - middle[1]) < reach
            light[part] *= 1 - scene.shadow * np.clip(ahead + 0.5, 0, 1) * near
    return light


def _sleeves(scene, laid, shape, chance):
    """What glossy sleeves throw back: a veil over a card, on every third a streak as well."""
    veil = np.zeros(shape, np.float32)
    for outline in laid.cards:
        mask = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
        strength = scene.sleeves * chance.uniform(0.3, 1)
        y, x = np.nonzero(mask)
        angle = chance.uniform(0, math.pi)
        along = x * math.cos(angle) + y * math.sin(angle)
        if not len(along):
            continue
        value = np.full(len(along), strength, np.float32)
        if chance.random() < 0.33:
            at, wide = chance.uniform(along.min(), along.max()), chance.uniform(0.1, 0.4) * scene.wish.side
            value += chance.uniform(0.3, 1.2) * np.exp(-(((along - at) / wide) ** 2))
        veil[y, x] = value
    return veil


def disc(radius):
    """An even disc, its edge smooth."""
    reach = math.ceil(radius) + 1
    fine = 9
    at = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    within = (np.hypot(at[:, None], at) <= radius).astype(np.float32)
    kernel = within.reshape(2 * reach + 1, fine, 2 * reach + 1, fine).mean((1, 3))
    return kernel / kernel.sum()


def sway(length, chance):
    """A motion along an arc, faster here and slower there."""
    size = int(length) + 7
    size += 1 - size % 2
    kernel = np.zeros((size, size), np.float32)
    time = np.linspace(0, 1, 200)
    pace = 1 + 0.6 * np.sin(2 * math.pi * (time * chance.uniform(0.4, 1.2) + chance.random()))
    gone = np.cumsum(pace)
    gone = (gone - gone[0]) / (gone[-1] - gone[0]) * length
    heading = chance.uniform(0, 2 * math.pi) + gone / length * chance.uniform(-1.2, 1.2)
    step = np.diff(gone, prepend=0)
    spots = np.cumsum(np.stack([step * np.cos(heading), step * np.sin(heading)], 1), 0)
    spots -= (spots.min(0) + spots.max(0)) / 2
    for x, y in spots + size // 2:
        left, top = int(x), int(y)
        right, low = x - left, y - top
        kernel[top : top + 2, left : left + 2] += np.outer([1 - low, low], [1 - right, right])
    return kernel / kernel.sum()


def _sensor(seen, electrons, chance):
    """Count electrons behind a mosaic of colours and fill the gaps in: grey, 0 to 1."""
    gains = np.empty((2, 2), np.float32)
    gains[0, 0], gains[0, 1], gains[1, 0], gains[1, 1] = COLOURS[2], COLOURS[1], COLOURS[1], COLOURS[0]
    tiled = np.tile(gains, (seen.shape[0] // 2 + 1, seen.shape[1] // 2 + 1))[: seen.shape[0], : seen.shape[1]]
    count = np.clip(seen, 0, 1.2) * tiled * electrons
    count = count + chance.standard_normal(count.shape) * np.sqrt(count + 9)
    raw = np.clip(count / tiled / electrons, 0, 1)
    return cv2.cvtColor((raw * 60000).astype(np.uint16), cv2.COLOR_BayerRG2BGR).astype(np.float32) / 60000


def _processed(colour, scene):
    """Gamma, halos, and grey as a program gets it."""
    shown = np.power(np.clip(colour, 0, 1), scene.gamma)
    if scene.halo:
        shown = shown + scene.halo * (shown - cv2.GaussianBlur(shown, (0, 0), 1.1))
    return cv2.cvtColor((np.clip(shown, 0, 1) * 255).astype(np.uint8), cv2.COLOR_BGR2GRAY)
