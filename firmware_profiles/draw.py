"""Draws the wiring pictures from the profiles: `python firmware_profiles/draw.py`. A test holds the files to it."""

from __future__ import annotations

from pathlib import Path

from companion.wire.profile import Profile, Wiring, parse

HERE = Path(__file__).parent
ROW, LEFT, WIDE = 34, 310, 240  # pixels: of a row, of the board's left side, of the board
# the Pi's header: BCM number -> pin of the 40
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip


def profiles() -> dict[str, Profile]:
    """Every board's profile, checked."""
    files = sorted(HERE.glob("*/profile.toml"))
    return {
        file.parent.name: parse(file.read_text("utf-8"), f"{file.parent.name}/profile.toml") for file in files
    }


def pictures() -> dict[Path, str]:
    """Each wiring picture under its file name."""
    return {
        HERE / name / f"wiring-{players}.svg": drawn(profile, players)
        for name, profile in profiles().items()
        for players in profile.maps
    }


def drawn(profile: Profile, players: str) -> str:
    """The picture of one wiring: the board in the middle, buttons to its right, lamps to its left."""
    wiring = profile.maps[players]
    rows = max(len(wiring.buttons) + (wiring.call is not None), len(wiring.lamps))
    height = 110 + rows * ROW
    body = [_board(profile, rows), *_buttons(profile, wiring), *_lamps(profile, wiring)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-family="sans-serif" '
            'font-size="13" stroke-linecap="round">',
            f'<rect width="860" height="{height}" fill="white"/>',
            f'<text x="20" y="26" font-size="16">{profile.title["en"]}</text>',
            '<text x="20" y="46" fill="#555">Each button: pin to ground. Each lamp: pin, 330 ohm, LED, ground.</text>',
            *body,
            "</svg>\n",
        ]
    )


def _board(profile: Profile, rows: int) -> str:
    name = "40-pin header" if profile.bcm else profile.board
    return (
        f'<rect x="{LEFT}" y="62" width="{WIDE}" height="{rows * ROW + 34}" rx="8" fill="#e8f1e8" stroke="#285028"/>'
        f'<text x="{LEFT + WIDE // 2}" y="{rows * ROW + 86}" text-anchor="middle" fill="#285028">{name}</text>'
    )


def _label(profile: Profile, pin: str) -> str:
    return f"GPIO{pin} (pin {HEADER[int(pin)]})" if profile.bcm else pin


def _buttons(profile: Profile, wiring: Wiring) -> list[str]:
    named = [(pin, f"button {number}") for number, pin in enumerate(wiring.buttons, 1)]
    if wiring.call is not None:
        named.append((wiring.call, "call button"))
    out = []
    for row, (pin, name) in enumerate(named):
        y = 84 + row * ROW
        out.append(
            f'<text x="{LEFT + WIDE - 8}" y="{y + 4}" text-anchor="end">{_label(profile, pin)}</text>'
            f'<path d="M{LEFT + WIDE} {y}H600M640 {y}H680M600 {y - 10}L640 {y - 6}" fill="none" stroke="black" '
            f'stroke-width="2"/><circle cx="600" cy="{y}" r="3"/><circle cx="640" cy="{y}" r="3"/>'
            f'<path d="M680 {y - 9}V{y + 9}M685 {y - 6}V{y + 6}M690 {y - 3}V{y + 3}" stroke="black" stroke-width="2"/>'
            f'<text x="702" y="{y + 4}">{name}, ground</text>'
        )
    return out


def _lamps(profile: Profile, wiring: Wiring) -> list[str]:
    out = []
    for row, pin in enumerate(wiring.lamps):
        y = 84 + row * ROW
        out.append(
            f'<text x="{LEFT + 8}" y="{y + 4}">{_label(profile, pin)}</text>'
            f'<path d="M{LEFT} {y}H290M240 {y}H212M188 {y}H160" stroke="black" stroke-width="2"/>'
            f'<rect x="240" y="{y - 6}" width="50" height="12" fill="white" stroke="black" stroke-width="2"/>'
            f'<path d="M212 {y - 9}V{y + 9}L190 {y}Z" fill="#c33" stroke="black"/>'
            f'<path d="M188 {y - 9}V{y + 9}" stroke="black" stroke-width="2"/>'
            f'<path d="M160 {y - 9}V{y + 9}M155 {y - 6}V{y + 6}M150 {y - 3}V{y + 3}" stroke="black" stroke-width="2"/>'
            f'<text x="140" y="{y + 4}" text-anchor="end">lamp {row + 1}, ground</text>'
        )
    return out


if __name__ == "__main__":
    for path, picture in pictures().items():
        path.write_text(picture, "utf-8")
