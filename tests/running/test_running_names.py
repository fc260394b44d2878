"""The names of this machine are looked up again and again, and not at every request."""

from __future__ import annotations

import socket

import pytest

from companion.running.names import FRESH_S, Names, address, now_known


def test_names_are_looked_up_anew_after_a_while_and_the_address_follows() -> None:
    now, asked, network = 0.0, 0, ("pi", "pi.local")

    def look() -> tuple[str, ...]:
        nonlocal asked
        asked += 1
        return network

    names = Names(look, lambda: now)
    join, own = names.join("0.0.0.0", 8080), names.join("127.0.0.1", 8081)
    assert (names(), join()) == (("pi", "pi.local"), "http://pi.local:8080")
    network = ("pi", "pi.local", "192.168.4.7")
    now = FRESH_S - 0.1
    assert (names(), asked) == (("pi", "pi.local"), 1)
    now = FRESH_S
    assert (names()[-1], join(), asked) == ("192.168.4.7", "http://192.168.4.7:8080", 2)
    assert own() == "http://127.0.0.1:8081"


def test_without_a_network_the_names_are_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cut(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError(f"Network is unreachable: {address}")

    monkeypatch.setattr(socket, "socket", Cut)
    name = socket.gethostname()
    assert now_known() == (name, f"{name}.local")


def test_an_address_with_colons_stands_in_brackets() -> None:
    assert [address(host, 80) for host in ("pi.local", "192.168.4.7", "::1", "fe80::1")] == [
        "http://pi.local:80", "http://192.168.4.7:80", "http://[::1]:80", "http://[fe80::1]:80",
    ]  # fmt: skip
    names = Names(lambda: ("pi", "fe80::1"), lambda: 0.0)
    assert names.join("::1", 8080)() == "http://[::1]:8080"
    assert names.join("0.0.0.0", 8080)() == "http://[fe80::1]:8080"  # a comparison
