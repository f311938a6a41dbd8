"""What every trained style model is: texts in, style distributions or grades out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, Self, TypeAlias

from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Value
from metrics.styles.model_folders import folder_sha256

Settings: TypeAlias = Mapping[str, Value]


class StyleModel(ABC):
    """A trained model of one kind; a `Classifier` as scorers take it."""

    kind: ClassVar[str]

    def __init__(self, styles: Sequence[str], settings: Settings) -> None:
        self.styles: tuple[str, ...] = tuple(styles)
        self.settings: dict[str, Value] = dict(settings)
        self._sha256 = ""

    @abstractmethod
    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles: probabilities, or grades where there is one style."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the files from which `read` makes the same model again."""

    @classmethod
    @abstractmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> StyleModel:
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
