"""A campaign as a human-evaluation datasheet (HEDS 2.0), and as a paragraph for a paper.

Numbers of questions are those of Shimorina and Belz (2022); headings are ours, in brief. What only
people can say is left as a blank that is marked.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.monitoring import AspectAgreement, agreement_so_far
from analysis.stats.results import Undefined
from analysis.wording import AGREEMENT_NAMES
from annotation.campaigns.rater_kinds import kinds_in_words
from annotation.models import Annotator, Campaign, Item, Submission
from annotation.protocols.questions import Question
from corpus.models import Study, System

BLANK = "**[to be filled in]**"
DESIGNS = {
    Campaign.Design.BATCHES: "fixed batches of sources; everybody in a batch rates all its outputs",
    Campaign.Design.OVERLAP: "balanced random overlap of annotators",
    Campaign.Design.LATIN: "a Latin square: each source once per annotator, systems rotated",
    Campaign.Design.QUEUE: "a shared queue of the least-rated items",
}


@dataclass(frozen=True)
class Facts:
    """What is counted of a campaign once for the sheet and the paragraph.

    Attributes
    ----------
    items
        Items that are rated for systems.
    per_system
        Fewest and most items of one system.
    systems, humans
        Systems rated, and how many of them people wrote.
    annotators, submissions
        Human raters who judged at least once, and how often anybody judged.
    others
        Models, means and majorities that judged, in words.
    controls
        Control items by kind.
    practice
        Practice items.
    seconds
        Median active time of a submission, where measured.
    agreement
        Of each aspect.
    """

    items: int
    per_system: tuple[int, int]
    systems: int
    humans: int
    annotators: int
    others: list[str]
    submissions: int
    controls: dict[str, int]
    practice: int
    seconds: float | None
    agreement: list[AspectAgreement]


def facts_of(campaign: Campaign) -> Facts:
    """Count what the sheet says of a campaign."""
    items = Item.objects.filter(campaign=campaign)
    kinds: dict[str, int] = {}
    for kind in items.order_by().values_list("kind", flat=True):
        kinds[kind] = kinds.get(kind, 0) + 1
    # A control is a whole screen, of one item or several.
    controls = items.filter(lead=True).exclude(kind__in=(Item.Kind.PLAIN, Item.Kind.PRACTICE))
    plain = items.filter(kind=Item.Kind.PLAIN, first__system__kind=System.Kind.SYSTEM)
    plain_pairs = items.filter(kind=Item.Kind.PLAIN, second__system__kind=System.Kind.SYSTEM)
    counts: dict[int, int] = {}
    for column, found in (("first", plain), ("second", plain_pairs)):
        for system in found.order_by().values_list(f"{column}__system", flat=True):
            counts[system] = counts.get(system, 0) + 1
    systems = list(System.objects.filter(pk__in=counts))
    submissions = Submission.objects.filter(item__campaign=campaign, item__kind=Item.Kind.PLAIN)
    counted = Count("annotator", distinct=True)
    kinds_of_raters = submissions.order_by().values_list("annotator__kind", "annotator__raters")
    raters = list(kinds_of_raters.annotate(annotators=counted))
    seconds = [s for s in submissions.values_list("active_seconds", flat=True) if s is not None]
    return Facts(
        items=kinds.get(Item.Kind.PLAIN, 0),
        per_system=(min(counts.values(), default=0), max(counts.values(), default=0)),
        systems=len(systems),
        humans=sum(system.is_human for system in systems),
        annotators=sum(n for kind, _, n in raters if kind == Annotator.Kind.PERSON),
        others=kinds_in_words(row for row in raters if row[0] != Annotator.Kind.PERSON),
        submissions=submissions.count(),
        controls=Counter(controls.values_list("kind", flat=True)),
        practice=kinds.get(Item.Kind.PRACTICE, 0),
        seconds=float(np.median(seconds)) if seconds else None,
        agreement=agreement_so_far(campaign),
    )


def datasheet(campaign: Campaign) -> str:
    """Return a campaign's datasheet in Markdown."""
    facts, study = facts_of(campaign), campaign.study
    data = matrices.load(study)
    lines = [f"# Human evaluation datasheet: {study}, {campaign}", ""]
    if study.simulated:
        lines += ["**Simulated ratings: no person judged these outputs.**", ""]
    lines += [
        f"Filled in by Touchstone after HEDS 2.0 (Shimorina and Belz 2022). {BLANK} marks what "
        "only people can say; a suggestion may stand beside it.",
        "",
    ]
    for heading, answers in (
        ("1 Paper and resources", _paper()),
        ("2 Systems", _systems(study, data, facts)),
        ("3.1 Sample of outputs", _sample(campaign, facts)),
        ("3.2 Evaluators", _evaluators(campaign, facts)),
        ("3.3 Experimental design", _design(campaign, facts)),
    ):
        lines += _section(heading, answers)
    for number, question in enumerate(campaign.rules.questions(campaign.config), start=1):
        heading = f"4 Quality criterion {number}: {question.aspect.replace('_', ' ')}"
        lines += _section(heading, _criterion(campaign, question, facts))
    lines += _section("5 Ethics", _ethics(campaign))
    return "\n".join(lines)


Answers = Iterator[tuple[str, str, str]]


def _section(heading: str, answers: Answers) -> list[str]:
    lines = [f"## {heading}", ""]
    for number, asked, answer in answers:
        lines += [f"**{number} {asked}:** {answer}", ""]
    return lines


def _paper() -> Answers:
    yield "1.1", "Paper", BLANK
    yield "1.2", "Resources", f"{BLANK} (the study's bundle holds outputs and all ratings)"
    yield "1.3", "Who fills this in", BLANK


def _systems(study: Study, data: StudyData, facts: Facts) -> Answers:
    styles = sorted({d.replace("-to-", " to ") for d in data.directions if d})
    yield "2.1", "Input", "text: sentence; control feature (target style)"
    human = f"; human-written stand-ins ({facts.humans} of {facts.systems})" if facts.humans else ""
    yield "2.2", "Output", f"text: sentence{human}"
    task = f"style transfer, {', '.join(styles)}" if styles else "style transfer"
    yield "2.3", "Task", f"paraphrasing under a control feature: {task} (please check)"
    yield "2.4", "Input language", study.language
    yield "2.5", "Output language", study.language


def _sample(campaign: Campaign, facts: Facts) -> Answers:
    low, high = facts.per_system
    each = str(low) if low == high else f"{low} to {high}"
    yield "3.1.1", "Outputs per system", f"{each}, of {facts.systems} systems"
    provenance = "; ".join(str(step) for step in campaign.study.provenance)
    suggestion = f" (at import: {provenance})" if provenance else ""
    yield "3.1.2", "How they were selected", f"{BLANK}{suggestion}"
    yield "3.1.3", "Statistical power of the sample", BLANK


def _evaluators(campaign: Campaign, facts: Facts) -> Answers:
    persons = campaign.annotators.filter(kind=Annotator.Kind.PERSON).exists()
    others = f"; also {_listed(facts.others)}" if facts.others else ""
    many = f"{facts.annotators}{others}" if persons else _hidden(campaign)
    yield "3.2.1", "How many", many
    yield "3.2.2", "What kind: expert or not, paid or not, known or not, authors or not", BLANK
    crowd = campaign.annotators.exclude(platform={}).exists()
    invited = "by a crowd platform" if crowd else "by personal links"
    yield (
        "3.2.3",
        "How they were recruited",
        f"{BLANK} (they came {invited})" if campaign.origin == Campaign.Origin.LIVE else BLANK,
    )
    trained = []
    if campaign.guidelines:
        trained.append("guidelines before the first item and at hand all the time")
    if facts.practice:
        trained.append("practice items with feedback")
    yield "3.2.4", "Training", "; ".join(trained) or f"none stored here {BLANK}"
    asked = "; ".join(campaign.questions)
    yield "3.2.5", "Other characteristics", f"asked: {asked}" if asked else BLANK


def _hidden(campaign: Campaign) -> str:
    known = [a for a in campaign.annotators.all() if a.raters]
    if not known:
        return f"not known here {BLANK}"
    return f"not known here; each value is that of {known[0].raters} raters {BLANK}"


def _design(campaign: Campaign, facts: Facts) -> Answers:
    live = campaign.origin == Campaign.Origin.LIVE
    yield "3.3.1", "Preregistered", BLANK
    yield (
        "3.3.2",
        "How responses were collected",
        "in the browser, with Touchstone" if live else f"elsewhere; imported {BLANK}",
    )
    checks = [f"{count} {kind} control items" for kind, count in facts.controls.items()]
    if facts.practice:
        checks.append("a qualification on practice items")
    yield (
        "3.3.3",
        "Quality assurance",
        f"{'; '.join(checks)}; what failing led to: {BLANK}" if checks else f"none stored {BLANK}",
    )
    rules = campaign.rules
    yield "3.3.4", "What evaluators see", f"{rules.shown} ({rules.title}); one screen an item"
    free = "at their own pace, in as many sittings as they like"
    yield "3.3.5", "Freedom of time", free if live else BLANK
    yield (
        "3.3.6",
        "Questions and feedback",
        f"a comment field on every item; questions before and during: {BLANK}" if live else BLANK,
    )
    yield "3.3.7", "Conditions", f"a place of their own choosing (please check) {BLANK}"
    yield "3.3.8", "Variation of conditions", BLANK


def _criterion(campaign: Campaign, question: Question, facts: Facts) -> Answers:
    rules = campaign.rules
    relative = rules.layout.is_relative
    yield "4.1.1", "Type of quality: correctness, goodness or feature", BLANK
    yield "4.1.2", "Aspect of the output: form, content or both", BLANK
    beside = "relative to the input" if rules.layout.has_source else "in its own right"
    yield "4.1.3", "Frame of reference", f"{beside} (what is shown: {rules.shown})"
    yield "4.2.1", "Objective or subjective", "subjective"
    yield "4.2.2", "Absolute or relative", "relative" if relative else "absolute"
    yield "4.2.3", "Intrinsic or extrinsic", "intrinsic"
    yield "4.3.1", "Name given to evaluators", question.aspect.replace("_", " ")
    yield (
        "4.3.2",
        "Definition given to evaluators",
        "see the guidelines of the campaign" if campaign.guidelines else BLANK,
    )
    asked = question.instrument
    yield "4.3.3", "Size of the scale", asked.size
    yield "4.3.4", "Possible values", asked.values
    yield "4.3.5", "Instrument", asked.kind
    yield "4.3.6", "Task without an instrument", "not applicable"
    yield "4.3.7", "Question as asked", f"“{question.text}”"
    form = "relative quality estimation" if relative else "direct quality estimation"
    yield "4.3.8", "Form of response", form
    yield "4.3.9", "From responses to scores", asked.aggregation
    yield "4.3.10", "Effect size and significance", f"{BLANK} (see the reports' signatures)"
    yield "4.3.11", "Agreement", _agreement(question.aspect, facts)


def _agreement(aspect: str, facts: Facts) -> str:
    for found in facts.agreement:
        if found.aspect == aspect:
            said = [
                f"{AGREEMENT_NAMES[name]} undefined: {result.reason}"
                if isinstance(result, Undefined)
                else f"{AGREEMENT_NAMES[name]} {result.value:.3f} (n = {result.n})"
                for name, result in found.results.items()
            ]
            return "between annotators: " + "; ".join(said)
    return "not measured"


def _ethics(campaign: Campaign) -> Answers:
    yield "5.1", "Approval by an ethics committee", BLANK
    asked = " (annotators gave consent to a text of the owner)" if campaign.consent else ""
    yield (
        "5.2",
        "Personal data",
        f"{BLANK} annotators are stored under pseudonyms; names and addresses, where given, "
        f"stand apart and can be deleted{asked}",
    )
    yield "5.3", "Special categories of data", BLANK
    yield "5.4", "Impact assessments", BLANK


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
        f"{_listed([*judges, *facts.others])} judged {facts.items:,} items of {facts.systems} "
        f"systems under the protocol “{rules.title}” ({rules.shown}), on {_listed(asked)}."
    )
    if campaign.origin == Campaign.Origin.LIVE:
        design = DESIGNS.get(Campaign.Design(campaign.design), campaign.design)
        parts.append(
            f"Items were assigned by {design}, with {campaign.ratings_per_item} "
            f"rating{'s' if campaign.ratings_per_item > 1 else ''} per item; orders and sides "
            "were drawn at random per annotator, and systems were hidden."
        )
    if facts.controls:
        kinds = _listed([f"{count} {kind}" for kind, count in facts.controls.items()])
        parts.append(f"{kinds} control items were spread among them and are not counted.")
    if facts.seconds is not None:
        parts.append(f"A judgement took {facts.seconds:.0f} seconds of active time (median).")
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


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "nothing"
