"""Every run has one name, which pages, commands, the API and archives share."""

import pytest
from django.db import IntegrityError, transaction

from analysis.data import matrices
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from metrics.models import MetricRun
from metrics.runs.requests import RunRequest
from tests.fixtures import combined_study
from tests.fixtures.combined_study import PARTS, scored
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
prepare = combined_study.prepare
MASKED = {"kind": "style_masked", "lexicon": "words"}


@pytest.fixture(autouse=True)
def _no_matrices():
    matrices.forget()


@pytest.fixture
def plain_and_masked(study):
    store_lexicon(study, "words", [LexiconEntry("late", "formal", 1.0)])
    scored(study, *PARTS, RunRequest("bleu", against="source", text=MASKED))
    return study


def names(study):
    return dict(study.runs.order_by("pk").values_list("name", "signature"))


def test_a_plain_run_can_be_named_beside_a_masked_one(plain_and_masked):
    for part in ("bleu/source", "bleu/source/plain", "bleu/source/style_masked"):
        wanted = {"parts": f"accuracy,{part}", "kind": "arithmetic"}
        [run] = scored(plain_and_masked, RunRequest("overall-mean", wanted))
        is_masked = part.endswith("masked")
        assert run.name == f"overall-mean/accuracy+bleu-source{'-style_masked' * is_masked}" + (
            "/kind=arithmetic"
        )


def test_a_name_states_what_differs_from_the_defaults(study):
    runs = scored(
        study,
        RunRequest("bleu", {"tokenize": "char"}, against="source"),
        RunRequest("chrf", against="source"),
        RunRequest("copy-rate"),
    )
    assert [run.name for run in runs] == [
        "bleu/source/tokenize=char",
        "chrf/source",
        "copy-rate/source",
    ]


def test_a_name_goes_on_meaning_the_same_run_when_others_come(study, tmp_path):
    scored(study, *PARTS)
    before = names(study)
    scores = [["segment_id", "system", "metric", "compared_to", "score"]]
    scores += [["s1", "near", "bleu", "references", "0.5"]]
    import_path(write_files(tmp_path / "scores", {"metric_scores.csv": scores}))
    store_lexicon(study, "words", [LexiconEntry("late", "formal", 1.0)])
    store_lexicon(study, "others", [LexiconEntry("know", "formal", 1.0)])
    scored(
        study,
        *(
            RunRequest("chrf", against="source", text=MASKED | {"lexicon": name})
            for name in ("words", "others")
        ),
    )
    after = names(study)
    assert before.items() <= after.items()
    assert set(after) - set(before) == {
        "bleu/references/imported",
        "chrf/source/style_masked",
        "chrf/source/style_masked/others",
    }


def test_numbers_of_a_run_are_not_named_like_another_run(study, tmp_path):
    scores = [["segment_id", "system", "metric", "score"]]
    scores += [["s1", "near", "ngram-perplexity", "5"], ["s1", "near", "chrf/own", "5"]]
    import_path(write_files(tmp_path / "scores", {"metric_scores.csv": scores}))
    [run] = scored(study, RunRequest("ngram-perplexity"))
    assert run.name == "ngram-perplexity (computed)"
    assert "chrf/own" in names(study)


def test_the_database_holds_that_names_are_unique(study):
    first, second = scored(study, *PARTS[:2])
    for name in (first.name, ""):
        with pytest.raises(IntegrityError), transaction.atomic():
            MetricRun.objects.filter(pk=second.pk).update(name=name)
