"""Fields for the rule by which a campaign stops."""

from collections.abc import Mapping
from typing import Any

from annotation.designs.stopping import GOALS, METHODS, RuleError, StoppingRule, rule_of
from annotation.forms.declared import Fields, field
from annotation.models import Campaign
from annotation.protocols.questions import Question
from annotation.selection.rated_systems import offered_systems

STOPPING_HELP = (
    "Stated before the start and fixed from then on. Intervals hold at every look, so that the "
    "monitor may be read at any time. Needs the shared queue: lists that are made beforehand "
    "complete segments in the order of whoever rates fastest."
)
OF_RELATIVE_SCORES = (
    " Scores are relative to the outputs on the same page, so that every page is rated whole, and "
    "no system is left out when it is settled."
)
NO_RULE_IN_SETS = (
    "A task of a set has no stopping rule: the tasks ask the same annotators about the same texts, "
    "and a task that ends early would leave texts with answers to some tasks only."
)
START = "stopping-"


def stopping_help(campaign: Campaign) -> str:
    """Return what an owner should know before stating a rule."""
    relative = campaign.rules.layout.has_many({})
    return STOPPING_HELP + (OF_RELATIVE_SCORES if relative else "")


def of_stopping(campaign: Campaign, asked: tuple[Question, ...]) -> Fields:
    """Return what states a rule."""
    rule = rule_of(campaign.selection)
    chosen = rule or StoppingRule("", asked[0].aspect)
    systems = [("", "–"), *((str(s.pk), s.name) for s in offered_systems(campaign.study))]
    goals = [("", "no rule: every item gets all of its ratings"), *GOALS.items()]
    aspects = [(each.aspect, each.aspect.replace("_", " ")) for each in asked]
    first, second = (str(pk) for pk in chosen.pair) if chosen.pair else ("", "")
    scale = campaign.rules.layout.score_words
    wide = f"{scale[:1].upper()}{scale[1:]}"
    found = {
        "goal": field(f"{START}goal", rule.goal if rule else "", goals),
        "aspect": field(f"{START}aspect", chosen.aspect, aspects),
        "first": field(f"{START}first", first, systems),
        "second": field(f"{START}second", second, systems),
        "clusters": field(f"{START}clusters", chosen.clusters or None),
        "margin": field(f"{START}margin", chosen.margin or None, scale=scale),
        "half_width": field(f"{START}half_width", chosen.half_width or None, Scale=wide),
        "method": field(f"{START}method", chosen.method, list(METHODS.items())),
    }
    if not campaign.rules.layout.has_many({}):
        found["adaptive"] = field(f"{START}adaptive", chosen.adaptive)
    found["automatic"] = field(f"{START}automatic", chosen.automatic)
    return {START + name: each for name, each in found.items()}


def read_stopping(campaign: Campaign, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rule that was stated, as a campaign keeps it; None where none was.

    Raises
    ------
    RuleError
        If it says too little.
    """
    given = {name.removeprefix(START): each for name, each in values.items()}
    if not given.get("goal"):
        return None
    goal = given["goal"]
    pair = None
    if goal == "pair" and given["first"] and given["second"]:
        pair = (int(given["first"]), int(given["second"]))
    rule = StoppingRule(
        goal=goal,
        aspect=given["aspect"],
        pair=pair,
        clusters=given["clusters"] or 0 if goal == "clusters" else 0,
        margin=given["margin"] or 0.0 if goal in ("pairs", "pair") else 0.0,
        half_width=given["half_width"] or 0.0 if goal in ("means", "differences") else 0.0,
        method=given["method"] or "empirical-bernstein",
        adaptive=given.get("adaptive", False),
        automatic=given["automatic"],
    )
    rule.check()
    if goal == "means" and campaign.rules.layout.compares == "outputs":
        raise RuleError(
            "goal", "Two outputs are compared, so that systems have no means: choose another goal."
        )
    systems = {int(pk) for pk in values.get("systems", ())}
    if rule.pair is not None and not systems.issuperset(rule.pair):
        raise RuleError("second", "Choose two systems that are rated.")
    return rule.stored()
