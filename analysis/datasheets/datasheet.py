"""A campaign as a human-evaluation datasheet in Markdown, and as a paragraph for a paper."""

from analysis.datasheets import heds
from analysis.datasheets.campaign_facts import BLANK, DESIGNS, facts_of, listed
from analysis.datasheets.registered import registration_sentence, stopping_sentence
from analysis.monitoring import AspectAgreement
from analysis.stats.results import Undefined
from analysis.wording import AGREEMENT_NAMES
from annotation.models import Campaign
from corpus.vocabulary.publication_details import STATED


def datasheet(campaign: Campaign) -> str:
    """Return a campaign's datasheet in Markdown."""
    facts, study = facts_of(campaign), campaign.study
    lines = [f"# Human evaluation datasheet: {study}, {campaign}", ""]
    if study.simulated:
        lines += ["**Simulated ratings: no person judged these outputs.**", ""]
    lines += [
        f"Filled in by Touchstone after HEDS 3.0 (Belz and Thomson 2024). {BLANK} marks what "
        "only people can say; a suggestion may follow it.",
        "",
    ]
    for heading, answers in heds.sections(campaign, facts):
        lines += [f"## {heading}", ""]
        for number, asked, answer in answers:
            lines += [f"**{number} {asked}:** {answer}", ""]
    return "\n".join(lines)


def methods(campaign: Campaign) -> str:
    """Return a paragraph on how the ratings came about, to be edited into a paper."""
    facts, rules = facts_of(campaign), campaign.rules
    asked = [q.aspect.replace("_", " ") for q in rules.questions(campaign.config)]
    parts = []
    if campaign.study.simulated:
        parts.append("THE RATINGS ARE SIMULATED.")
    who = "annotator" if facts.annotators == 1 else "annotators"
    judges = [f"{facts.annotators} {who}"] if facts.annotators or not facts.others else []
    parts.append(
        f"{listed([*judges, *facts.others])} judged {facts.items:,} items of {facts.systems} "
        f"systems under the protocol “{rules.title}” ({rules.shown}), on {listed(asked)}."
    )
    if campaign.origin == Campaign.Origin.LIVE:
        design = DESIGNS.get(Campaign.Design(campaign.design), campaign.design)
        parts.append(
            f"Items were assigned by {design}, with {campaign.ratings_per_item} "
            f"rating{'s' if campaign.ratings_per_item > 1 else ''} per item; orders and sides "
            "were drawn at random per annotator, and systems were hidden."
        )
    if chosen := campaign.chosen_segments:
        parts.append(f"What was judged: {chosen.words}.")
    parts += filter(None, (stopping_sentence(campaign), registration_sentence(campaign)))
    if facts.controls:
        kinds = listed([f"{count} {kind}" for kind, count in facts.controls.items()])
        parts.append(f"{kinds} control items were spread among them and are not counted.")
    if facts.seconds is not None:
        stated = "" if campaign.origin == Campaign.Origin.LIVE else f"; {STATED}"
        parts.append(
            f"A judgement took {facts.seconds:.0f} seconds of active time (median{stated})."
        )
    parts.extend(
        f"Agreement on {found.aspect.replace('_', ' ')}: {_shortly(found)}."
        for found in facts.agreement
    )
    return " ".join(parts)


def _shortly(found: AspectAgreement) -> str:
    for name, result in found.results.items():
        if not isinstance(result, Undefined):
            interval = result.interval
            bounds = (
                f", {interval.level:.0%} CI [{interval.low:.2f}, {interval.high:.2f}]"
                if interval
                else ""
            )
            return f"{AGREEMENT_NAMES[name]} = {result.value:.2f}{bounds}"
    return "undefined, as no item was judged twice"
