"""The description of a kind of report: what pages, files, the API and commands know of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

from analysis.data.picking import MetricChoice
from analysis.data.selection import MetricColumn, metric_columns, rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.filter.field import Pairs
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.reports.catalogue import KINDS, LISTED, report_kind
from analysis.reports.content import Asked, Content, OfAspect
from analysis.reports.figure import Figure
from analysis.reports.metrics_listed import first_is_default, picked_words
from analysis.reports.page_address import Address, Choices
from analysis.reports.table import Table
from analysis.wording import aspect_heading, reasons, selection_words, variant_words
from corpus.models import Study

C = TypeVar("C", bound=Content)
Published = Sequence[PublishedValue]
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
    build
        Computes the content; where `early` is asked, without what is resampled or tested.
    present
        Returns what the template shows beyond what `shown` returns for all kinds.
    cost
        Estimates the work, in cells × statistics.
    early
        Declares that a page shows values while a job computes the rest; without it the page waits.
    check
        Refuses with a `QuestionError` what cannot be answered, before a job is made of it.
    tables
        Tables to download.
    figures
        From content, question and choices, the charts in order, see `analysis.reports.figure`.
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
    reads_published, reads_texts
        Whether it depends on published values, and on texts of outputs.
    parts
        The parts of a study, by name, of which the document of all results has this report; None
        where the document lacks it.
    for_owners
        What the template shows to those who may change the study.
    idle
        Fields that have no effect on a study's ratings; the form is without them.
    lays_out
        Whether it lays scores out as segments × systems; what does not is fit for votes, where each
        segment has outputs of two of hundreds of systems.
    """

    key: str
    fields: tuple[str, ...]
    build: Callable[[Asked], C]
    present: Callable[[Report[C], Address], dict[str, Any]]
    cost: Callable[[Size], int]
    early: Early[C] | None = None
    check: Callable[[StudyData, Question], object] = lambda data, question: None
    tables: tuple[Table[C], ...] = ()
    figures: Callable[[C, Question, Choices], Iterable[Figure]] = lambda *report: ()
    picture: tuple[str, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    flat: tuple[str, ...] = ()
    offers: Callable[[Report[C] | None], Mapping[str, Pairs]] = lambda report: {}
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    needs: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    statistics: bool = False
    reads_published: bool = False
    reads_texts: bool = False
    parts: Callable[[StudyData, Question], Iterable[tuple[str, Question]]] | None = None
    for_owners: Callable[[Study], Mapping[str, Any]] = lambda study: {}
    idle: Callable[[StudyData], tuple[str, ...]] = lambda data: ()
    lays_out: Callable[[StudyData], bool] = lambda data: True

    @cached_property
    def content(self) -> type[C]:
        """The class of what it computes, as `build` declares it."""
        found: type[C] = get_type_hints(self.build)["return"]
        return found

    @property
    def title(self) -> str:
        """Heading of its page."""
        return LISTED[KINDS.index(self.key)].title

    @property
    def asks(self) -> str:
        """The question that it answers."""
        return LISTED[KINDS.index(self.key)].asks

    def shown(self, report: Report[C], address: Address) -> dict[str, Any]:
        """Return what the template shows: the content, what all pages say, what this one says."""
        content, aspect = report.content, getattr(report.content, "aspect", "")
        picked = getattr(content, "picked", None)
        shown = {
            **vars(content),
            "selection": selection_words(address.question),
            "variants": variant_words(address.question),
            "aspect": aspect,
            "heading": aspect_heading(aspect),
            "picked": picked_words(picked, aspect, address)
            if isinstance(picked, MetricChoice)
            else {},
            **({"left_out": reasons(content.left_out)} if isinstance(content, OfAspect) else {}),
            **self.present(report, address),
        }
        return shown | {"summary": list(shown.get("summary", ()))}

    def verdict(self, report: Report[C], question: Question) -> list[str]:
        """Return the sentences at the top of the page as text."""
        found = self.shown(report, Address(question, Choices())).get("summary", ())
        return ["".join(part["text"] for part in sentence["parts"]) for sentence in found]

    @cached_property
    def uses(self) -> frozenset[str]:
        """Fields of the question that change what the report says."""
        return _QUESTION.intersection(self.fields)

    def start_of(self, chart: str) -> str:
        """Return the beginning of a chart's name by which its heading is known."""
        return next(start for start in self.sections if chart.startswith(start))


def whole_study(data: StudyData, question: Question) -> list[tuple[str, Question]]:
    """Return the study as the only part of itself."""
    return [("", question)]


def opened(stored: Mapping[str, Any]) -> Report[Any]:
    """Return a stored report with its content as its kind reads it."""
    return Report(stored, report_kind(stored["kind"]).content)


def aspect_offer(report: Report[Any] | None) -> dict[str, Pairs]:
    """Return the aspects of a report that is on one, the first where none is chosen."""
    aspects = report.stored["content"]["aspects"] if report else ()
    return {"aspect": first_is_default(aspects)} if aspects else {}
