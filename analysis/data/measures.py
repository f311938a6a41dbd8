"""Measures: an aspect as it was asked, so that nothing is pooled that was asked differently.

Ratings belong to one measure where they share the campaign, the aspect, the protocol, the scale,
the texts shown (style words masked or not) and the kind of rater. Campaigns that asked the same in
the same way share a measure only where the study declares it (`analysis.data.pooling`). A measure
is named after its aspect, with as many words in brackets as it takes to tell it from the others of
a study.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from annotation.protocols.catalogue import PROTOCOLS, Protocol, protocol
from annotation.protocols.protocol import ConfigError
from corpus.vocabulary.aspects import Declared, Family, find_aspect

MODEL = "model"
PLACE = "place"
SINGLE_RATERS = ("person", PLACE, MODEL)
"""Kinds of whom every rating is known, so that agreement can be computed; no measure mixes them."""
TOGETHER_WORDS = {
    "mean": "means of several raters",
    "median": "medians of several raters",
    "majority": "majorities of several raters",
    "unstated": "ratings of which the files do not say who gave them",
}
"""What is known of ratings where it is not known what each rater gave."""
NOT_IDENTIFIED = (
    "these raters are not identified: who gave the first rating of one output is not known to have "
    "given that of another"
)
"""Why nothing is computed of a rater who is a place in a list."""
RATER_WORDS = {
    "person": "persons",
    PLACE: "unnamed raters",
    "mean": "means",
    "median": "medians",
    "majority": "majorities",
    "unstated": "unstated raters",
    MODEL: "models",
}
"""Kinds of raters, as names of measures say them."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One aspect, asked in one way.

    Parameters
    ----------
    aspect, family
        Key of the aspect, and the family of metrics that measure it.
    asked_as
        The name under which its ratings are stored; two names are two questions.
    protocol
        Key of the protocol.
    answers
        ``scale`` for numbers, ``choices`` for preferences, ``categories`` for words about one text.
    scale
        Lowest and highest answer; None where nothing declares them.
    shown
        ``masked`` or ``plain`` where the protocol can mask style words; empty where it cannot, or
        where an import does not say.
    raters
        Kind of the raters.
    name
        What pages, commands and addresses call it; no two of a study share one.
    lower_is_better
        Whether a low answer is the better one, as with ranks.
    campaigns
        Slugs of the campaigns that asked: one, or several that the study declares to be pooled.
    settings
        Other settings of the protocol that are known, such as whether a tie could be answered.
    """

    aspect: str
    family: Family
    asked_as: str
    protocol: str = "unstated"
    answers: str = "scale"
    scale: tuple[float, float] | None = None
    shown: str = ""
    raters: str = "person"
    name: str = ""
    lower_is_better: bool = False
    campaigns: tuple[str, ...] = ()
    settings: str = ""

    @property
    def is_by_models(self) -> bool:
        """Whether language models rated, not persons."""
        return self.raters == MODEL


@dataclass(frozen=True, slots=True)
class Asked:
    """A name under which one kind of rater of one campaign answered.

    `campaign` and `measure` index those of the study; `ratings` counts the answers.
    """

    name: str
    campaign: int
    raters: str
    measure: int
    ratings: int


def measure_of(
    asked_as: str,
    declared: Declared,
    campaign: str,
    followed: str,
    config: Mapping[str, Any],
    *,
    live: bool,
    answers: str,
    raters: str,
) -> Measure:
    """Return the measure, yet without a name, that the ratings of one campaign belong to.

    Parameters
    ----------
    asked_as
        Name of the aspect as it is stored.
    declared
        What the study declares of names of aspects.
    campaign, followed, config
        The campaign's slug, protocol and configuration.
    live
        Whether the campaign was run here: its protocol's defaults then hold.
    answers
        Kind of the answers, as in `Measure`.
    raters
        Kind of the raters.
    """
    rules = protocol(followed) if followed in PROTOCOLS else protocol("unstated")
    aspect = find_aspect(asked_as, declared)
    return Measure(
        aspect=aspect.key,
        family=aspect.family,
        asked_as=asked_as,
        protocol=rules.key,
        answers=answers,
        scale=_scale(asked_as, rules, config) if answers == "scale" else None,
        shown=_shown(rules, config, live),
        raters=raters,
        lower_is_better=rules.layout.lower_is_better and answers == "scale",
        campaigns=(campaign,),
        settings=_settings(rules, config, live),
    )


def _scale(asked_as: str, rules: Protocol, config: Mapping[str, Any]) -> tuple[float, float] | None:
    declared = config.get("scales", {}).get(asked_as) or rules.scale
    return (float(declared[0]), float(declared[1])) if declared else None


def _shown(rules: Protocol, config: Mapping[str, Any], live: bool) -> str:
    masked = rules.setting(config, "masked", None) if live or "masked" in config else None
    return "" if masked is None else "masked" if masked else "plain"


def _settings(rules: Protocol, config: Mapping[str, Any], live: bool) -> str:
    """Return what else is known of how it was asked; of an import only what it says."""
    known = []
    for each in rules.settings:
        if each.name not in _SAID_ELSEWHERE and (live or each.name in config):
            with suppress(ConfigError):
                known.append(f"{each.name} {each.read(config)}")
    return ", ".join(known)


_SAID_ELSEWHERE = ("aspects", "masked")
"""Settings that a measure states in fields of their own."""


def named(measures: Iterable[Measure]) -> list[Measure]:
    """Name measures after their aspects, apart where several share one.

    Examples
    --------
    >>> masked = Measure("content", "content", "content", "content_preservation", shown="masked")
    >>> [m.name for m in named([masked, replace(masked, shown="plain")])]
    ['content (masked)', 'content (plain)']
    """
    found = list(dict.fromkeys(measures))
    names: dict[Measure, str] = {}
    key = _aspect_and_models
    for _, group in groupby(sorted(found, key=key), key):
        members = list(group)
        words = _told_apart(members, _QUALIFIERS)
        for member, qualifiers in zip(members, words, strict=True):
            said = [word for word in qualifiers if word]
            said += [RATER_WORDS[MODEL]] if member.is_by_models else []
            names[member] = f"{member.aspect} ({', '.join(said)})" if said else member.aspect
    return [replace(measure, name=names[measure]) for measure in found]


def _aspect_and_models(measure: Measure) -> tuple[str, bool]:
    return measure.aspect, measure.is_by_models


def _protocol_words(measure: Measure) -> str:
    """Return how the protocol asks, less the aspect: content preservation is ``preservation``."""
    return PROTOCOLS[measure.protocol].manner.removeprefix(f"{measure.aspect} ")


def _scale_words(measure: Measure) -> str:
    return f"{measure.scale[0]:g}–{measure.scale[1]:g}" if measure.scale else "scale not declared"


def _asked_as_words(measure: Measure) -> str:
    """Return the name that was asked, less the aspect: `overall_derived` is ``derived``."""
    rest = measure.asked_as.removeprefix(measure.aspect).strip("_ ")
    return rest.replace("_", " ")


def campaign_words(measure: Measure) -> str:
    """Return the campaigns of a measure for a name or a sentence.

    Examples
    --------
    >>> campaign_words(Measure("style", "style", "style", campaigns=("first", "second")))
    'first and second'
    """
    return " and ".join(filter(None, [", ".join(measure.campaigns[:-1]), *measure.campaigns[-1:]]))


_ANSWER_WORDS = {"scale": "scores", "choices": "preferences", "categories": "categories"}
_QUALIFIERS = (
    _protocol_words,
    lambda measure: _ANSWER_WORDS[measure.answers],
    lambda measure: measure.shown or "not stated whether masked",
    _scale_words,
    lambda measure: RATER_WORDS.get(measure.raters, measure.raters),
    _asked_as_words,
    campaign_words,
)


def _told_apart(members: Sequence[Measure], qualifiers: Sequence[Any]) -> list[list[str]]:
    """Return for each member the words that tell it from the others, the fewest in order."""
    if len(members) < 2 or not qualifiers:
        return [[] for _ in members]
    first, *others = qualifiers
    words = [first(member) for member in members]
    if len(set(words)) == 1:
        return _told_apart(members, others)
    result: list[list[str]] = [[] for _ in members]
    for value in dict.fromkeys(words):
        places = [place for place, word in enumerate(words) if word == value]
        further = _told_apart([members[place] for place in places], others)
        for place, more in zip(places, further, strict=True):
            result[place] = [value, *more]
    return result
