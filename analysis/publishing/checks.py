"""What is checked before a study is published: each with a verdict, why, where, and what to do."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analysis.charts.chart import counted
from analysis.filter.question import Question
from analysis.frozen.inputs import InputsError, unpack
from analysis.models import FrozenReport
from analysis.publishing.options import Options
from analysis.publishing.personal_data import Finding, PersonalData, SmallGroup, small_groups
from annotation.models import (
    Annotator,
    Campaign,
    Contact,
    Participant,
    Rating,
    Submission,
    Withdrawal,
)
from corpus.models import MaskedText, Output, Segment, Study
from corpus.vocabulary.publication_details import Details, details_shown

PASSED, NOTE, WARNING, BLOCKING = "passed", "note", "warning", "blocking"
PLACES_SHOWN = 20
WORDS = {
    PASSED: "passed",
    NOTE: "please note",
    WARNING: "to be confirmed",
    BLOCKING: "must be corrected",
}


@dataclass(frozen=True)
class Check:
    """A check with its verdict.

    Attributes
    ----------
    name
        By which a warning is confirmed.
    title
        What is checked.
    verdict
        ``passed``; ``note``, which keeps nobody from publishing; ``warning``, which has to be
        confirmed by its name; or ``blocking``.
    why
        What was found.
    where
        The places, the first of them where there are many.
    places
        How many places there are.
    advice
        What to do.
    """

    name: str
    title: str
    verdict: str = PASSED
    why: str = ""
    where: tuple[str, ...] = ()
    places: int = 0
    advice: str = ""

    @property
    def words(self) -> str:
        """The verdict for readers."""
        return WORDS[self.verdict]

    @property
    def more(self) -> int:
        """How many places are not listed."""
        return self.places - len(self.where)


def found(
    name: str, title: str, verdict: str, why: str, where: Sequence[str] = (), advice: str = ""
) -> Check:
    """Return a check that found something, with the first of its places."""
    return Check(name, title, verdict, why, tuple(where[:PLACES_SHOWN]), len(where), advice)


def none_found(
    name: str, title: str, verdict: str, why: str, where: Sequence[str], advice: str = ""
) -> Check:
    """Return a check that is passed if there are no places, else what `found` returns."""
    return found(name, title, verdict, why, where, advice) if where else Check(name, title)


def gravest_first(checks: Sequence[Check]) -> list[Check]:
    """Return checks with what is in the way before what passed."""
    order = [BLOCKING, WARNING, NOTE, PASSED]
    return sorted(checks, key=lambda check: order.index(check.verdict))


def objections(checks: Sequence[Check], accepted: Sequence[str]) -> list[Check]:
    """Return what keeps a study from being published: errors, and warnings nobody confirmed."""
    return [
        check
        for check in checks
        if check.verdict == BLOCKING or (check.verdict == WARNING and check.name not in accepted)
    ]


def confirmed(checks: Sequence[Check], accepted: Sequence[str]) -> list[str]:
    """Return the names of the warnings that were confirmed."""
    return sorted(c.name for c in checks if c.verdict == WARNING and c.name in accepted)


def sentences(checks: Sequence[Check], accepted: Sequence[str]) -> tuple[str, ...]:
    """Say what was checked, for the documents of a publication; no place is named there."""
    said = []
    for check in checks:
        if check.verdict == WARNING and check.name in accepted:
            said.append(f"{check.title}: confirmed by the publisher. {check.why}")
        elif check.verdict == NOTE:
            said.append(f"{check.title}: {check.why}")
        else:
            said.append(f"{check.title}: {check.words}.")
    return tuple(said)


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


TEXTS_AT_ONCE = 50_000
"""Searched while a page waits: about a second's work."""
_PUBLISHING = ("publi", "share", "shared", "release", "open data", "available to", "other research")
DETAILS_ADVICE = "State it under Publish, State the details."


def checks_of(
    study: Study, reports: Sequence[FrozenReport], options: Options, *, quickly: bool = False
) -> list[Check]:
    """Check a study for publication; nothing is written.

    Parameters
    ----------
    quickly
        Leave the texts of a large study for later: what is found in them keeps nobody from
        publishing.
    """
    details = details_shown(study.declarations)
    campaigns = list(
        Campaign.objects.filter(study=study, annotators__submissions__isnull=False).distinct()
    )
    return [
        *_stated(study, details),
        *_consent(study, campaigns, details),
        *_raters(campaigns, reports),
        *_personal_data(study, details, options, quickly),
        _groups(campaigns, reports, options),
        *_state(study, campaigns),
        _results(reports),
    ]


def _stated(study: Study, details: Details) -> Iterator[Check]:
    needs_licence = Output.objects.filter(study=study).exists()
    for name, title, stated, why in (
        (
            "licence",
            "The publication has a licence",
            details.licence,
            "No licence is stated.",
        ),
        (
            "licence-of-texts",
            "The licence of the texts is stated",
            details.text_licence or not needs_licence,
            "No licence of the texts is stated, so readers do not know how they may use them.",
        ),
        (
            "authors",
            "Authors are named",
            details.authors,
            "No author is stated: nobody can cite the publication, and archives refuse it.",
        ),
    ):
        if stated:
            yield Check(name, title)
        else:
            yield found(name, title, BLOCKING, why, advice=DETAILS_ADVICE)


def _consent(study: Study, campaigns: Sequence[Campaign], details: Details) -> Iterator[Check]:
    live = [c for c in campaigns if c.origin == Campaign.Origin.LIVE]
    imported = [c.slug for c in campaigns if c.origin != Campaign.Origin.LIVE]
    silent = [
        f"campaign {c.slug}"
        for c in live
        if not any(word in c.consent.casefold() for word in _PUBLISHING)
    ]
    if details.consent:
        verdict = WARNING
        why = f"The consent text does not mention publication; you state: {details.consent}"
        advice = "Confirm that this covers all annotators."
    else:
        verdict = BLOCKING
        why = "The consent text does not mention publication, or there was no consent text."
        advice = (
            "If they agreed elsewhere, or no consent is needed, say so in the details, under "
            "consent. Otherwise ask them."
        )
    title = "Annotators consented to publication"
    yield none_found("consent", title, verdict, why, silent, advice)
    asked = Annotator.objects.filter(campaign__in=live, consented_at=None).exclude(
        campaign__consent=""
    )
    unasked = Submission.objects.counted_with_earlier_revisions(study).filter(
        annotator__in=asked.exclude(pseudonym__startswith="anonymous ")
    )
    slugs = sorted(set(unasked.values_list("annotator__campaign__slug", flat=True)))
    title = "Everybody who rated has consented"
    why = "There are ratings of annotators who have not agreed to the consent text."
    advice = "Withdraw or delete their work, or ask them."
    where = [f"campaign {slug}" for slug in slugs]
    yield none_found("missing-consent", title, BLOCKING, why, where, advice)
    title = "The source of imported ratings is stated"
    why = "Ratings were imported, and nothing says where they come from."
    where = [] if details.ratings_source else [f"campaign {slug}" for slug in imported]
    yield none_found("source-of-ratings", title, BLOCKING, why, where, DETAILS_ADVICE)


def _raters(campaigns: Sequence[Campaign], reports: Sequence[FrozenReport]) -> Iterator[Check]:
    yield Check(
        "pseudonyms",
        "Human raters have random names",
        NOTE,
        "Each rater gets a random name for this publication; rows are sorted by text and name.",
    )
    known = set(
        Annotator.objects.filter(campaign__in=campaigns).values_list("campaign__slug", "pseudonym")
    )
    gone: list[str] = []
    withdrawn: list[str] = []
    for frozen in reports:
        try:
            data, _ = unpack(bytes(frozen.inputs))
        except InputsError:
            continue
        judged = data.judgements
        rated = set(judged.annotator.tolist())
        lost = [
            each
            for place, each in enumerate(judged.annotators)
            if place in rated
            and (judged.campaigns[each.campaign].slug, each.pseudonym) not in known
        ]
        gone += [f"{frozen.title}: {len(lost)} raters"] if lost else []
        withdrawn += [frozen.title] if frozen.question.get("withdrawn") == ["in"] else []
    title = "No rater in frozen reports has since been made anonymous or deleted"
    why = "Their inputs hold ratings under names that the study no longer has."
    advice = "Freeze these reports again, or leave them out of the publication."
    yield none_found("forgotten-annotators", title, BLOCKING, why, gone, advice)
    title = "Withdrawn work is not published"
    if withdrawn:
        why = "Some reports were frozen with withdrawn work; the published tables exclude it."
        advice = "Confirm this, or leave these reports out."
        yield found("withdrawn-work", title, WARNING, why, withdrawn, advice)
    elif Withdrawal.objects.filter(annotator__campaign__in=campaigns).exists():
        yield Check("withdrawn-work", title, NOTE, "Some work was withdrawn; it is excluded.")
    else:
        yield Check("withdrawn-work", title)


def _personal_data(
    study: Study, details: Details, options: Options, quickly: bool
) -> Iterator[Check]:
    data = searcher(study, details)
    findings = list(in_free_text(study, details, data, comments=options.comments))
    certain = [each for each in findings if each.is_certain]
    title = "Names, attributes, guidelines and comments hold no personal data"
    advice = "Remove it from the study, or leave comments out of the publication."
    yield none_found("personal-data", title, BLOCKING, _kinds(certain), _places(certain), advice)
    others = [each for each in findings if not each.is_certain]
    title = "They hold nothing that could be personal data"
    advice = "Look at each place; confirm that it identifies nobody."
    why = _kinds(others)
    yield none_found("possible-personal-data", title, WARNING, why, _places(others), advice)
    title = "Texts hold no personal data that is easily found"
    if quickly and Output.objects.filter(study=study).count() > TEXTS_AT_ONCE:
        why = "There are many texts; they are searched when the study is published."
        yield Check("personal-data-in-texts", title, NOTE, why)
        return
    in_them = list(in_texts(study, data))
    why = f"{_kinds(in_them)} Texts are published as they are."
    yield none_found("personal-data-in-texts", title, NOTE, why, _places(in_them))


def _kinds(findings: Iterable[Finding]) -> str:
    counts = Counter(finding.kind for finding in findings)
    return "Found: " + "; ".join(f"{kind} ({count})" for kind, count in counts.items()) + "."


def _places(findings: Iterable[Finding]) -> list[str]:
    return [f"{finding.where}: {finding.found}" for finding in findings]


def _groups(
    campaigns: Sequence[Campaign], reports: Sequence[FrozenReport], options: Options
) -> Check:
    """Find small groups by what is published of raters: answers that a frozen report uses."""
    asked = {
        pair.partition(":")[0]
        for frozen in reports
        for pair in Question.parse(frozen.question).about
    }
    small: list[SmallGroup] = []
    for campaign in campaigns:
        people = campaign.annotators.filter(
            kind=Annotator.Kind.PERSON, submissions__isnull=False
        ).distinct()
        raters = [
            {name: str(said) for name, said in about.items() if name in asked}
            for about in people.values_list("about", flat=True)
        ]
        small += small_groups(campaign.slug, raters, options.smallest)
    one = sum(group.raters == 1 for group in small)
    why = f"{counted(len(small), 'group is', 'groups are')} smaller, {one} with a single rater."
    advice = (
        "Somebody who knows who took part may recognise raters by their ratings. Confirm that "
        "this is acceptable and covered by their consent."
    )
    title = f"No group of raters is smaller than {options.smallest}"
    where = [f"{group.words}: {group.raters}" for group in small]
    return none_found("small-groups", title, WARNING, why, where, advice)


def _state(study: Study, campaigns: Sequence[Campaign]) -> Iterator[Check]:
    leaving = [f"campaign {c.slug}" for c in campaigns if c.deletion_asked_at is not None]
    title = "No campaign is waiting to be deleted"
    why = "A campaign is marked “to be deleted”."
    advice = "Wait until it is deleted, or restore it."
    yield none_found("to-be-deleted", title, BLOCKING, why, leaving, advice)
    in_progress = (Campaign.State.OPEN, Campaign.State.PAUSED)
    running = [f"campaign {c.slug}" for c in campaigns if c.state in in_progress]
    title = "No campaign is being rated"
    why = "Ratings that come later are not in the publication."
    yield none_found("open-campaigns", title, WARNING, why, running, "Close it, or confirm this.")
    if study.simulated:
        why = "The ratings are simulated; every document says so."
        yield Check("simulated", "Ratings were given by humans", NOTE, why)


def _results(reports: Sequence[FrozenReport]) -> Check:
    title = "The publication has results"
    if reports:
        return Check("reports", title)
    why = "No frozen report is published: the card shows no numbers."
    advice = "Freeze a report from the menu of its page, or confirm this."
    return found("reports", title, WARNING, why, advice=advice)
