"""Nothing lies about that nobody uses: every name of a module is read somewhere, or it goes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

WORD = re.compile(r"\w+")
ROOT = Path(__file__).parents[1]
# Who else may read it: tests and what measures the device. Games and evenings are found by their names.
OUTSIDE = ("tests", "hw_tests", "deploy", "firmware_profiles")
FOUND_BY_NAME = {"GAME", "GAMES", "EVENING", "EXAMPLE", "finished", "explained"}


def made(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not node.decorator_list or isinstance(node, ast.ClassDef):
                yield node.name  # a decorator may hand it on, as a command's does
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def read(tree: ast.Module) -> Iterator[str]:
    """The names that a file of ours reads, from others by what it takes of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield from WORD.findall(node.value)  # such as what is loaded by its name


def test_every_name_of_a_module_is_read_somewhere() -> None:
    own = {path: ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "companion").rglob("*.py"))}
    known = {name for tree in own.values() for name in read(tree)}
    for folder in OUTSIDE:
        for path in (ROOT / folder).rglob("*.py"):
            known.update(WORD.findall(path.read_text("utf-8")))
    dead = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in own.items()
        for name in made(tree)
        if name not in known and name not in FOUND_BY_NAME and not name.startswith("__")
    ]
    assert not dead, "\n".join(dead)
