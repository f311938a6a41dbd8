"""A recipe compares the studies of a collection at its end, however often it was interrupted."""

import csv
import io
import json
import zipfile
from itertools import count

import numpy as np
import pytest
import sacrebleu
import scipy

from analysis.collections.changing import change_collection, create_collection
from analysis.models import CollectionTask
from config.benchmark.recipe import RecipeError
from config.benchmark.running import run_recipe
from corpus.models import Output, Study
from corpus.progress import unreported
from metrics.models import MetricRun
from tests.fixtures.study_files import import_path, write_files
from tests.fixtures.writing_studies import Place, make_writing_study

pytestmark = pytest.mark.django_db
RECIPE = """
collection = "both"
folder = "out"

[[writers]]
writer = "formality-rules"

[[writers]]
writer = "formality-rules"
name = "without-chat"
parameters = { chat_words = false }

[[writers]]
writer = "formality-rules"
name = "without-capitals"
parameters = { capitals = false, punctuation = false }

[[metrics]]
metric = "chrf"
against = "references"

[[reports]]
kind = "collection"
table = "metrics"

[[reports]]
kind = "collection"
by = "chrf"
format = "csv"
"""
WRITTEN = ("formality-rules", "without-chat", "without-capitals")
PLACES = {
    "first": [
        ("u r late", "You are late."),
        ("dunno, gonna ask", "I do not know; I shall ask."),
        ("thx!!!", "Thank you."),
        ("it's ok", "It is acceptable."),
    ],
    "second": [
        ("can't come 2day", "I cannot come today."),
        ("pls wait", "Please wait."),
        ("that's gr8", "That is great."),
    ],
}
STEPS = [
    *(f"{slug}: {made}" for slug in PLACES for made in ("outputs",) * 3 + ("metric",)),
    *("both: comparison",) * 2,
]


@pytest.fixture
def collection():
    tasks = []
    for slug, texts in PLACES.items():
        places = [Place(f"s{n}", *each) for n, each in enumerate(texts)]
        study = make_writing_study(places, slug=slug)
        question = {"aspect": "overall"}
        tasks.append(CollectionTask(study=study, statistic="segment-pearson", question=question))
    return create_collection("both", "Both", tasks, None, draws=100)


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def run(recipe, tell=unreported, **options):
    lines = list[str]()
    failed = run_recipe(recipe, lines.append, tell, **options)
    assert failed == sum(line.startswith("FAILED") for line in lines)
    return [tuple(line.split(": ", maxsplit=3)) for line in lines]


def made(lines, kind):
    """Return what was made, without the settings of a step."""
    return [f"{study}: {what.split(' ')[0]}" for said, study, what, *_ in lines if said == kind]


def interrupted_until_it_ends(recipe):
    """Interrupt the first run at its first report of progress, the second at its second, …"""
    for number in range(1, 100):
        reports = count(1)

        def tell(*_, last=number, reports=reports):
            if next(reports) == last:
                raise KeyboardInterrupt

        try:
            return number, run(recipe, tell)
        except KeyboardInterrupt:
            continue
    pytest.fail("the runs made no progress")


def ratings_of(slug):
    """Return made-up ratings of every written output, segments × systems."""
    shape = (len(PLACES[slug]), len(WRITTEN))
    return np.random.default_rng(len(slug)).integers(0, 7, shape)


def rate(folder):
    for slug in PLACES:
        rows = [["segment", "system", "rater", "aspect", "score"]]
        rows += [
            [f"s{segment}", WRITTEN[system], "r1", "overall", str(score)]
            for (segment, system), score in np.ndenumerate(ratings_of(slug))
        ]
        files = {"ratings.csv": rows, "study.json": {"scales": {"overall": [0, 6]}}}
        job = import_path(write_files(folder / slug, files), slug=slug)
        assert job.state == "done", job.result


def expected_correlation(slug):
    texts = {
        (segment, system): text
        for segment, system, text in Output.objects.filter(study__slug=slug).values_list(
            "segment__key", "system__name", "text"
        )
    }
    scores = [
        [sacrebleu.sentence_chrf(texts[f"s{n}", system], [reference]).score for system in WRITTEN]
        for n, (_, reference) in enumerate(PLACES[slug])
    ]
    return scipy.stats.pearsonr(np.ravel(scores), np.ravel(ratings_of(slug)))[0]


def table(recipe):
    return json.loads((recipe.parent / "out" / "both-collection-metrics.json").read_text())


def test_an_interrupted_recipe_ends_with_the_comparison_of_its_collection(collection, recipe):
    assert made(run(recipe, only_plan=True), "to do") == STEPS
    runs, lines = interrupted_until_it_ends(recipe)
    assert runs > 3
    assert made(lines, "done before") + made(lines, "done") == STEPS[:-2]
    # However often it was interrupted, nothing was written twice.
    for slug, texts in PLACES.items():
        outputs = Output.objects.filter(study__slug=slug, system__name__in=WRITTEN)
        assert outputs.count() == len(texts) * len(WRITTEN)
    assert MetricRun.objects.count() == 2
    # Nobody has rated yet.
    assert made(lines, "FAILED") == STEPS[-2:]
    assert (
        lines[-1][3]
        == "task first (first): aspect=overall: this study has no ratings of this kind yet"
    )

    rate(recipe.parent)
    assert made(run(recipe), "done") == STEPS[-2:]
    assert made(run(recipe), "done before") == STEPS
    found = {row["column"]: row["value"] for row in table(recipe)["rows"]}
    expected = [expected_correlation(slug) for slug in PLACES]
    assert list(found.values()) == pytest.approx([np.mean(expected), *expected], abs=1e-9)
    with zipfile.ZipFile(recipe.parent / "out" / "both-collection-chrf.zip") as written:
        assert {"systems-by-metric.csv", "tests-by-metric.csv"} <= set(written.namelist())
        content = written.read("systems-by-metric.csv").decode("utf-8-sig")
    lines = [line for line in content.splitlines() if not line.startswith("#")]
    assert {row["system"] for row in csv.DictReader(io.StringIO("\n".join(lines)))} == {*WRITTEN}

    # Other weights are another comparison, though no study has changed.
    tasks = [
        CollectionTask(
            study=study, statistic="segment-pearson", weight=weight, question={"aspect": "overall"}
        )
        for study, weight in zip(Study.objects.order_by("pk"), (3, 1), strict=True)
    ]
    change_collection(collection, None, tasks)
    assert made(run(recipe), "done") == STEPS[-2:]
    average = table(recipe)["rows"][0]["value"]
    assert average == pytest.approx(np.average(expected, weights=(3, 1)), abs=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"both"', '"none"', "collection: none is called 'none'; there are: both"),
        ('"metrics"', '"metric"', "no table 'metric' of a comparison; there are: metrics, metric-"),
        ('table = "metrics"', "", "json holds one table"),
        ('by = "chrf"', 'filter = { aspect = "overall" }', "a comparison takes no filter"),
        ('kind = "collection"\nby', 'kind = "scores"\nby', 'by is for kind = "collection"'),
    ],
)
def test_a_comparison_that_cannot_be_made_is_said_beforehand(collection, recipe, old, new, words):
    recipe.write_text(RECIPE.replace(old, new))
    with pytest.raises(RecipeError, match=words):
        run(recipe, only_plan=True)
