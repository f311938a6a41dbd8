"""Packages of weights that are installed along with the code."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from corpus.extras import Extra, how_to_install
from metrics.scorers.scorer import Unavailable


def package_files(
    package: str,
    names: tuple[str, ...],
    title: str,
    extra: Extra = "neural",
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
    extra
        The extra that brings them.

    Raises
    ------
    Unavailable
        If the package or one of the files is not there.
    """
    install = how_to_install(extra)
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
