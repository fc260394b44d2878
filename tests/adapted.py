"""The adapter of a game's worked cases, for tests that play them at a table as well."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent / "adapters"


def adapter(game: str) -> ModuleType:
    """A game's adapter, by its file."""
    spec = importlib.util.spec_from_file_location(f"adapter_{game}", HERE / f"{game}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
