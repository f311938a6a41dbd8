"""Masked content preservation: what is shown, where it comes from, and the owner's corrections."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.campaigns.drafts import LaunchError
from annotation.launch.launching import launch
from annotation.launch.planning import check_texts
from annotation.mask_review.review import ReviewError, choose_mask
from annotation.models import Annotator, Campaign, Item
from annotation.people.invitations import new_links
from corpus.models import AuditEntry, MaskedText, Output, Study
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import member, signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import fields

pytestmark = pytest.mark.django_db
WORDS = {"lexicon": "words"}


@pytest.fixture
def study() -> Study:
    study = make_study(segments=12, systems=2)
    store_lexicon(
        study,
        "words",
        [LexiconEntry("some words", "informal", -2.0), LexiconEntry("about", "formal", 0.5)],
    )
    return study


def drafted(study: Study, **values) -> Campaign:
    """A campaign of masked texts that is not started."""
    fields = {
        "slug": "masked",
        "protocol": "content_preservation",
        "origin": Campaign.Origin.LIVE,
        "state": Campaign.State.DRAFT,
        "design": Campaign.Design.OVERLAP,
        "seed": 7,
        "selection": {"mask": WORDS},
    }
    return Campaign.objects.create(study=study, **(fields | values))


def masked(text: str) -> str:
    return text.replace("some words", "[STYLE]").replace("about", "[STYLE]")


def source_of(item: Item) -> str:
    return item.first.segment.outputs.get(system__kind="source").text


# At the start


def test_every_item_keeps_the_masked_source_and_output_that_it_shows(study):
    campaign, _ = make_campaign(study, "content_preservation", selection={"mask": WORDS})
    items = list(campaign.items.select_related("first__segment"))
    assert len(items) == 24
    for item in items:
        assert item.shown == {"first": masked(item.first.text), "source": masked(source_of(item))}


def test_annotators_see_masked_texts_and_nothing_else(study):
    _, [annotator] = make_campaign(
        study, "content_preservation", annotators=1, selection={"mask": WORDS}
    )
    Annotator.objects.update(guidelines_read_at=timezone.now())
    client = Client()
    client.get(f"/join/{new_links([annotator])[annotator.pk]}/")
    page = client.get(f"/rate/{annotator.public_id}/").text
    assert re.findall(r"text \d+ (.*) matter \d+ with (.*?)<", page) == [("[STYLE]", "[STYLE]")] * 2
    form = fields(page)
    answer = form | {"answer-0-content": "4"}
    sent = client.post(f"/rate/{annotator.public_id}/submit/", answer, follow=True).text
    done = client.get(f"/rate/{annotator.public_id}/done/").text
    assert "[STYLE]" in done
    for text in (page, sent, done):
        assert "some words" not in text


def test_what_was_shown_is_kept_among_the_masked_texts_of_the_study(study):
    revision = study.revision
    campaign, _ = make_campaign(study, "content_preservation", selection={"mask": WORDS})
    kept = MaskedText.objects.filter(recipe=f"shown in {campaign.slug}")
    assert kept.count() == 12 + 24
    for each in kept.select_related("output"):
        assert each.text == masked(each.output.text)
    assert Study.objects.get().revision == revision + 1
    again = drafted(
        study, slug="again", selection={"mask": {"recipe": f"shown in {campaign.slug}"}}
    )
    launch(again, 2)
    shown = [dict(each.items.values_list("first", "shown")) for each in (campaign, again)]
    assert shown[0] == shown[1]


def test_corrections_of_the_owner_are_shown_instead(study):
    source = Output.objects.get(segment__key="s3", system__kind="source")
    output = Output.objects.get(segment__key="s3", system__name="system-1")
    corrections = {str(source.pk): "by hand", str(output.pk): ""}
    campaign, _ = make_campaign(
        study, "content_preservation", selection={"mask": WORDS, "corrections": corrections}
    )
    assert campaign.items.get(first=output).shown == {"first": "", "source": "by hand"}
    for item in campaign.items.filter(first__segment__key="s3"):
        assert item.shown["source"] == "by hand"


def test_degraded_controls_are_made_of_masked_texts(study):
    campaign, _ = make_campaign(
        study,
        "content_preservation",
        selection={"mask": WORDS, "controls": {"degraded": 4, "repeats": 2}},
    )
    controls = campaign.items.exclude(kind="plain").select_related("original")
    assert {item.kind for item in controls} == {"degraded", "repeat"}
    for item in controls:
        assert item.shown["source"] == item.original.shown["source"]
        assert "some words" not in item.shown["first"]
        assert "about" not in item.shown["first"].split()
        assert (item.shown == item.original.shown) is (item.kind == "repeat")


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ({"lexicon": "other"}, "no lexicon 'other' in this study; there are: words"),
        ({"lexicon": 0}, "no lexicon 0 in this study"),
        ({"recipe": "hand"}, "no masked texts 'hand' in this study; there are: none yet"),
        (WORDS | {"threshold": "x"}, "the threshold 'x' is not a number"),
        (WORDS | {"placeholder": "STYLE"}, "begin and end it with a sign"),
    ],
)
def test_a_campaign_without_a_usable_mask_does_not_start_and_says_what_to_do(study, mask, message):
    campaign = drafted(study, selection={"mask": mask})
    for start in (lambda: check_texts(campaign), lambda: launch(campaign, 2)):
        with pytest.raises(LaunchError, match=re.escape(message)):
            start()
    assert not Item.objects.exists()
    campaign.refresh_from_db()
    assert campaign.state == "draft"


def test_a_study_without_any_lexicon_is_told_to_import_one():
    with pytest.raises(LaunchError, match="has none yet: import a table of word and weight"):
        launch(drafted(make_study(2, 1), selection={}), 1)


def test_imported_masked_texts_are_shown_and_lacking_ones_are_counted(study):
    outputs = list(Output.objects.exclude(system__kind="reference").order_by("ordinal"))
    MaskedText.objects.bulk_create(
        MaskedText(output=output, recipe="hand", text=f"masked {output.ordinal}")
        for output in outputs[1:]
    )
    campaign = drafted(study, selection={"mask": {"recipe": "hand"}})
    with pytest.raises(LaunchError, match=r"1 of 36 texts have no masked text 'hand', such as \(s"):
        launch(campaign, 2)
    campaign.selection["corrections"] = {str(outputs[0].pk): "written"}
    campaign.save()
    launch(campaign, 2)
    assert campaign.items.get(first=outputs[1]).shown == {"first": "masked 2", "source": "written"}


# Review


@pytest.fixture
def owner(study: Study) -> Client:
    return signed_in("owner", study)


ADDRESS = "/studies/small/campaigns/masked/masks/"


def areas(page: str) -> dict[str, str]:
    """The text fields of the page, by name, as a browser reads them."""
    found = re.findall(r'<textarea name="([\w-]+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return {name: html.unescape(text) for name, text in found}


def test_the_owner_sees_stored_and_masked_text_side_by_side_page_by_page(owner, study):
    drafted(study)
    page = owner.get(ADDRESS).text
    assert len(areas(page)) == 30
    text = Output.objects.get(segment__key="s0", system__name="system-1")
    assert f'<p class="text" dir="auto">{text.text}</p>' in page
    assert areas(page)[f"text-{text.pk}"] == masked(text.text)
    assert "Page 1 of 2" in page
    assert len(areas(owner.get(ADDRESS, {"page": 2}).text)) == 6


def test_corrections_are_kept_recorded_and_taken_back(owner, study):
    campaign = drafted(study)
    fields = areas(owner.get(ADDRESS).text)
    name = next(iter(fields))
    sent = {key: text.replace("\n", "\r\n") for key, text in fields.items()}
    page = owner.post(ADDRESS, sent | {name: "first\r\nsecond <b>"}, follow=True)
    assert "1 text changed." in page.text
    campaign.refresh_from_db()
    pk = name.removeprefix("text-")
    assert campaign.selection == {"mask": WORDS, "corrections": {pk: "first\nsecond <b>"}}
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object) == ("correct masks", "masked")
    assert (entry.before, entry.after) == ({pk: None}, {pk: "first\nsecond <b>"})
    shown = areas(page.text)
    assert shown[name] == "first\nsecond <b>"
    assert "corrected</span>" in page.text
    again = {key: text.replace("\n", "\r\n") for key, text in shown.items()}
    assert "Nothing had changed." in owner.post(ADDRESS, again, follow=True).text
    owner.post(ADDRESS, again | {name: fields[name]})
    campaign.refresh_from_db()
    assert campaign.selection["corrections"] == {}
    assert AuditEntry.objects.count() == 2


def test_line_breaks_of_texts_are_no_corrections(owner, study):
    text = "\none\r\ntwo\rthree some words\n"
    other = study.segments.create(ordinal=99, key="lines")
    for system in study.systems.exclude(kind="reference"):
        Output.objects.create(
            study=study, ordinal=900 + system.pk, segment=other, system=system, text=text
        )
    campaign = drafted(study)
    fields = areas(owner.get(ADDRESS, {"page": 2}).text)
    sent = {name: re.sub(r"\r\n|\r|\n", "\r\n", shown) for name, shown in fields.items()}
    assert "Nothing had changed" in owner.post(f"{ADDRESS}?page=2", sent, follow=True).text
    launch(campaign, 2)
    item = campaign.items.filter(first__segment=other).first()
    assert item.shown["first"] == "\none\r\ntwo\rthree [STYLE]\n"


def test_masks_are_reviewed_by_owners_before_the_start_only(owner, study, client):
    campaign = drafted(study)
    researcher = member("researcher", study, "researcher")
    others = Client()
    assert others.get(ADDRESS).status_code == 302
    others.force_login(researcher)
    assert others.get(ADDRESS).status_code == 403
    assert others.post(ADDRESS, {}).status_code == 403
    others.force_login(User.objects.create_user("stranger"))
    assert others.get(ADDRESS).status_code == 404
    launch(campaign, 2)
    assert owner.get(ADDRESS).url == ADDRESS.replace("masks", "preview")
    with pytest.raises(ReviewError, match="masked texts are fixed"):
        choose_mask(campaign, WORDS, researcher)
    drafted(study, slug="other", protocol="likert")
    assert owner.get("/studies/small/campaigns/other/masks/").status_code == 302
