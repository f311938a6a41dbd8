"""Pooling: campaigns whose ratings are one measure, because the study declares it.

Nothing is pooled otherwise. A declaration names two campaigns that asked the same in the same way,
and holds for the measures that are equal in all but the campaign, on a scale that is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.data.judgements import Judgements
from analysis.data.measures import Measure, campaign_words

Pooled = Mapping[str, str]
"""What a study declares: a campaign to another one that asked the same in the same way."""


def pooled(measures: Sequence[Measure], declared: Pooled) -> list[Measure]:
    """Return measures of one campaign each as those that a study declares to be pooled.

    Examples
    --------
    >>> one = Measure("style", "style", "style", scale=(1, 5), campaigns=("one",))
    >>> two = replace(one, campaigns=("two",))
    >>> [each.campaigns for each in pooled([one, two], {"two": "one"})]
    [('one', 'two'), ('one', 'two')]
    >>> [each.campaigns for each in pooled([one, two], {})]
    [('one',), ('two',)]
    """
    first_of = _first_of_each(declared)
    keys = [
        replace(each, campaigns=tuple(first_of.get(slug, slug) for slug in each.campaigns))
        if not _why_never(each)
        else each
        for each in measures
    ]
    together: dict[Measure, set[str]] = {}
    for key, each in zip(keys, measures, strict=True):
        together.setdefault(key, set()).update(each.campaigns)
    return [replace(key, campaigns=tuple(sorted(together[key]))) for key in keys]


def _first_of_each(declared: Pooled) -> dict[str, str]:
    """Return for each campaign that is declared the first of all that are pooled with it."""
    groups: dict[str, set[str]] = {}
    for pair in declared.items():
        joined = set(pair).union(*(groups.get(slug, set()) for slug in pair))
        groups |= dict.fromkeys(joined, joined)
    return {slug: min(members) for slug, members in groups.items()}


def why_not_pooled(first: Sequence[Measure], second: Sequence[Measure]) -> str:
    """Say why the ratings of two campaigns cannot be pooled; empty where they can.

    Parameters
    ----------
    first, second
        Measures of one campaign each, not pooled.
    """
    alike = [
        (one, other)
        for one in first
        for other in second
        if (one.asked_as, one.raters) == (other.asked_as, other.raters)
    ]
    if not alike:
        return "they have no aspect in common that raters of one kind answered"
    return next(filter(None, (_difference(*pair) for pair in alike)), "")


def _difference(one: Measure, other: Measure) -> str:
    """Say in what two measures of one aspect differ, or why they are never pooled."""
    for title, field in _COMPARED.items():
        values = getattr(one, field), getattr(other, field)
        if values[0] != values[1]:
            shown = (_shown(each) for each in values)
            where = (campaign_words(each) for each in (one, other))
            parts = " and ".join(f"{v} in {w}" for v, w in zip(shown, where, strict=True))
            return f"{title} of {one.asked_as} is {parts}"
    return _why_never(one)


_COMPARED = {
    "the protocol": "protocol",
    "the kind of answer": "answers",
    "what is known of the texts shown": "shown",
    "the scale": "scale",
    "a setting": "settings",
    "the aspect": "aspect",
}


def _why_never(measure: Measure) -> str:
    """Say why a measure is never pooled, whatever is declared; empty where it can be."""
    if measure.answers == "scale" and measure.scale is None:
        return f"the scale of {measure.asked_as} is not declared; declare it first"
    return ""


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " to ".join(f"{end:g}" for end in value)
    return str(value or "not declared").replace("_", " ")


def pooled_words(judged: Judgements, measures: Sequence[Measure]) -> list[str]:
    """Return a sentence for each of some measures whose ratings here are of several campaigns."""
    found = []
    for measure in measures:
        rows = judged.aspect == judged.aspects.index(measure.name)
        slugs = [judged.campaigns[index].slug for index in np.unique(judged.campaign[rows])]
        if len(slugs) > 1:
            met = campaign_words(replace(measure, campaigns=tuple(slugs)))
            found.append(
                f"Ratings of {measure.name} are pooled over the campaigns {met}, as the study "
                f"declares{_of_one_name(judged, rows)}"
            )
    return found


def _of_one_name(judged: Judgements, rows: NDArray[np.bool_]) -> str:
    """Say that raters of several campaigns share a name, where they do."""
    raters = [judged.annotators[index] for index in np.unique(judged.annotator[rows])]
    shared = len(raters) - len({rater.pseudonym for rater in raters})
    return "; raters of the same name count once for each campaign" if shared else ""
