"""Texts masked by word attributions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from corpus.texts.masking import Masked, mask_spans
from metrics.attribution.attribution import Attribution, Unit, units

PADDING = "[PAD]"
REMOVED = ""
"""Placeholder that removes words instead."""
NO_PROBABILITIES = "least_probability: a model with one column has no probabilities; set it to 0"
ProbabilityOf = Literal["other-styles", "source-style"]
AT_LEAST_ONE = "at-least-one"
AS_IN_2022 = "report-2022"
RULES: Mapping[str, str] = {
    AT_LEAST_ONE: "the strongest word is always masked",
    "within-share": "nothing is masked where the strongest word alone exceeds the threshold",
    AS_IN_2022: "the settings of the report of 2022: single word pieces, special tokens ranked, "
    "the strongest always chosen",
}
"""What happens where one word has more than the threshold; the first is the published rule."""
REPORT_2022: Mapping[str, Any] = {"merge_words": False, "rank_special": True, "at_least_one": True}
"""Of `MaskingRule`: the rule of the report of 2022, whose baseline is ``pad-all``."""


@dataclass(frozen=True, slots=True)
class MaskingRule:
    """Which words of an attributed text are masked, and by what.

    Attributes
    ----------
    threshold
        Largest cumulative share of the masked words, 0 to 1.
    placeholder
        What stands in place of a masked word; empty to remove words.
    merge_words
        Whether whole words are masked, not single pieces.
    rank_special
        Whether special tokens are ranked too. One that is chosen takes its share of the
        threshold and changes nothing in the text.
    at_least_one
        Whether the strongest word is masked even if it alone exceeds the threshold (`RULES`).
    least_probability
        Nothing is masked in a text in which the classifier sees less of `probability_of` than
        this; a model with one column has no probabilities.
    probability_of
        ``other-styles``: all but the attributed one together; ``source-style``: the style that
        the text comes from. With two styles the two are one.
    """

    threshold: float = 0.3
    placeholder: str = PADDING
    merge_words: bool = True
    rank_special: bool = False
    at_least_one: bool = True
    least_probability: float = 0.0
    probability_of: ProbabilityOf = "other-styles"


def mask_by_attribution(
    text: str, attribution: Attribution, rule: MaskingRule, source_column: int | None = None
) -> Masked:
    """Mask the words of a text to which most is attributed.

    Parameters
    ----------
    text
        The text that was attributed.
    attribution
        For the target style.
    rule
        What to mask.
    source_column
        Of the style that the text comes from, for rules about its probability.

    Returns
    -------
    Masked
        All that is not masked stays as it is, to the character. `is_emptied` says that words were
        masked and none is left: such a text is undefined.

    Raises
    ------
    ValueError
        If the rule asks for a probability and the model has one column, or for that of the source
        style and its column is not given.
    PlaceholderError
        If the placeholder could be taken for a part of a word.
    """
    if rule.least_probability and _probability(attribution, rule, source_column) < (
        rule.least_probability
    ):
        return Masked(text, ())
    found = units(text, attribution, merge_words=rule.merge_words, rank_special=rule.rank_special)
    chosen = select(found, rule.threshold, at_least_one=rule.at_least_one)
    spans = sorted((unit.start, unit.end) for unit in chosen if unit.end > unit.start)
    return mask_spans(text, _apart(spans), placeholder=rule.placeholder)


def _probability(attribution: Attribution, rule: MaskingRule, source_column: int | None) -> float:
    if len(attribution.logits) < 2:
        raise ValueError(NO_PROBABILITIES)
    if rule.probability_of == "other-styles":
        return 1.0 - float(attribution.probabilities[attribution.column])
    if source_column is None:
        raise ValueError("probability_of: the column of the source style is not given")
    return float(attribution.probabilities[source_column])


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join places that overlap: pieces of one sign share its place."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


ROUNDING = 1e-9
"""So that shares such as .1 + .2 reach a threshold of .3."""


def select(units: Sequence[Unit], threshold: float, *, at_least_one: bool = True) -> list[Unit]:
    """Choose units in falling order of their shares while the cumulative share stays within.

    The strongest is always chosen, by the rule of the report of 2022.

    Parameters
    ----------
    units
        With their shares.
    threshold
        Largest cumulative share, 0 to 1; the literature tries .1 to .5.
    at_least_one
        Whether the strongest unit is chosen even if it alone exceeds the threshold. Without it, a
        text whose style hangs on one word keeps that word.

    Returns
    -------
    list of Unit
        In falling order of shares; of equal shares the earlier unit comes first. The first unit
        that does not fit ends the choice, even if a weaker one would fit. Units without any
        attribution are never chosen.

    Raises
    ------
    ValueError
        If the threshold is not between 0 and 1.

    Examples
    --------
    >>> words = [Unit(0, 1, 2.0, 0.2), Unit(2, 3, 7.0, 0.7), Unit(4, 5, -1.0, 0.1)]
    >>> [unit.start for unit in select(words, 0.5)]
    [2]
    >>> select(words, 0.5, at_least_one=False)
    []
    >>> [unit.start for unit in select(words, 0.9)]
    [2, 0]
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold {threshold}: expected a share from 0 to 1")
    chosen: list[Unit] = []
    cumulative = 0.0
    for unit in sorted(units, key=lambda each: -each.share):
        cumulative += unit.share
        is_within = cumulative <= threshold + ROUNDING
        if not unit.share or not (is_within or (at_least_one and not chosen)):
            break
        chosen.append(unit)
        if not is_within:
            break
    return chosen
