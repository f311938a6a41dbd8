"""What is checked before a study is published: each with a verdict, why, where, and what to do."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from analysis.charts.chart import counted
from analysis.filter.question import Question
from analysis.frozen.inputs import InputsError, unpack
from analysis.models import FrozenReport
from analysis.publishing.check import BLOCKING, NOTE, WARNING, Check, found, none_found
from analysis.publishing.free_text import in_free_text, in_texts, searcher
from analysis.publishing.options import Options
from analysis.publishing.personal_data import Finding
from analysis.publishing.small_groups import SmallGroup, small_groups
from annotation.models import Annotator, Campaign, Submission, Withdrawal
from corpus.models import Output, Study
from corpus.vocabulary.publication_details import Details, details_shown

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
        *_of_reports(reports),
    ]


def _stated(study: Study, details: Details) -> Iterator[Check]:
    name, title = "licence", "The publication has a licence"
    if details.licence:
        yield Check(name, title)
    else:
        yield found(name, title, BLOCKING, "No licence is stated.", advice=DETAILS_ADVICE)
    name, title = "licence-of-texts", "The licence of the texts is stated"
    if details.text_licence or not Output.objects.filter(study=study).exists():
        yield Check(name, title)
    else:
        why = "No licence of the texts is stated, so readers do not know how they may use them."
        yield found(name, title, BLOCKING, why, advice=DETAILS_ADVICE)
    name, title = "authors", "Authors are named"
    if details.authors:
        yield Check(name, title)
    else:
        why = "No author is stated: nobody can cite the publication, and archives refuse it."
        yield found(name, title, BLOCKING, why, advice=DETAILS_ADVICE)


def _consent(study: Study, campaigns: Sequence[Campaign], details: Details) -> Iterator[Check]:
    live = [c for c in campaigns if c.origin == Campaign.Origin.LIVE]
    imported = [c.slug for c in campaigns if c.origin != Campaign.Origin.LIVE]
    title = "Annotators consented to publication"
    silent = [c.slug for c in live if not any(word in c.consent.casefold() for word in _PUBLISHING)]
    if silent and not details.consent:
        yield found(
            "consent",
            title,
            BLOCKING,
            "The consent text does not mention publication, or there was no consent text.",
            [f"campaign {slug}" for slug in silent],
            "If they agreed elsewhere, or no consent is needed, say so in the details, under "
            "consent. Otherwise ask them.",
        )
    elif silent:
        why = f"The consent text does not mention publication; you state: {details.consent}"
        advice = "Confirm that this covers all annotators."
        where = [f"campaign {slug}" for slug in silent]
        yield found("consent", title, WARNING, why, where, advice)
    else:
        yield Check("consent", title)
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
    title = f"No group of raters is smaller than {options.smallest}"
    if not small:
        return Check("small-groups", title)
    one = sum(group.raters == 1 for group in small)
    why = f"{counted(len(small), 'group is', 'groups are')} smaller, {one} with a single rater."
    advice = (
        "Somebody who knows who took part may recognise raters by their ratings. Confirm that "
        "this is acceptable and covered by their consent."
    )
    where = [f"{group.words}: {group.raters}" for group in small]
    return found("small-groups", title, WARNING, why, where, advice)


def _state(study: Study, campaigns: Sequence[Campaign]) -> Iterator[Check]:
    leaving = [f"campaign {c.slug}" for c in campaigns if c.deletion_asked_at is not None]
    title = "No campaign is waiting to be deleted"
    why = "A campaign is marked “to be deleted”."
    advice = "Wait until it is deleted, or restore it."
    yield none_found("to-be-deleted", title, BLOCKING, why, leaving, advice)
    running = [
        f"campaign {c.slug}"
        for c in campaigns
        if c.state in (Campaign.State.OPEN, Campaign.State.PAUSED)
    ]
    title = "No campaign is being rated"
    why = "Ratings that come later are not in the publication."
    yield none_found("open-campaigns", title, WARNING, why, running, "Close it, or confirm this.")
    if study.simulated:
        why = "The ratings are simulated; every document says so."
        yield Check("simulated", "Ratings were given by humans", NOTE, why)


def _of_reports(reports: Sequence[FrozenReport]) -> Iterator[Check]:
    title = "The publication has results"
    if reports:
        yield Check("reports", title)
        return
    why = "No frozen report is published: the card shows no numbers."
    advice = "Freeze a report from the menu of its page, or confirm this."
    yield found("reports", title, WARNING, why, advice=advice)
