"""The free text that a publication would hold, and what personal data is found in it."""

from collections.abc import Iterator

from analysis.publishing.personal_data import Finding, PersonalData
from annotation.models import Annotator, Campaign, Contact, Participant, Rating
from corpus.models import MaskedText, Output, Segment, Study
from corpus.vocabulary.publication_details import Details


def searcher(study: Study, details: Details) -> PersonalData:
    """Return what finds the names of a study's annotators, and other personal data."""
    contacts = [
        *Contact.objects.filter(annotator__campaign__study=study).values_list("name", "email"),
        *Contact.objects.filter(participant__set__study=study).values_list("name", "email"),
    ]
    people = Annotator.objects.filter(
        campaign__study=study,
        kind__in=(Annotator.Kind.PERSON, Annotator.Kind.PLACE, Annotator.Kind.UNSTATED),
    )
    platforms = [
        *people.values_list("platform", flat=True),
        *Participant.objects.filter(set__study=study).values_list("platform", flat=True),
    ]
    names = [each for contact in contacts for each in contact if each]
    names += [value for facts in platforms for value in facts.values() if isinstance(value, str)]
    return PersonalData(
        names, set(people.values_list("pseudonym", flat=True)), allowed=[details.contact]
    )


def in_free_text(
    study: Study, details: Details, data: PersonalData, *, comments: bool
) -> Iterator[Finding]:
    """Yield what is found in names, attributes, descriptions, guidelines and comments."""
    for where, text in _declared(study, details):
        yield from data.find(where, text)
    for system, attributes in study.systems.values_list("name", "attributes"):
        yield from data.find("names of systems", system)
        yield from _in_attributes(f"system {system}", attributes, data)
    segments = Segment.objects.filter(study=study).values_list("key", "attributes")
    for key, attributes in segments.iterator(chunk_size=5000):
        yield from data.find("keys of segments", key)
        yield from _in_attributes(f"segment {key}", attributes, data)
    if comments:
        rated = Rating.objects.counted_with_earlier_revisions(study).exclude(submission__comment="")
        found = rated.order_by().values_list(
            "submission__item__campaign__slug",
            "submission__item__first__segment__key",
            "submission__comment",
        )
        for campaign, segment, comment in found.distinct():
            yield from data.find(f"comment in {campaign} on segment {segment}", comment)


def _declared(study: Study, details: Details) -> Iterator[tuple[str, str]]:
    yield "title of the study", study.title
    yield "description of the study", study.description
    for name, said in details.declared().items():
        if isinstance(said, str) and name != "contact":
            yield f"publication details, {name.replace('_', ' ')}", said
    for campaign in Campaign.objects.filter(study=study):
        yield f"name of campaign {campaign.slug}", f"{campaign.slug} {campaign.title}"
        yield f"guidelines of campaign {campaign.slug}", campaign.guidelines
    for title in study.frozen_reports.values_list("title", flat=True):
        yield f"title of a frozen report, {title}", title


def _in_attributes(
    whose: str, attributes: dict[str, object], data: PersonalData
) -> Iterator[Finding]:
    for name, value in attributes.items():
        yield from data.find(f"{whose}, attribute {name}", str(value))


def in_texts(study: Study, data: PersonalData) -> Iterator[Finding]:
    """Yield what is found in the texts themselves: sources, references, outputs, masked ones."""
    outputs = Output.objects.filter(study=study).values_list("segment__key", "system__name", "text")
    for segment, system, text in outputs.iterator(chunk_size=5000):
        yield from data.find(f"{system} of segment {segment}", text)
    masked = MaskedText.objects.filter(output__study=study).values_list(
        "output__segment__key", "output__system__name", "text"
    )
    for segment, system, text in masked.iterator(chunk_size=5000):
        yield from data.find(f"masked text of {system}, segment {segment}", text)
