"""What a publication holds, as its documents describe it: plain values, gathered beforehand.

Nothing here is computed: numbers are those of the published reports."""

from dataclasses import dataclass, field

from corpus.vocabulary.publication_details import LICENCES, TERMS, Details, Licence

SUMS = "SHA256SUMS"
Cell = str | int | float | bool | None


@dataclass(frozen=True)
class Column:
    """A column of a table; `kind` is ``text``, ``integer`` or ``number``."""

    name: str
    kind: str
    description: str


@dataclass(frozen=True)
class DataFile:
    """A table as a Parquet file."""

    path: str
    table: str
    title: str
    rows: int
    columns: tuple[Column, ...]
    size: int
    sha256: str
    has_texts: bool

    @property
    def name(self) -> str:
        """The path without folder and ending."""
        return self.path.rpartition("/")[2].removesuffix(".parquet")


@dataclass(frozen=True)
class OtherFile:
    """Any other file of the folder."""

    path: str
    title: str
    media_type: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Table:
    """A table of a report, shortened to what is printed."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    all_rows: int


@dataclass(frozen=True)
class ReportFile:
    """A frozen report as it is published.

    Attributes
    ----------
    title, kind, answers
        What the owner called it, what kind of report it is and what it answers.
    path
        Of the zip with the report and its inputs.
    question
        The filter as an address writes it; empty where there is none.
    signature, sha256
        That of the report as published.
    frozen_sha256
        That of the report as it was frozen, under the names that raters have in the study.
    ratings, raters
        How many enter.
    tables
        Its first tables.
    """

    title: str
    kind: str
    answers: str
    path: str
    question: str
    signature: str
    sha256: str
    frozen_sha256: str
    ratings: int
    raters: int
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class CampaignFacts:
    """A campaign as the documents describe it."""

    slug: str
    title: str
    protocol: str
    aspects: tuple[str, ...]
    origin: str
    ratings: int
    raters: tuple[str, ...]
    per_item: str
    consented: str
    sheet: str


@dataclass(frozen=True)
class Content:
    """All that the documents of one publication say."""

    slug: str
    title: str
    description: str
    language: str
    simulated: bool
    details: Details
    date: str
    version: str
    """That of Touchstone."""
    counts: dict[str, int]
    data: tuple[DataFile, ...]
    reports: tuple[ReportFile, ...]
    campaigns: tuple[CampaignFacts, ...]
    preparation: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    others: tuple[OtherFile, ...] = field(default=())

    @property
    def summary(self) -> str:
        """What the study is, in a sentence or two where nobody has described it."""
        counts = self.counts
        counted = (
            f"{counts['segments']:,} segments, {counts['systems']:,} systems, "
            f"{counts['ratings']:,} ratings and {counts['runs']:,} metric runs."
        )
        simulated = " The ratings are simulated: no human gave them." if self.simulated else ""
        return f"{self.description.strip() or self.title} ({counted}){simulated}"

    @property
    def authors_read_out(self) -> str:
        """The authors as a sentence names them."""
        names = [author.read_out for author in self.details.authors]
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""

    @property
    def citation(self) -> str:
        """How it is to be cited: as stated, else from authors, year, title and version."""
        if self.details.citation:
            return self.details.citation
        version = f", version {self.details.version}" if self.details.version else ""
        return f"{self.authors_read_out} ({self.date[:4]}). {self.title}{version}. Data set."


def licence_words(identifier: str, terms: str) -> str:
    """Say under which licence something is."""
    known = LICENCES.get(identifier, Licence("not stated"))
    if identifier == TERMS:
        return f"other terms: {terms}"
    return f"{known.title} ({identifier})" if identifier else known.title
