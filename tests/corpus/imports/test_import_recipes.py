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
