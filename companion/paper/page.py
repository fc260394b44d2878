"""A page of paper: millimetres from its upper left corner, a ruler, markers, pictures, all as vectors."""

from __future__ import annotations

from typing import Any, BinaryIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.paper.pictograms import pictogram
from companion.table.things import CompanionError, value
from companion.vision.markers import modules

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
FAMILY = "aruco-5x5-1000"
MARGIN = 10.0
WORDS = {
    "en": {
        "ruler": "100 mm: print at 100 % and measure this line", "made_up": "Made-up data: the rulebook gives none",
        "beyond": "The zone reaches beyond this sheet: {right} mm to the right, {down} mm down.",
        "plate": "Lay it flat; cards go below the two markers.", "join": "Open on your phone", "seat": "Player",
        "stickers": "Stickers: one in the same corner of each card", "empty": "",
    },
    "de": {
        "ruler": "100 mm: mit 100 % drucken und diese Linie nachmessen",
        "made_up": "Erfunden: Das Regelheft gibt keine vor",
        "beyond": "Die Zone reicht über das Blatt hinaus: {right} mm nach rechts, {down} mm nach unten.",
        "plate": "Flach hinlegen; Karten liegen unter den beiden Markern.",
        "join": "Auf dem Handy öffnen", "seat": "Spieler",
        "stickers": "Aufkleber: einer in dieselbe Ecke jeder Karte", "empty": "",
    },
}  # fmt: skip


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

    def __init__(self, out: BinaryIO, paper: str, lang: str, title: str, made_up: bool) -> None:
        """Begin; BadSheet for an unknown paper or language."""
        if paper not in PAPERS or lang not in WORDS:
            raise BadSheet(
                f"paper {paper!r}, language {lang!r}: known are {', '.join(PAPERS)}; {', '.join(WORDS)}"
            )
        self.words, self._title, self._made_up = WORDS[lang], title, made_up
        self._paper = PAPERS[paper]
        self.width, self.height = self._paper
        self._canvas: Any = Canvas(out, pagesize=(self.width * mm, self.height * mm), pageCompression=1)
        self._canvas.setTitle(title)
        self.count = 0
        self.marks: list[Mark] = []

    def begin(self, heading: str, *, wide: bool = False) -> None:
        """A new page, upright or on its side, with heading and ruler."""
        if self.count:
            self._canvas.showPage()
        self.count += 1
        self.width, self.height = self._paper[::-1] if wide else self._paper
        self._canvas.setPageSize((self.width * mm, self.height * mm))
        self.text(MARGIN, 7.5, f"{self._title}   {heading}", 8)
        if self._made_up:
            self.text(self.width - MARGIN, 7.5, self.words["made_up"], 9, align="right", bold=True)
        self._ruler()

    def save(self) -> None:
        """Finish the file."""
        self._canvas.save()

    def _ruler(self) -> None:
        y = self.height - 6.0
        self.line(MARGIN, y, MARGIN + 100, y, 0.3)
        for step in range(11):
            self.line(MARGIN + 10 * step, y, MARGIN + 10 * step, y - (3 if step % 10 == 0 else 1.5), 0.3)
        self.text(MARGIN + 104, y, self.words["ruler"], 7)

    def text(
        self, x: float, y: float, words: str, points: float, *, align: str = "left", bold: bool = False,
        most: float | None = None,
    ) -> None:  # fmt: skip
        """A line of text, its baseline at y; set smaller where it would be wider than `most` mm."""
        font = "Helvetica-Bold" if bold else "Helvetica"
        wide = self._canvas.stringWidth(words, font, points) / mm
        if most is not None and wide > most:
            points *= most / wide
        self._canvas.setFillGray(0.1)
        self._canvas.setFont(font, points)
        draw = {"left": self._canvas.drawString, "right": self._canvas.drawRightString,
                "middle": self._canvas.drawCentredString}[align]  # fmt: skip
        draw(x * mm, (self.height - y) * mm, words)

    def line(self, x0: float, y0: float, x1: float, y1: float, width: float, grey: float = 0.0) -> None:
        """A straight line, its width in mm."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width * mm)
        self._canvas.line(x0 * mm, (self.height - y0) * mm, x1 * mm, (self.height - y1) * mm)

    def frame(self, x: float, y: float, w: float, h: float, grey: float = 0.75, width: float = 0.15) -> None:
        """A rectangle's outline."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width * mm)
        self._canvas.rect(x * mm, (self.height - y - h) * mm, w * mm, h * mm, stroke=1, fill=0)

    def marker(self, marker: int, x: float, y: float, side: float) -> None:
        """A marker with its upper left corner at (x, y): each row's black modules as one run."""
        grid = modules(FAMILY)[marker]
        cell = side / len(grid)
        path = self._canvas.beginPath()
        for row, bits in enumerate(grid):
            column = 0
            while column < len(bits):
                run = column
                while run < len(bits) and not bits[run]:
                    run += 1
                if run > column:
                    left, low = (x + column * cell) * mm, (self.height - y - (row + 1) * cell) * mm
                    path.rect(left, low, (run - column) * cell * mm, cell * mm)
                column = max(run, column + 1)
        self._canvas.setFillGray(0)
        self._canvas.drawPath(path, stroke=0, fill=1)
        self.marks.append(Mark(marker, self.count, x, y, side))

    def squares(self, grid: list[list[bool]], x: float, y: float, side: float) -> None:
        """A square code (a QR code) in black modules."""
        cell = side / len(grid)
        path = self._canvas.beginPath()
        for row, bits in enumerate(grid):
            for column, dark in enumerate(bits):
                if dark:
                    low = (self.height - y - (row + 1) * cell) * mm
                    path.rect((x + column * cell) * mm, low, cell * mm, cell * mm)
        self._canvas.setFillGray(0)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def picture(self, face: str, x: float, y: float, side: float) -> None:
        """The pictogram of a face in a square."""
        scale = side / 100
        for shape in pictogram(face):
            self._canvas.setFillGray(1.0 if shape.paint == "white" else 0.15)
            self._canvas.setStrokeGray(0.15)
            self._canvas.setLineWidth(6 * scale * mm)
            self._canvas.setLineCap(1)
            filled, stroked = int(shape.paint != "line"), int(shape.paint == "line")
            if shape.kind == "circle":
                cx, cy, r = shape.at
                at = ((x + cx * scale) * mm, (self.height - y - cy * scale) * mm, r * scale * mm)
                self._canvas.circle(*at, stroke=stroked, fill=filled)
                continue
            path = self._canvas.beginPath()
            points = list(zip(shape.at[::2], shape.at[1::2], strict=True))
            for number, (px, py) in enumerate(points):
                go = path.lineTo if number else path.moveTo
                go((x + px * scale) * mm, (self.height - y - py * scale) * mm)
            if shape.kind == "polygon":
                path.close()
            self._canvas.drawPath(path, stroke=stroked, fill=filled)
