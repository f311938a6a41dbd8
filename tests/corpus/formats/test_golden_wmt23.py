"""WMT23 en-de and he-en as they were released: every cell is in the study."""

import json
import tarfile
from fractions import Fraction

import pytest

from annotation.models import Rating
from corpus.models import Segment, Study, System
from metrics.models import MetricRun, SystemScore
from tests.fixtures.mt_metrics_eval_tree import scores_of
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def released(path, pair):
    """Yield name, level, and lines of every score file of metrics, as words."""
    for file in sorted((path / "metric-scores" / pair).glob("*.score")):
        name, level, _ = file.name.rsplit(".", 2)
        yield name, level, [line.split() for line in file.read_text().splitlines()]


@pytest.mark.nightly
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


def released_errors(path):
    """Yield system, segment, its released score, and its errors; rated segments only."""
    folder = path / "human-scores"
    marked = (folder / "en-de.mqm.merged.seg.rating").read_text().splitlines()
    scored = (folder / "en-de.mqm.seg.score").read_text().splitlines()
    errors: dict[str, list[str]] = {}
    for line in marked:
        system, found = line.split("\t")
        errors.setdefault(system, []).append(found)
    places: dict[str, int] = {}
    for line in scored:
        system, score = line.split()
        place = places[system] = places.get(system, 0) + 1
        if score != "None":
            yield system, place, float(score), json.loads(errors[system][place - 1])["errors"]


def values_of(aspect):
    """Return the ratings on an aspect by system and segment."""
    first = "submission__item__first__"
    rows = Rating.objects.filter(aspect=aspect).values_list(
        f"{first}system__name", f"{first}segment__key", "value"
    )
    return {(system, segment): value for system, segment, value in rows}


def test_errors_as_released_give_the_released_scores(golden, tmp_path):
    with tarfile.open(golden / "wmt23" / "wmt23-en-de.tgz") as archive:
        archive.extractall(tmp_path / "released", filter="data")
    path = tmp_path / "released" / "mt-metrics-eval-v2" / "wmt23"
    header = [
        "system",
        "doc",
        "doc_id",
        "globalSegId",
        "rater",
        "source",
        "target",
        "category",
        "severity",
    ]
    counts: dict[str, dict[tuple[str, str], int]] = {"major": {}, "minor": {}}
    rows, expected, exact = ["\t".join(header)], {}, {}
    for system, segment, score, errors in released_errors(path):
        expected[system, str(segment)] = score
        exact[system, str(segment)] = -float(sum(Fraction(str(e["score"])) for e in errors))
        for severity, of_outputs in counts.items():
            faults = [e for e in errors if e["severity"] == severity and e["score"]]
            of_outputs[system, str(segment)] = -len(faults)
        for error in errors or [{"category": "No-error", "severity": "no-error", "score": 0}]:
            said = (error["category"], error["severity"])
            rows.append(
                "\t".join([system, "d", "1", str(segment), "r", f"s{segment}", system, *said])
            )
    job = import_path(write_files(tmp_path / "mqm", {"mqm.tsv": "\n".join(rows) + "\n"}))
    assert job.state == "done", job.result
    found, majors, minors = map(values_of, ("overall", "errors_major", "errors_minor"))
    assert len(found) == 460 * 13
    assert found == exact
    assert (majors, minors) == (counts["major"], counts["minor"])
    assert found == pytest.approx(expected, abs=1e-9)
