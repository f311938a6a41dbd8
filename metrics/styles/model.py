"""What every trained style model is, texts in and style distributions out; and its folder."""

import hashlib
import json
import logging
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from corpus.progress import ProgressCallback
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter, Value, read_parameters
from metrics.styles.labelled import LabelledTexts
from metrics.weights.files import file_sha256

logger = logging.getLogger(__name__)

FORMAT = 1
MANIFEST = "manifest.json"


def write_folder(folder: Path, write: Callable[[Path], Mapping[str, object]]) -> None:
    """Write a model, all or nothing; what lies in its folder is replaced.

    Parameters
    ----------
    folder
        Of the model.
    write
        Writes its files into a folder, and returns the rest of the manifest.
    """
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    manifest = {**write(unfinished), "format": FORMAT, "files": file_hashes(unfinished)}
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (unfinished / MANIFEST).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return what is known of a stored model.

    Raises
    ------
    Unavailable
        If the folder holds none that this version can read.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        logger.warning("trained model %s: %s", folder, error)
        raise Unavailable(
            f"the files of the trained model {folder.name[:16]} are not there or cannot be read: "
            "train it again, or restore its folder from a backup"
        ) from None
    if manifest.get("format") != FORMAT:
        raise Unavailable(
            f"the trained model {folder.name[:16]} was written by another version: train it again"
        )
    return manifest


def check_files(folder: Path, files: Mapping[str, str]) -> None:
    """Raise `Unavailable` if a file is lacking or not what the manifest says."""
    for name, sha256 in files.items():
        path, fault = folder / name, ""
        if not path.is_file():
            fault = f"{name} is lacking"
        else:
            # Read, and not remembered by size and time: damage changes neither.
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                    fault = f"{name} has changed"
        if fault:
            raise Unavailable(
                f"the trained model {folder.name[:16]} is damaged ({fault}): train it again, or "
                "restore its folder from a backup"
            )


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the files below a folder, but for its manifest, with the SHA-256 of each."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: file_sha256(path) for name, path in names.items() if name != MANIFEST}


def folder_sha256(folder: Path, facts: Mapping[str, object]) -> str:
    """Return the hash of a folder's files together with facts that JSON can hold."""
    content = {"facts": facts, "files": file_hashes(folder)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


Settings: TypeAlias = Mapping[str, Value]


class StyleModel(ABC):
    """A trained model of one kind; a `Classifier` as scorers take it.

    Attributes
    ----------
    kind, title
        Name of the kind, for commands and for pages.
    parameters
        Settings of the kind.
    most
        How many texts it is trained on unless more are asked for; 0 for all there are.
    learns
        Whether it learns from the texts; one that does not is only tried on them.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    most: ClassVar[int] = 0
    learns: ClassVar[bool] = True

    def __init__(self, styles: Sequence[str], settings: Settings) -> None:
        self.styles: tuple[str, ...] = tuple(styles)
        self.settings: dict[str, Value] = dict(settings)
        self._sha256 = ""

    @classmethod
    def read_settings(cls, given: Mapping[str, object]) -> dict[str, Value]:
        """Return the value of every setting, defaults filled in.

        Raises
        ------
        ParameterError
            If a name is unknown or a value is not taken.
        """
        return read_parameters(cls.kind, cls.parameters, given)

    @classmethod
    @abstractmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> "StyleModel":
        """Make a model from labelled texts.

        Raises
        ------
        TrainingError
            If nothing can be learnt from them.
        Unavailable
            If what it builds on is not on this machine.
        """

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles: probabilities, or grades where there is one style."""
        return self.values(texts) if texts else np.empty((0, len(self.styles)))

    @abstractmethod
    def values(self, texts: Sequence[str]) -> Floats:
        """Return what is predicted of one text or more; see `predict`."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the files from which `read` makes the same model again."""

    @classmethod
    @abstractmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> "StyleModel":
        """Read a model that `write` has written.

        Raises
        ------
        Unavailable
            If something that it builds on is not installed, or is not what it was.
        """

    @property
    def is_graded(self) -> bool:
        """Whether it gives grades of one style."""
        return len(self.styles) == 1

    @property
    def sha256(self) -> str:
        """Hash of kind, styles, settings and files."""
        if not self._sha256:
            with TemporaryDirectory() as folder:
                self.write(Path(folder))
                self._sha256 = folder_sha256(Path(folder), self.facts)
        return self._sha256

    def known_as(self, sha256: str) -> Self:
        """Return this model, which was read from where its hash is written."""
        self._sha256 = sha256
        return self

    @property
    def facts(self) -> dict[str, object]:
        """What describes the model besides its files."""
        return {"kind": self.kind, "styles": list(self.styles), "settings": self.settings}
