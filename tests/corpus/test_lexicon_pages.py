"""Style lexicons: trained by a job, looked through, pruned and added to under a new name."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job, StyleLexicon
from corpus.texts.lexicons import LexiconEntry, lexicon_entries, lexicon_weights, store_lexicon
from corpus.texts.masking import mask
from tests.fixtures.campaign_pages import member
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import TABLES, text_of
from tests.fixtures.style_texts import BAD, GOOD, reviews

pytestmark = pytest.mark.django_db
TRAIN = "/studies/small/styles/lexicons/train/"


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


@pytest.fixture
def study(study_made_once):
    return study_made_once


@pytest.fixture
def owner(client, study):
    person = member("owner", study)
    client.force_login(person)
    return person


@pytest.fixture
def lexicon(study):
    entries = [
        LexiconEntry("awful", "negative", -4.0),
        LexiconEntry("great", "positive", 3.0),
        LexiconEntry("soup", "positive", 0.5),
    ]
    return store_lexicon(study, "trained", entries)[0]


def train(client, **changes):
    labelled = reviews(200)
    rows = [["text", "style"], *([t, labelled.label(n)] for n, t in enumerate(labelled.texts))]
    values = {"name": "trained", "strength": "1", "deviations": "1", "fewest": "2", **changes}
    sent = SimpleUploadedFile("reviews.csv", text_of(rows))
    return client.post(TRAIN, values | {"file": sent})


def store(client, lexicon, **changes):
    address = f"/studies/small/styles/lexicons/{lexicon.pk}/"
    fields = fields_of(client.get(address).text, "added")
    return client.post(address, fields | changes, follow=True)


def test_a_trained_lexicon_masks_what_carries_style(client, owner, study) -> None:
    answer = train(client)
    assert answer.status_code == 302, answer.text
    job = run_next()
    assert job.state == "done", job.error
    lexicon = study.lexicons.get()
    entries = lexicon_entries(lexicon)
    assert {entry.word for entry in entries} <= {*GOOD, *BAD}
    for entry in entries:
        assert entry.style == ("positive" if entry.weight > 0 else "negative")
        assert (entry.word in GOOD) == (entry.style == "positive")
    word = entries[0].word
    assert mask(f"the soup was {word}!", lexicon_weights(lexicon)).text == "the soup was [STYLE]!"
    page = client.get(job.result["link"])
    assert word in page.text
    assert AuditEntry.objects.get(action="store lexicon").object == "trained"
    again = Job.objects.get(pk=job.pk)
    Job.objects.filter(pk=job.pk).update(state="queued", result={})
    run_next()
    again.refresh_from_db()
    assert (again.state, StyleLexicon.objects.count()) == ("done", 1)


def test_modifiers_of_all_texts_become_a_lexicon_without_labels(client, owner, study) -> None:
    values = {"name": "modifiers", "words": "modifiers", "strength": "1", "deviations": "1"}
    answer = client.post(TRAIN, values | {"fewest": "1"})
    assert answer.status_code == 302, answer.text
    job = run_next()
    assert job.state == "done", job.error
    assert job.result["notes"] == ["modifiers: 4 words that are adjectives or adverbs"]
    entries = lexicon_entries(study.lexicons.get())
    assert entries == [LexiconEntry(word) for word in ("late", "kindly", "not", "sorry")]
    masked = mask("Not a LATE soup!", lexicon_weights(study.lexicons.get())).text
    assert masked == "[STYLE] a [STYLE] soup!"


def test_words_are_left_out_and_added_under_a_new_name(client, owner, study, lexicon) -> None:
    page = store(client, lexicon, out=["1"], added="top  notch\n\nyummy\n", added_style="positive")
    assert "trained 2 was stored with 4 words." in page.text
    new = study.lexicons.get(name="trained 2")
    assert lexicon_entries(new) == [
        LexiconEntry("awful", "negative", -4.0),
        LexiconEntry("soup", "positive", 0.5),
        LexiconEntry("top notch", "positive", None),
        LexiconEntry("yummy", "positive", None),
    ]
    assert len(lexicon_entries(StyleLexicon.objects.get(pk=lexicon.pk))) == 3


def test_a_long_lexicon_is_shown_page_by_page_and_pruned_there(client, owner, study) -> None:
    entries = [LexiconEntry(f"word{n}", "", 1.0) for n in range(1200)]
    lexicon, _ = store_lexicon(study, "long", entries)
    address = f"/studies/small/styles/lexicons/{lexicon.pk}/?page=3"
    page = client.get(address)
    assert "word1199" in page.text
    assert "word999<" not in page.text
    client.post(address, {"name": "shorter", "out": ["1199", "1000"]})
    words = [entry.word for entry in lexicon_entries(study.lexicons.get(name="shorter"))]
    assert len(words) == 1198
    assert not {"word1199", "word1000"} & set(words)
