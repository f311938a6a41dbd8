"""A recipe makes a benchmark in one command; what is done is not repeated, what fails goes on."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Campaign
from config.benchmark.recipe import RecipeError, recipe_of
from corpus.models import AccessEntry, Job, Membership
from metrics.models import MetricRun
from tests.fixtures.writing_studies import Place, make_writing_study, texts_of

pytestmark = pytest.mark.django_db
RECIPE = """
studies = ["small"]
owner = "ada"
folder = "out"

[[baselines]]
baseline = "copy-source"

[[writers]]
writer = "formality-rules"

[[writers]]
writer = "formality-rules"
name = "without-chat"
parameters = { chat_words = false }

[[metrics]]
metric = "exact-match"
against = "source"

[[campaigns]]
preset = "likert-four-aspects"
name = "people"

[[reports]]
kind = "scores"
format = "csv"
"""


@pytest.fixture
def study():
    places = [Place(f"s{n}", f"u r number {n}", f"You are number {n}.") for n in range(3)]
    made = make_writing_study(places)
    ada = User.objects.create_user("ada")
    Membership.objects.create(study=made, user=ada, role="owner")
    return made


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def run(recipe, *options):
    said = StringIO()
    try:
        call_command("benchmark", str(recipe), *options, stdout=said)
    finally:
        lines = said.getvalue().splitlines()
    return lines


def kinds(lines):
    return [line.partition(":")[0] for line in lines]


def test_a_recipe_is_done_once(study, recipe):
    assert kinds(run(recipe, "--plan")) == ["to do"] * 6
    lines = run(recipe)
    assert kinds(lines) == ["done"] * 6
    assert texts_of("baseline-copy-source")["s1"] == "u r number 1"
    assert texts_of("formality-rules")["s1"] == "You are number 1."
    assert texts_of("without-chat")["s1"] == "U r number 1."
    assert MetricRun.objects.get().content_sha256
    assert Campaign.objects.get().state == "draft"
    (written,) = (recipe.parent / "out").iterdir()
    assert written.name == "small-scores.zip"
    assert AccessEntry.objects.get(detail="report by recipe").size == written.stat().st_size
    jobs = Job.objects.count()
    again = run(recipe)
    assert kinds(again) == ["done before"] * 6
    assert [line.partition(":")[2] for line in again] == [line.partition(":")[2] for line in lines]
    assert Job.objects.count() == jobs


def test_a_changed_recipe_says_what_changed_and_does_only_that(study, recipe):
    run(recipe)
    changed = RECIPE.replace("chat_words = false", "capitals = false").replace(
        "without-chat", "without-capitals"
    )
    recipe.write_text(changed.replace('[[baselines]]\nbaseline = "copy-source"\n', ""))
    lines = run(recipe)
    assert "recipe added: writers 2 parameters capitals = False" in lines
    assert "recipe removed: baselines 1 baseline = 'copy-source'" in lines
    gone = [line for line in lines if line.startswith("no longer in the recipe")]
    assert len(gone) == 2
    assert "what it made stays" in gone[0]
    # The new outputs are scored and reported; nothing else is made again.
    done = [line for line in lines if line.startswith("done:")]
    assert [line.split(": ")[2].split(" ")[0] for line in done] == ["outputs", "metric", "report"]
    assert texts_of("without-capitals")["s1"] == "you are number 1."
    assert texts_of("without-chat")


def test_a_step_that_fails_is_said_and_tried_again(study, recipe, monkeypatch):
    recipe.write_text(RECIPE.replace('metric = "exact-match"', 'metric = "style-score"'))
    with pytest.raises(CommandError, match="1 step failed"):
        run(recipe)
    assert Campaign.objects.exists()
    recipe.write_text(RECIPE)
    lines = run(recipe)
    assert [kind for kind in kinds(lines) if kind in ("FAILED", "done", "done before")] == [
        *("done before", "done before", "done before", "done", "done before", "done")
    ]


NONSENSE = [
    ({}, "name studies"),
    ({"studies": ["a"], "writer": []}, "the recipe: no 'writer'; it takes"),
    ({"studies": ["a"], "writers": [{"name": "x"}]}, "writers 1: writer is missing"),
    ({"studies": ["a"], "campaigns": [{"name": "x", "preset": "y"}]}, "add owner"),
    ({"studies": ["a"], "reports": [{"kind": "collection"}]}, "add collection"),
    (
        {"studies": ["a"], "judges": [{"model": "x", "budget": float("inf")}]},
        "budget: found inf, expected 0 or more",
    ),
    ({"studies": ["a"], "folder": "../../x"}, "folder: found '../../x', expected no way out"),
    (
        {"studies": ["a"], "reports": [{"kind": "scores", "table": "..\\\\x"}]},
        "reports 1: table: .* expected no way out",
    ),
]


def test_a_recipe_that_makes_no_sense_says_where():
    for content, words in NONSENSE:
        with pytest.raises(RecipeError, match=words):
            recipe_of(content)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["small"]', '["none"]', "no study 'none'; there are: small"),
        (
            '"ada"',
            '"bob"',
            "nobody is called 'bob'; name an owner of the studies or an administrator: ada",
        ),
        ('kind = "scores"', 'kind = "x"', "no kind 'x'"),
        ("studies = [", "studies = ", "is no TOML"),
    ],
)
def test_what_does_not_exist_is_said_before_anything_is_done(study, recipe, old, new, words):
    recipe.write_text(RECIPE.replace(old, new))
    with pytest.raises(CommandError, match=words):
        run(recipe)
    assert not Job.objects.exists()


def test_who_owns_no_study_prepares_no_campaign_in_it(study, recipe):
    User.objects.create_user("eve")
    recipe.write_text(RECIPE.replace('"ada"', '"eve"'))
    with pytest.raises(CommandError, match=r"eve does not own the study small; .*: ada"):
        run(recipe)
