"""Files of weights: those of installed packages, and SHA-256 of files for signatures."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from corpus.extras import Extra, how_to_install
from metrics.scorers.scorer import Unavailable

_known: dict[tuple[str, int, int], str] = {}


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal.

    A file that was read before is not read again while its size and its time of change, to the
    nanosecond, stay as they were.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from metrics.weights.files import file_sha256
    >>> len(file_sha256(Path(__file__)))
    64
    """
    resolved = path.resolve()
    state = resolved.stat()
    key = (str(resolved), state.st_size, state.st_mtime_ns)
    if key not in _known:
        with resolved.open("rb") as file:
            _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _known[key]


def fingerprint(files: Mapping[str, Path]) -> dict[str, str]:
    """Return names of files to their SHA-256, in the order of the names."""
    return {name: file_sha256(files[name]) for name in sorted(files)}


def package_files(
    package: str, names: tuple[str, ...], title: str, extra: Extra = "neural"
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


def written_once(folder: Path, write: Callable[[Path], object]) -> Path:
    """Return a folder that appears whole or not at all; it is written if it is absent."""
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(".part", f".{folder.name}-", folder.parent))
    try:
        write(unfinished)
        unfinished.rename(folder)
    except OSError:
        # Another process was quicker, or the disk is full.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder
