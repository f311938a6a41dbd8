"""The answers of a human-evaluation datasheet (HEDS 3.0) that are known of a campaign.

Numbers of questions are those of Belz and Thomson (2024); headings are ours, in brief. What only
people can say is left as a blank that is marked, unless the study declares it for publication.
"""

from collections.abc import Iterator

from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.datasheets.campaign_facts import BLANK, Facts, listed
from analysis.datasheets.registered import registration_sentence
from analysis.stats.results import Undefined
from analysis.wording import AGREEMENT_NAMES
from annotation.models import Annotator, Campaign
from annotation.protocols.questions import Question
from corpus.models import Study
from corpus.vocabulary.publication_details import Details, details_shown

Answers = Iterator[tuple[str, str, str]]


def sections(campaign: Campaign, facts: Facts) -> Iterator[tuple[str, Answers]]:
    """Yield heading and answers of each section of a campaign's datasheet."""
    study = campaign.study
    details = details_shown(study.declarations)
    yield "1 Main reference and resources", _resources(campaign, details)
    yield "2 Systems", _systems(study, matrices.load(study), facts)
    yield "3.1 Sample of outputs", _sample(campaign, facts)
    yield "3.2 Evaluators", _evaluators(campaign, facts)
    yield "3.3 Experimental design", _design(campaign, facts)
    for number, question in enumerate(campaign.rules.questions(campaign.config), start=1):
        heading = f"4 Quality criterion {number}: {question.aspect.replace('_', ' ')}"
        yield heading, _criterion(campaign, question, facts)
    yield "5 Ethics", _ethics(campaign, details)


def _resources(campaign: Campaign, details: Details) -> Answers:
    author = details.authors[0] if details.authors else None
    yield "1.1.1", "Main reference", details.paper or BLANK
    aspects = [q.aspect.replace("_", " ") for q in campaign.rules.questions(campaign.config)]
    yield (
        "1.1.2",
        "Which experiment",
        f"campaign {campaign.slug} of {campaign.study}: {campaign.rules.title}, {listed(aspects)}",
    )
    yield "1.2", "Resources used", f"{BLANK} (the study's archive holds outputs and all ratings)"
    for number, who in (("1.3.1", "person completing this sheet"), ("1.3.2", "contact author")):
        of_author = author if number == "1.3.2" else None
        yield f"{number}.1", f"Name of the {who}", of_author.read_out if of_author else BLANK
        affiliation = of_author.affiliation if of_author else ""
        yield f"{number}.2", f"Affiliation of the {who}", affiliation or BLANK
        contact = details.contact if of_author and "@" in details.contact else ""
        yield f"{number}.3", f"E-mail address of the {who}", contact or BLANK


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
    chosen = campaign.chosen_segments
    selected = f"{chosen.words}{suggestion}" if chosen else f"{BLANK}{suggestion}"
    yield "3.1.2", "How they were selected", selected
    yield "3.1.3.1", "Method of power analysis", BLANK
    yield "3.1.3.2", "Statistical power of the sample", BLANK
    yield "3.1.3.3", "Code of the power analysis", BLANK


def _evaluators(campaign: Campaign, facts: Facts) -> Answers:
    persons = campaign.annotators.filter(kind=Annotator.Kind.PERSON).exists()
    others = f"; also {listed(facts.others)}" if facts.others else ""
    many = f"{facts.annotators}{others}" if persons else _hidden(campaign)
    yield "3.2.1", "How many", many
    yield "3.2.2.1", "Experts of the domain", BLANK
    yield "3.2.2.2", "Paid or rewarded", BLANK
    yield "3.2.2.3", "Known to the researchers before", BLANK
    yield "3.2.2.4", "Researchers among the evaluators", BLANK
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
    yield "3.3.1", "Preregistered", registration_sentence(campaign) or BLANK
    yield (
        "3.3.2",
        "How responses were collected",
        "in the browser, with Touchstone" if live else f"elsewhere; imported {BLANK}",
    )
    checks = [f"{count} {kind} control items" for kind, count in facts.controls.items()]
    if facts.practice:
        checks.append("a qualification on practice items")
    if facts.kept is not None:
        kept = f"{facts.kept} kept all the same" if facts.kept else "none kept all the same"
        checks.append(f"a warning before saving where answers contradict each other ({kept})")
    automatic = "automatic checks during the evaluation" if checks else f"none stored {BLANK}"
    yield "3.3.3.1", "Types of quality assurance", automatic
    yield (
        "3.3.3.2",
        "Methods of quality assurance",
        f"{'; '.join(checks)}; what failing led to: {BLANK}" if checks else f"none stored {BLANK}",
    )
    yield "3.3.4.1", "Where the interface can be viewed", BLANK
    yield "3.3.4.2", "What evaluators see", _seen(campaign)
    free = "at their own pace, in as many sittings as they like"
    yield "3.3.5", "Freedom of time", free if live else BLANK
    yield (
        "3.3.6",
        "Questions and feedback",
        f"a comment field on every item; questions before and during: {BLANK}" if live else BLANK,
    )
    yield "3.3.7", "Conditions", f"a place of their own choosing (please check) {BLANK}"
    yield "3.3.8", "Variation of conditions", BLANK


def _seen(campaign: Campaign) -> str:
    """Say what a page shows, with the settings that were switched on."""
    rules, config = campaign.rules, campaign.config
    page = "all outputs of a source on one page" if config.get("table") else "one item page each"
    on = [
        each.label for each in rules.settings if each.default is False and each.read(config) is True
    ]
    return f"{rules.shown} ({rules.title}); {page}{f'; switched on: {listed(on)}' if on else ''}"


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
    yield "4.3.1.1", "Name given to evaluators", question.aspect.replace("_", " ")
    yield "4.3.1.2", "Name in a standard set of criteria", BLANK
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
    methods, scores = _agreement(question.aspect, facts)
    yield "4.3.11.1", "Inter-annotator agreement: method", methods
    yield "4.3.11.2", "Inter-annotator agreement: score", scores
    yield "4.3.12.1", "Intra-annotator agreement: method", f"IntraAA not assessed here {BLANK}"
    yield "4.3.12.2", "Intra-annotator agreement: score", f"IntraAA not assessed here {BLANK}"


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


def _ethics(campaign: Campaign, details: Details) -> Answers:
    yield "5.1", "Approval by an ethics committee", details.ethics or BLANK
    asked = " (annotators gave consent to a text of the owner)" if campaign.consent else ""
    said = f" {details.consent}" if details.consent else ""
    yield (
        "5.2",
        "Personal data",
        f"{BLANK} annotators are stored under pseudonyms; names and addresses, where given, "
        f"are stored separately and can be deleted{asked}{said}",
    )
    yield "5.3", "Special categories of data", BLANK
    yield "5.4", "Impact assessments", BLANK
