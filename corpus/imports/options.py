"""What an import is asked to do beyond reading its files; recorded with the study."""

import codecs
import re
from collections.abc import Mapping as AnyMapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, get_args

from corpus.formats.catalogue import AUTO, NONE, UnknownFormatError, format_named
from corpus.tabular.plain import PlainError, from_plain, to_plain
from corpus.tabular.problems import TableError
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import MOST_TABLES, read_queries
from corpus.vocabulary.names import NamePattern, wrong_role

LAYOUTS = {
    "auto": "detected from the files",
    "tables": "tables (CSV, TSV, JSON, JSON Lines, Parquet)",
    "lines": "one text per line, one file per system",
}
_PERCENT = {"least": 0, "most": 100}
_OF_LINES = "For one text per line: such files do not state it."
COMPARED = {"reference": "every reference", "output": "every output"}


class OptionsError(ValueError):
    """An option of an import does not make sense; the message says which and why."""


def _option(default: Any, label: str, help_text: str = "", **facts: Any) -> Any:
    """Return a field with what forms and the command say of it; without a label in no form.

    Its facts are the `least` and `most` of a number, the `choices`, the `longest` text, and
    whether it `changes_study`, which then records it.
    """
    return field(default=default, metadata={"label": label, "help": help_text, **facts})


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices of the person who imports; every default leaves texts as they are.

    Parameters
    ----------
    mappings
        File name to the mappings that read it; a file not named is guessed from its columns.
    query
        A `.sql` file with a SELECT for each table, which then reads the files alone.
    answers, accept
        Answers by the names of questions about what was read; whether all other questions are
        answered by what is proposed.
    system_roles
        System to `human`, `reference` or `system`: what names such as `ref` or `Human-A.0` are.

    The others say themselves what they do.
    """

    layout: str = _option("auto", "Layout", choices=LAYOUTS)
    format: str = _option(
        AUTO,
        "Named format",
        "The tool that wrote the files; auto recognises it, none takes plain tables.",
    )
    select: str = _option(
        "",
        "Which part",
        "Needed if the files hold several studies, such as language pairs: en-de.",
    )
    encoding: str = _option(
        "", "Encoding", "Needed if files are not UTF-8, such as windows-1252.", longest=40
    )
    sample: int | None = _option(
        None,
        "Sample of segments",
        "Keeps this many segments of each direction, the same for every system.",
        least=1,
        changes_study=True,
    )
    sample_seed: int = _option(
        0, "Seed of the sample", "The same seed samples the same segments.", changes_study=True
    )
    min_length_percentile: float | None = _option(
        None,
        "Shortest sources, as a percentile",
        "Segments are left out whose source is shorter, in words, than this percentile of the "
        "sources of its direction.",
        **_PERCENT,
        changes_study=True,
    )
    max_length_percentile: float | None = _option(
        None,
        "Longest sources, as a percentile",
        "Such as 99: longer sources are left out.",
        **_PERCENT,
        changes_study=True,
    )
    max_changed_words: int | None = _option(
        None,
        "Most changed words",
        "Segments are left out in which more words were removed or added between the source and "
        "the texts named below.",
        least=0,
        changes_study=True,
    )
    max_changed_share: float | None = _option(
        None,
        "Largest share of changed words",
        "Words removed or added, divided by the words of both texts: 0 to 1.",
        least=0,
        most=1,
        changes_study=True,
    )
    changed_in: str = _option(
        "reference", "Changed between the source and", choices=COMPARED, changes_study=True
    )
    collapse_whitespace: bool = _option(
        False,
        "Collapse white space in texts",
        "Runs of white space become one space; white space at both ends is removed.",
        changes_study=True,
    )
    attach_punctuation: bool = _option(
        False,
        "Attach punctuation to words",
        "For tokenised English: “word .” becomes “word.”, “do n't” becomes “don't”.",
        changes_study=True,
    )
    truncate_words: int | None = _option(
        None, "Cut texts after this many words", least=1, changes_study=True
    )
    skip_unknown_scores: bool = _option(
        False,
        "Leave out scores of unknown outputs",
        "Metric scores of outputs that the study lacks are left out, and a note says how many. "
        "Otherwise they are errors, and nothing is imported.",
    )
    system_pattern: str = _option(
        "",
        "Pattern of system names",
        "Attributes in the order in which names hold them, such as {model}-{parameter}-{value}.",
    )
    source_style: str = _option("", "Source style", _OF_LINES, longest=100)
    target_style: str = _option("", "Target style", _OF_LINES, longest=100)
    source_file: str = _option(
        "",
        "Name of the source file",
        "For one text per line, if it is not source.txt, src.txt or input.txt.",
    )
    without_texts: bool = _option(
        False, "", "Make segments, systems and outputs from the keys of ratings and scores."
    )
    accept: bool = _option(False, "", "Answer every question by what is proposed.")
    mappings: dict[str, list[Mapping]] = field(default_factory=dict)
    query: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    system_roles: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_bounds(each.name, getattr(self, each.name), each.metadata)
        low, high = self.min_length_percentile or 0, self.max_length_percentile
        if high is not None and low >= high:
            raise OptionsError(
                f"max_length_percentile is {high:g}: expected more than the {low:g} of "
                "min_length_percentile"
            )
        if self.format not in (AUTO, NONE):
            try:
                format_named(self.format)
            except UnknownFormatError as error:
                raise OptionsError(f"format: {error}") from None
        if wrong := wrong_role(self.system_roles):
            raise OptionsError(wrong)
        for name, mappings in self.mappings.items():
            if len(mappings) > MOST_TABLES:
                raise OptionsError(
                    f"mappings of {name}: {len(mappings):,} of them; expected at most {MOST_TABLES}"
                )
        of_files = (mapping.dialect.encoding for each in self.mappings.values() for mapping in each)
        for encoding in filter(None, (self.encoding, *of_files)):
            check_encoding(encoding)
        if self.query:
            self.queries  # noqa: B018  # raises if it makes no sense
        if self.system_pattern:
            check_pattern(self.system_pattern)

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
        """Return plain JSON, for a job's parameters: what differs from the defaults."""
        plain: dict[str, Any] = to_plain(self)
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
            listed = ", ".join(sorted(known.keys() - {"mappings"}))
            raise OptionsError(f"unknown option {unknown[0]!r}; known options: {listed}")
        given = {name: value for name, value in plain.items() if value is not None}
        try:
            options: ImportOptions = from_plain(cls, given)
        except PlainError as error:
            if not error.expected:
                raise OptionsError(str(error)) from None
            expected = f"{error.place} is {error.found!r}: expected {error.expected}"
            raise OptionsError(expected) from None
        return options

    def changes_texts(self) -> dict[str, Any]:
        """Return the options that change what is stored, for the study's provenance."""
        said = {name: value for name, value in self.to_dict().items() if name in CHANGING}
        return said if said.keys() - {"sample_seed", "changed_in"} else {}

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


CHANGING = {each.name for each in fields(ImportOptions) if each.metadata.get("changes_study")}
"""Options that change what is stored, which the study's provenance has."""


def check_pattern(pattern: str) -> None:
    """Raise `OptionsError` if names of systems cannot be read by a pattern."""
    try:
        good = "human" not in NamePattern.of(pattern).names
    except ValueError:
        good = False
    if not good:
        raise OptionsError(
            f"system_pattern {pattern!r}: expected names of attributes in braces, each once, as in "
            "{model}-{parameter}-{value} (whether it is human-written cannot stand in a name)"
        )


def check_encoding(encoding: str) -> None:
    """Raise `OptionsError` if there is no such encoding of texts."""
    try:
        "".encode(codecs.lookup(encoding).name)
    except (LookupError, ValueError):
        raise OptionsError(
            f"encoding {encoding!r} is not known: expected a name such as windows-1252"
        ) from None


def option_type(option: Field[Any]) -> Any:
    """Return the type of an option that is given."""
    return (get_args(option.type) or (option.type,))[0]


def _check_bounds(name: str, value: Any, facts: AnyMapping[str, Any]) -> None:
    """Raise `OptionsError` if a value is not among the choices or between the bounds."""
    least, most = facts.get("least"), facts.get("most")
    expected = ""
    if "choices" in facts and value not in facts["choices"]:
        expected = f"one of {', '.join(facts['choices'])}"
    elif least is not None and value is not None and not least <= value <= (most or value):
        expected = f"a number from {least} to {most}" if most else f"{least} or more"
    if expected:
        shown = f"{value:g}" if isinstance(value, float) else repr(value)
        raise OptionsError(f"{name} is {shown}: expected {expected}")


_CLOSING = re.compile(r"(?<=\S)\s+(?=(?:[.!?…]+|[,;:)\]}])(?:\s|$))")
_OPENING = re.compile(r"(?<=[(\[{])(?<![^\s(\[{].)\s+(?=\S)")
_SHORTENED = re.compile(r"(?<=\w)\s+(?=(?:n['’]t|['’](?:s|m|re|ve|ll|d))(?:\W|$))", re.IGNORECASE)


def with_attached_punctuation(text: str) -> str:
    """Remove the spaces that tokenisers put around punctuation and into shortened words.

    What stands by itself between white space counts: full stops, question and exclamation marks
    (one or several), commas, colons, semicolons, brackets, and endings such as ``n't`` and ``'s``.
    A smiley is no such sign. Quotation marks stay, because they do not say which way they face.

    Examples
    --------
    >>> with_attached_punctuation("I do n't know ( yet ) , sorry :) ... really !!")
    "I don't know (yet), sorry :)... really!!"
    """
    for pattern in (_CLOSING, _OPENING, _SHORTENED):
        text = pattern.sub("", text)
    return text
