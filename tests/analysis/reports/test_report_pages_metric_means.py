"""Metric scores by system: corpus scores, Joint, ranks, tests; on two studies."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.management import call_command
from sacrebleu.metrics.bleu import BLEU

from analysis.data import matrices
from analysis.filter.question import Question, QuestionError
from analysis.reports.service import report
from corpus.models import Output, Study
from metrics.runs.requests import RunRequest
from tests.analysis.reports.test_report_pages_comparison import SEGMENTS, SYSTEMS, simulated
from tests.fixtures.combined_study import PARTS, TEXTS, import_study, scored
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import OUTPUTS, TABLES, import_path, imported_study, write_files

pytestmark = pytest.mark.django_db
PAGE = "/studies/small/metric-means/"
REFERENCES = {"s1": ["I will be late.", "I shall be late."], "s2": ["I do not know."]}
REFERENCES["s3"] = ["sorry i'm late"]
JOINT = RunRequest("joint", {"style": "accuracy"})


@pytest.fixture(scope="module", autouse=True)
def _scored(once):
    def fill(folder):
        study = import_study(folder, SimpleNamespace())
        scored(study, *PARTS)
        scored(study, JOINT, RunRequest("overall-mean", {"parts": "accuracy,c-pt16", "zero": "0"}))

    once(fill)


@pytest.fixture
def study() -> Study:
    matrices.forget()
    yield Study.objects.get(slug="small")
    matrices.forget()


def content_of(study: Study, **asked) -> dict:
    return report(study, "metric-means", Question(**asked))["content"]


def result(content: dict, metric: str, system: str, compared_to: str = "") -> dict:
    systems = [each["system"] for each in content["systems"]]
    [row] = [
        row
        for row in content["rows"]
        if content["columns"][row["column"]]["metric"] == metric
        and content["columns"][row["column"]]["compared_to"] == compared_to
    ]
    return row["results"][systems.index(system)] | {"rank": row["ranks"][systems.index(system)]}


def bleu_of(system: str) -> float:
    outputs = TEXTS[system][:3]
    several = [[found[0] for found in REFERENCES.values()], [REFERENCES["s1"][1], None, None]]
    return BLEU().corpus_score(outputs, several).score / 100


def pooled_perplexity(study: Study, system: str) -> float:
    data = matrices.load(study)
    [run] = [run for run in data.runs if run.metric == "ngram-perplexity"]
    ordinals = Output.objects.filter(study=study, system__name=system).values_list("ordinal")
    rows = data.statistics(run)[[ordinal for (ordinal,) in ordinals]]
    nll, units = np.nansum(rows, axis=0)
    return math.exp(nll / units)


def test_a_system_has_its_corpus_scores_and_joint_is_made_of_them(study):
    content = content_of(study)
    for system, accuracy in (("near", 3 / 4), ("far", 1 / 3)):
        bleu, perplexity = bleu_of(system), pooled_perplexity(study, system)
        assert result(content, "bleu", system, "references")["value"] == pytest.approx(bleu)
        assert result(content, "accuracy", system)["value"] == pytest.approx(accuracy)
        found = result(content, "ngram-perplexity", system)
        assert found["value"] == pytest.approx(perplexity)
        expected = (accuracy * bleu / math.log(perplexity)) ** (1 / 3)
        joint = result(content, "joint", system)
        assert joint["value"] == pytest.approx(expected)
        factors = [joint["details"][name] for name in ("accuracy", "BLEU", "perplexity")]
        assert factors == pytest.approx([accuracy, bleu, perplexity])
        assert joint["interval"] is not None
        assert "joint|" in joint["signature"]
        assert "bootstrap:segments" in joint["signature"]
    assert result(content, "accuracy", "far")["details"]["missing"] == 1
    assert result(content, "ngram-perplexity", "near")["rank"] == 1 + (
        pooled_perplexity(study, "near") > pooled_perplexity(study, "far")
    )


def test_baselines_stand_in_the_table_marked_and_are_ranked_only_by_name(study):
    call_command("baselines", "small", "copy-source", verbosity=0)
    study.refresh_from_db()
    scored(study, *PARTS)
    name = "baseline-copy-source"
    content = content_of(study)
    assert [each["baseline"] for each in content["systems"]] == [False, False, True]
    copied = result(content, "bleu", name, "source")
    assert copied["value"] == pytest.approx(1)
    assert copied["rank"] is None
    assert {each["system"] for each in content["tested"]["systems"]} == {"near", "far"}
    named = content_of(study, systems=("near", name), tested="bleu/source")
    assert result(named, "bleu", name, "source")["rank"] == 1
    assert {each["system"] for each in named["tested"]["systems"]} == {"near", name}
    page = open_page(reader("ada", "small"), PAGE)
    assert f"{name} baseline" in words(page)


def test_a_metric_is_chosen_for_the_tests_and_one_where_lower_is_better_is_turned(study):
    client = reader("ada", "small")
    content = content_of(study, tested="ngram-perplexity")
    tested = content["tested"]
    assert tested["turned"]
    first, second = tested["systems"]
    assert first["result"]["value"] > second["result"]["value"]
    assert first["result"]["value"] == pytest.approx(-pooled_perplexity(study, first["system"]))
    page = open_page(client, f"{PAGE}?tested=ngram-perplexity")
    assert "Oriented: for this metric lower is better" in words(page)
    refused = open_page(client, f"{PAGE}?tested=nothing", 400)
    assert "tested=nothing: expected one of accuracy" in words(refused)
    with pytest.raises(QuestionError, match="test=williams"):
        content_of(study, test="williams")


@pytest.mark.parametrize(
    "test", ["permutation", pytest.param("bootstrap", marks=pytest.mark.nightly)]
)
def test_of_equal_systems_none_is_put_first_and_worse_ones_are_found(tmp_path, test):
    study = imported_study(tmp_path / "simulated", simulated(), "simulated")
    asked = {"tested": "near one", "test": test}
    tested = content_of(study, **asked)["tested"]
    names = [each["system"] for each in tested["systems"]]
    assert set(names[:2]) == {"equal one", "equal two"}
    assert names[2:] == ["worse", "worst"]
    assert [each["cluster"] for each in tested["systems"]] == [1, 1, 2, 3]
    assert len(tested["pairs"]) == len(SYSTEMS) * (len(SYSTEMS) - 1) / 2
    for pair in tested["pairs"]:
        drawn = pair["tests"]["bootstrap"]
        assert drawn["n"] == SEGMENTS
        assert drawn["interval"]["low"] < drawn["value"] < drawn["interval"]["high"]
    client = reader("ada", "simulated")
    page = open_page(client, f"/studies/simulated/metric-means/?tested=near+one&test={test}")
    text = words(page)
    assert f"no difference was detected between {names[0]} and {names[1]} (Δ = " in text
    assert "indistinguishable" not in text
    shown = tables(page)
    assert [cells[0].text for _, cells in shown["Systems by the metric tested"].rows] == names
    unknown = open_page(client, "/studies/simulated/metric-means/?tested=unknown", 400)
    assert "it is not declared whether higher or lower unknown is better" in words(unknown)
    matrices.forget()


def test_several_metrics_are_shown_by_direction_on_the_segments_of_each(tmp_path):
    matrices.forget()
    files = simulated()
    rows = files["segments.csv"]
    ways = {row[0]: ("ab", "ba")[place % 2] for place, row in enumerate(rows[1:])}
    files["segments.csv"] = [
        [*rows[0], "source_style", "target_style"],
        *([*row, *ways[row[0]]] for row in rows[1:]),
    ]
    import_path(write_files(tmp_path / "ways", files), "ways")
    client = reader("ada", "ways")
    found = client.get("/api/v1/studies/ways/reports/metric-means/").json()["content"]
    assert [each["direction"] for each in found["directions"]] == ["a-to-b", "b-to-a"]
    scores = files["metric_scores.csv"]
    at = {name: scores[0].index(name) for name in ("segment_id", "system", "metric", "score")}
    systems = [each["system"] for each in found["systems"]]
    for each, way in zip(found["directions"], ("ab", "ba"), strict=True):
        for column, results in zip(found["columns"], each["results"], strict=True):
            for system, result in zip(systems, results, strict=True):
                known = [
                    float(row[at["score"]])
                    for row in scores[1:]
                    if (row[at["system"]], row[at["metric"]]) == (system, column["metric"])
                    and ways[row[at["segment_id"]]] == way
                ]
                assert result["value"] == pytest.approx(np.mean(known))
                assert result["interval"]["low"] < result["value"] < result["interval"]["high"]
    matrices.forget()


def test_a_system_that_no_metric_has_scored_is_named_once(tmp_path):
    late = {**TABLES, "outputs.csv": [*OUTPUTS, ["s1", "LATE", "came later"]]}
    assert import_path(write_files(tmp_path / "small", late)).state == "done"
    page = open_page(reader("ada", "small"), PAGE)
    assert "LATE" not in [heading for each in tables(page).values() for heading in each.headings]
    assert "No metric has scored LATE." in words(page)
