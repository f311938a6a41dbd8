"""What somebody chose on the mapping page, as plain JSON that is kept and read again."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from corpus.imports.options import ImportOptions, OptionsError, read_mappings
from corpus.tables import handler_for
from corpus.tabular.mapping import Mapping
from corpus.tabular.query_files import dialects_in
from corpus.tabular.readers import Dialect


@dataclass(frozen=True)
class FileChoice:
    """How one file is to be read.

    Attributes
    ----------
    mappings
        Its tables; None if they are to be guessed.
    dialect
        How it is written; None if nobody has said.
    left_out
        Whether it is not to be read.
    suggested
        Whether the mappings were proposed from what the columns hold, and nobody has confirmed
        them yet.
    """

    mappings: list[Mapping] | None = None
    dialect: Dialect | None = None
    left_out: bool = False
    suggested: bool = False

    @classmethod
    def of(cls, name: str, known: list[Mapping] | None) -> Self:
        """Return the choice that mappings written elsewhere make; an empty list leaves out."""
        if known and known[0].query:
            return cls(known, dialects_in(known[0].query, name).get(name))
        if known:
            return cls(known, known[0].dialect)
        return cls(None, None, known == [])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        mappings = None if self.mappings is None else [each.to_dict() for each in self.mappings]
        dialect = self.dialect and asdict(self.dialect)
        return {**vars(self), "mappings": mappings, "dialect": dialect}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Read what `to_dict` wrote; `ValueError`, `LookupError` or `TypeError` if it is none."""
        mappings = plain["mappings"]
        if mappings is not None:
            mappings = read_mappings({"": mappings})[""]
            for mapping in mappings:
                handler_for(mapping.table)
        dialect = plain["dialect"]
        return cls(
            mappings,
            None if dialect is None else Dialect.from_plain(dialect),
            bool(plain["left_out"]),
            bool(plain["suggested"]),
        )


@dataclass(frozen=True)
class Choices:
    """What was chosen for all files of an upload.

    Attributes
    ----------
    files
        File name to how it is read; what is not named is guessed.
    options
        Of the import, without mappings and roles.
    answers, aspects
        Question to its answer; name to what an aspect is read as.
    declared
        Scales and metrics as they were typed.
    """

    files: dict[str, FileChoice] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    aspects: dict[str, str] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        return {**vars(self), "files": {name: each.to_dict() for name, each in self.files.items()}}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Read what `to_dict` wrote; a file of an earlier version that is unclear is guessed."""
        files = {}
        for name, each in plain.get("files", {}).items():
            try:
                files[name] = FileChoice.from_dict(each)
            except (OptionsError, LookupError, TypeError, ValueError):
                continue
        return cls(**{**plain, "files": files})

    @classmethod
    def of_options(cls, options: ImportOptions) -> Self:
        """Return the choices that an earlier import was asked for with."""
        files = {name: FileChoice.of(name, known) for name, known in options.mappings.items()}
        return cls(files, plain_options(options), dict(options.answers))

    def of_file(self, name: str) -> FileChoice | None:
        """Return the choice of a file by its path or by its name alone."""
        return self.files.get(name) or self.files.get(name.rsplit("/", 1)[-1])


def plain_options(options: ImportOptions) -> dict[str, Any]:
    """Return options as a form takes them: without what has places of its own."""
    left = ("mappings", "system_roles", "answers", "accept", "query")
    return {name: value for name, value in options.to_dict().items() if name not in left}
