"""What is known of a campaign, in the words in which its sheets answer their questions.

The questions, each with the facts that answer it, are `heds.toml` and `ethics.toml`. What only
people can say is left as a blank that is marked, unless the study declares it for publication.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from analysis.data import matrices
from analysis.datasheets.campaign_facts import BLANK, Facts, listed, registration_sentence
from analysis.stats.results import Undefined
from analysis.wording import AGREEMENT_NAMES
from annotation.models import Annotator, Campaign, Panel
from annotation.panels.payment import pay_of, worked_by
from annotation.protocols.questions import Question
from corpus.models import Study
from corpus.vocabulary.publication_details import STATED, Details, details_shown

CRITERION = "4 Quality criterion"
"""The section of the datasheet that is answered for each quality criterion."""


class Answer(NamedTuple):
    """A question of a sheet and its answer."""

    number: str
    asked: str
    answer: str


Section = tuple[str, list[Answer]]


@cache
def toml_of(name: str) -> dict[str, Any]:
    """Return one of the files in this folder."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


def heds_sections(campaign: Campaign, facts: Facts) -> Iterator[Section]:
    """Yield heading and answers of each section of a campaign's datasheet."""
    known = _known(campaign, facts)
    known |= _of_evaluators(campaign, facts) | _of_design(campaign, facts)
    for heading, questions in toml_of("heds").items():
        if heading != CRITERION:
            yield heading, _answered(questions, known)
            continue
        for number, question in enumerate(campaign.rules.questions(campaign.config), start=1):
            of_criterion = _of_criterion(campaign, question, facts)
            named = f"{heading} {number}: {of_criterion['aspect']}"
            yield named, _answered(questions, known | of_criterion)


def ethics_sections(campaign: Campaign, facts: Facts) -> Iterator[Section]:
    """Yield heading and answers of each section of a campaign's ethics sheet."""
    known = _known(campaign, facts) | _of_people(campaign, facts) | _of_pay(campaign)
    for heading, questions in toml_of("ethics").items():
        yield heading, _answered(questions, known)


def _answered(questions: Mapping[str, str], known: Mapping[str, Any]) -> list[Answer]:
    found = []
    for question, answer in questions.items():
        number, _, asked = question.partition(" ")
        found.append(Answer(number, asked, answer.format_map(known) or BLANK))
    return found


def _known(campaign: Campaign, facts: Facts) -> dict[str, Any]:
    """Return what both sheets say: what is declared, and how raters came."""
    study = campaign.study
    details = details_shown(study.declarations)
    crowd = campaign.annotators.exclude(platform={}).exists()
    came = "by a crowd platform" if crowd else "by personal links"
    return asdict(details) | {
        "blank": BLANK,
        "language": study.language,
        "recruited": f"{BLANK} (they came {came})" if _is_live(campaign) else "",
        "annotators": f"{facts.annotators}{_also(facts)}",
        **_of_study(campaign, details, facts),
    }


def _of_study(campaign: Campaign, details: Details, facts: Facts) -> dict[str, Any]:
    study: Study = campaign.study
    author = details.authors[0] if details.authors else None
    aspects = [q.aspect.replace("_", " ") for q in campaign.rules.questions(campaign.config)]
    styles = sorted({d.replace("-to-", " to ") for d in matrices.load(study).directions if d})
    human = f"; human-written stand-ins ({facts.humans} of {facts.systems})" if facts.humans else ""
    low, high = facts.per_system
    provenance = "; ".join(str(step) for step in study.provenance)
    suggestion = f" (at import: {provenance})" if provenance else ""
    chosen = campaign.chosen_segments
    return {
        "campaign": campaign.slug,
        "study": study,
        "protocol": campaign.rules.title,
        "aspects": listed(aspects),
        "author": author.read_out if author else "",
        "affiliation": author.affiliation if author else "",
        "email": details.contact if author and "@" in details.contact else "",
        "human_systems": human,
        "task": f"style transfer, {', '.join(styles)}" if styles else "style transfer",
        "per_system": str(low) if low == high else f"{low} to {high}",
        "systems": facts.systems,
        "selected": f"{chosen.words if chosen else BLANK}{suggestion}",
        "consent_given": " (annotators gave consent to a text of the owner)"
        if campaign.consent
        else "",
        "consent_stated": f" {details.consent}" if details.consent else "",
    }


def _is_live(campaign: Campaign) -> bool:
    return campaign.origin == Campaign.Origin.LIVE


def _also(facts: Facts) -> str:
    return f"; also {listed(facts.others)}" if facts.others else ""


def _of_evaluators(campaign: Campaign, facts: Facts) -> dict[str, str]:
    persons = campaign.annotators.filter(kind=Annotator.Kind.PERSON).exists()
    trained = []
    if campaign.guidelines:
        trained.append("guidelines before the first item and at hand all the time")
    if facts.practice:
        trained.append("practice items with feedback")
    asked = "; ".join(campaign.questions)
    return {
        "evaluators": f"{facts.annotators}{_also(facts)}" if persons else _hidden(campaign),
        "training": "; ".join(trained) or f"none stored here {BLANK}",
        "characteristics": f"asked: {asked}" if asked else "",
    }


def _hidden(campaign: Campaign) -> str:
    known = [a for a in campaign.annotators.all() if a.raters]
    if not known:
        return f"not known here {BLANK}"
    return f"not known here; each value is that of {known[0].raters} raters {BLANK}"


def _of_design(campaign: Campaign, facts: Facts) -> dict[str, str]:
    live = _is_live(campaign)
    checks = [f"{count} {kind} control items" for kind, count in facts.controls.items()]
    if facts.practice:
        checks.append("a qualification on practice items")
    if facts.kept is not None:
        kept = f"{facts.kept} kept all the same" if facts.kept else "none kept all the same"
        checks.append(f"a warning before saving where answers contradict each other ({kept})")
    none = f"none stored {BLANK}"
    feedback = f"a comment field on every item; questions before and during: {BLANK}"
    return {
        "registered": registration_sentence(campaign),
        "collected": "in the browser, with Touchstone" if live else f"elsewhere; imported {BLANK}",
        "quality_types": "automatic checks during the evaluation" if checks else none,
        "quality_methods": f"{'; '.join(checks)}; what failing led to: {BLANK}" if checks else none,
        "seen": _seen(campaign),
        "time": "at their own pace, in as many sittings as they like" if live else "",
        "feedback": feedback if live else "",
    }


def _seen(campaign: Campaign) -> str:
    """Say what a page shows, with the settings that were switched on."""
    rules, config = campaign.rules, campaign.config
    page = "all outputs of a source on one page" if config.get("table") else "one item page each"
    on = [
        each.label for each in rules.settings if each.default is False and each.read(config) is True
    ]
    return f"{rules.shown} ({rules.title}); {page}{f'; switched on: {listed(on)}' if on else ''}"


def _of_criterion(campaign: Campaign, question: Question, facts: Facts) -> dict[str, Any]:
    rules, asked = campaign.rules, question.instrument
    relative = rules.layout.is_relative
    methods, scores = _agreement(question.aspect, facts)
    return {
        "aspect": question.aspect.replace("_", " "),
        "frame": "relative to the input" if rules.layout.has_source else "in its own right",
        "shown": rules.shown,
        "absoluteness": "relative" if relative else "absolute",
        "form": "relative" if relative else "direct",
        "definition": "see the guidelines of the campaign" if campaign.guidelines else "",
        "scale_size": asked.size,
        "scale_values": asked.values,
        "instrument": asked.kind,
        "question": question.text,
        "aggregation": asked.aggregation,
        "agreement_methods": methods,
        "agreement_scores": scores,
    }


def _agreement(aspect: str, facts: Facts) -> tuple[str, str]:
    for found in facts.agreement:
        if found.aspect == aspect:
            methods = [AGREEMENT_NAMES[name] for name in found.results]
            scores = [
                f"{AGREEMENT_NAMES[name]} undefined: {result.reason}"
                if isinstance(result, Undefined)
                else f"{AGREEMENT_NAMES[name]} {result.value:.3f} (n = {result.n})"
                for name, result in found.results.items()
            ]
            return "; ".join(methods), "between annotators: " + "; ".join(scores)
    return "InterAA not assessed", "InterAA not assessed"


def _of_people(campaign: Campaign, facts: Facts) -> dict[str, Any]:
    """Return what the ethics sheet says of raters, their consent and the data about them."""
    live = _is_live(campaign)
    details = details_shown(campaign.study.declarations)
    seconds = f"median {facts.seconds:.0f} s of active time an item" if facts.seconds else ""
    burden = "; ".join(filter(None, (f"{facts.submissions:,} answers", seconds)))
    if campaign.consent:
        people = campaign.annotators.filter(kind=Annotator.Kind.PERSON)
        agreed = people.filter(consented_at__isnull=False).count()
        consented = f"a text of the owner is agreed to before the first item; {agreed} agreed"
    else:
        consented = f"{'not asked in Touchstone' if live else 'not known here'} {BLANK}"
    warning = f"raters are warned before they begin: “{_one_line(campaign.content_warning)}”"
    stopping = "raters may leave at any time, and what they have rated can be withdrawn"
    licence = details.licence_terms or details.licence
    return {
        "licence_of_texts": details.text_licence_terms or details.text_licence,
        "warning": warning if campaign.content_warning else f"no content warning is set {BLANK}",
        "burden": burden if live else f"{burden} ({STATED}); {BLANK}",
        "consented": consented,
        "instructed": "guidelines are shown before the first item" if campaign.guidelines else "",
        "stopping": stopping if live else "",
        "asked_themselves": "; ".join(map(_one_line, campaign.questions)) or "nothing",
        "export_days": settings.EXPORT_DAYS,
        "log_days": settings.ACCESS_LOG_DAYS,
        "published": f"ratings under {licence}, raters renamed" if licence else "",
    }


def _of_pay(campaign: Campaign) -> dict[str, str]:
    panels = Panel.objects.filter(campaign=campaign)
    panel = (panels | Panel.objects.filter(set=campaign.set_id, set__isnull=False)).first()
    if panel is None or panel.reward is None:
        return {"reward": "", "hourly_pay": ""}
    minutes = f" for about {panel.minutes} minutes" if panel.minutes else ""
    hourly = f"nobody has finished yet {BLANK}"
    if paid := pay_of(panel, worked_by(panel)):
        hourly = (
            f"median {paid.median:.2f} {panel.currency}, lowest {paid.lowest:.2f}, "
            f"of {paid.people} who finished"
        )
    return {"reward": f"{panel.reward} {panel.currency}{minutes}", "hourly_pay": hourly}


def _one_line(text: str) -> str:
    return " ".join(str(text).split())
