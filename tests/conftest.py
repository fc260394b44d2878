"""What all tests share: the decks are those of the package, whatever cards the owner of this machine has."""

from __future__ import annotations

import os

os.environ["COMPANION_DECKS"] = os.devnull
