"""Empty outputs, and texts without white space between words, from import to pages and API."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from metrics.models import MetricRun
from metrics.runs.listing import run_summary
from metrics.scorers.spec import Library
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.report_pages import open_page, words
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db
CASES = ROOT.parent / "shared" / "cases" / "field"


def imported(case):
    folder: Path = CASES / case
    if not folder.is_dir():
        missing(f"the case {folder}")
    return import_path(folder).study


@pytest.fixture
def owner(client):
    user = User.objects.create_superuser("owner")
    client.force_login(user)
    return user


def means(study):
    """Return value, n and rank by metric and system."""
    content = report(study, "metric-means", Question(resamples=100))["content"]
    systems = [each["system"] for each in content["systems"]]
    return {
        (content["columns"][row["column"]]["metric"], system): (result["value"], result["n"], rank)
        for row in content["rows"]
        for system, result, rank in zip(systems, row["results"], row["ranks"], strict=True)
    }


def test_a_system_that_writes_nothing_for_half_of_the_texts_comes_last(client, owner):
    study = imported("3/m4")
    call_command("score", study.slug, "rouge-1", "rouge-l", "meteor", "wmd", verbosity=0)
    found = means(study)
    for metric in ("rouge-1", "rouge-l"):
        assert found[metric, "lazy"] == (0.5, 12, 3)
    value, n, rank = found["meteor", "lazy"]
    assert (n, rank) == (12, 3)
    assert value == pytest.approx(0.5, abs=0.01)
    # Word Mover's Distance has no value of nothing: the mean says over how many outputs it is.
    assert found["wmd", "lazy"][1:] == (6, 1)
    text = words(open_page(client, f"/studies/{study.slug}/metric-means/?tested=wmd"))
    assert "(1, over 6)" in text
    assert "over fewer than 12 outputs where the rest has no score: lazy (6)" in text
    assert "(3)" in text
    text = words(open_page(client, f"/studies/{study.slug}/correlation/"))
    assert "wmd without 6 outputs that have no score" in text
    matrices.forget()


def corpus(study, metric, system):
    run = MetricRun.objects.get(study=study, metric__name=metric)
    [found] = [each for each in run_summary(run) if each.system.name == system]
    return found.corpus


def test_chinese_is_scored_by_its_own_tokens_and_words_warn_before(client, owner, capsys):
    from sacrebleu.metrics import BLEU, TER

    study = imported("4/m2")
    call_command("score", study.slug, "bleu", "ter", "rouge-1", "length", verbosity=0)
    told = capsys.readouterr()
    assert "warning: rouge-1: it sees only the letters a to z" in told.err
    assert "set tokenize to characters" in told.err
    assert told.err.count("warning") == 1
    outputs = {
        name: list(study.outputs.filter(system__name=name).order_by("ordinal"))
        for name in ("same", "near")
    }
    reference = [each.text for each in outputs["same"]]
    near = [each.text for each in outputs["near"]]
    assert corpus(study, "bleu", "same") == 1
    expected = BLEU(tokenize="zh").corpus_score(near, [reference]).score / 100
    assert corpus(study, "bleu", "near") == pytest.approx(expected, rel=1e-12)
    expected = TER(normalized=True, asian_support=True).corpus_score(near, [reference]).score / 100
    assert corpus(study, "ter", "near") == pytest.approx(expected, rel=1e-12)
    signatures = dict(study.runs.values_list("metric__name", "signature"))
    assert "|tokenize:zh|" in signatures["bleu"]
    assert "|normalized:yes|no_punct:no|asian_support:yes|" in signatures["ter"]
    assert "|unit:characters|" in signatures["length"]
    page = client.get(f"/studies/{study.slug}/metrics/score/").text
    assert '<option value="zh" selected>' in page
    assert "loses all others; set tokenize to characters" in page
    body = {"runs": [{"metric": "rouge-1", "parameters": {"tokenize": "characters"}}]}
    body["runs"].append({"metric": "chrf++"})
    found = client.post(
        f"/api/v1/studies/{study.slug}/runs/", body, content_type="application/json"
    ).json()
    assert list(found["warnings"]) == ["chrf++"]
    assert "white space" in found["warnings"]["chrf++"]


def test_japanese_is_scored_by_mecab():
    study = imported("4/m3")
    call_command("score", study.slug, "bleu", verbosity=0)
    assert corpus(study, "bleu", "same") == 1
    assert corpus(study, "bleu", "near") == pytest.approx(0.7939, abs=1e-4)


def test_a_tokenizer_that_is_absent_is_named_with_what_to_install(capsys, monkeypatch):
    study, version = imported("4/m3"), Library.version
    monkeypatch.setattr(
        Library, "version", lambda self: None if self.extra == "tokenizers" else version(self)
    )
    with pytest.raises(Exception, match="could not be scored"):
        call_command("score", study.slug, "bleu", verbosity=0)
    err = capsys.readouterr().err
    assert "is not installed: pip install -r requirements-tokenizers.txt" in err
