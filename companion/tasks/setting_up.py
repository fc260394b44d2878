"""`companion setup`: look at what is plugged in, ask little, write companion.toml with comments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from companion import config
from companion.config import Config
from companion.doctor import devices
from companion.doctor.finding import Patient
from companion.table.things import value

Ask = Callable[[str, str], str]  # question and usual answer -> answer
# BCM pins as firmware_profiles/pi_gpio/profile.toml has them, which is drawn in the pictures of the wiring.
# 2 and 3 are I2C's, 7 to 11 SPI's: free while those are off. 14 and 15 stay the serial console's.
BUTTON_PINS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
LAMP_PINS = (16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
CALL_PIN = 12


@value
class Rig:
    """What stands on the table, as far as it was found or told."""

    lang: str = "en"
    camera: str | None = None
    boxes: bool = False
    pins: int = 0  # seats with a button on a pin
    lamps: bool = True
    call: bool = False
    voice: bool = True


def found(root: Path = Path("/")) -> Rig:
    """What can be seen without asking."""
    patient = Patient(root, Config(), look=False)
    videos = sorted(root.glob("dev/video*"), key=lambda node: (len(node.name), node.name))
    boxes = any(finding.code == "boxes" for finding in devices.boxes(patient))
    cards = patient.text("/proc/asound/cards")
    camera = "pi" if _has_pi_camera(patient) else f"/dev/{videos[0].name}" if videos else None
    return Rig(camera=camera, boxes=boxes, voice=bool(cards) and "no soundcards" not in cards)


def _has_pi_camera(patient: Patient) -> bool:
    """Whether a camera is on the Pi's own ribbon: libcamera's devices name their pipeline."""
    names = (path.read_text() for path in patient.root.glob("sys/class/video4linux/*/name"))
    return any(name.startswith(("unicam", "rp1-cfe")) for name in names)


QUESTIONS = {
    "en": {
        "lang": "Language, en or de",
        "camera": "Camera (number, /dev/video0, pi, address of a phone; none)",
        "pins": "How many seats have a button on a pin of this device (0 to 10)",
        "lamps": "Have those buttons lamps (yes, no)",
        "call": "Is there a call button for KO - A - LA on a pin (yes, no)",
        "boxes": "Are USB button boxes used (yes, no)",
        "voice": "Shall it speak (yes, no)",
        "again": "{given!r} is none of: {known}",
    },
    "de": {
        "lang": "Sprache, en oder de",
        "camera": "Kamera (Nummer, /dev/video0, pi, Adresse eines Handys; none: keine)",
        "pins": "Wie viele Plätze haben einen Knopf an einem Pin dieses Geräts (0 bis 10)",
        "lamps": "Haben diese Knöpfe Lampen (yes, no)",
        "call": "Gibt es einen Rufknopf für KO - A - LA an einem Pin (yes, no)",
        "boxes": "Werden USB-Knopfboxen benutzt (yes, no)",
        "voice": "Soll es sprechen (yes, no)",
        "again": "{given!r} ist keines von: {known}",
    },
}


def asked(start: Rig, ask: Ask, echo: Callable[[str], object]) -> Rig:
    """The rig as its owner tells it; what was found is the usual answer."""
    lang = _one("en", "lang", start.lang, ("en", "de"), ask, echo)
    camera = ask(QUESTIONS[lang]["camera"], start.camera or "none").strip()
    boxes = _one(lang, "boxes", _yes(start.boxes), ("yes", "no"), ask, echo) == "yes"
    pins = int(_one(lang, "pins", str(start.pins), tuple(map(str, range(11))), ask, echo))
    lamps = pins > 0 and _one(lang, "lamps", _yes(start.lamps), ("yes", "no"), ask, echo) == "yes"
    call = _one(lang, "call", _yes(start.call), ("yes", "no"), ask, echo) == "yes"
    voice = _one(lang, "voice", _yes(start.voice), ("yes", "no"), ask, echo) == "yes"
    return Rig(lang, None if camera in ("none", "") else camera, boxes, pins, lamps, call, voice)


def _yes(what: bool) -> str:
    return "yes" if what else "no"


def _one(
    lang: str, what: str, usual: str, known: Sequence[str], ask: Ask, echo: Callable[[str], object]
) -> str:
    """An answer out of those that are known; asked again until it is one."""
    while True:
        given = ask(QUESTIONS[lang][what], usual).strip().lower()
        if given in known:
            return given
        echo(QUESTIONS[lang]["again"].format(given=given, known=", ".join(known)))


VOICE_OFF = {
    "en": "It stays silent (voice = false). For a speaker that is plugged in later, write voice = true in {file}",
    "de": "Er bleibt stumm (voice = false). Für einen Lautsprecher, der später kommt, voice = true in {file} schreiben",
}


def silent(rig: Rig, file: Path) -> str:
    """What must be changed for a speaker that comes later; "" where the table speaks anyway."""
    return "" if rig.voice else VOICE_OFF[rig.lang].format(file=file)


def written(rig: Rig) -> str:
    """companion.toml for a rig. It reads back, or BadConfig says what does not."""
    lines = [
        "# The settings of this table, written by companion setup. What is left out is not used;",
        "# a wrong entry is named with its line. companion doctor --config THIS looks at what is plugged in.",
        f'lang = "{rig.lang}"',
        "voice = true             # false: captions and lamps only"
        if rig.voice
        else "voice = false            # captions and lamps only; once a speaker is there, write true",
    ]
    if rig.call:
        lines.append(
            f"call_button = {CALL_PIN}         # BCM pin of the table's own KO - A - LA button, the other leg to ground"
        )
    if rig.camera is not None:
        source = rig.camera if rig.camera.isdecimal() else f'"{rig.camera}"'
        lines += [
            "",
            "[camera]",
            f"source = {source}",
            "marker_px = [13, 45]     # how wide a card's marker is in its picture: companion look tells",
        ]
    if rig.boxes:
        lines += [
            "",
            "[boxes]                  # which button is whose: companion buttons --roll prints [boxes.seats]",
        ]
    for seat in range(1, rig.pins + 1):
        lamp = f"\nlamp = {LAMP_PINS[seat - 1]}" if rig.lamps else ""
        note = "            # BCM pin; in the order in which players sit down, clockwise" if seat == 1 else ""
        lines += ["", f"[seats.{seat}]", f"button = {BUTTON_PINS[seat - 1]}{note}{lamp}"]
    text = "\n".join(lines) + "\n"
    config.parse(text, "companion setup")
    return text
