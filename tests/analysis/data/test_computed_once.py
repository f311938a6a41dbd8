"""What pages compute once for each state of a study, however often they are asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models import F

from analysis.charts.chart import TableCell
from analysis.data import matrices, recent, study_data
from analysis.data.selection import rated_aspects, scale_aspects
from analysis.data.study_data import StudyData
from analysis.explorer import disagreement
from analysis.explorer.links import _selecting, explorer_link
from analysis.filter.question import Question
from analysis.reports.agreement import page as agreement
from analysis.templatetags.chart_cells import cells
from corpus.models import Study
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


def test_other_explorations_and_states_are_ranked_for_themselves(client, counted):
    ranked = counted(disagreement, "rank_gaps")
    explored(client)
    explored(client, "side=metric")
    assert len(ranked) == 2
    Study.objects.filter(slug="formality-demo").update(revision=F("revision") + 1)
    explored(client)
    assert len(ranked) == 3


def test_what_was_asked_for_last_stays():
    kept = recent.Recent()
    computed: list[int] = []

    def asked(number: int) -> int:
        def compute() -> int:
            computed.append(number)
            return number

        return kept.get(number, compute)

    for number in (*range(recent.KEPT), 0, recent.KEPT, 0):
        assert asked(number) == number
    assert computed == [*range(recent.KEPT), recent.KEPT]
    assert asked(1) == 1
    assert computed[-1] == 1


def test_segments_and_scores_are_hashed_once(client, counted):
    open_page(client, f"{STUDY}/ranking/")
    hashed = counted(study_data, "sha256")
    for kind in ("ranking", "ranking", "raters"):
        open_page(client, f"{STUDY}/{kind}/")
    assert hashed == []


def test_measures_with_ratings_are_those_that_say_something_of_an_output():
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    names = data.judgements.aspects
    assert rated_aspects(data) == [name for name in names if len(data.rated(name).value)]
    assert scale_aspects(data) == [name for name in names if data.aspect_mask(name).any()]
    nothing = data.judgements.only(data.judgements.aspect < 0)
    assert nothing.on_scale == nothing.by_choice == ()


def test_outputs_are_found_by_segment_and_system():
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    wanted = [(3, 1), (0, 0)]
    found = data.outputs_at(wanted)
    assert sorted(found) == sorted(wanted)
    for (segment, system), output in found.items():
        assert data.system_outputs[output]
        assert data.segment_of_output[output] == segment
        assert data.column_of_output[output] == system
    assert data.outputs_at([]) == {}


def test_scales_that_are_missing_are_looked_for_once_in_a_state(counted):
    agreement._undeclared.cache_clear()
    looked = counted(agreement, "undeclared_aspects")

    def ask() -> None:
        study = Study.objects.get(slug="formality-demo")
        agreement.KIND.for_owners(study)["ask_for_scales"]()

    ask()
    ask()
    assert len(looked) == 1
    Study.objects.filter(slug="formality-demo").update(revision=F("revision") + 1)
    ask()
    assert len(looked) == 2


def test_links_of_a_chart_s_points_share_what_they_select(counted):
    _selecting.cache_clear()
    parsed = counted(Question, "__post_init__")
    links = [
        explorer_link({"aspect": ["style"]}, scored=(place, place + 0.5)) for place in range(9)
    ]
    assert links[2] == "../disagreement/?aspect=style&metric_from=2&metric_to=2.5"
    assert len(parsed) <= 2
    assert explorer_link({}) == "../disagreement/?"


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
