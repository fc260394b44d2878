"""A page of paper: millimetres from its upper left corner, a ruler, markers, pictures, all as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.paper.pictograms import pictogram
from companion.paper.shapes import Shape
from companion.paper.words import WORDS
from companion.table.things import CompanionError, value
from companion.vision.markers import modules

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
FAMILY = "aruco-5x5-1000"
MARGIN = 10.0
TOP, FOOT = 14.0, 14.0  # mm kept for the heading and for the ruler
INK = 0.12  # grey of text and pictures
HAIR = 0.15  # mm: a cutting line


class BadSheet(CompanionError, ValueError):
    """A sheet cannot be printed so; the text names the limits."""


@value
class Mark:
    """Where a marker is printed: page from 1, its upper left corner and side in mm."""

    id: int
    page: int
    x: float
    y: float
    side: float


class Pages:
    """A PDF in the making."""

    def __init__(self, out: BinaryIO, paper: str, lang: str, title: str, made_up: bool, game: str) -> None:
        """Begin; `game`: whose pictures are printed. BadSheet for an unknown paper or language."""
        if paper not in PAPERS or lang not in WORDS:
            raise BadSheet(
                f"paper {paper!r}, language {lang!r}: known are {', '.join(PAPERS)}; {', '.join(WORDS)}"
            )
        self.words, self._title, self._made_up, self._game = WORDS[lang], title, made_up, game
        self._paper = PAPERS[paper]
        self.width, self.height = self._paper
        self._canvas: Any = Canvas(out, pagesize=(self.width * mm, self.height * mm), pageCompression=1)
        self._canvas.setTitle(title)
        self.count = 0
        self.marks: list[Mark] = []

    def begin(self, heading: str | None, *, wide: bool = False) -> None:
        """A new page, upright or on its side, with heading and ruler; bare without a heading: a sheet of labels."""
        if self.count:
            self._canvas.showPage()
        self.count += 1
        self.width, self.height = self._paper[::-1] if wide else self._paper
        self._canvas.setPageSize((self.width * mm, self.height * mm))
        if heading is None:
            return
        self.text(MARGIN, 7.5, self._title, 8, bold=True)
        self.text(MARGIN + self._wide(self._title, 8, bold=True) + 3, 7.5, heading, 8)
        if self._made_up:
            self.text(self.width - MARGIN, 7.5, self.words["made_up"], 8, align="right", bold=True)
        self.text(self.width - MARGIN, self.height - 6, str(self.count), 7, align="right")
        self._ruler()

    def save(self) -> None:
        """Finish the file."""
        self._canvas.save()

    def _ruler(self) -> None:
        """100 mm from outer edge to outer edge of the end strokes."""
        y, stroke = self.height - 6.0, 0.2
        self.line(MARGIN, y, MARGIN + 100, y, stroke)
        for step in range(11):
            x = MARGIN + 10 * step + (stroke / 2 if step == 0 else -stroke / 2 if step == 10 else 0)
            self.line(x, y, x, y - (3 if step % 5 == 0 else 1.5), stroke)
        self.text(MARGIN + 104, y, self.words["ruler"], 7)

    def _wide(self, words: str, points: float, *, bold: bool = False) -> float:
        return float(self._canvas.stringWidth(words, _font(bold), points) / mm)

    def text(
        self, x: float, y: float, words: str, points: float, *, align: str = "left", bold: bool = False,
        most: float | None = None,
    ) -> None:  # fmt: skip
        """A line of text, its baseline at y; set smaller where it would be wider than `most` mm."""
        wide = self._wide(words, points, bold=bold)
        if most is not None and wide > most:
            points *= most / wide
        self._canvas.setFillGray(INK)
        self._canvas.setFont(_font(bold), points)
        draw = {"left": self._canvas.drawString, "right": self._canvas.drawRightString,
                "middle": self._canvas.drawCentredString}[align]  # fmt: skip
        draw(x * mm, (self.height - y) * mm, words)

    def line(
        self, x0: float, y0: float, x1: float, y1: float, width: float = HAIR, *, grey: float = 0.0,
        dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A straight line, its width and dashes in mm."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width * mm)
        self._canvas.setLineCap(0)
        self._canvas.setDash([step * mm for step in dash])
        self._canvas.line(x0 * mm, (self.height - y0) * mm, x1 * mm, (self.height - y1) * mm)
        self._canvas.setDash([])

    def ring(self, x: float, y: float, r: float, width: float = 0.3, *, grey: float = 0.0) -> None:
        """A circle's outline around (x, y)."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width * mm)
        self._canvas.circle(x * mm, (self.height - y) * mm, r * mm, stroke=1, fill=0)

    def grid(self, x: float, y: float, wide: float, high: float, columns: int, rows: int) -> None:
        """Cutting lines around columns x rows cells, each line prolonged a little beyond them."""
        over = 3.0
        for column in range(columns + 1):
            at = x + column * wide
            self.line(at, y - over, at, y + rows * high + over, grey=0.7)
        for row in range(rows + 1):
            at = y + row * high
            self.line(x - over, at, x + columns * wide + over, at, grey=0.7)

    def marker(self, marker: int, x: float, y: float, side: float) -> None:
        """A marker with its upper left corner at (x, y)."""
        self.squares([[not light for light in row] for row in modules(FAMILY)[marker]], x, y, side)
        self.marks.append(Mark(marker, self.count, x, y, side))

    def squares(self, grid: Sequence[Sequence[bool]], x: float, y: float, side: float) -> None:
        """A square code, its dark modules black; neighbours in a row are one run, so no seam shows."""
        cell = side / len(grid)
        path = self._canvas.beginPath()
        for row, bits in enumerate(grid):
            low = (self.height - y - (row + 1) * cell) * mm
            for first, last in _runs(bits):
                path.rect((x + first * cell) * mm, low, (last - first) * cell * mm, cell * mm)
        self._canvas.setFillGray(0)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def picture(self, face: str, x: float, y: float, side: float) -> None:
        """The pictogram of a face in a square."""
        self._canvas.saveState()
        self._canvas.translate(x * mm, (self.height - y) * mm)
        self._canvas.scale(side / 100 * mm, -side / 100 * mm)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        for shape in pictogram(self._game, face):
            self._shape(shape)
        self._canvas.restoreState()

    def _shape(self, shape: Shape) -> None:
        stroked = shape.paint == "line"
        grey = 1.0 if shape.paint == "white" else INK
        self._canvas.setFillGray(grey)
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(shape.width)
        if shape.kind == "circle":
            self._canvas.circle(*shape.at, stroke=int(stroked), fill=int(not stroked))
            return
        path = self._canvas.beginPath()
        path.moveTo(*shape.at[:2])
        step, go = (6, path.curveTo) if shape.kind == "curve" else (2, path.lineTo)
        for start in range(2, len(shape.at), step):
            go(*shape.at[start : start + step])
        if not stroked:
            path.close()
        self._canvas.drawPath(path, stroke=int(stroked), fill=int(not stroked))


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"


def _runs(bits: Sequence[bool]) -> list[tuple[int, int]]:
    """Where a row is dark: (first, one after the last) of each run."""
    edges = [i for i in range(len(bits) + 1) if (i > 0 and bits[i - 1]) != (i < len(bits) and bits[i])]
    return list(zip(edges[::2], edges[1::2], strict=True))
