"""Tests of Ku-Ka-König share one small table; its panel is looked at in the browser that the edges test with."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2] / "edges"))
