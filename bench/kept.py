"""Results on disk, so that a run that is cut short loses one measurement only: a JSON file each in build/bench.

In: the name of a measurement and its rows. Out: the rows again. Holds: each file says which build of tsm, machine and
rounds it is of; a run takes up what was kept of the same build, and `run.py NAME --write` replaces single ones.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "build" / "bench"
Rows = list[dict[str, Any]]


def fingerprint(package: Path) -> str:
    """Of the library and the Python files of the installed package."""
    found = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and (path.suffix == ".py" or ".so" in path.suffixes):
            found.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return found.hexdigest()[:12]


class Kept:
    """The results in a folder; new ones are marked with `build`."""

    def __init__(self, build: str, folder: Path = FOLDER) -> None:
        self.build = build
        self.folder = folder

    def save(self, name: str, rows: Rows) -> None:
        """Replaces the rows of a measurement, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.json"
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps({"build": self.build, "rows": rows}, indent=1))
        fresh.replace(path)

    def has(self, name: str) -> bool:
        """Whether a measurement of this build is there."""
        return self._read(name).get("build") == self.build

    def rows(self, name: str) -> Rows:
        """The rows of a measurement of any build; none if there is no such."""
        found: Rows = self._read(name).get("rows", [])
        return found

    def builds(self) -> set[str]:
        """All builds that results are of."""
        return {self._read(path.stem)["build"] for path in self.folder.glob("*.json")}

    def forget(self) -> None:
        """Removes all results."""
        for path in self.folder.glob("*.json"):
            path.unlink()

    def _read(self, name: str) -> dict[str, Any]:
        path = self.folder / f"{name}.json"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return found
