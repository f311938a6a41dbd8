"""What the HTML of a report page says, and studies imported for a whole module of tests."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree.ElementTree import Element, TreeBuilder

import databases
import published_values
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from analysis.data import matrices
from analysis.filter.question import Question, QuestionError
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from corpus.models import Membership, Study

DEMO = Path(__file__).resolve().parent.parent / "demo" / "formality-demo"
PATTERNS = {"mir2019": "{model}-{parameter}-{value}"}
_VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


# Reading


@dataclass
class Number:
    """A result as the page shows it: closed, and opened."""

    shown: str
    summary: str
    facts: dict[str, str]
    why: str


@dataclass
class Cell:
    """A cell of a table: its text without what is folded away, and the results in it."""

    text: str
    numbers: list[Number]
    link: str = ""


@dataclass
class Table:
    """A table by its accessible name; rows know the group they stand in."""

    headings: list[str] = field(default_factory=list)
    rows: list[tuple[str, list[Cell]]] = field(default_factory=list)

    def cell(self, heading: str, *names: str) -> Cell:
        """Return the cell below a heading of the one row with these names (group, first cell)."""
        fits = [
            cells for group, cells in self.rows if (group, cells[0].text)[-len(names) :] == names
        ]
        (row,) = fits
        return row[self.headings.index(heading)]

    def number(self, heading: str, *names: str) -> Number:
        """Return the result in a cell."""
        (number,) = self.cell(heading, *names).numbers
        return number


class _Tree(HTMLParser):
    """Builds a tree; a tag that is closed in the wrong place is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in _VOID:
            self.builder.end(tag)

    def handle_endtag(self, tag: str) -> None:
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


def parse(html: str) -> Element:
    """Return a page as a tree."""
    parser = _Tree()
    parser.feed(html.strip())
    return parser.builder.close()


def words(element: Element) -> str:
    """Return the text of an element as it reads with every number closed."""
    return " ".join("".join(_texts(element)).split())


def _texts(element: Element) -> Iterator[str]:
    if element.get("class") == "number-detail":
        return
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""


def numbers(element: Element) -> list[Number]:
    """Return every result in an element."""
    return [_number(found) for found in element.iter("details") if found.get("class") == "number"]


def _number(element: Element) -> Number:
    summary = element.find("summary")
    detail = element.find("div")
    assert summary is not None
    assert detail is not None
    facts = detail.find("dl")
    assert facts is not None
    names = [words(name) for name in facts.findall("dt")]
    values = [" ".join("".join(value.itertext()).split()) for value in facts.findall("dd")]
    why = detail.find("p")
    return Number(
        shown=words(summary[0]),
        summary=words(summary),
        facts=dict(zip(names, values, strict=True)),
        why="" if why is None else words(why),
    )


def tables(page: Element) -> dict[str, Table]:
    """Return the tables of a page by their accessible names."""
    found = {}
    for region in page.iter("div"):
        element = region.find("table")
        if region.get("class") == "scroll" and element is not None:
            name = region.get("aria-label", "")
            assert name not in found, f"two tables are called {name}"
            found[name] = _table(element)
    return found


def _table(element: Element) -> Table:
    table = Table([words(heading) for heading in element.iterfind("thead/tr/th")])
    for body in element.findall("tbody"):
        group = ""
        for row in body.findall("tr"):
            if row.get("class") == "group":
                group = words(row)
            else:
                table.rows.append((group, [_cell(cell) for cell in row]))
    return table


def _cell(element: Element) -> Cell:
    link = element.find(".//a")
    address = "" if link is None else link.get("href", "")
    return Cell(words(element), numbers(element), address)


def open_page(client: Client, address: str, status: int = 200) -> Element:
    """Return a page, checked for what no page may show."""
    answer = client.get(address)
    assert answer.status_code == status, answer.content[:2000]
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    page = parse(answer.content.decode())
    text = words(page)
    for never in ("nan", "NaN", "None", "inf]", "−0.000"):
        assert never not in text.split(), f"{address} shows {never}"
    for number in numbers(page):
        assert number.facts["signature"], f"{address}: {number.shown} has no signature"
        assert (number.shown == "undefined") == bool(number.why)
    return page


# Studies


def reader(name: str, *slugs: str) -> Client:
    """Return the browser of somebody who may read these studies."""
    person, _ = User.objects.get_or_create(username=name)
    for slug in slugs:
        study = Study.objects.get(slug=slug)
        Membership.objects.get_or_create(study=study, user=person, role="researcher")
    client = Client()
    client.force_login(person)
    return client


@contextmanager
def imported(*paths: Path, published: Path | None = None, stored: bool = False) -> Iterator[None]:
    """Let the tests inside find studies that were imported by the command that anybody uses.

    Parameters
    ----------
    published
        The folder of published studies, to import what their papers print too.
    stored
        Whether their reports are there already, without comparisons, which take longer.
    """

    def fill() -> None:
        for path in paths:
            options = {"system_pattern": PATTERNS.get(path.name, "")}
            call_command("import_study", path, verbosity=0, **options)
        if published:
            _import_published_values(published)

    key = f"{published} {' '.join(map(str, paths))}"
    with filled(key, fill), filled("reports", store_reports) if stored else nullcontext():
        yield


@contextmanager
def filled(key: str, fill: Callable[[], None]) -> Iterator[None]:
    """Let the tests inside find what `fill` makes, once a run, in the database."""
    matrices.forget()
    with databases.of_this_run.filled(key, fill):
        matrices.forget()
        yield
    matrices.forget()


def _import_published_values(studies: Path) -> None:
    """Import what the two papers print, as `study.json` carries it."""
    for slug in ("lai2022", "mir2019"):
        with TemporaryDirectory() as folder:
            path = Path(folder) / slug / "study.json"
            path.parent.mkdir()
            entries = getattr(published_values, slug)(studies)
            path.write_text(json.dumps({"published": entries}), encoding="utf-8")
            call_command("import_study", path.parent, study=slug, verbosity=0)


def store_reports() -> None:
    """Compute the reports of all studies, so that each test finds them stored."""
    for study in Study.objects.all():
        for kind in KINDS:
            # Some refuse to compare as many metrics as a study has.
            if kind not in ("accuracy", "comparison"):
                with suppress(QuestionError):
                    report(study, kind, Question())
