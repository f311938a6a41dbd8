"""Prompts made of what a campaign tells and asks its raters."""

from dataclasses import dataclass

from annotation.models import Campaign
from annotation.protocols.questions import Choice, Question, Scale
from corpus.vocabulary.aspects import find_aspect
from metrics.scorers.judge import LETTERS, NEITHER, PROMPTS


class JudgingError(ValueError):
    """What a judge cannot be asked, and what to do."""


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """A question of a campaign, as a judge is asked it.

    Attributes
    ----------
    prompt
        With places for the texts.
    lowest, highest
        Ends of the scale; 0 where two texts are compared.
    metric
        What the answers measure: the end of the key of a judge.
    ties
        Whether neither of two texts may be better.
    """

    campaign: str
    aspect: str
    prompt: str
    lowest: float = 0.0
    highest: float = 0.0
    metric: str = ""
    ties: bool = False

    @property
    def of_pairs(self) -> bool:
        """Whether two texts are compared."""
        return not self.highest


def aspects_of(campaign: Campaign) -> list[str]:
    """Return the aspects of a campaign that a judge can be asked about."""
    return [each.aspect for each in _questions(campaign) if _can_be_put(campaign, each)]


def put_question(campaign: Campaign, aspect: str, *, guidelines: bool = True) -> PutQuestion:
    """Return a campaign's question about an aspect as a prompt.

    Parameters
    ----------
    campaign, aspect
    guidelines
        Whether the campaign's guidelines stand before it.

    Raises
    ------
    JudgingError
        If a judge cannot be asked this.
    """
    known = {each.aspect: each for each in _questions(campaign)}
    aspect = aspect or next(iter(known), "")
    if aspect not in known:
        has = ", ".join(known) or "none"
        raise JudgingError(f"{campaign} has no question about {aspect!r}; it asks about: {has}")
    question = known[aspect]
    if campaign.rules.setting(campaign.config, "masked", False):
        raise JudgingError(f"{campaign} shows masked texts, and judges see the texts as they are")
    of_pairs = isinstance(question, Choice) and campaign.rules.layout.compares == "outputs"
    if not (of_pairs or isinstance(question, Scale)):
        raise JudgingError(
            f"{campaign}: a judge can be asked about one output on a scale, or which of two "
            "outputs is better; this protocol asks otherwise"
        )
    rules, config = campaign.rules, campaign.config
    parts = []
    if guidelines and campaign.guidelines.strip():
        parts.append(f"Guidelines:\n\n{campaign.guidelines.strip()}\n\nEnd of the guidelines.")
    if rules.layout.shows_source(rules, config):
        parts.append("Source: {source}")
    if not isinstance(question, Scale):
        ties = isinstance(question, Choice) and question.tie
        parts += ["Text A: {a}", "Text B: {b}", question.text]
        parts.append(f"{LETTERS}{NEITHER if ties else ''}.")
        return PutQuestion(campaign.slug, aspect, "\n\n".join(parts), ties=ties)
    parts.append("Text: {output}")
    if rules.shows_target_style(config):
        parts.append("The text should be {target_style}.")
    parts.append(question.text)
    if question.labels:
        words = "\n".join(f"{at:g}: {said}" for at, said in question.labels if said)
        parts.append(f"Scale from {question.low:g} to {question.high:g}:\n{words}")
    ends = f"from {question.low:g} to {question.high:g}"
    parts.append(f"Answer with one number {ends} and nothing else.")
    return PutQuestion(
        campaign.slug,
        aspect,
        "\n\n".join(parts),
        float(question.low),
        float(question.high),
        _measured(aspect),
    )


def _questions(campaign: Campaign) -> tuple[Question, ...]:
    try:
        return campaign.rules.questions(campaign.config)
    except (LookupError, ValueError):
        return ()  # A table of ratings whose protocol is not known asks nothing.


def _can_be_put(campaign: Campaign, question: Question) -> bool:
    if isinstance(question, Choice):
        return campaign.rules.layout.compares == "outputs"
    return isinstance(question, Scale)


def _measured(aspect: str) -> str:
    """Return which judge answers a question about an aspect."""
    if aspect in PROMPTS:
        return aspect
    family = str(find_aspect(aspect).family)
    return family if family in PROMPTS else "overall"
