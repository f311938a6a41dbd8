"""Files that others reported as read wrongly, with the values that must come out of them.

The files are read where they are, with no decision but the proposed answers.
"""

import json
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import krippendorff
import pytest

from annotation.models import Annotator, Rating
from corpus.models import Study
from tests.fixtures.imported_files import (
    import_accepting,
    questions_of,
    stored_counts,
    stored_ratings,
    stored_votes,
    values_not_stored,
)

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Case:
    """What a file must give.

    Attributes
    ----------
    counts, values
        As in the released shapes.
    about
        What was read wrongly, of this case and those behind it.
    alpha, level
        Krippendorff's alpha of all ratings, and its level of measurement.
    wins
        System to the votes that it won and those in which it was.
    renamed
        Columns that the case names in a mapping, to names that are known.
    is_asked
        Whether to take the file as it is without a question was the fault.
    """

    counts: dict[str, int]
    about: str = ""
    values: list[list[Any]] = field(default_factory=list)
    alpha: float | None = None
    level: str = "interval"
    wins: dict[str, list[int]] | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    is_asked: bool = False


FILE = Path(__file__).with_name("reported_files.json")
CASES = {
    name: Case(**facts) for name, facts in json.loads(FILE.read_text(encoding="utf-8")).items()
}
RELEASED = {
    "ESA-1": "240315rc5ESA",
    "ESA-2": "240520rc6ESA",
    "ESAAI-1": "240315rc5GEMBA",
    "ESAAI-2": "240520rc6GEMBA",
    "MQM-1": "240315rc5MQM",
}
"""Campaigns on the same texts, and how their files begin."""
MQM_FILES = {
    "TED": (
        "mqm_ted/mqm_ted_ende.tsv.gz",
        {"segments": 529, "systems": 14, "outputs": 7406, "raters": 4},
        7406,
    ),
    "side by side": (
        "mqm_sxs/sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.tar.gz",
        {"segments": 104, "systems": 10, "outputs": 1040, "raters": 10},
        3120,
    ),
}
"""Files of marked errors, what they hold, and how many judgements of overall quality."""


def _alpha(level: str) -> float:
    """Return alpha over outputs and aspects; the raters are its rows."""
    values: dict[str, dict[Any, float]] = {}
    for segment, system, rater, aspect, value in stored_ratings():
        values.setdefault(rater, {})[segment, system, aspect] = value
    units = sorted({unit for rated in values.values() for unit in rated})
    rows = [[rated.get(unit, float("nan")) for unit in units] for rated in values.values()]
    return float(krippendorff.alpha(rows, level_of_measurement=level))


def _wins() -> dict[str, list[int]]:
    won: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for _, first, second, _, winner in stored_votes():
        won[winner] += 1
        shown.update((first, second))
    return {name: [won[name], shown[name]] for name in shown}


def _upload(name: str, cases: Any, folder: Any) -> Any:
    """Copy a file of a case alone, with the names of columns that its mapping gives."""
    folder.mkdir()
    path = folder / name.partition("/")[2]
    shutil.copyfile(cases / "field" / name, path)
    for old, new in CASES[name].renamed.items() if name in CASES else ():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".csv":
            header, _, rows = text.partition("\n")
            names = [new if each == old else each for each in header.strip().split(",")]
            text = f"{','.join(names)}\n{rows}"
        else:
            text = text.replace(f'"{old}":', f'"{new}":')
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", CASES)
def test_a_reported_file_is_read_rightly(name, cases, tmp_path):
    """Alone, or by one question with the right answer proposed."""
    case = CASES[name]
    job = import_accepting(_upload(name, cases, tmp_path / "upload"))
    stored = stored_counts()
    assert {name: stored[name] for name in case.counts} == case.counts
    assert values_not_stored(case.values) == []
    if case.alpha is not None:
        assert _alpha(case.level) == pytest.approx(case.alpha, abs=1e-7)
    if case.wins is not None:
        assert _wins() == case.wins
    assert questions_of(job) or not case.is_asked
    assert not Rating.objects.filter(submission__annotator__kind=Annotator.Kind.PLACE).exists()


@pytest.mark.parametrize(("folder", "language"), [("m2", "zh"), ("m3", "ja")])
def test_the_language_of_a_study_is_kept(folder, language, cases, tmp_path):
    shutil.copytree(cases / "field" / "4" / folder, tmp_path / "upload")
    import_accepting(tmp_path / "upload")
    assert Study.objects.get().language == language
    assert stored_counts()["references"] == {"m2": 3, "m3": 2}[folder]


def _overall() -> tuple[int, dict[str, float]]:
    """Return the number of ratings of overall quality, and their means by system."""
    values: dict[str, list[float]] = {}
    for _, system, _, aspect, value in stored_ratings():
        if aspect == "overall":
            values.setdefault(system, []).append(value)
    means = {system: sum(scores) / len(scores) for system, scores in values.items()}
    return sum(map(len, values.values())), means


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        name if name == "ESA-2" else pytest.param(name, marks=pytest.mark.nightly)
        for name in RELEASED
    ],
)
def test_campaigns_of_error_spans_have_the_released_scores(name, golden, tmp_path):
    """Scores with the batches, which say which item is which segment; checks are control items."""
    upload = tmp_path / "upload"
    upload.mkdir()
    for file in (f"{RELEASED[name]}.scores.csv", "batches_wmt23_en-de_esa.json.gz"):
        shutil.copy(golden / "spans" / "esa" / file, upload)
    expected = json.loads((golden / "spans" / "expected.json").read_text(encoding="utf-8"))["esa"]
    rows = expected["rows"][name]
    import_accepting(upload)
    stored = stored_counts()
    counts = {"segments": 207, "systems": 13, "outputs": rows["kept"], "raters": 33}
    assert {each: stored[each] for each in counts} == counts
    assert stored["controls"] == rows["bad"]
    number, means = _overall()
    released = expected["system_means_of_released_scores_4_digits"][name]
    if name == "ESA-2":
        # The first submissions of two items are 2 lower than those that were released.
        released = released | {"refA": released["refA"] - 4 / 207}
    assert number == rows["kept"]
    assert means == pytest.approx(released, abs=6e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("TED", marks=pytest.mark.nightly), "side by side"])
def test_released_marks_of_errors_have_the_released_penalties(name, golden, tmp_path):
    """Minus the weighted sum of the errors; planted errors and extra names change nothing."""
    file, counts, judged = MQM_FILES[name]
    path = shutil.copy(golden / "spans" / file, tmp_path)
    expected = json.loads((golden / "spans" / "expected.json").read_text(encoding="utf-8"))
    import_accepting(Path(path))
    stored = stored_counts()
    assert {each: stored[each] for each in counts} == counts
    number, means = _overall()
    assert number == judged
    penalties = {system: -mean for system, mean in means.items()}
    assert penalties == pytest.approx(expected[file.partition("/")[0]]["penalty"], abs=6e-7)
