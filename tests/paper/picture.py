"""Draw the README's picture of a sheet anew: `python -m tests.paper.picture docs/sticker-sheet.png`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from companion.paper.sheets import sheets
from companion.shelf import deck, phrases

DPI = 80
COLOURS = 16  # grey levels kept: the file stays small


def main(path: str) -> None:
    out = io.BytesIO()
    sheets(deck("koala"), phrases()["koala"].texts["en"], out)
    raw = pypdfium2.PdfDocument(out.getvalue())[0].render(scale=4 * DPI / 72, grayscale=True).to_numpy()
    grey = cv2.resize(raw.reshape(raw.shape[:2]), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    step = 255 / (COLOURS - 1)
    flat = ((grey / step).round() * step).astype(np.uint8)
    ok, png = cv2.imencode(".png", flat, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    assert ok
    Path(path).write_bytes(png.tobytes())


if __name__ == "__main__":
    main(sys.argv[1])
