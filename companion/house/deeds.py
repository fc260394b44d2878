"""What the rules order, done: lamps shine, clocks run, the voice speaks, the eyes look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.house.ports import Clocks, Eyes, Lamps, Voice
from companion.house.words import News, Running
from companion.table.cues import Wait
from companion.table.effects import Arm, Blink, Disarm, Effect, Lamp, Say, Watch
from companion.table.events import Event, Opened
from companion.table.phrases import Phrases
from companion.table.session import Session
from companion.table.things import Player
from companion.wire import lamp_looks

SECOND = 1_000_000_000
AT_ONCE = SECOND // 10  # what is said closer together is read together, as it is heard in one breath
TOGETHER = 8  # captions at most


@dataclass(frozen=True, slots=True)
class Deeds:
    """The ports by which effects are carried out. It keeps no state: what runs and shines stands in the news."""

    clocks: Clocks
    lamps: Lamps
    voice: Voice
    eyes: Eyes
    phrases: Mapping[str, Phrases]
    lang: str

    def do(self, effects: Iterable[Effect], session: Session | None, news: News) -> News:
        """Carry effects out; speech of one turn is one breath, in order. The news after them."""
        says: list[Say] = []
        lamps, clocks = dict(news.lamps), list(news.clocks)
        for effect in effects:
            if news.paused and isinstance(effect, Arm | Watch):
                continue  # while the table rests; it wakes with all of them
            if isinstance(effect, Say):
                says.append(effect)
            elif isinstance(effect, Lamp):
                lamps[effect.player] = effect.look
                self.lamps.shine(effect.player, effect.look)
            elif isinstance(effect, Blink):
                self.lamps.blink(effect.player, effect.look)
                self._chime(effect.player, session)
            elif isinstance(effect, Watch):
                self.eyes.watch(effect.zones, effect.anew)
            elif isinstance(effect, Arm):
                clocks.append(self._arm(effect, session, news.stretch))
            else:
                clocks = [running for running in clocks if running.clock != effect.clock]
                self._disarm(effect, session, news)
        armed = {cue.clock for cue in (session.cues if session is not None else ()) if isinstance(cue, Wait)}
        running = tuple(each for each in clocks if each.clock in armed)
        self.speak(says, session)
        return replace(self._captioned(says, news), refusal=None, clocks=running, lamps=lamps)

    def _captioned(self, says: list[Say], news: News) -> News:
        """What is said takes the place of what was, but for what was said only a moment ago: nobody has read it yet."""
        if not says:
            return news
        now = self.clocks.now()
        fresh = news.captions if now - news.said <= AT_ONCE else ()
        fresh = fresh if len(fresh) + len(says) <= TOGETHER else ()
        return replace(news, captions=(*fresh, *says), said=now)

    def speak(self, says: Iterable[Say], session: Session | None, game: str | None = None) -> None:
        """Say this in the words of the game that is played, or of another. BadPhrase: nobody has words for it."""
        for say in says:
            self.voice.say(self._parts(say, session, game), self.lang, say.lane)

    def clear(self, session: Session | None, news: News) -> News:
        """Nothing of this game runs, shines or is looked at any more. Lamps go out while it is known who sat where."""
        for player, look in news.lamps.items():
            if look != "off":
                self.lamps.shine(player, "off")
        self._still(session, news)
        self.eyes.watch((), ())
        return replace(news, clocks=(), captions=(), refusal=None, lamps={})

    def rest(self, session: Session | None, news: News) -> News:
        """No clock runs and no eye looks from now on."""
        self._still(session, news)
        self.eyes.watch((), ())
        return replace(news, clocks=())

    def begin(self, event: Event) -> None:
        """What was said is no longer true; with a new game its players' names are learnt."""
        if isinstance(event, Opened):
            self.voice.know(event.setting.players, self.lang)
        self.voice.stop()

    def _arm(self, effect: Arm, session: Session | None, stretch: float) -> Running:
        """Start a clock. A count lasts until the end of its last beat is heard: longer by the way to the ear.

        Other clocks are as long as the table wants them.
        """
        if not effect.beats:
            seconds = effect.seconds * stretch
            return Running(effect.clock, self.clocks.arm(effect.clock, seconds), seconds)
        ends = self.clocks.arm(effect.clock, effect.seconds + self.voice.lead() / SECOND)
        texts = tuple(" ".join(self._parts(Say(beat), session)) for beat in effect.beats)
        start = ends - int(effect.seconds * SECOND)
        self.voice.count(texts, start, effect.seconds, self.lang)
        self._wink(start, lamp_looks.count(len(effect.beats), effect.seconds), session)
        return Running(effect.clock, ends, effect.seconds, effect.beats)

    def _still(self, session: Session | None, news: News) -> None:
        for running in news.clocks:
            self._disarm(Disarm(running.clock), session, news)

    def _disarm(self, effect: Disarm, session: Session | None, news: News) -> None:
        if any(running.clock == effect.clock and running.beats for running in news.clocks):
            self.voice.hush()
            self._wink(0, (), session)
        self.clocks.disarm(effect.clock)

    def _wink(self, start: int, phases: tuple[int, ...], session: Session | None) -> None:
        """Every lamp winks with the beats: who cannot hear them sees them."""
        for player in session.setting.players if session is not None else ():
            self.lamps.beat(player, start, phases)

    def _parts(self, say: Say, session: Session | None, game: str | None = None) -> tuple[str, ...]:
        playing = session.setting.game if session is not None else ""
        spoken = self.phrases.get(playing if game is None else game, self.phrases[""])
        return spoken.parts(self.lang, say.key, say.values)

    def _chime(self, player: Player, session: Session | None) -> None:
        players = session.setting.players if session is not None else ()
        if player in players:
            self.voice.chime(players.index(player))
