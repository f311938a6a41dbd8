"""WMT23 en-de and he-en as they were released: every cell is in the study."""

import json
import tarfile

import pytest

from annotation.models import Rating
from corpus.models import Segment, Study, System
from metrics.models import MetricRun, SystemScore
from tests.fixtures.mt_metrics_eval_tree import scores_of
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db


def released(path, pair):
    """Yield name, level, and lines of every score file of metrics, as words."""
    for file in sorted((path / "metric-scores" / pair).glob("*.score")):
        name, level, _ = file.name.rsplit(".", 2)
        yield name, level, [line.split() for line in file.read_text().splitlines()]


@pytest.mark.parametrize(
    ("pair", "rated", "segments", "systems"),
    [("en-de", 460, 557, 13), ("he-en", 820, 1910, 13)],
)
def test_a_released_pair_is_imported_cell_by_cell(golden, tmp_path, pair, rated, segments, systems):
    packed = golden / "wmt23" / f"wmt23-{pair}.tgz"
    job = import_path(packed)
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    path = tmp_path / "mt-metrics-eval-v2" / "wmt23"
    assert job.state == "done", job.result
    study = Study.objects.get(slug="small")
    assert study.title == f"wmt23 {pair}"
    assert Segment.objects.count() == segments
    mqm = Rating.objects.filter(submission__item__campaign__slug="mqm")
    assert mqm.count() == rated * systems
    assert mqm.values("submission__item__first__segment").distinct().count() == rated
    names = set(mqm.values_list("submission__item__first__system__name", flat=True))
    expected = json.loads((golden / "wmt23" / "expected.json").read_text())["pairs"][pair]
    assert names >= set(expected["systems"])
    assert System.objects.filter(kind="system", attributes__human=True).count() >= 1

    runs = {f"{run.metric.name}-{run.compared_to}": run for run in MetricRun.objects.all()}
    for name, level, lines in released(path, pair):
        if level == "seg":
            found = scores_of(runs[name])
            places: dict[str, int] = {}
            for system, score in lines:
                places[system] = places.get(system, 0) + 1
                assert found.pop((system, str(places[system]))) == float(score)
            assert not found
        elif level == "sys":
            kept = SystemScore.objects.filter(run=runs[name])
            assert dict(kept.values_list("system__name", "value")) == {
                system: float(score) for system, score in lines
            }
    of_systems = {run.metric.name for run in MetricRun.objects.all() if not run.fields}
    assert of_systems == ({"slide", "HuaweiTSC_EE_Metric"} if pair == "en-de" else set())
