"""`manage.py score` and what else commands say of metrics."""

import pytest
from django.conf import settings
from django.core.management import call_command

from metrics.models import MetricRun
from metrics.registration import metrics_without_a_place
from metrics.scorers import registry
from metrics.scorers.registry import own_scorers
from tests.fixtures.study_files import TABLES

FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


@pytest.fixture
def study(study, own):
    return study


def score(capsys, *arguments):
    call_command("score", *arguments)
    return capsys.readouterr()


def test_what_is_named_is_scored_then_found(study, capsys):
    first = score(capsys, "small", "counting", "pair", "--against", "source").out
    assert "scored: counting/source: 16 texts, 0 undefined; signature counting|" in first
    assert "scored: pair: 16 texts, 0 undefined; signature pair|text:plain|" in first
    assert "16 texts, 0 undefined" in first
    again = score(capsys, "small", "counting", "pair", "--against", "source").out
    assert again == first.replace("scored: ", "found: ").replace(": 16 texts, 0 undefined;", ":")


@pytest.mark.parametrize("named", [(), ("all",)])
def test_without_names_the_default_metrics_are_scored(study, capsys, named):
    score(capsys, "small", *named)
    scored = {run.metric.name for run in MetricRun.objects.all()}
    assert scored == {key for key, each in registry.scorers().items() if each.spec.is_default}
    assert "exact-match" in scored


def test_the_page_of_the_metrics_is_what_the_metrics_declare(tmp_path):
    call_command("metrics_docs", output=tmp_path / "index.md", verbosity=0)
    stored = settings.BASE_DIR / "docs" / "metrics" / "index.md"
    text = stored.read_text(encoding="utf-8")
    assert text == (tmp_path / "index.md").read_text(encoding="utf-8"), "run manage.py metrics_docs"
    for scorer in own_scorers():
        assert f"### {scorer.spec.key}\n" in text
    assert len(text.split()) < 100 * len(own_scorers())


def test_a_check_warns_of_metrics_that_could_not_be_taken(own, tmp_path, monkeypatch):
    assert metrics_without_a_place() == []
    points = tmp_path / "installed" / "own_metrics-1.0.dist-info" / "entry_points.txt"
    module = "tests.fixtures.own_metrics"
    other = f"exact-match = {module}:Twin\nlost = {module}:Lost\nmodule = os:getcwd\n"
    points.write_text(points.read_text() + other)
    monkeypatch.setattr(own.Pair, "spec", own._spec("exact-match"))
    registry._known.cache_clear()
    words = "\n".join(warning.msg for warning in metrics_without_a_place())
    assert f"{module}:Pair brings a metric 'exact-match', which metrics.scorers.surface" in words
    assert f"metric 'lost' of {module}:Lost does not load" in words
    assert "metric 'module' of os:getcwd is no Scorer" in words
