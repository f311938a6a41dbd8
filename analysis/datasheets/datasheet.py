"""A campaign's datasheet and ethics sheet in Markdown and JSON, and a paragraph for a paper."""

from collections.abc import Iterable
from typing import Any

from analysis.datasheets.answers import CRITERION, Section, ethics_sections, heds_sections, toml_of
from analysis.datasheets.campaign_facts import (
    BLANK,
    DESIGNS,
    facts_of,
    listed,
    registration_sentence,
    stopping_sentence,
)
from analysis.monitoring import AspectAgreement
from analysis.reports.summaries import aspect_words
from analysis.stats.results import Undefined
from analysis.verdicts.trust import Agreement, verdict
from analysis.wording import AGREEMENT_NAMES
from annotation.models import Campaign
from corpus.vocabulary.publication_details import STATED

_CRITERIA = "heds-criteria-criterion"


def datasheet(campaign: Campaign) -> str:
    """Return a campaign's datasheet in Markdown."""
    filled_in = (
        f"Filled in by Touchstone after HEDS 3.0 (Belz and Thomson 2024). {BLANK} marks what "
        "only people can say; a suggestion may follow it."
    )
    title = "Human evaluation datasheet"
    return _markdown(campaign, title, filled_in, heds_sections(campaign, facts_of(campaign)))


def ethics_sheet(campaign: Campaign) -> str:
    """Return a campaign's ethics sheet in Markdown, with the number of its blanks."""
    sections = list(ethics_sections(campaign, facts_of(campaign)))
    answers = [each.answer for _, several in sections for each in several]
    filled_in = (
        f"Filled in by Touchstone from what is stored. {BLANK} marks what only people can say: "
        f"{sum(BLANK in answer for answer in answers)} of {len(answers)} answers."
    )
    return _markdown(campaign, "Ethics sheet", filled_in, sections)


def _markdown(campaign: Campaign, title: str, filled_in: str, sections: Iterable[Section]) -> str:
    lines = [f"# {title}: {campaign.study}, {campaign}", ""]
    if campaign.study.simulated:
        lines += ["**Simulated ratings: no person judged these outputs.**", ""]
    lines += [filled_in, ""]
    for heading, answers in sections:
        lines += [f"## {heading}", ""]
        for number, asked, answer in answers:
            lines += [f"**{number} {asked}:** {answer}", ""]
    return "\n".join(lines)


def datasheet_json(campaign: Campaign) -> dict[str, Any]:
    """Return each answer by the number of its question, and whether it is complete.

    Questions of section 4 are asked of each quality criterion.
    """
    answers: dict[str, Any] = {}
    criteria: dict[str, dict[str, Any]] = {}
    for heading, given in heds_sections(campaign, facts_of(campaign)):
        place = answers
        if heading.startswith(CRITERION):
            place = criteria.setdefault(heading.partition(": ")[2], {})
        for number, asked, answer in given:
            place[number] = {
                "asked": asked,
                "answer": answer.replace(BLANK, "").strip(),
                "complete": BLANK not in answer,
            }
    return {
        "heds": "3.0",
        "study": campaign.study.slug,
        "campaign": campaign.slug,
        "simulated": campaign.study.simulated,
        "answers": answers,
        "criteria": criteria,
    }


def datasheet_form(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return the file that the form at nlp-heds.github.io opens (*upload json*).

    Parameters
    ----------
    sheet
        What `datasheet_json` returns.
    """
    form: dict[str, Any] = {}
    fields, criteria = toml_of("heds_form"), sheet["criteria"]
    for number, entry in sheet["answers"].items():
        if number in fields and entry["answer"]:
            form[fields[number]] = {"data": {"": entry["answer"]}, "control": {}, "number": number}
    chosen = {name: place == 0 for place, name in enumerate(criteria)}
    form[_CRITERIA] = {"data": {}, "control": chosen, "text": {}}
    for number, field in fields.items():
        answers = {
            name: entries[number]["answer"]
            for name, entries in criteria.items()
            if number in entries and entries[number]["answer"]
        }
        if answers:
            form[field] = {"data": answers, "control": {}, "number": number}
    return form


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
    alphas = [
        Agreement(aspect_words(each.aspect), result, facts.annotators, each.units)
        for each in facts.agreement
        for name, result in each.results.items()
        if name.startswith("alpha") and result.value is not None
    ]
    parts += [verdict(alphas)] if alphas else []
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
