"""Baselines: pseudo-systems made from the study's own texts, added and marked."""

from collections import Counter

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.data import matrices
from analysis.data.selection import select
from analysis.filter.question import Question
from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job, Output, System
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


FILES = TABLES


def make(*arguments):
    call_command("baselines", "small", *arguments, verbosity=0)


def texts(system):
    found = Output.objects.filter(system__name=system).order_by("segment__ordinal")
    return dict(found.values_list("segment__key", "text"))


def test_a_copy_of_the_source_is_a_system_like_any_other_and_marked(study):
    before = Output.objects.count()
    make("copy-source")
    assert texts("baseline-copy-source") == texts("(source)")
    system = System.objects.get(name="baseline-copy-source")
    assert (system.kind, system.attributes) == ("system", {"baseline": "copy-source"})
    ordinals = Output.objects.order_by("ordinal").values_list("ordinal", flat=True)
    assert list(ordinals) == list(range(before + 4))
    revision = study.revision
    study.refresh_from_db()
    assert study.revision == revision + 1
    assert AuditEntry.objects.get(action="add baseline").after["texts"] == 4


def test_shuffled_words_are_the_same_words_and_the_same_order_for_a_seed(study, tmp_path):
    make("shuffled")
    first = texts("baseline-shuffled")
    sources = texts("(source)")
    assert {k: Counter(v.split()) for k, v in first.items()} == {
        k: Counter(v.split()) for k, v in sources.items()
    }
    assert first != sources
    make("shuffled", "--seed", "7")
    assert System.objects.get(name="baseline-shuffled-seed-7").attributes["seed"] == "7"
    again = import_path(write_files(tmp_path / "again", TABLES), slug="again").study
    call_command("baselines", "again", "shuffled", verbosity=0)
    found = Output.objects.filter(study=again, system__name="baseline-shuffled")
    assert dict(found.values_list("segment__key", "text")) == first


def test_another_segments_output_is_of_the_same_direction_and_of_a_real_system(study):
    make("copy-source")
    make("other-segment")
    pairs = {"s1": "2", "s2": "1", "s3": "4", "s4": "3"}
    for segment, text in at_least_one(texts("baseline-other-segment").items()):
        assert text in {f"BART writes {pairs[segment]}", f"T5 writes {pairs[segment]}"}


def test_style_words_are_deleted_by_a_lexicon(study):
    with pytest.raises(CommandError, match="name a style lexicon"):
        make("style-deleted")
    store_lexicon(study, "words", [LexiconEntry("gonna", "informal"), LexiconEntry("dunno")])
    make("style-deleted")
    found = texts("baseline-style-deleted-words")
    assert (found["s1"], found["s2"], found["s3"]) == ("be late", "", "I regret the delay.")


def test_reports_leave_baselines_out_unless_they_are_named(study):
    make("copy-source", "reference")
    matrices.forget()
    study.refresh_from_db()
    data = matrices.load(study)

    def chosen(**question):
        return [data.systems[i].name for i in select(data, Question(**question)).systems]

    assert chosen() == chosen(humans="in") == ["BART", "T5"]
    assert chosen(systems=("*-reference", "T5")) == ["T5", "baseline-reference"]


def test_owners_add_baselines_on_a_page_and_researchers_do_not(study, client, owner):
    address = "/studies/small/metrics/baselines/"
    assert "style-deleted" not in client.get(address).text
    assert client.post(address, {"seed": "0"}).status_code == 400
    page = client.post(address, {"kinds": ["copy-source", "shuffled"], "seed": "3"}, follow=True)
    assert page.redirect_chain[-1][0] == f"/jobs/{Job.objects.get(kind='baselines').pk}/"
    assert run_next().state == "done"
    assert "baseline-copy-source, baseline-shuffled-seed-3" in client.get(address).text
    study.memberships.update(role="researcher")
    assert client.get(address).status_code == 403
    assert client.post(address, {"kinds": "reference", "seed": "0"}).status_code == 403
