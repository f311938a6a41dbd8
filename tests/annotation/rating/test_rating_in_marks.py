"""Rating pages in a made-up language of marks: nothing that annotators read stays English."""

import re
import runpy
import uuid

import pytest
from babel.messages.catalog import Catalog
from django.test import Client

from annotation.models import Annotator, Campaign
from annotation.people.invitations import new_links
from annotation.protocols import protocol
from annotation.protocols.catalogue import LIVE
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.catalogue import brought
from annotation.views import showing, stencil
from tests.fixtures.campaigns import answers_for, make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.marked_language import marked, outside
from tests.fixtures.rating_pages import entered, open_screen, submit

CODE = "es"
IN_MARKS = {"language": CODE}
OWN = ("KEEN-OTTER", "informal", "formal")

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def compiled():
    """The catalogue of all messages, each between marks."""
    catalogues = runpy.run_path(str(ROOT / "scripts" / "catalogues.py"))
    made = Catalog(locale=CODE, fuzzy=False)
    for message in catalogues["template"]():
        both = message.id if isinstance(message.id, tuple) else None
        said = tuple(marked(each) for each in both) if both else marked(message.id)
        if message.id:
            made.add(message.id, said, context=message.context)
    return catalogues["compiled"](made)


def forget():
    """Forget what was said in this language with other catalogues."""
    for module in (stencil, showing, protocol):
        for each in vars(module).values():
            if hasattr(each, "cache_clear") and each.__module__ == module.__name__:
                each.cache_clear()


@pytest.fixture(autouse=True)
def _in_marks(compiled, tmp_path, settings):
    folder = tmp_path / CODE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.mo").write_bytes(compiled)
    settings.LOCALE_PATHS = [tmp_path]
    forget()
    yield
    forget()


def campaign_of(key, **values):
    """A campaign with the guidelines that its protocol brings."""
    text = brought(LIVE[key], IN_MARKS, [Direction("informal", "formal")]).guidelines
    config = IN_MARKS | ({"masked": False} if key == "content_preservation" else {})
    fields = {"config": config, "guidelines": text, **values}
    return make_campaign(make_study(3, 3), key, annotators=1, **fields)


def english_on(page, status=200):
    assert page.status_code == status
    assert '<html lang="es"' in page.text or "<html" not in page.text
    assert "⟦" in page.text
    return outside(
        re.sub(r"text \d+ about matter \d+ with some words|<code>.*?</code>", "", page.text), OWN
    )


def test_what_stands_outside_of_marks_is_found():
    page = "<p title='one ⟦a⟧'>⟦b ⟦c⟧ d⟧ two <b>3 A</b></p><i data-x='four or ⟦z⟧' class=six>"
    assert outside(page) == ["one", "two", "four", "or"]


@pytest.mark.parametrize("key", LIVE)
def test_no_screen_of_a_protocol_has_words_of_its_own(key):
    campaign, [annotator] = campaign_of(key)
    client = entered(annotator)
    base = f"/rate/{annotator.public_id}/"
    assert english_on(client.get(f"{base}guidelines/")) == []
    assert english_on(client.get(base)) == []
    form = open_screen(client, annotator)
    assert english_on(submit(client, annotator, form), 422) == []
    wrong = dict.fromkeys(answers_for(campaign), "7000")
    assert english_on(submit(client, annotator, form, **wrong), 422) == []
    cannot = form | {"action": "cannot", "reason": "12"}
    assert english_on(submit(client, annotator, cannot)) == []
    again = form | {"submission": str(uuid.uuid4())}
    assert english_on(submit(client, annotator, again, **wrong), 409) == []
    assert english_on(client.get(f"{base}item/{form['assignment']}/")) == []
    assert english_on(client.get(f"{base}done/")) == []


def test_nothing_from_joining_to_the_end_is_english():
    campaign, [annotator] = campaign_of("likert", invite_code="KEEN-OTTER", consent="12 §")
    link = f"/join/{new_links([annotator])[annotator.pk]}/"
    client = Client()
    assert english_on(client.get(link, follow=True)) == []
    base = f"/rate/{annotator.public_id}/"
    assert english_on(client.post(f"{base}consent/", {}), 400) == []
    client.post(f"{base}consent/", {"consent": "yes"})
    client.post(f"{base}guidelines/read/")
    while form := open_screen(client, annotator):
        page = submit(client, annotator, form, **answers_for(campaign, 3))
        assert english_on(page) == []
    annotator.refresh_from_db()
    assert outside(client.get(base).text, (*OWN, annotator.completion_code)) == []
    Campaign.objects.update(state=Campaign.State.PAUSED)
    assert english_on(client.get(base)) == []
    assert english_on(Client().get("/join-by-code/KEEN-OTTER/")) == []
    Annotator.objects.update(link_expires_at=annotator.consented_at)
    assert english_on(Client().get(link), 403) == []
    assert english_on(Client().get(f"/privacy/?language={CODE}")) == []


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_feedback_on_practice_is_not_english(share):
    entry = {"output": ["s0", "system-0"], "expected": {"style": [4, 5]}, "feedback": "12 §"}
    selection = {"practice": [entry], "qualification": {"pass": share}}
    campaign, [annotator] = campaign_of("likert", selection=selection)
    client = entered(annotator)
    base = f"/rate/{annotator.public_id}/"
    assert english_on(client.get(base)) == []
    form = open_screen(client, annotator)
    submit(client, annotator, form, fetched=False, **answers_for(campaign, 3))
    assert english_on(client.get(f"{base}item/{form['assignment']}/feedback/")) == []
    assert english_on(client.get(base)) == []
