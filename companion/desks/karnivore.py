"""The deck workshop of Karnivore Koala: each face of the owner's cards as a form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.desks.words import Faulty, Words
from companion.edges.screen.german import lines_told
from companion.games.karnivore import workshop
from companion.games.karnivore.cards import ALL_KINDS, COUNTED, MOST_CARDS, OPS, OWN, SYMBOLS
from companion.table.things import BadDeck, Deck

if TYPE_CHECKING:  # OpenCV comes up only where somebody shows a card
    from companion.vision.find import Grey

KINDS = ALL_KINDS[:7]  # dice are what the rulebook says
MOST_COUNT = 40
BEARS, ACTING = ("huntbear", "villagebear", "king"), ("huntbear", "villagebear", "backstabbear", "king")
USUAL = ("fish", "bird", "reptile")
LONGEST = {"name": 40, "effect": 300, "animals": 20}
# Which kinds have a field; a field that is not named here belongs to every kind.
OF_KIND: Mapping[str, tuple[str, ...]] = {
    "symbols": BEARS, "most": BEARS, "animals": ("workbear",), "pair": ("animal",), "of": ("back",),
    "window": ("backstabbear",), "effect": ACTING, "ops": ACTING,
}  # fmt: skip
written, read, removed = workshop.written, workshop.read, workshop.removed


def told(known: Deck, words: Words) -> dict[str, Any]:
    """All faces by their kinds, and the fields of one."""
    rows = list(dict.fromkeys((card.face, card.kind) for card in known.cards if card.kind in KINDS))
    codes = {face: sum(card.face == face for card in known.cards) for face, _ in rows}
    entries = [
        {
            "id": face, "title": words.face(face), "group": words(f"kind_{kind}"), "count": codes[face],
            "made_up": known.facts.get(face, {}).get("source") != OWN,
        }
        for face, kind in sorted(rows, key=lambda row: KINDS.index(row[1]))
    ]  # fmt: skip
    return {
        "entries": entries, "fields": _fields(known, words), "adds": True, "by": "kind",
        "hint": words("hint_karnivore"), "sum": None,
    }  # fmt: skip


def _fields(known: Deck, words: Words) -> list[dict[str, Any]]:
    animals = _animals(known)

    def field(name: str, form: str, **more: object) -> dict[str, Any]:
        label = words(f"field_{name}")
        return {"name": name, "form": form, "label": label, "kinds": OF_KIND.get(name), **more}

    def named(values: tuple[str, ...], key: str = "") -> list[list[str]]:
        return [[each, words(f"{key}{each}") if key else words.face(each)] for each in values]

    return [
        field("name", "texts", hint=words("hint_name"), longest=LONGEST["name"]),
        field("kind", "choice", options=named(KINDS, "kind_")),
        field("count", "number", least=1, most=MOST_COUNT, hint=words("hint_count")),
        field("markers", "codes", hint=words("hint_markers")),
        field("symbols", "many", options=named(SYMBOLS)),
        field("most", "number", least=1, most=MOST_CARDS, hint=words("hint_most")),
        field("animals", "names", known=named(animals), hint=words("hint_animals")),
        field("pair", "names", known=named(animals), hint=words("hint_pair")),
        field("of", "names", known=named(animals), hint=words("hint_of")),
        field("window", "choice", options=named(("own", "any"), "window_")),
        field("effect", "texts", long=True, hint=words("hint_effect"), longest=LONGEST["effect"]),
        field(
            "ops", "ops", options=[[op, words(f"op_{op}"), op in COUNTED] for op in OPS], most=MOST_CARDS,
            who=named(("self", "others"), "who_"), hint=words("hint_ops"),
        ),
    ]  # fmt: skip


def _animals(known: Deck) -> tuple[str, ...]:
    """Animal symbols that the deck knows, the usual ones first."""
    told = [
        name for facts in known.facts.values() for name in (*_list(facts, "animals"), facts.get("of", ""))
    ]
    return tuple(dict.fromkeys((*USUAL, *(str(name) for name in told if name))))


def notes(old: Deck, new: Deck, words: Words) -> tuple[str, ...]:
    """What may be a slip though it can be kept: animal symbols that no card had before."""
    fresh = [name for name in _animals(new) if name not in _animals(old)]
    return (words("new_symbols", names=", ".join(fresh)),) if fresh else ()


def _list(facts: Mapping[str, Any], word: str) -> list[Any]:
    found = facts.get(word, [])
    return list(found) if isinstance(found, list) else []


def values(known: Deck, entry: str) -> dict[str, Any]:
    """What is known of a face; of a new one nothing."""
    facts: Mapping[str, Any] = known.facts.get(entry, {})
    mine = [card for card in known.cards if card.face == entry]
    kind = mine[0].kind if mine else "workbear"
    shown = [str(each) for each in _list(facts, "symbols")]
    return {
        "name": dict(facts.get("name", {})), "kind": kind, "count": len(mine) or 1,
        "markers": [card.marker for card in mine], "symbols": [] if kind == "animal" else shown,
        "most": facts.get("most"), "animals": _list(facts, "animals"), "pair": shown if kind == "animal" else [],
        "of": [facts["of"]] if facts.get("of") else [], "window": facts.get("window", "own"),
        "effect": dict(facts.get("effect", {})),
        "ops": [{"op": op["op"], "n": op.get("n", 1), "who": op.get("who", "self")} for op in _list(facts, "ops")],
    }  # fmt: skip


def entered(known: Deck, entry: str, given: Mapping[str, Any], words: Words) -> Deck:
    """The deck with a face as the form tells it; Faulty names each field that is wrong."""
    faults: dict[str, str] = {}
    name, effect = _texts(given, "name", words, faults), _texts(given, "effect", words, faults)
    face = entry or _face(known, name, words, faults)
    kind = given.get("kind")
    if kind not in KINDS:
        raise Faulty({**faults, "kind": words("fault_kind")})
    facts: dict[str, Any] = {"name": name} if name else {}
    facts |= _printed(str(kind), given, words, faults)
    if effect and kind in ACTING:
        facts["effect"] = effect
    codes = _codes(known, face, given, words, faults)
    if faults:
        raise Faulty(faults)
    try:
        return workshop.entered(known, face, str(kind), facts, codes)
    except BadDeck as fault:
        raise Faulty({"": words("bad_deck", why=lines_told(str(fault), words.lang))}) from fault


def _texts(given: Mapping[str, Any], word: str, words: Words, faults: dict[str, str]) -> dict[str, str]:
    """A text in both languages; one that is given in one language only is used for both."""
    told = given.get(word)
    texts = {
        lang: " ".join(str(told.get(lang) or "").split()) for lang in ("en", "de")
    } if isinstance(told, Mapping) else {"en": "", "de": ""}  # fmt: skip
    if max(len(text) for text in texts.values()) > LONGEST[word]:
        faults[word] = words("fault_long", most=LONGEST[word])
    either = texts["en"] or texts["de"]
    return {lang: texts[lang] or either for lang in ("en", "de")} if either else {}


def _face(known: Deck, name: Mapping[str, str], words: Words, faults: dict[str, str]) -> str:
    """A new face's own word, made of its name: what the deck's file and the cards' ids call it."""
    plain = re.sub(r"[^a-z0-9]+", "_", _latin(name.get("en", "").lower())).strip("_")
    if not plain:
        faults["name"] = words("fault_name")
        return "card"
    if any(card.face == plain for card in known.cards):
        faults["name"] = words("fault_known", name=words.face(plain))
    return f"{plain}_card" if words.taken(plain) and plain not in known.facts else plain


def _latin(name: str) -> str:
    for letter, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        name = name.replace(letter, plain)
    return name


def _printed(kind: str, given: Mapping[str, Any], words: Words, faults: dict[str, str]) -> dict[str, Any]:
    """What is printed on a card of this kind; fields of other kinds do not count."""
    facts: dict[str, Any] = {}
    if kind in BEARS:
        shown = [each for each in SYMBOLS if each in _list(given, "symbols")]
        if not shown and kind != "king":
            faults["symbols"] = words("fault_symbols")
        if shown:
            facts["symbols"] = shown
        facts |= _most(given, words, faults)
    if kind in ACTING:
        facts |= _ops(given, words, faults)
    for word, of, entry, many in (
        ("animals", "workbear", "animals", None), ("pair", "animal", "symbols", 2), ("of", "back", "of", 1),
    ):  # fmt: skip
        if kind == of:
            names = [" ".join(str(each).lower().split()) for each in _list(given, word)]
            names = [each for each in names if each]
            if not names or (many and len(names) != many) or max(map(len, names)) > LONGEST["animals"]:
                faults[word] = words(f"fault_{word}")
            else:
                facts[entry] = names[0] if many == 1 else names
    if kind == "backstabbear" and given.get("window") == "any":
        facts["window"] = "any"
    return facts


def _most(given: Mapping[str, Any], words: Words, faults: dict[str, str]) -> dict[str, Any]:
    most = given.get("most")
    if most in (None, ""):
        return {}
    if not _whole(most, MOST_CARDS):
        faults["most"] = words("fault_most", most=MOST_CARDS)
    return {"most": most}


def _ops(given: Mapping[str, Any], words: Words, faults: dict[str, str]) -> dict[str, Any]:
    made: list[dict[str, Any]] = []
    for number, each in enumerate(_list(given, "ops"), start=1):
        op = each.get("op") if isinstance(each, Mapping) else None
        if op not in OPS:
            faults["ops"] = words("fault_op", number=number)
            continue
        one: dict[str, Any] = {"op": op}
        if op in COUNTED:
            one["n"] = each.get("n", 1)
            if not _whole(one["n"], MOST_CARDS):
                faults["ops"] = words("fault_op_count", number=number, most=MOST_CARDS)
        if each.get("who") == "others":
            one["who"] = "others"
        made.append(one)
    return {"ops": made} if made else {}


def _codes(
    known: Deck, face: str, given: Mapping[str, Any], words: Words, faults: dict[str, str]
) -> list[int]:
    """The face's stickers: those that were shown or typed first, then those it has, then free ones."""
    from companion.desks.stickers import printable  # noqa: PLC0415  # loads OpenCV

    count, codes = given.get("count"), _list(given, "markers")
    allowed = {*printable(), *(card.marker for card in known.cards if card.kind in KINDS)}
    strange = [code for code in codes if not isinstance(code, int) or code not in allowed]
    if strange:
        faults["markers"] = words("fault_marker", marker=strange[0])
    if not _whole(count, MOST_COUNT):
        faults["count"] = words("fault_count", most=MOST_COUNT)
        return []
    assert isinstance(count, int), "a whole number"
    if strange:
        return []
    had = [card.marker for card in known.cards if card.face == face]
    mine = list(dict.fromkeys((*codes, *had)))[:count] if len(codes) < count else list(dict.fromkeys(codes))
    free = [code for code in printable() if code not in mine]
    try:
        return [*mine, *workshop.free(known, free, max(0, count - len(mine)))][:count]
    except BadDeck as fault:
        faults["count"] = words("fault_no_free", why=lines_told(str(fault), words.lang))
        return []


def _whole(number: object, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= most


def markers(grey: Grey, known: Deck) -> tuple[int, ...]:
    """The markers in a picture: cards of this deck (no dice, no plates), and stickers that are free."""
    from companion.desks.stickers import printable, readable  # noqa: PLC0415  # loads OpenCV

    other = {card.marker for card in known.cards if card.kind not in KINDS}
    wanted = {*printable(), *(card.marker for card in known.cards)} - other
    return tuple(marker for marker in readable(grey, known) if marker in wanted)
