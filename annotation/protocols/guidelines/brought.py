"""What a protocol brings to a campaign: guidelines, practice items, words on the scales."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.guidelines.asked import Asked, Direction
from annotation.protocols.guidelines.criteria import scales
from annotation.protocols.guidelines.documents import guidelines, labels, practice
from annotation.protocols.language import language_of, spoken
from annotation.protocols.protocol import Config, Protocol
from corpus.texts.masking import PLACEHOLDER


@dataclass(frozen=True, slots=True)
class Brought:
    """What a protocol brings for one campaign.

    Parameters
    ----------
    guidelines
        In Markdown.
    practice
        Practice items, as a campaign keeps them.
    labels
        By aspect, words for points of its scale.
    questions
        By aspect, the words of its question.
    """

    guidelines: str
    practice: list[dict[str, Any]]
    labels: dict[str, dict[str, str]]
    questions: dict[str, str]


def brought(
    rules: Protocol,
    config: Config,
    directions: Sequence[Direction] = (),
    placeholder: str = PLACEHOLDER,
) -> Brought:
    """Return guidelines, practice items and words on the scales for a campaign, in its language.

    Parameters
    ----------
    rules, config
        A protocol, and what the campaign decides about it.
    directions
        Of the texts that are rated, the most frequent first.
    placeholder
        What stands for a style word in masked texts.

    Raises
    ------
    ConfigError
        If the configuration cannot be used.

    Examples
    --------
    >>> from annotation.protocols.catalogue import protocol
    >>> found = brought(protocol("likert"), {}, [Direction("informal", "formal")])
    >>> len(found.practice), found.labels["content"]["3"]
    (3, 'the main point')
    """
    asked = Asked(rules, config, tuple(directions), placeholder)
    with spoken(language_of(config)):
        words = {scale.aspect: labels(asked, scale) for scale in scales(asked)}
        questions = {
            each.aspect: rules.question_by_default(each.aspect) for each in asked.questions
        }
        return Brought(guidelines(asked), practice(asked), words, questions)
