"""What earns the top, the middle and the bottom of a scale, aspect by aspect."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import (
    content,
    joined,
    point,
    rewriting,
    styles,
    target,
)
from annotation.protocols.language import translated
from annotation.protocols.questions import Scale
from corpus.aspects import aspect_of

Level = tuple[str, str, str]
"""A title, a criterion, and the kind of rewriting that is its example."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """How one aspect is judged.

    Parameters
    ----------
    judged
        What counts and what does not.
    top, middle, bottom
        With ``{target}`` where the target style is named.
    labels
        Words for the bottom, the middle and the top on the scale; short, they stand below a slider.
    """

    judged: str
    top: Level
    middle: Level
    bottom: Level
    labels: tuple[str, str, str]


_FLUENCY = Criteria(
    "Is the output correct and easy to read? Grammar, spelling, word order and words that go "
    "together count. Neither the style nor what the output says counts. A short form that people "
    "write on purpose is no mistake in an informal text.",
    ("flawless", "You read it once and stumble over nothing.", "full"),
    ("understandable, with mistakes", "You understand it, but some of it is wrong.", "clumsy"),
    ("hard to understand", "You have to guess what it is to mean.", "broken"),
    ("not at all", "with mistakes", "flawless"),
)
_NATURALNESS = Criteria(
    "Could a person who knows the language well have written this text? Word order, words that go "
    "together, and whether the text makes sense count. The style does not count: a rude, a chatty "
    "and a stiff text can all be natural.",
    ("completely natural", "Nothing makes you think that no person wrote it.", "full"),
    ("understandable but odd", "It is clear what is meant, but no person writes so.", "clumsy"),
    ("not natural at all", "It is a jumble of words, or makes no sense.", "broken"),
    ("not at all", "odd", "completely"),
)
CRITERIA: Mapping[str, Criteria] = {
    "style": Criteria(
        "How far does the output have the {target}? Judge the style alone. An output in the right "
        "style that says something else, or that has mistakes, is still in the right style.",
        ("throughout", "All of the output has the {target}.", "full"),
        ("in part", "Some of it has the {target}, some has kept the style of the source, or it "
         "lies between the two styles.", "half"),
        ("not at all", "Nothing of the {target} is there. The source unchanged belongs here.",
         "source"),
        ("not at all", "in part", "throughout"),
    ),
    "content": Criteria(
        "How much of what the source says does the output keep? Compare detail by detail. The "
        "change of style itself is wanted and is no loss; mistakes of language do not count "
        "as long as you see what is meant.",
        ("everything is kept", "It says all that the source says, and nothing else.", "full"),
        ("the main point is kept", "It speaks of the same matter, but a detail is missing, added "
         "or changed.", "drifted"),
        ("nothing is kept", "It speaks of something else, or hardly anything is left of what the "
         "source says.", "unrelated"),
        ("nothing", "the main point", "everything"),
    ),
    "fluency": _FLUENCY,
    "naturalness": _NATURALNESS,
    "overall": Criteria(
        "How good is the output as a rewriting of the source in the {target}? It is to have the "
        "style, to keep the content, and to read well. An output that fails in one of the three "
        "is not good, however well it does in the others.",
        ("very good", "You would hand it in as it is.", "full"),
        ("fair", "You would keep it after a correction: one of the three is lacking.", "clumsy"),
        ("useless", "You would throw it away and write a new one.", "unrelated"),
        ("useless", "fair", "very good"),
    ),
}  # fmt: skip
OTHER = Criteria(
    "Judge this quality of the output by itself; let nothing else that is good or bad about the "
    "output count.",
    ("fully", "Nothing is left to wish for.", ""),
    ("in part", "It is there, but something is clearly lacking.", ""),
    ("not at all", "Nothing of it is there.", ""),
    ("not at all", "in part", "fully"),
)


def criteria_of(aspect: str) -> Criteria:
    """Return how an aspect is judged, under whichever of its names."""
    return CRITERIA.get(aspect_of(aspect).key, OTHER)


def judged(asked: Asked, aspect: str) -> str:
    """Say what counts for an aspect and what does not."""
    meaning = {"style": styles, "content": content}.get(aspect_of(aspect).key)
    words = _filled(asked, criteria_of(aspect).judged)
    return joined(words, meaning(asked)) if meaning else words


def points(asked: Asked, scale: Scale) -> list[str]:
    """Return what earns the top, the middle and the bottom of a scale, with examples."""
    criteria = criteria_of(scale.aspect)
    middle = (scale.low + scale.high) / 2
    levels = zip(
        (scale.high, middle, scale.low),
        (criteria.top, criteria.middle, criteria.bottom),
        strict=True,
    )
    return [
        point(
            f"{answer:g}",
            translated(title),
            _filled(asked, criterion),
            *([rewriting(asked, asked.examples.guide, kind)] if kind else []),
        )
        for answer, (title, criterion, kind) in levels
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the bottom, the middle and the top of a scale."""
    places = (scale.low, (scale.low + scale.high) / 2, scale.high)
    words = criteria_of(scale.aspect).labels
    return {f"{place:g}": translated(text) for place, text in zip(places, words, strict=True)}


def _filled(asked: Asked, words: str) -> str:
    return translated(words, target=target(asked))
