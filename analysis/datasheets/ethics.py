"""A campaign's ethics sheet in Markdown: what is known here of risks, raters and data.

The questions follow those that ethics boards and the responsible-research checklist of the ACL
ask before and after people rate texts. What only people can say is a blank that is marked.
"""

from collections.abc import Iterator

from django.conf import settings

from analysis.datasheets.campaign_facts import BLANK, Facts, facts_of, listed
from annotation.models import Annotator, Campaign, Panel
from annotation.panels.payment import pay_of, worked_by
from corpus.vocabulary.publication_details import STATED, Details, details_shown

Answers = Iterator[tuple[str, str]]


def ethics_sheet(campaign: Campaign) -> str:
    """Return a campaign's ethics sheet in Markdown, with the number of its blanks."""
    facts = facts_of(campaign)
    details = details_shown(campaign.study.declarations)
    sections = (
        ("1 Purpose and risks", _purpose(details)),
        ("2 Texts", _texts(campaign, details)),
        ("3 Raters", _raters(campaign, facts)),
        ("4 Information and consent", _consent(campaign, details)),
        ("5 Pay", _pay(campaign)),
        ("6 Data about raters", _data(campaign, details)),
        ("7 Approval and responsibility", _approval(details)),
    )
    lines, asked, open_ones = [], 0, 0
    for heading, answers in sections:
        lines += [f"## {heading}", ""]
        for place, (question, answer) in enumerate(answers, start=1):
            asked += 1
            open_ones += BLANK in answer
            lines += [f"**{heading.split()[0]}.{place} {question}:** {answer}", ""]
    head = [f"# Ethics sheet: {campaign.study}, {campaign}", ""]
    if campaign.study.simulated:
        head += ["**Simulated ratings: no person judged these outputs.**", ""]
    head += [
        f"Filled in by Touchstone from what is stored. {BLANK} marks what only people can say: "
        f"{open_ones} of {asked} answers.",
        "",
    ]
    return "\n".join(head + lines)


def _purpose(details: Details) -> Answers:
    yield "What the study is for", details.uses or BLANK
    yield "Who could be harmed by the systems or their outputs, and how", BLANK
    yield "How the systems could be misused", BLANK
    yield "What was done against harm and misuse", BLANK
    yield "What the results do not show", details.limitations or BLANK


def _texts(campaign: Campaign, details: Details) -> Answers:
    yield "Where the texts come from", details.text_source or BLANK
    licence = details.text_licence_terms or details.text_licence
    yield "Licence of the texts", licence or BLANK
    yield "Personal data in the texts, and whether their authors agreed", BLANK
    language = f"language: {campaign.study.language}"
    yield "Whose language and views the texts represent", f"{language}; {BLANK}"
    yield (
        "Content that may offend or distress",
        f"raters are warned before they begin: “{_one_line(campaign.content_warning)}”"
        if campaign.content_warning
        else f"no content warning is set {BLANK}",
    )


def _raters(campaign: Campaign, facts: Facts) -> Answers:
    others = f"; also {listed(facts.others)}" if facts.others else ""
    yield "How many people rated", f"{facts.annotators}{others}"
    live = campaign.origin == Campaign.Origin.LIVE
    crowd = campaign.annotators.exclude(platform={}).exists()
    came = "by a crowd platform" if crowd else "by personal links"
    yield "How they were recruited", f"{BLANK} (they came {came})" if live else BLANK
    yield "Minors or other people in need of protection among them", BLANK
    yield "Whether they depend on the researchers, such as students or employees", BLANK
    seconds = f"median {facts.seconds:.0f} s of active time an item" if facts.seconds else ""
    submissions = f"{facts.submissions:,} answers"
    burden = "; ".join(filter(None, (submissions, seconds)))
    yield "How much work it was", burden if live else f"{burden} ({STATED}); {BLANK}"
    yield "Support for raters whom texts distress", BLANK


def _consent(campaign: Campaign, details: Details) -> Answers:
    live = campaign.origin == Campaign.Origin.LIVE
    people = campaign.annotators.filter(kind=Annotator.Kind.PERSON)
    if campaign.consent:
        agreed = people.filter(consented_at__isnull=False).count()
        yield "Consent", f"a text of the owner is agreed to before the first item; {agreed} agreed"
    else:
        yield "Consent", f"{'not asked in Touchstone' if live else 'not known here'} {BLANK}"
    guidelines = "guidelines are shown before the first item" if campaign.guidelines else ""
    yield "What raters are told about the task", guidelines or BLANK
    freedom = "raters may leave at any time, and what they have rated can be withdrawn"
    yield "How they can stop", freedom if live else BLANK
    yield "What stopping means for their pay", BLANK
    yield "Consent to publication", details.consent or BLANK


def _pay(campaign: Campaign) -> Answers:
    panels = Panel.objects.filter(campaign=campaign)
    panel = (panels | Panel.objects.filter(set=campaign.set_id, set__isnull=False)).first()
    if panel is None or panel.reward is None:
        yield "Reward for each person", BLANK
        yield "Hourly pay", BLANK
    else:
        minutes = f" for about {panel.minutes} minutes" if panel.minutes else ""
        yield "Reward for each person", f"{panel.reward} {panel.currency}{minutes}"
        paid = pay_of(panel, worked_by(panel))
        yield (
            "Hourly pay",
            f"median {paid.median:.2f} {panel.currency}, lowest {paid.lowest:.2f}, "
            f"of {paid.people} who finished"
            if paid
            else f"nobody has finished yet {BLANK}",
        )
    yield "How it compares with the minimum wage where raters live", BLANK


def _data(campaign: Campaign, details: Details) -> Answers:
    yield (
        "What is stored",
        "ratings with times, under pseudonyms; names and addresses, where given, are stored "
        "separately and can be deleted without the ratings",
    )
    asked = "; ".join(_one_line(each) for each in campaign.questions)
    yield "What raters are asked about themselves", asked or "nothing"
    yield "Who can read it", f"members of the study on this site; {BLANK}"
    yield (
        "How long it is kept",
        f"ratings until the study is deleted, copies for export {settings.EXPORT_DAYS} days, the "
        f"log of sign-ins and downloads {settings.ACCESS_LOG_DAYS} days; names and addresses: "
        f"{BLANK}",
    )
    licence = details.licence_terms or details.licence
    published = f"ratings under {licence}, raters renamed" if licence else BLANK
    yield "What is published", published


def _approval(details: Details) -> Answers:
    yield "Approval by an ethics committee", details.ethics or BLANK
    yield "Whom raters can ask or complain to", details.contact or BLANK
    yield "Who keeps the data and answers for it", details.maintenance or BLANK
    yield "Impact assessments", BLANK


def _one_line(text: str) -> str:
    return " ".join(str(text).split())
