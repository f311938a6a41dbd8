"""What is checked before a study is published: each with a verdict, why, where, and what to do."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
TEXTS_AT_ONCE = 50_000
"""Searched while a page waits: about a second's work."""
_PUBLISHING = ("publi", "share", "shared", "release", "open data", "available to", "other research")
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


@cache
def _wording() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def checked(name: str, found: object, variant: str = "", **words: object) -> Check:
    """Return a check in the words of `checks.toml`; it is passed unless something was found.

    Parameters
    ----------
    name
    found
        Places, the first of which are listed, or whether the check objects.
    variant
        Of the outcome, where there are several.
    words
        What was found, for the title and the reason.
    """
    declared = _wording()[f"{name}.{variant}" if variant else name]
    title = declared["title"].format_map(words)
    if not found:
        return Check(name, title)
    where = [str(place) for place in found] if isinstance(found, list) else []
    why, advice = declared["why"].format_map(words), declared.get("advice", "")
    shown = tuple(where[:PLACES_SHOWN])
    return Check(name, title, declared["verdict"], why, shown, len(where), advice)


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
    lines = []
    for check in checks:
        if check.verdict == WARNING and check.name in accepted:
            lines.append(f"{check.title}: confirmed by the publisher. {check.why}")
        elif check.verdict == NOTE:
            lines.append(f"{check.title}: {check.why}")
        else:
            lines.append(f"{check.title}: {check.words}.")
    return tuple(lines)


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
    for name, stated in details.declared().items():
        if isinstance(stated, str) and name != "contact":
            yield f"publication details, {name.replace('_', ' ')}", stated
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
        checked("reports", not reports),
    ]


def _stated(study: Study, details: Details) -> Iterator[Check]:
    yield checked("licence", not details.licence)
    has_texts = Output.objects.filter(study=study).exists()
    yield checked("licence-of-texts", has_texts and not details.text_licence)
    yield checked("authors", not details.authors)


def _consent(study: Study, campaigns: Sequence[Campaign], details: Details) -> Iterator[Check]:
    live = [c for c in campaigns if c.origin == Campaign.Origin.LIVE]
    silent = [c for c in live if not any(word in c.consent.casefold() for word in _PUBLISHING)]
    variant = "stated" if details.consent else ""
    yield checked("consent", _named(silent), variant, consent=details.consent)
    asked = Annotator.objects.filter(campaign__in=live, consented_at=None).exclude(
        campaign__consent=""
    )
    unasked = Submission.objects.counted_with_earlier_revisions(study).filter(
        annotator__in=asked.exclude(pseudonym__startswith="anonymous ")
    )
    slugs = set(unasked.values_list("annotator__campaign__slug", flat=True))
    yield checked("missing-consent", [f"campaign {slug}" for slug in sorted(slugs)])
    imported = [c for c in campaigns if c.origin != Campaign.Origin.LIVE]
    yield checked("source-of-ratings", [] if details.ratings_source else _named(imported))


def _named(campaigns: Iterable[Campaign]) -> list[str]:
    return [f"campaign {campaign.slug}" for campaign in campaigns]


def _raters(campaigns: Sequence[Campaign], reports: Sequence[FrozenReport]) -> Iterator[Check]:
    yield checked("pseudonyms", True)
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
    yield checked("forgotten-annotators", gone)
    if withdrawn:
        yield checked("withdrawn-work", withdrawn)
    else:
        some = Withdrawal.objects.filter(annotator__campaign__in=campaigns).exists()
        yield checked("withdrawn-work", some, "excluded")


def _personal_data(
    study: Study, details: Details, options: Options, quickly: bool
) -> Iterator[Check]:
    data = searcher(study, details)
    findings = list(in_free_text(study, details, data, comments=options.comments))
    certain = [each for each in findings if each.is_certain]
    others = [each for each in findings if not each.is_certain]
    yield checked("personal-data", _places(certain), kinds=_kinds(certain))
    yield checked("possible-personal-data", _places(others), kinds=_kinds(others))
    if quickly and Output.objects.filter(study=study).count() > TEXTS_AT_ONCE:
        yield checked("personal-data-in-texts", True, "later")
        return
    in_them = list(in_texts(study, data))
    yield checked("personal-data-in-texts", _places(in_them), kinds=_kinds(in_them))


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
            {name: str(answer) for name, answer in about.items() if name in asked}
            for about in people.values_list("about", flat=True)
        ]
        small += small_groups(campaign.slug, raters, options.smallest)
    return checked(
        "small-groups",
        [f"{group.words}: {group.raters}" for group in small],
        smallest=options.smallest,
        groups=counted(len(small), "group is", "groups are"),
        single=sum(group.raters == 1 for group in small),
    )


def _state(study: Study, campaigns: Sequence[Campaign]) -> Iterator[Check]:
    leaving = [c for c in campaigns if c.deletion_asked_at is not None]
    yield checked("to-be-deleted", _named(leaving))
    in_progress = (Campaign.State.OPEN, Campaign.State.PAUSED)
    yield checked("open-campaigns", _named(c for c in campaigns if c.state in in_progress))
    if study.simulated:
        yield checked("simulated", True)
