"""Scores of references against sources across studies, and against one reference or another."""

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.selection import default_columns
from analysis.filter.question import Question
from analysis.references import reference_pairs
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import imported_study

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/references/"


@pytest.fixture
def study(tmp_path) -> Study:
    matrices.forget()
    segments = [["segment_id", "source", "reference_1", "reference_2"]]
    segments += [
        [f"s{n}", "a source " + "x" * n, "one " * (n % 4 + 1), "other " * (n % 5)] for n in range(8)
    ]
    outputs = [["segment_id", "system", "output"]]
    outputs += [[f"s{n}", name, name * (n % 3 + 1)] for n in range(8) for name in ("ab", "REF")]
    systems = {"systems": [{"system": "REF", "human": True}]}
    files = {"segments.csv": segments, "outputs.csv": outputs, "study.json": systems}
    return imported_study(tmp_path / "small", files, slug="small")


@pytest.fixture
def owner(study) -> Client:
    return signed_in("keeper", study)


def score(*arguments: str) -> None:
    call_command("score", *arguments, verbosity=0)


def lengths(study, **which) -> dict[str, list[int]]:
    """Characters of the texts of some systems by segment."""
    found: dict[str, list[int]] = {}
    for output in study.outputs.filter(**which).select_related("segment"):
        found.setdefault(output.segment.key, []).append(len(output.text))
    return found


# Distances


def test_means_against_the_source_are_those_of_a_loop_over_the_texts(study, own):
    score("small", "counting", "--against", "source")
    shown = tables(open_page(reader("ada", "small"), "/distances/"))["Scores against the source"]
    [(group, cells)] = shown.rows
    assert group.startswith("counting")
    sources = lengths(study, system__kind="source")
    texts = {
        "references": {"system__kind": "reference"},
        "people": {"system__name": "REF"},
        "systems": {"system__name": "ab"},
    }
    for place, which in zip((1, 4, 7), texts.values(), strict=True):
        differences = [
            each - sources[key][0]
            for key, found in lengths(study, **which).items()
            for each in found
            if each
        ]
        mean, sd, n = (cell.text.replace("−", "-") for cell in cells[place : place + 3])
        assert float(mean) == pytest.approx(np.mean(differences), abs=6e-4)
        assert float(sd) == pytest.approx(np.std(differences), abs=6e-4)
        assert int(n) == len(differences)


# One reference or another


def test_scores_against_two_references_are_correlated_over_systems(study, owner, own):
    page = open_page(owner, ADDRESS)
    assert "No metric has been scored against two references" in words(page)
    score("small", "counting", "--against", "reference")
    page = open_page(owner, ADDRESS)
    data = matrices.load(Study.objects.get())
    assert [column.run.compared_to for column in default_columns(data, Question())] == [
        "reference.1"
    ]
    outputs = lengths(study, system__name="ab")
    references = lengths(study, system__kind="reference")
    both = [key for key in outputs if len(references[key]) == 2]
    first, second = ([outputs[key][0] - references[key][n] for key in both] for n in (0, 1))
    [pair] = reference_pairs(data)
    assert pair.result.value == pytest.approx(pearsonr(first, second)[0], abs=1e-9)
    shown = tables(page)["References"].number("Pearson r", "counting")
    assert shown.facts["unrounded"] == f"{pair.result.value:.10g}"
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    assert words(answer) == (
        "Scores against reference.1 and reference.2 correlate at r = "
        f"{pair.result.value:.2f} (counting).".replace("-", "−")
    )


def test_owners_start_the_runs_and_researchers_do_not(study, owner, own):
    assert reader("ada", "small").post(ADDRESS).status_code == 403
    reply = owner.post(ADDRESS)
    assert reply.status_code == 302
    run_next()
    assert Job.objects.get(kind="score").state == "done"
    against = set(study.runs.values_list("compared_to", flat=True))
    assert against == {"reference.1", "reference.2"}
    assert tables(open_page(owner, ADDRESS))["References"].rows
    assert owner.post(ADDRESS).url == ADDRESS
