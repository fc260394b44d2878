"""Clips are made once, trimmed, with their onset; own recordings come first; broken files are made anew."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from companion.edges.voice import Make, Store, VoiceError, engine, home, slug
from companion.sound.clips import RATE, clip, onset


class Mouth:
    """An engine that counts what it is asked."""

    def __init__(self, content: bytes) -> None:
        self.content, self.asked = content, []

    def __call__(self, words: str, lang: str) -> bytes:
        self.asked.append((words, lang))
        return self.content


@pytest.fixture
def mouth(spoken_wav: bytes) -> Mouth:
    return Mouth(spoken_wav)


def test_a_clip_is_made_once_trimmed_and_found_with_its_onset(tmp_path: Path, mouth: Mouth) -> None:
    assert Store(tmp_path, "en").render(("leads", "KO!", "leads"), beats=frozenset({"KO!"}), speak=mouth) == 2
    assert sorted(mouth.asked) == [("KO!", "en-beat"), ("leads", "en")]
    again = Store(tmp_path, "en")
    assert again.render(("leads", "KO!"), speak=mouth) == 0
    found = again.find("leads")
    assert found is not None and found.onset == onset(found.samples) == round(0.004 * RATE)
    assert again.find("leads") is found and again.find("other") is None
    assert again.clips["leads"].length == len(found.samples) < 0.27 * RATE


def test_another_voice_makes_all_clips_anew(tmp_path: Path, mouth: Mouth) -> None:
    Store(tmp_path, "en").render(("leads",), speak=mouth)
    slow = Make(rate=120)
    assert Store(tmp_path, "en").lacking(("leads",)) == ()
    assert Store(tmp_path, "en").lacking(("leads",), slow) == ("leads",)
    Store(tmp_path, "en").render(("leads",), slow, speak=mouth)
    assert Store(tmp_path, "en").make == slow and len(mouth.asked) == 2


def test_an_own_recording_comes_before_the_program_and_a_newer_one_before_the_old(
    tmp_path: Path, mouth: Mouth, spoken_wav: bytes
) -> None:
    Store(tmp_path, "de").render(("führt mit",), speak=mouth)
    own = tmp_path / "own" / "de" / "fuehrt_mit.wav"
    own.parent.mkdir(parents=True)
    own.write_bytes(spoken_wav[:-20_000])
    assert Store(tmp_path, "de").render(("führt mit",)) == 1  # needs no program
    assert len(mouth.asked) == 1 and Store(tmp_path, "de").clips["führt mit"].made.startswith("own")
    os.utime(own, (5, 5))
    assert Store(tmp_path, "de").lacking(("führt mit",)) == ("führt mit",)
    own.unlink()
    assert Store(tmp_path, "de").render(("führt mit",), speak=mouth) == 1


def test_an_own_recording_that_is_none_is_named(tmp_path: Path, mouth: Mouth) -> None:
    own = tmp_path / "own" / "en" / "ko.wav"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"ID3")
    with pytest.raises(VoiceError, match=r"own/en/ko\.wav"):
        Store(tmp_path, "en").render(("KO!",), speak=mouth)


def test_a_silent_clip_is_refused(tmp_path: Path, mouth: Mouth, spoken_wav: bytes) -> None:
    mouth.content = spoken_wav[:44] + bytes(len(spoken_wav) - 44)
    with pytest.raises(VoiceError, match="'leads' is silent"):
        Store(tmp_path, "en").render(("leads",), speak=mouth)


def test_what_was_made_before_a_fault_is_kept(tmp_path: Path, spoken_wav: bytes) -> None:
    def fails(words: str, lang: str) -> bytes:
        if words == "c":
            raise VoiceError("out of breath")
        return spoken_wav

    with pytest.raises(VoiceError, match="out of breath"):
        Store(tmp_path, "en").render(("a", "b", "c"), speak=fails)
    assert Store(tmp_path, "en").lacking(("a", "b", "c")) == ("c",)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"clips": {"a": 3}}', b"\xff\xfe"])
def test_a_broken_index_is_as_good_as_none(tmp_path: Path, mouth: Mouth, content: bytes) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "clips.json").write_bytes(content)
    assert Store(tmp_path, "en").clips == {}
    assert Store(tmp_path, "en").render(("a",), speak=mouth) == 1


def test_a_clip_that_was_deleted_is_missing_and_made_anew(tmp_path: Path, mouth: Mouth) -> None:
    Store(tmp_path, "en").render(("a",), speak=mouth)
    for path in (tmp_path / "en").glob("*.wav"):
        path.unlink()
    store = Store(tmp_path, "en")
    assert store.find("a") is None and store.lacking(("a",)) == ("a",)


def test_files_are_named_by_their_words() -> None:
    assert slug("KO!") == "ko" and slug("König größer — gewinnt?") == "koenig_groesser_gewinnt"
    assert slug("!?") == "_" and len(slug("very long " * 40)) <= 80


def test_the_folder_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_VOICE", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("COMPANION_VOICE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert home() == tmp_path / "companion" / "voice"


def piper(folder: Path, script: str) -> None:
    path = folder / "piper"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_piper_speaks_with_the_owners_voice_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken_wav: bytes
) -> None:
    (tmp_path / "said.wav").write_bytes(spoken_wav)
    (tmp_path / "voice.onnx").touch()
    piper(tmp_path, f'cat > {tmp_path}/words; echo "$@" > {tmp_path}/asked; cp {tmp_path}/said.wav "$6"')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    made = Make("piper", str(tmp_path / "voice.onnx"), 128)
    assert engine(made)("führt mit", "de") == spoken_wav
    assert (tmp_path / "words").read_text() == "führt mit"
    assert (
        (tmp_path / "asked")
        .read_text()
        .startswith(f"--model {made.model} --length_scale 1.250 --output_file")
    )
    assert str(made) == "piper voice.onnx 128"


def test_what_piper_complains_of_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "voice.onnx").touch()
    piper(tmp_path, "echo no such phoneme >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(VoiceError, match="piper: no such phoneme"):
        engine(Make("piper", str(tmp_path / "voice.onnx")))("x", "de")
    with pytest.raises(VoiceError, match="--model"):
        engine(Make("piper", "missing.onnx"))


@pytest.mark.parametrize(
    ("name", "remedy"), [("espeak", "apt install espeak-ng"), ("piper", "pip install piper-tts")]
)
def test_a_program_that_is_missing_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, name: str, remedy: str
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(VoiceError, match=remedy):
        engine(Make(name))


@pytest.mark.skipif(
    shutil.which("espeak-ng") is None and "CI" not in os.environ, reason="needs the Debian package espeak-ng"
)
class TestEspeak:
    """The real program, where it is installed; in CI it is."""

    @pytest.mark.parametrize("lang", ["en", "de"])
    def test_it_speaks_both_languages(self, lang: str) -> None:
        sound = clip(engine(Make())("Koala", lang))
        assert len(sound.samples) > RATE // 5 and float(sound.samples.max()) > 0.03

    def test_text_that_looks_like_an_option_is_only_spoken(self) -> None:
        assert len(clip(engine(Make())("--version", "en")).samples)

    def test_a_language_it_does_not_know_is_said(self) -> None:
        with pytest.raises(VoiceError, match="espeak-ng"):
            engine(Make())("Koala", "xx")

    def test_a_beat_is_a_syllable_in_every_language(self, tmp_path: Path) -> None:
        beats = frozenset({"KO!", "A!", "LA!"})
        for lang in ("en", "de"):
            Store(tmp_path, lang).render(beats, beats=beats)
        for beat in beats:
            assert Store(tmp_path, "en").clips[beat].length == Store(tmp_path, "de").clips[beat].length
            assert Store(tmp_path, "en").clips[beat].onset < RATE * 0.006  # whatever silence it came with

    def test_slower_speech_takes_longer(self) -> None:
        fast, slow = (len(engine(Make(rate=rate))("Take back the cards", "en")) for rate in (200, 120))
        assert slow > 1.3 * fast
