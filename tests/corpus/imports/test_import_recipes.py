"""Each recipe of the page on mappings, imported by the command as the page says."""

import re

import pytest
from django.core.management import call_command

from annotation.models import Rating
from corpus.models import Output, Segment
from tests.fixtures.documented_recipes import PAGE, recipes

pytestmark = pytest.mark.django_db
RECIPES = recipes()
COUNTS = {
    "documents.csv": (3, 3, 3),
    "rewrites.csv": (2, 2, 2),
    "answers.csv": (2, 2, 4),
    "crowd.csv": (2, 2, 5),
    "votes.csv": (3, 6, 3),
    "Batch_2_results.csv": (1, 2, 7),
    "nested.jsonl": (2, 2, 8),
}
"""Segments, outputs and ratings of each."""


def imported(folder, name, content, query):
    place = folder / name
    place.write_text(content, encoding="utf-8")
    mapping = folder / "mapping.sql"
    mapping.write_text(query, encoding="utf-8")
    call_command("import_study", str(place), mapping=mapping, study="recipe")


def ratings():
    names = ("submission__item__first__segment__key", "submission__item__first__system__name")
    names += ("submission__annotator__pseudonym", "aspect", "value")
    return sorted(Rating.objects.values_list(*names))


def test_the_page_has_a_recipe_under_each_heading():
    assert list(RECIPES) == list(COUNTS)
    assert len(re.findall(r"^## ", PAGE.read_text(), re.MULTILINE)) == len(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_imports_its_file_whole_and_again_adds_nothing(name, tmp_path, capsys):
    imported(tmp_path, name, *RECIPES[name])
    outputs = Output.objects.filter(system__kind="system")
    assert (Segment.objects.count(), outputs.count(), Rating.objects.count()) == COUNTS[name]
    capsys.readouterr()
    imported(tmp_path, name, *RECIPES[name])
    assert "already held all of this" in capsys.readouterr().out


def test_answers_are_taken_out_of_their_cell(tmp_path):
    imported(tmp_path, "answers.csv", *RECIPES["answers.csv"])
    assert [(key, aspect, value) for key, _, _, aspect, value in ratings()] == [
        ("1", "grammaticality", 4.0),
        ("1", "meaning", 5.0),
        ("2", "grammaticality", 5.0),
        ("2", "meaning", 2.0),
    ]


def test_votes_name_the_winner_by_its_place(tmp_path):
    imported(tmp_path, "votes.csv", *RECIPES["votes.csv"])
    names = ("submission__item__first__system__name", "submission__item__second__system__name")
    winners = {
        (*sorted((first, second)), {"first": first, "second": second}.get(choice, choice))
        for first, second, choice in Rating.objects.values_list(*names, "choice")
    }
    assert winners == {("alpha", "beta", "alpha"), ("alpha", "gamma", "tie")}


def test_names_of_columns_say_aspect_and_system(tmp_path):
    imported(tmp_path, "Batch_2_results.csv", *RECIPES["Batch_2_results.csv"])
    assert [rating for rating in ratings() if rating[2] == "w2"] == [
        ("h1", "BART", "w2", "fluency", 4.0),
        ("h1", "BART", "w2", "meaning", 4.0),
        ("h1", "T5-base", "w2", "meaning", 2.0),
    ]
