"""Names of aspects at import: as what each is read is shown, and can be changed there."""

import pytest

from corpus.models import Study
from corpus.vocabulary.aspects import find_aspect
from tests.fixtures.import_pages import done
from tests.fixtures.study_files import RATINGS, SCORES, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def renamed(rows, place, names):
    head, *rest = rows
    return [
        head,
        *([*row[:place], names.get(row[place], row[place]), *row[place + 1 :]] for row in rest),
    ]


OTHERS = renamed(RATINGS, 3, {"style": "style_strength", "content": "humour"})
SCORED = [[*SCORES[0], "aspect"], *([*row, "meaning"] for row in SCORES[1:])]
FILES = TABLES | {"ratings.csv": OTHERS, "metric_scores.csv": SCORED}
WHERE = "Change it in the study under Aspects, or in study.json (aspects)."


def aspect_notes(job):
    assert job.state == "done", job.error
    return [note for note in job.result["notes"] if "aspect" in note]


def test_synonyms_and_unknown_names_are_noted_once_each(tmp_path):
    job = import_path(write_files(tmp_path / "1", FILES))
    assert aspect_notes(job) == [
        f"humour is an aspect without a family: no metric is known to measure it. {WHERE}",
        f"style_strength is read as the aspect Style. {WHERE}",
        f"meaning is read as the aspect Content. {WHERE}",
    ]


# The mapping page


def asked(page):
    return {row["name"]: row["chosen"] for row in page.context["page"].aspects.rows()}


def test_the_page_shows_as_what_each_name_will_be_read(pages):
    address, page = pages.upload(FILES)
    assert asked(page) == {
        "humour": "family:other",
        "style_strength": "aspect:style",
        "meaning": "aspect:content",
    }
    assert "How aspects are read" in page.text
    assert "no aspect has this name" in page.text
    job = done(pages.press(address, page))
    assert len(aspect_notes(job)) == 3
    assert "aspects" not in Study.objects.get().declarations


def test_what_is_changed_there_is_declared(pages):
    address, page = pages.upload(FILES)
    place = list(asked(page)).index("humour")
    changed = pages.look(address, page, {f"aspect-{place}": "aspect:overall"})
    assert asked(changed)["humour"] == "aspect:overall"
    job = done(pages.press(address, changed))
    declared = Study.objects.get().declarations["aspects"]
    assert declared == {"humour": {"aspect": "overall"}}
    assert find_aspect("humour", declared).key == "overall"
    assert not any("humour" in note for note in job.result["notes"])
