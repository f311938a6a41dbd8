"""Packages of weights that are installed beside the code."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from metrics.scorers.scorer import Unavailable


def package_files(
    package: str,
    names: tuple[str, ...],
    title: str,
    install: str = "pip install -r requirements.txt",
) -> dict[str, Path]:
    """Return paths of files inside an installed package, which is not imported.

    Parameters
    ----------
    package
        Its top-level name.
    names
        Paths of the files below the package's folder.
    title
        What the weights are, for the message.
    install
        The command that brings them.

    Raises
    ------
    Unavailable
        If the package or one of the files is not there.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"{title}: weights not installed: {install}")
    folder = Path(spec.submodule_search_locations[0])
    files = {name: folder / name for name in names}
    absent = [name for name, path in files.items() if not path.is_file()]
    if absent:
        raise Unavailable(
            f"{title}: the package {package} has no {', '.join(absent)}: remove it, then {install}"
        )
    return files
