"""Rating pages in a made-up language of marks: nothing that annotators read stays English."""

import io
import re
import uuid
from html.parser import HTMLParser

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from annotation.models import Annotator, Campaign
from annotation.panels.outcomes import Outcome
from annotation.people.adding import add_annotators, release_places
from annotation.people.invitations import new_links
from annotation.protocols import protocol
from annotation.protocols.catalogue import LIVE
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.documents import brought
from annotation.views import rating as views
from annotation.views import showing, stencil
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaigns import answers_for, make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.panels import CODES, answer, read_guidelines, sent_by_prolific, with_panel
from tests.fixtures.rating_pages import entered, open_screen, submit

LEFT, RIGHT = "⟦", "⟧"
_INNERMOST = re.compile(f"{LEFT}[^{LEFT}{RIGHT}]*{RIGHT}")
_READ_OUT = {"alt", "aria-label", "placeholder", "title"}


def marked(text: str) -> str:
    """A message as this language has it."""
    return f"{LEFT}{text}{RIGHT}"


class _Words(HTMLParser):
    """What a page shows or reads out, and what its scripts will say."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style")
        for name, value in attrs:
            said = name.startswith("data-") and re.search(r"\w \w", value or "")
            if name in _READ_OUT or (said and not (value or "").startswith("[")):
                self.found.append(value or "")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.hidden:
            self.found.append(data)


def outside(html: str, own: tuple[str, ...] = ()) -> list[str]:
    """The words of a page that no catalogue says, but for what a study has of its own."""
    reader = _Words()
    reader.feed(html)
    text = "\n".join(reader.found)
    while (inner := _INNERMOST.sub(" ", text)) != text:
        text = inner
    for each in (*own, "Touchstone"):
        text = text.replace(each, " ")
    return re.findall(r"[^\W\d_]{2,}", text)


CODE = "es"
IN_MARKS = {"language": CODE}
OWN = ("KEEN-OTTER", "informal", "formal", "Prolific", *CODES.values())
PRACTICE = {"output": ["s0", "system-0"], "expected": {"style": [4, 5]}, "feedback": "12 §"}

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def compiled():
    """The catalogue of all messages, each between marks."""
    with (ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po").open("rb") as file:
        messages = read_po(file)
    made, out = Catalog(locale=CODE, fuzzy=False), io.BytesIO()
    for message in messages:
        both = message.id if isinstance(message.id, tuple) else None
        said = tuple(marked(each) for each in both) if both else marked(message.id)
        if message.id:
            made.add(message.id, said, context=message.context)
    write_mo(out, made)
    return out.getvalue()


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
    selection = {"practice": [PRACTICE], "qualification": {"pass": share}}
    campaign, [annotator] = campaign_of("likert", selection=selection)
    client = entered(annotator)
    base = f"/rate/{annotator.public_id}/"
    assert english_on(client.get(base)) == []
    form = open_screen(client, annotator)
    submit(client, annotator, form, fetched=False, **answers_for(campaign, 3))
    assert english_on(client.get(f"{base}item/{form['assignment']}/feedback/")) == []
    assert english_on(client.get(base)) == []


@pytest.fixture
def panelled(settings):
    """A campaign whose people Prolific sends, with practice and consent."""
    settings.JOIN_AT_ONCE = 3
    campaign, _ = campaign_of(
        "likert", consent="12 §", selection={"practice": [PRACTICE], "qualification": {"pass": 1.0}}
    )
    with_panel(campaign)
    return campaign


def english_to(client):
    """What is not between marks where somebody is led to, from the address of the panel."""
    return english_on(client.get(client.at, follow=True))


def begun(campaign, number=1):
    client = sent_by_prolific(campaign, number)
    client.post(f"{client.at}consent/", {"consent": "yes"})
    read_guidelines(client)
    return client


def left(client):
    return client.post(f"{client.at}leave/", follow=True)


@pytest.mark.parametrize("scripts", [False, True])
def test_nobody_from_a_panel_leaves_in_english(panelled, scripts):
    refusing = sent_by_prolific(panelled, 1)
    assert english_to(refusing) == []
    assert english_on(left(refusing)) == []
    refusing.post(f"{refusing.at}consent/", {"consent": "yes"})
    read_guidelines(refusing)
    assert english_on(refusing.get(f"{refusing.at}done/")) == []
    assert english_on(left(refusing)) == []
    # The practice does not fit: nothing further to rate.
    page = refusing.get(refusing.at)
    while 'class="screen"' in page.text:
        answer(refusing, "1", fetched=scripts)
        page = refusing.get(refusing.at)
    assert english_on(page) == []
    assert f"cc={CODES[Outcome.SCREENED_OUT]}" in page.text
    late = sent_by_prolific(panelled, 2)
    assert english_on(late.reply, 403) == []
    assert CODES[Outcome.NOTHING_LEFT] in late.reply.text
    Campaign.objects.update(state=Campaign.State.PAUSED)
    paused = sent_by_prolific(panelled, 3)
    assert english_on(paused.reply, 403) == []
    assert CODES[Outcome.PAUSED] in paused.reply.text


def test_a_place_that_is_taken_elsewhere_and_a_full_network_are_not_english(settings, panelled):
    begun(panelled)
    assert english_on(sent_by_prolific(panelled, 1).reply, 403) == []
    settings.JOIN_AT_ONCE = 1
    release_places(panelled.annotators.get(), User.objects.get())
    add_annotators(panelled, 1, User.objects.get())
    replies = [sent_by_prolific(panelled, number).reply for number in (4, 5)]
    [refused, *_] = [each for each in replies if each.status_code == 429]
    assert english_on(refused, 429) == []
    assert CODES[Outcome.NOTHING_LEFT] in refused.text


@pytest.mark.parametrize("fetched", [False, True])
@pytest.mark.parametrize("error", ["database is locked", "database or disk is full"])
def test_a_busy_server_and_a_full_disk_are_not_english(monkeypatch, error, fetched):
    _, [annotator] = campaign_of("likert")
    client = entered(annotator)
    client.raise_request_exception = False
    form = open_screen(client, annotator)

    def fails(*_):
        raise OperationalError(error)

    monkeypatch.setattr(views, "submit", fails)
    reply = submit(client, annotator, form, fetched=fetched, style="3")
    status = 503 if "locked" in error else 507
    assert english_on(reply, status) == []


def test_masked_texts_and_their_guidelines_are_not_english():
    study = make_study(3, 3)
    store_lexicon(study, "words", [LexiconEntry("some words", "informal", -2.0)])
    config = IN_MARKS | {"masked": True}
    text = brought(LIVE["content_preservation"], config, [Direction("informal", "formal")])
    _, [annotator] = make_campaign(
        study,
        "content_preservation",
        annotators=1,
        config=config,
        guidelines=text.guidelines,
        selection={"mask": {"lexicon": "words"}},
    )
    client = entered(annotator)
    base = f"/rate/{annotator.public_id}/"
    for address in ("guidelines/", "", "done/"):
        page = client.get(base + address)
        page_text = re.sub(r"text \d+ about matter \d+ with \[STYLE\]", "", page.text)
        assert outside(page_text, (*OWN, "STYLE")) == []
