"""What an import is asked to do beyond reading its files; recorded with the study."""

import codecs
from dataclasses import asdict, dataclass, field
from typing import Any

from corpus.formats.catalogue import AUTO, NONE, UnknownFormatError, format_named
from corpus.imports.normalising import with_attached_punctuation
from corpus.imports.system_roles import wrong_role
from corpus.name_patterns import NamePattern
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import TableError
from corpus.tabular.query_files import MOST_TABLES, read_queries

LAYOUTS = ("auto", "tables", "lines")
COMPARED = ("reference", "output")
_KINDS: dict[str, tuple[type, str]] = {
    "sample": (int, "a whole number"),
    "sample_seed": (int, "a whole number"),
    "truncate_words": (int, "a whole number"),
    "min_length_percentile": (float, "a number"),
    "max_length_percentile": (float, "a number"),
    "max_changed_words": (int, "a whole number"),
    "max_changed_share": (float, "a number"),
    "collapse_whitespace": (bool, "true or false"),
    "attach_punctuation": (bool, "true or false"),
    "without_texts": (bool, "true or false"),
    "skip_unknown_scores": (bool, "true or false"),
    "answers": (dict, "an object of question to answer"),
    "accept": (bool, "true or false"),
    "system_roles": (dict, "an object of system to human, reference or system"),
}


class OptionsError(ValueError):
    """An option of an import does not make sense; the message says which and why."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices of the person who imports; every default leaves texts as they are.

    Parameters
    ----------
    layout
        How to read a folder: `tables`, `lines` (one text per line), or `auto`.
    format
        A named format that the files are read as, ``auto`` if it is to be recognised, or
        ``none``: they are plain tables.
    select
        Which of several studies in the files, such as a language pair.
    mappings
        File name to the mappings that read it; a file not named is guessed from its columns.
    query
        A `.sql` file with a SELECT for each table, which then reads the files alone.
    answers, accept
        Answers by the names of questions about what was read; whether all other questions are
        answered by what is proposed.
    sample, sample_seed
        Keep this many segments of each direction (source style → target style), the same for
        every system, drawn with the seed.
    min_length_percentile, max_length_percentile
        Keep the segments whose source has a length in words between these percentiles of the
        sources of its direction.
    max_changed_words, max_changed_share
        Keep the segments in which at most so many words, or such a share of both texts' words,
        were removed or added between the source and every text that it is compared with.
    changed_in
        What the source is compared with: every `reference`, or every `output`.
    collapse_whitespace
        Replace runs of white space in texts by one space and trim the ends.
    attach_punctuation
        Remove the spaces of tokenised English around punctuation: `word .` becomes `word.`.
    truncate_words
        Keep the first n words of every text.
    system_roles
        System to `human`, `reference` or `system`: what names such as `ref` or `Human-A.0` are.
    system_pattern
        `{model}-{parameter}-{value}`: names of attributes as they stand in system names.
    source_style, target_style, source_file
        For the line-aligned layout, whose files cannot say it.
    encoding
        Of every file that is not UTF-8.
    without_texts
        Make segments, systems and outputs from the keys that ratings and scores name: their texts
        are not to be had.
    skip_unknown_scores
        Leave out metric scores of outputs that the study lacks; a note says how many.
    """

    layout: str = "auto"
    format: str = "auto"
    select: str = ""
    mappings: dict[str, list[Mapping]] = field(default_factory=dict)
    query: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    accept: bool = False
    sample: int | None = None
    sample_seed: int = 0
    min_length_percentile: float | None = None
    max_length_percentile: float | None = None
    max_changed_words: int | None = None
    max_changed_share: float | None = None
    changed_in: str = "reference"
    collapse_whitespace: bool = False
    attach_punctuation: bool = False
    truncate_words: int | None = None
    system_roles: dict[str, str] = field(default_factory=dict)
    system_pattern: str = ""
    source_style: str = ""
    target_style: str = ""
    source_file: str = ""
    encoding: str = ""
    without_texts: bool = False
    skip_unknown_scores: bool = False

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise OptionsError(f"layout {self.layout!r}: expected one of {', '.join(LAYOUTS)}")
        if self.format not in (AUTO, NONE):
            try:
                format_named(self.format)
            except UnknownFormatError as error:
                raise OptionsError(f"format: {error}") from None
        for name in ("sample", "truncate_words"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise OptionsError(f"{name} is {number}: expected 1 or more")
        self._check_filters()
        if wrong := wrong_role(self.system_roles):
            raise OptionsError(wrong)
        if self.encoding:
            check_encoding(self.encoding)
        if self.query:
            self.queries  # noqa: B018  # raises if it makes no sense
        if self.system_pattern:
            check_pattern(self.system_pattern)

    def _check_filters(self) -> None:
        """Raise `OptionsError` if a bound of a filter is none."""
        for name, most in (
            ("min_length_percentile", 100),
            ("max_length_percentile", 100),
            ("max_changed_share", 1),
        ):
            number = getattr(self, name)
            if number is not None and not 0 <= number <= most:
                raise OptionsError(f"{name} is {number:g}: expected a number from 0 to {most}")
        low, high = self.min_length_percentile or 0, self.max_length_percentile
        if high is not None and low >= high:
            raise OptionsError(
                f"max_length_percentile is {high:g}: expected more than the {low:g} of "
                "min_length_percentile"
            )
        if self.max_changed_words is not None and self.max_changed_words < 0:
            raise OptionsError(f"max_changed_words is {self.max_changed_words}: expected 0 or more")
        if self.changed_in not in COMPARED:
            raise OptionsError(
                f"changed_in is {self.changed_in!r}: expected one of {', '.join(COMPARED)}"
            )

    @property
    def queries(self) -> list[Mapping]:
        """The mappings that are written as queries; `OptionsError` if they make no sense."""
        try:
            return read_queries(self.query) if self.query else []
        except TableError as error:
            raise OptionsError(str(error)) from None

    @property
    def filters_length(self) -> bool:
        """Whether segments are left out by the length of their source."""
        return self.min_length_percentile is not None or self.max_length_percentile is not None

    @property
    def filters_changes(self) -> bool:
        """Whether segments are left out by how many words were changed."""
        return self.max_changed_words is not None or self.max_changed_share is not None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON, for a job's parameters."""
        plain = asdict(self)
        plain["mappings"] = {
            name: [mapping.to_dict() for mapping in mappings]
            for name, mappings in self.mappings.items()
        }
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "ImportOptions":
        """Read what `to_dict` wrote, or what a script sent.

        Raises
        ------
        OptionsError
            If a name is unknown or a value has the wrong type.
        """
        known = cls.__dataclass_fields__
        if unknown := sorted(set(plain) - set(known)):
            raise OptionsError(
                f"unknown option {unknown[0]!r}; known options: {', '.join(sorted(known))}"
            )
        values = {name: value for name, value in plain.items() if value is not None}
        values["mappings"] = read_mappings(values.get("mappings") or {})
        for name, value in values.items():
            if name == "mappings":
                continue
            kind, expected = _KINDS.get(name, (str, "text"))
            if kind is float and type(value) is int:
                values[name] = float(value)
            elif type(value) is not kind:
                raise OptionsError(f"{name} is {value!r}: expected {expected}")
        return cls(**values)

    def changes_texts(self) -> dict[str, Any]:
        """Return the options that change what is stored, for the study's provenance."""
        recorded: dict[str, Any] = {}
        if self.sample is not None:
            recorded["sample"] = {"segments_per_direction": self.sample, "seed": self.sample_seed}
        if self.filters_length:
            recorded["length_percentiles"] = [
                self.min_length_percentile or 0.0,
                100.0 if self.max_length_percentile is None else self.max_length_percentile,
            ]
        if self.filters_changes:
            bounds = {"words": self.max_changed_words, "share": self.max_changed_share}
            recorded["changed_at_most"] = {
                "in": self.changed_in,
                **{name: bound for name, bound in bounds.items() if bound is not None},
            }
        if self.collapse_whitespace:
            recorded["collapse_whitespace"] = True
        if self.attach_punctuation:
            recorded["attach_punctuation"] = True
        if self.truncate_words is not None:
            recorded["truncate_words"] = self.truncate_words
        return recorded

    def normalised(self, text: str) -> str:
        """Return a text as it is to be stored."""
        if self.collapse_whitespace:
            text = " ".join(text.split())
        if self.attach_punctuation:
            text = with_attached_punctuation(text)
        if self.truncate_words is not None:
            words = text.split()
            if len(words) > self.truncate_words:
                text = " ".join(words[: self.truncate_words])
        return text


def check_pattern(pattern: str) -> None:
    """Raise `OptionsError` if names of systems cannot be read by a pattern."""
    try:
        good = "human" not in NamePattern.of(pattern).names
    except ValueError:
        good = False
    if not good:
        raise OptionsError(
            f"system_pattern {pattern!r}: expected names of attributes in braces, each once, as in "
            "{model}-{parameter}-{value} (whether people wrote it cannot stand in a name)"
        )


def check_encoding(encoding: str) -> None:
    """Raise `OptionsError` if there is no such encoding of texts."""
    try:
        "".encode(codecs.lookup(encoding).name)
    except (LookupError, ValueError):
        raise OptionsError(
            f"encoding {encoding!r} is not known: expected a name such as windows-1252"
        ) from None


def read_mappings(plain: Any) -> dict[str, list[Mapping]]:
    """Read file names and their mappings, written as JSON; `OptionsError` if they are none."""
    if not isinstance(plain, dict):
        raise OptionsError("mappings: expected an object of file name to a list of mappings")
    result: dict[str, list[Mapping]] = {}
    for name, entries in plain.items():
        listed = entries if isinstance(entries, list) else [entries]
        if len(listed) > MOST_TABLES:
            raise OptionsError(
                f"mappings of {name}: {len(listed):,} of them; expected at most {MOST_TABLES}"
            )
        try:
            result[name] = [
                entry if isinstance(entry, Mapping) else Mapping.from_dict(entry)
                for entry in listed
            ]
        except TableError as error:
            raise OptionsError(f"mappings of {name}: {error}") from None
        for mapping in result[name]:
            if mapping.encoding:
                check_encoding(mapping.encoding)
    return result
