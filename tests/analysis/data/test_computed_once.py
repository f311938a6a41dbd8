"""What pages compute once for each state of a study, however often they are asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from analysis.charts.chart import TableCell
from analysis.data import arrays, matrices
from analysis.data.study_data import StudyData
from analysis.explorer import disagreement
from analysis.templatetags.chart_cells import cells
from tests.fixtures.report_pages import open_page, reader

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
STUDY = "/studies/formality-demo"


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[Any]]:
    """Count the calls of something that a module or class has under a name."""

    def count(owner: Any, name: str) -> list[Any]:
        calls: list[Any] = []
        original = getattr(owner, name)

        def called(*given: Any, **named: Any) -> Any:
            calls.append(given)
            return original(*given, **named)

        monkeypatch.setattr(owner, name, called)
        return calls

    return count


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def explored(client: Any, query: str = "") -> None:
    open_page(client, f"{STUDY}/disagreement/?{query}")


def test_all_pages_of_an_exploration_are_ranked_once(client, counted):
    ranked, rated = counted(disagreement, "rank_gaps"), counted(StudyData, "rated")
    for page in (1, 2, 1):
        explored(client, f"page={page}")
    assert len(ranked) == len(rated) == 1


def test_what_was_asked_for_last_stays():
    kept = arrays.Recent()
    computed: list[int] = []

    def asked(number: int) -> int:
        def compute() -> int:
            computed.append(number)
            return number

        return kept.get(number, compute)

    for number in (*range(arrays.KEPT), 0, arrays.KEPT, 0):
        assert asked(number) == number
    assert computed == [*range(arrays.KEPT), arrays.KEPT]
    assert asked(1) == 1
    assert computed[-1] == 1


def test_cells_of_a_chart_s_table_are_marked_and_escaped():
    row = [
        TableCell("a < b", "a < b", numeric=False, undefined=False),
        TableCell("0.5", 0.5, numeric=True, undefined=False),
        TableCell("–", None, numeric=True, undefined=True),
        TableCell("–", None, numeric=False, undefined=True),
        TableCell("x", "x", numeric=False, undefined=False),
    ]
    assert cells(row) == (
        '<th scope="row">a &lt; b</th><td class="number">0.5</td>'
        '<td class="number undefined">–</td><td class=" undefined">–</td><td>x</td>'
    )
    assert cells(row[1:2]) == '<th scope="row" class="number">0.5</th>'
