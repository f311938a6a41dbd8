"""A server's studies as objects: their rows as frames, their reports as frames and charts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from touchstone.http import API, ApiError, Connection

if TYPE_CHECKING:
    import pandas

__all__ = ["ApiError", "Chart", "Report", "Rows", "Study", "Table", "Workbench", "connect"]
SECONDS_TO_WAIT = 1800.0


def connect(url: str, token: str | None = None) -> Workbench:
    """Connect to a Touchstone.

    Parameters
    ----------
    url
        Where it is, such as ``https://touchstone.example.org``.
    token
        From your account page there; one that may only read is enough. If it is not given, that
        of the environment variable ``TOUCHSTONE_TOKEN``.

    Raises
    ------
    ApiError
        If the server does not answer or does not know the token.
    """
    token = token or os.environ.get("TOUCHSTONE_TOKEN", "")
    if not token:
        raise ValueError(
            "a token is needed: make one on your account page, and pass it or set TOUCHSTONE_TOKEN"
        )
    connection = Connection(url, token)
    connection.get(API)
    return Workbench(connection)


class Rows:
    """Rows of a study, read when they are asked for.

    `to_frame` gives them as a data frame; iterating gives a dictionary each.
    """

    def __init__(self, read: Callable[[], Iterator[dict[str, Any]]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._read()

    def to_frame(self) -> pandas.DataFrame:
        """Return all rows as a data frame."""
        import pandas

        return pandas.DataFrame(list(self))


class Workbench:
    """A Touchstone server, as one person sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def studies(self) -> Rows:
        """Return the studies of which you are a member."""
        return Rows(lambda: self._connection.rows(f"{API}studies/", {}))

    def study(self, slug: str) -> Study:
        """Return one study; `ApiError` if there is none of that name that you may see."""
        path = f"{API}studies/{slug}/"
        return Study(self._connection, path, self._connection.get(path)[1])


class Study:
    """One study: its rows and its reports.

    Attributes
    ----------
    facts
        What the server says of it: title, counts, your role, ….
    """

    def __init__(self, connection: Connection, path: str, facts: dict[str, Any]) -> None:
        self._connection = connection
        self._path = path
        self.facts = facts

    def __repr__(self) -> str:
        return f"<Study {self.facts['slug']}: {self.facts['title']}>"

    def _rows(self, name: str, **query: Any) -> Rows:
        return Rows(lambda: self._connection.rows(f"{self._path}{name}/", query))

    def segments(self) -> Rows:
        """Return sources, references, directions and attributes."""
        return self._rows("segments")

    def systems(self) -> Rows:
        """Return the systems with kind and attributes."""
        return self._rows("systems")

    def outputs(self, system: str | None = None) -> Rows:
        """Return texts; sources are those of ``(source)``, references of ``(reference)``."""
        return self._rows("outputs", system=system)

    def ratings(self) -> Rows:
        """Return the ratings that count: the latest revision of each answer."""
        return self._rows("ratings")

    def scores(self) -> Rows:
        """Return metric scores, run by run."""
        return self._rows("scores")

    def runs(self) -> Rows:
        """Return metric runs with their signatures."""
        return self._rows("runs")

    def report(self, kind: str, *, seconds: float = SECONDS_TO_WAIT, **asked: Any) -> Report:
        """Return a report under a filter; wait for the job that computes it.

        Parameters
        ----------
        kind
            ``correlation``, ``agreement``, ``ranking``, …: the last word of its address.
        seconds
            How long to wait.
        asked
            Fields of the filter, as on the page: ``aspect="content"``, ``leave_out=["BART"]``.
        """
        path = f"{self._path}reports/{kind}/"
        parts = self._connection.computed(f"{path}parts/", asked, seconds)
        return Report(self._connection, path, asked, parts)


class Table:
    """A table of a report.

    Attributes
    ----------
    name, title
        What it is.
    sources
        What its numbers rest on: study, filter, hashes, versions.
    rows
        A dictionary each.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        self.name: str = content["name"]
        self.title: str = content["title"]
        self.sources: list[str] = content["sources"]
        self.rows: list[dict[str, Any]] = content["rows"]
        self._columns: list[str] = content["columns"]

    def to_frame(self) -> pandas.DataFrame:
        """Return the table as a data frame; `attrs` of the frame has title and sources."""
        import pandas

        frame = pandas.DataFrame(self.rows, columns=self._columns)
        frame.attrs = {"title": self.title, "sources": self.sources}
        return frame

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html())


class Chart:
    """A chart of a report, which Jupyter shows.

    Attributes
    ----------
    spec
        Its Vega-Lite specification, with its data.
    """

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec

    def to_altair(self) -> Any:
        """Return it as an Altair chart, to be changed or saved; needs ``altair``."""
        import altair

        return altair.Chart.from_dict(self.spec)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        version = self.spec["$schema"].rpartition("/v")[2].partition(".")[0]
        shown = {"text/plain": f"<Chart {self.spec.get('description', '')[:80]}>"}
        return {f"application/vnd.vegalite.v{version}+json": self.spec, **shown}


class Report:
    """A report of a study: its tables and charts, read when they are asked for.

    Attributes
    ----------
    verdict
        What it allows to say, a sentence each, as at the top of its page.
    tables, charts
        Names of what there is.
    """

    def __init__(
        self, connection: Connection, path: str, asked: dict[str, Any], parts: dict[str, Any]
    ) -> None:
        self._connection = connection
        self._path = path
        self._asked = asked
        self.verdict: list[str] = parts["verdict"]
        self.tables = [each["name"] for each in parts["tables"]]
        self.charts = [each["name"] for each in parts["charts"]]

    def content(self) -> dict[str, Any]:
        """Return the whole report: every result with interval, n, p-value and signature."""
        found: dict[str, Any] = self._get(self._path)
        return found

    def table(self, name: str) -> Table:
        """Return a table by its name."""
        return Table(self._get(self._path, table=_among(name, self.tables, "table")))

    def chart(self, name: str, theme: str = "light") -> Chart:
        """Return a chart by its name, in light or dark colours."""
        name = _among(name, self.charts, "chart")
        return Chart(self._get(f"{self._path}charts/{name}/", theme=theme))

    def to_frame(self) -> pandas.DataFrame:
        """Return the first table, which answers the report's question, as a data frame."""
        return self.table(self.tables[0]).to_frame()

    def _get(self, path: str, **further: str) -> Any:
        return self._connection.computed(path, {**self._asked, **further}, SECONDS_TO_WAIT)


def _among(name: str, known: list[str], what: str) -> str:
    if name not in known:
        raise KeyError(f"no {what} {name!r}; there are: {', '.join(known)}")
    return name
