"""Adds the statistics of the workbench to the package, under the name `touchstone.statistics`."""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PUBLISHED = "touchstone.statistics"
NAMES = {
    "analysis.stats": PUBLISHED,
    "corpus.progress": f"{PUBLISHED}.progress",
    "metrics.scorers.style_transfer_intensity": f"{PUBLISHED}.style_transfer_intensity",
}
"""Modules of the workbench that are published, and their names in the package."""


class StatisticsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Copy `analysis/stats` with its imports and examples under the published name."""

    _copy: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the copy; an unpacked source distribution has it already."""
        workbench = Path(self.root).parent
        source = workbench / "analysis" / "stats"
        if not source.is_dir():
            return
        copy = self._copy = Path(mkdtemp(prefix="touchstone-statistics-"))
        paths = {path: path.relative_to(source) for path in source.rglob("*.py")}
        for name in list(NAMES)[1:]:
            path = workbench.joinpath(*name.split(".")).with_suffix(".py")
            paths[path] = Path(path.name)
        for path, relative in paths.items():
            text = path.read_text(encoding="utf-8")
            for name, published in NAMES.items():
                text = text.replace(name, published)
            (copy / relative).parent.mkdir(parents=True, exist_ok=True)
            (copy / relative).write_text(text, encoding="utf-8")
        build_data["force_include"] |= {
            str(copy): PUBLISHED.replace(".", "/"),
            str(workbench / "LICENSE"): "touchstone/LICENSE",
        }

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy, which the package holds now."""
        if self._copy is not None:
            rmtree(self._copy)
