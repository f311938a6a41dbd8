"""The description of a kind of report: what pages, files, the API and commands know of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, TypeVar

from analysis.charts.chart import Chart
from analysis.data.selection import MetricColumn, metric_columns, rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.reports.catalogue import KINDS, LISTED, report_kind
from analysis.reports.content import Content
from analysis.reports.page_address import Address, Choices
from analysis.stats.pieces import Divide, in_turn
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.tables.flat_table import FlatTable, TableRow
from corpus.models import Study
from corpus.progress import ProgressCallback, unreported

C = TypeVar("C", bound=Content)
Published = Sequence[PublishedValue]
Pairs = Sequence[tuple[str, str]]
Figures = Mapping[str, Callable[[], Chart]]
_QUESTION = frozenset(each.name for each in fields(Question))


@dataclass(frozen=True)
class Report(Generic[C]):
    """A report as it is stored, its content as its kind reads it.

    Parameters
    ----------
    stored
        The report as JSON: its frame and its content.
    shape
        The class of the content.
    """

    stored: Mapping[str, Any]
    shape: type[C]

    @cached_property
    def content(self) -> C:
        """What the report computed."""
        return self.shape.from_dict(self.stored["content"])

    @property
    def early(self) -> bool:
        """Whether it has values alone, and a job computes the rest."""
        return bool(self.stored.get("early"))

    @property
    def kind(self) -> str:
        """Key of its kind."""
        return str(self.stored["kind"])

    @property
    def study(self) -> str:
        """Slug of its study."""
        return str(self.stored["study"])


@dataclass(frozen=True)
class Asked:
    """What a report is computed from.

    Parameters
    ----------
    data
        The study as arrays, with the ratings that the question is about.
    question
    published
        The published values of the study; of replication reports only.
    progress
        Is called with how far a long computation is.
    early
        Whether values alone are wanted, which a page shows while a job computes the rest.
    divide
        Computes what comes in pieces, once for a report; a job offers them to all workers.
    """

    data: StudyData
    question: Question
    published: Published = ()
    progress: ProgressCallback = unreported
    early: bool = False
    divide: Divide = in_turn

    @property
    def bootstrap(self) -> Bootstrap:
        """How intervals are drawn: not at all where values alone are wanted."""
        return Bootstrap(0) if self.early else bootstrap_of(self.question)


@dataclass(frozen=True)
class Size:
    """How much a question selects, by which the work of a report is estimated."""

    data: StudyData
    question: Question

    @cached_property
    def _shape(self) -> tuple[int, int]:
        cells = select(self.data, self.question)
        return len(cells.segments), len(cells.systems)

    @property
    def segments(self) -> int:
        """Selected segments."""
        return self._shape[0]

    @property
    def systems(self) -> int:
        """Selected systems."""
        return self._shape[1]

    @property
    def cells(self) -> int:
        """Selected segments times selected systems."""
        return self.segments * self.systems

    @property
    def ratings(self) -> int:
        """Ratings that the question is about."""
        return len(self.data.judgements.value)

    @cached_property
    def aspects(self) -> int:
        """Rated aspects, at least one."""
        return max(1, len(rated_aspects(self.data)))

    @cached_property
    def columns(self) -> Sequence[MetricColumn]:
        """Selected metrics."""
        return metric_columns(self.data, self.question)


@dataclass(frozen=True)
class Table(Generic[C]):
    """A table to download, made from the content of a report.

    Parameters
    ----------
    name
        Short ASCII name, fit for file names.
    title
        One line that says what the rows are.
    part
        Part of the content that it shows; without it there is no table.
    columns
        Names of the columns.
    rows
        Makes the rows, aligned with the columns.
    printed
        The columns that fit a printed page; empty for all.
    """

    name: str
    title: str
    part: str
    columns: tuple[str, ...]
    rows: Callable[[C], Iterable[TableRow]]
    printed: tuple[str, ...] = ()

    def of(self, content: C) -> FlatTable:
        """Return the table of a report."""
        rows = tuple(self.rows(content))
        return FlatTable(self.name, self.title, self.columns, rows, self.printed)


@dataclass(frozen=True)
class Early(Generic[C]):
    """That the values of a kind of report are ready before the rest.

    Parameters
    ----------
    cost
        Estimates the work of values alone, as that of the report.
    awaits
        Of a content, beginnings of the names of pictures that follow beside those there are.
    rest
        What is being computed while values are shown, as the subject of a sentence.
    """

    cost: Callable[[Size], int]
    awaits: Callable[[C], Sequence[str]] = lambda content: ()
    rest: str = "their intervals and tests"


@dataclass(frozen=True)
class ReportKind(Generic[C]):
    """A kind of report.

    Parameters
    ----------
    key
        Name in addresses, commands and stored results; `study-KEY` names the address of its page,
        `analysis/KEY.html` its template; the catalogue lists it.
    fields
        Fields of its filter in the order of the form; what is no part of the question chooses
        what is shown.
    content
        The class of what it computes.
    build
        Computes the content; where `early` is asked, without what is resampled or tested.
    present
        Turns a report into what the template shows.
    cost
        Estimates the work, in cells × statistics.
    early
        Declares that a page shows values while a job computes the rest; without it the page waits.
    check
        Refuses with a `QuestionError` what cannot be answered, before a job is made of it.
    tables
        Tables to download.
    figures
        From content, question, choices and a note, returns what makes each chart, in order.
    picture
        Beginnings of the names of charts that carry the answer: the main one, and those beside it.
    sections
        Beginning of a chart's name to the heading above it, the longest first.
    flat
        Beginnings of the names of charts whose pictures do not grow as tall as their tables.
    offers
        Choices of fields that depend on the report.
    values
        Of a field the values that this kind knows, where these are not all.
    needs
        Fields that say something only where another field has one of some values.
    statistics
        Whether it reads the sufficient statistics of metric runs.
    for_owners
        What the template shows to those who may change the study.
    lays_out
        Whether it lays scores out as segments × systems; what does not is fit for votes, where each
        segment has outputs of two of hundreds of systems.
    """

    key: str
    fields: tuple[str, ...]
    content: type[C]
    build: Callable[[Asked], C]
    present: Callable[[Report[C], Address], dict[str, Any]]
    cost: Callable[[Size], int]
    early: Early[C] | None = None
    check: Callable[[StudyData, Question], object] = lambda data, question: None
    tables: tuple[Table[C], ...] = ()
    figures: Callable[[C, Question, Choices, str], Figures] = lambda *report: {}
    picture: tuple[str, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    flat: tuple[str, ...] = ()
    offers: Callable[[Report[C] | None], Mapping[str, Pairs]] = lambda report: {}
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    needs: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    statistics: bool = False
    for_owners: Callable[[Study], Mapping[str, Any]] = lambda study: {}
    lays_out: Callable[[StudyData], bool] = lambda data: True

    @property
    def title(self) -> str:
        """Heading of its page."""
        return LISTED[KINDS.index(self.key)].title

    @property
    def asks(self) -> str:
        """The question that it answers."""
        return LISTED[KINDS.index(self.key)].asks

    @cached_property
    def uses(self) -> frozenset[str]:
        """Fields of the question that change what the report says."""
        return _QUESTION.intersection(self.fields)

    def start_of(self, chart: str) -> str:
        """Return the beginning of a chart's name by which its heading is known."""
        return next(start for start in self.sections if chart.startswith(start))


def opened(stored: Mapping[str, Any]) -> Report[Any]:
    """Return a stored report with its content as its kind reads it."""
    return Report(stored, report_kind(stored["kind"]).content)
