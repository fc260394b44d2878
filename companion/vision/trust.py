"""Whether a match may be believed: what else could have made the patch. Pure; learning-free."""

from __future__ import annotations

import numpy as np

from companion.vision.align import F32
from companion.vision.match import FLOOR, I64, Bank, Match, View, seen

_RIDGE = 1e-4


def loose(codes: Bank, patches: F32, found: Match) -> F32:
    """How much better modules of any grey fit than the code's black and white: ln of residuals.

    Noise gains little by that freedom; a marker of another family, an icon or a letter gains much.
    """
    view = codes.view
    rows = np.arange(len(patches))
    shown, left = (part[rows, found.level] for part in seen(view, patches))
    freely = np.matmul(view.loose[found.level], shown[..., None])[..., 0]
    free = np.einsum("nc,nc->n", shown, freely) / left**2
    held = found.score**2
    return np.asarray(np.log((1 - held + FLOOR) / (1 - np.clip(free, held, 1) + FLOOR)), np.float32)


def explained(view: View, codes: F32, levels: I64, patches: F32) -> F32:
    """Read patches (N, M) off as what is not the code and the code: so much of each, (N, 8) grey levels.

    Level and slopes of the light, brightness beyond the upper, right, lower and left side over black, and
    white over black inside.
    """
    shown = np.einsum("nmc,nc->nm", view.module[levels], codes)
    design = np.concatenate([view.plain[levels], shown[..., None]], 2)
    normal = design.transpose(0, 2, 1) @ design
    normal += np.eye(normal.shape[1], dtype=np.float32) * _RIDGE
    right = (design.transpose(0, 2, 1) @ patches[..., None])[..., 0]
    return np.asarray(np.linalg.solve(normal, right[..., None])[..., 0], np.float32)
