"""Whether a match may be believed: what else could have made the patch. Pure; learning-free."""

from __future__ import annotations

import numpy as np

from companion.vision.align import F32
from companion.vision.match import FLOOR, I64, Bank, Match, View, alike

_RIDGE = 1e-4


def loose(codes: Bank, shown: F32, found: Match) -> F32:
    """How much better modules of any grey fit what is `seen` than the code's black and white: ln of residuals.

    Noise gains little by that freedom; a marker of another family, an icon or a letter gains much.
    """
    free = np.empty(len(shown), np.float32)
    for level, rows in alike(found.level):
        part = shown[rows, level]
        free[rows] = np.einsum("nc,nc->n", part @ codes.view.loose[level], part)
    held = found.score**2
    return np.asarray(np.log((1 - held + FLOOR) / (1 - np.clip(free, held, 1) + FLOOR)), np.float32)


def explained(view: View, codes: F32, levels: I64, patches: F32) -> F32:
    """Read patches (N, M) off as what is not the code and the code: so much of each, (N, 8) grey levels.

    Level and slopes of the light, brightness beyond the upper, right, lower and left side over black, and
    white over black inside.
    """
    code = np.empty_like(patches)
    normal, right = np.empty((len(patches), 8, 8), np.float32), np.empty((len(patches), 8), np.float32)
    for level, rows in alike(levels):
        plain = view.plain[level]
        code[rows] = codes[rows] @ view.module[level].T
        normal[rows, :7, :7], normal[rows, 7, :7] = plain.T @ plain, code[rows] @ plain
        right[rows, :7] = patches[rows] @ plain
    normal[:, :7, 7], normal[:, 7, 7] = normal[:, 7, :7], np.einsum("nm,nm->n", code, code)
    right[:, 7] = np.einsum("nm,nm->n", code, patches)
    normal += np.eye(8, dtype=np.float32) * _RIDGE
    return np.asarray(np.linalg.solve(normal, right[..., None])[..., 0], np.float32)
