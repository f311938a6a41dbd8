"""Guidelines, practice items and words on scales that a protocol brings to a campaign.

They are in the folder `written`, by protocol. A text is Markdown in which each line is one message
for translators. `{part}` alone on a line is what a function of `PARTS` says; a line that begins
with `[condition]` or `[not condition]` is left out where that does not hold. `> source: full`
quotes a rewriting of the example under a name, and `5 | title | criterion | full` says what earns
an answer, with a rewriting as its example.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from annotation.protocols.guidelines import criteria
from annotation.protocols.guidelines.asked import Asked, Direction
from annotation.protocols.guidelines.comparing import four_outputs, what_is_better
from annotation.protocols.guidelines.criteria import judged, points, scales, sections
from annotation.protocols.guidelines.practising import item, several
from annotation.protocols.guidelines.wording import (
    about_examples,
    content,
    document,
    heading,
    joined,
    listed,
    point,
    quoted,
    rewriting,
    styles,
    which_target,
)
from annotation.protocols.language import counted, labelled, language_of, spoken, translated
from annotation.protocols.protocol import Config, Protocol
from annotation.protocols.questions import Scale
from corpus.texts.masking import PLACEHOLDER

FOLDER = Path(__file__).with_name("written")
_CONDITION = re.compile(r"\[(not )?(\w+)\] (.*)")
_PART = re.compile(r"\{(\w+)\}")
_MARKS = re.compile(r"^(## |- )")


@cache
def written(name: str) -> Mapping[str, Any]:
    """Return what is written for a protocol, or for several (`several_aspects`, `shared`)."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


CONDITIONS: Mapping[str, Callable[[Asked], bool]] = {
    "masked": lambda asked: asked.is_masked,
    "ties": lambda asked: asked.ties,
    "several": lambda asked: len(asked.questions) > 1,
    "source_shown": lambda asked: bool(asked.rules.setting(asked.config, "show_source")),
    "reference_shown": lambda asked: bool(asked.rules.setting(asked.config, "show_reference")),
}
PARTS: Mapping[str, Callable[[Asked], str]] = {
    "about_examples": about_examples,
    "content": content,
    "four_outputs": lambda asked: four_outputs(asked, written(asked.rules.key)["answers"]),
    "judged": lambda asked: judged(asked, asked.questions[0].aspect),
    "number_of_questions": lambda asked: _number_of_questions(asked),
    "points": points,
    "sections": sections,
    "source_and_output": lambda asked: _rendered(asked, written("shared")["source_and_output"]),
    "styles": styles,
    "unsure": lambda asked: _rendered(asked, written("shared")["unsure"]),
    "what_is_better": what_is_better,
    "which_target": which_target,
    "which_target_if_shown": lambda asked: (
        which_target(asked) if asked.rules.shows_target_style(asked.config) else ""
    ),
}


def _number_of_questions(asked: Asked) -> str:
    singular, plural = written(asked.rules.key)["number_of_questions"]
    return counted(singular, plural, len(asked.questions))


def guidelines(asked: Asked) -> str:
    """Return the guidelines of a campaign, in Markdown."""
    return _rendered(asked, written(asked.rules.key)["text"])


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items as a campaign keeps them."""
    file = written(asked.rules.key)
    if "three" in file:
        entries = written("three_outputs")["practice"]
        return [_of_several(asked, entry, file["three"]) for entry in entries]
    return [
        item(
            asked,
            getattr(asked.examples, entry["case"]),
            entry["shows"],
            joined(*_feedback(asked, entry)),
            against=entry.get("against", ""),
            **entry["expected"],
        )
        for entry in (file if "practice" in file else written("several_aspects"))["practice"]
    ]


def labels(asked: Asked, scale: Scale) -> dict[str, str]:
    """Return words for points of a scale, by answer."""
    own = written(asked.rules.key).get("labels", {})
    return {answer: translated(words) for answer, words in own.items()} or criteria.labels(scale)


def messages(name: str) -> Iterator[str | tuple[str, str]]:
    """Yield the messages of a file for translators; two forms where a number decides."""
    file = written(name)
    texts = [each for key in ("text", "unsure", "source_and_output") if (each := file.get(key))]
    lines = [line for text in texts for line in text.splitlines()]
    for entry in file.get("practice", ()):
        lines += entry.get("feedback") or [entry[key] for key in ("decides", "middle", "last")]
    for line in lines:
        words = _MARKS.sub("", _CONDITION.sub(r"\3", line))
        if " | " in words:
            yield from words.split(" | ")[1:3]
        elif words and not words.startswith("> ") and not _PART.fullmatch(words):
            yield words
    if "number_of_questions" in file:
        singular, plural = file["number_of_questions"]
        yield singular, plural
    three = file.get("three", {})
    yield from (*file.get("labels", {}).values(), *file.get("answers", ()))
    yield from (three[key] for key in ("middle", "last") if key in three)


def _rendered(asked: Asked, text: str) -> str:
    paragraphs = text.strip().split("\n\n")
    return document(*(_paragraph(asked, each.splitlines()) for each in paragraphs))


def _paragraph(asked: Asked, lines: list[str]) -> str:
    kept = [line for each in lines if (line := _if_it_holds(asked, each))]
    if not kept:
        return ""
    case, first = asked.examples.guide, kept[0]
    if first.startswith("> "):
        kinds = (line.removeprefix("> ").split(": ") for line in kept)
        return quoted(**{name: asked.text(case, kind) for name, kind in kinds})
    if " | " in first:
        answer, title, criterion, kind = first.split(" | ")
        example = rewriting(asked, case, kind)
        return point(answer, translated(title), translated(criterion), example)
    said = [_said(asked, _MARKS.sub("", line)) for line in kept]
    if first.startswith("## "):
        return heading(*said)
    return listed(*said) if first.startswith("- ") else joined(*said)


def _if_it_holds(asked: Asked, line: str) -> str:
    """Return a line without its condition; empty where that does not hold."""
    if found := _CONDITION.fullmatch(line):
        negated, name, line = found.groups()
        return line if CONDITIONS[name](asked) is not bool(negated) else ""
    return line


def _said(asked: Asked, line: str) -> str:
    if part := _PART.fullmatch(line):
        return PARTS[part[1]](asked)
    return translated(
        line,
        placeholder=asked.placeholder,
        no_difference=translated("No difference"),
        cannot_judge=translated("I can’t judge this"),
        earlier=translated("Earlier answers"),
    )


def _feedback(asked: Asked, entry: Mapping[str, Any]) -> Iterator[str]:
    case = getattr(asked.examples, entry["case"])
    for each in entry["feedback"]:
        if line := _if_it_holds(asked, each):
            yield asked.why(case, entry["why"]) if line == "{why}" else _said(asked, line)


def _of_several(asked: Asked, entry: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """Return a practice item of several outputs; `words` has the answers and names of places."""
    rewritings = {
        place: (getattr(asked.examples, case), kind) for case, kind, place in entry["outputs"]
    }
    decides = entry["decides"]
    feedback = [translated(decides)]
    for place, name in ((2, "middle"), (3, "last")):
        is_why = entry[name] == "{why}"
        said = asked.why(*rewritings[place]) if is_why else translated(entry[name])
        feedback.append(labelled(translated(words[name], number=place), said))
    outputs = [
        (asked.text(*rewriting), words["answers"][place - 1])
        for place, rewriting in rewritings.items()
    ]
    source = asked.text(getattr(asked.examples, entry["case"]), "source")
    return several(asked, source, outputs, joined(*feedback))


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
