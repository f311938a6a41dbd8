"""Practice items as an owner writes them down, checked before a campaign starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.models import Campaign
from annotation.pool import Text
from annotation.protocols.practice_texts import read_own_texts, sides_of_texts
from annotation.protocols.questions import Choice, Question, Scale
from annotation.protocols.ranking import MOST as MOST_RANKED
from corpus.models import Output, System

LONGEST_FEEDBACK = 2000
MOST = 100


class PracticeError(ValueError):
    """A practice item that cannot be shown or judged; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One practice screen.

    Parameters
    ----------
    items
        What is judged: one text or two; several where texts are put in order. None where the
        owner wrote the texts.
    expected
        Of each item, in terms of the stored answers: a choice, or the ends of a range.
    feedback
    texts
        What the owner wrote, by name; None where outputs of the study are practised.
    """

    items: tuple[tuple[Text, Text | None], ...]
    expected: tuple[Mapping[str, Any], ...]
    feedback: str
    texts: Mapping[str, Any] | None = None

    @property
    def firsts(self) -> list[Text]:
        """The first text of each item."""
        return [first for first, _ in self.items]

    @property
    def expects(self) -> bool:
        """Whether any answer is expected."""
        return any(self.expected)

    def mixed(self, seed: Sequence[int]) -> "Exercise":
        """Return it with its items in random order: the owner's tells what is expected."""
        order = np.random.default_rng(list(seed)).permutation(len(self.expected))
        expected = tuple(self.expected[place] for place in order)
        if self.texts is not None and "outputs" in self.texts:
            outputs = [self.texts["outputs"][place] for place in order]
            return replace(self, texts={**self.texts, "outputs": outputs}, expected=expected)
        items = tuple(self.items[place] for place in order) if self.items else ()
        return replace(self, items=items, expected=expected)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a campaign keeps it from its start on; `read_practice` reads that too."""
        kept: dict[str, Any]
        if self.texts is not None:
            several = [dict(each) for each in self.expected]
            expected = several if "outputs" in self.texts else several[0]
            kept = {"texts": dict(self.texts), "expected": expected}
        elif len(self.items) > 1:
            kept = {
                "outputs": [first.pk for first in self.firsts],
                "expected": [dict(each) for each in self.expected],
            }
        else:
            [(first, second)] = self.items
            judged, other = (second, first) if second else (first, None)
            texts = {"output": judged.pk} | ({"against": other.pk} if other else {})
            kept = {**texts, "expected": dict(self.expected[0])}
        return {**kept, "feedback": self.feedback}


def read_practice(campaign: Campaign) -> list[Exercise]:
    """Read a campaign's practice items.

    Raises
    ------
    PracticeError
        Naming the first item that cannot be used.
    """
    entries = campaign.selection.get("practice") or []
    if not isinstance(entries, list) or len(entries) > MOST:
        raise PracticeError(f"practice: expected a list of at most {MOST} items")
    read = _ranking if campaign.rules.layout == "order" else _exercise
    exercises = [
        read(campaign, entry, f"practice item {number}")
        for number, entry in enumerate(entries, start=1)
    ]
    seen: set[Any] = set()
    for number, exercise in enumerate(exercises, start=1):
        keys: set[Any] = {(first.pk, second and second.pk) for first, second in exercise.items}
        keys |= {repr(exercise.texts)} if exercise.texts else set()
        if keys & seen:
            raise PracticeError(f"practice item {number}: its texts are practised already")
        seen |= keys
    _check_qualification(campaign, exercises)
    return exercises


def is_expected(given: float | str | None, expected: Any) -> bool:
    """Whether an answer is as expected: the choice, or a number from low to high."""
    if isinstance(expected, list):
        low, high = expected
        return isinstance(given, float | int) and low <= given <= high
    return bool(given == expected)


def _exercise(campaign: Campaign, entry: Any, where: str) -> Exercise:
    if not isinstance(entry, Mapping):
        raise PracticeError(f"{where}: expected an object with output, expected and feedback")
    if "texts" in entry:
        return _own(campaign, entry, where)
    judged = _output(campaign, entry.get("output"), f"{where}, output")
    names = {"output": judged.pk}
    other = None
    if campaign.rules.compares == "source":
        other = _source(campaign, judged, where)
        names["source"] = other.pk
    elif campaign.rules.compares == "outputs":
        other = _output(campaign, entry.get("against"), f"{where}, against")
        if other.segment != judged.segment or other.pk == judged.pk:
            raise PracticeError(f"{where}: compare two outputs of one segment")
        names["against"] = other.pk
    first, second = judged, other
    if other is not None:
        is_source = campaign.rules.compares == "source"
        first, second = (other, judged) if is_source or other.ordinal < judged.ordinal else (
            judged, other)  # fmt: skip
    sides = {name: "first" if pk == first.pk else "second" for name, pk in names.items()}
    expected = _expected(campaign, entry.get("expected", {}), sides, where)
    return Exercise(((first, second),), (expected,), _feedback(entry, where))


def _ranking(campaign: Campaign, entry: Any, where: str) -> Exercise:
    """Read outputs of one segment that are to be put in order."""
    if not isinstance(entry, Mapping):
        raise PracticeError(f"{where}: expected an object with outputs, expected and feedback")
    if "texts" in entry:
        return _own(campaign, entry, where)
    named = entry.get("outputs")
    if not isinstance(named, list | tuple) or not 2 <= len(named) <= MOST_RANKED:
        raise PracticeError(f"{where}, outputs: expected a list of 2 to {MOST_RANKED} outputs")
    texts = [
        _output(campaign, name, f"{where}, output {number}")
        for number, name in enumerate(named, start=1)
    ]
    if len({text.segment for text in texts}) > 1 or len({text.pk for text in texts}) < len(texts):
        raise PracticeError(f"{where}: rank different outputs of one segment")
    expected = _expected_order(campaign, entry, len(texts), where)
    items = tuple((text, None) for text in texts)
    return Exercise(items, expected, _feedback(entry, where))


def _own(campaign: Campaign, entry: Mapping[str, Any], where: str) -> Exercise:
    """Read an item whose texts the owner wrote."""
    if entry.keys() & {"output", "outputs", "against"}:
        raise PracticeError(f"{where}: give texts of this study or your own, not both")
    rules = campaign.rules
    try:
        texts = read_own_texts(rules, campaign.config, entry["texts"])
    except ValueError as error:
        raise PracticeError(f"{where}, {error}") from None
    if rules.layout == "order":
        expected = _expected_order(campaign, entry, len(texts["outputs"]), where)
    else:
        given = entry.get("expected", {})
        expected = (_expected(campaign, given, sides_of_texts(rules), where),)
    return Exercise((), expected, _feedback(entry, where), texts)


def _expected_order(
    campaign: Campaign, entry: Mapping[str, Any], count: int, where: str
) -> tuple[Mapping[str, Any], ...]:
    """Read which places are expected of outputs that are put in order."""
    given = entry.get("expected") or [{}] * count
    if not isinstance(given, list | tuple) or len(given) != count:
        raise PracticeError(f"{where}: expected is a list, with the place of each output")
    expected = tuple(_expected(campaign, each, {}, where) for each in given)
    for each in expected:
        for low, _ in each.values():
            if low > count:
                raise PracticeError(f"{where}: there are {count} outputs, no place {low:g}")
    return expected


def _feedback(entry: Mapping[str, Any], where: str) -> str:
    feedback = entry.get("feedback", "")
    if not isinstance(feedback, str) or len(feedback) > LONGEST_FEEDBACK:
        raise PracticeError(f"{where}: feedback is a text of up to {LONGEST_FEEDBACK} characters")
    return feedback


def _output(campaign: Campaign, named: Any, where: str) -> Text:
    outputs = Output.objects.filter(study=campaign.study, variant=1).select_related("system")
    found = None
    if isinstance(named, int) and not isinstance(named, bool):
        found = outputs.filter(pk=named).first()
    elif isinstance(named, list | tuple) and len(named) == 2:
        segment, system = map(str, named)
        found = outputs.filter(segment__key=segment, system__name=system).first()
    if found is None:
        is_pair = isinstance(named, list | tuple) and len(named) == 2
        what_to_do = "" if is_pair else "; give [segment, system]"
        raise PracticeError(f"{where}: no output {named!r} in this study{what_to_do}")
    return _as_text(found)


def _source(campaign: Campaign, judged: Text, where: str) -> Text:
    found = (
        Output.objects.filter(segment=judged.segment, system__kind=System.Kind.SOURCE, variant=1)
        .select_related("system")
        .first()
    )
    if found is None or found.pk == judged.pk:
        raise PracticeError(f"{where}: there is no source to compare this text with")
    return _as_text(found)


def _as_text(output: Output) -> Text:
    return Text(output.pk, output.ordinal, output.segment_id, output.system_id, output.system.kind)


def _expected(
    campaign: Campaign, given: Any, sides: Mapping[str, str], where: str
) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise PracticeError(f"{where}: expected is an object of aspects and answers")
    questions = {
        question.aspect: question for question in campaign.rules.questions(campaign.config)
    }
    result = {}
    for aspect, answer in given.items():
        question = questions.get(aspect)
        if question is None:
            known = ", ".join(questions)
            raise PracticeError(f"{where}: {aspect!r} is not asked; asked are: {known}")
        result[aspect] = _answer(question, answer, sides, f"{where}, {aspect}")
    return result


def _answer(question: Question, answer: Any, sides: Mapping[str, str], where: str) -> Any:
    if isinstance(question, Choice):
        choices = {**sides, "first": "first", "second": "second"}
        choices |= {"tie": "tie"} if question.tie else {}
        if not isinstance(answer, str) or answer not in choices:
            offered = ", ".join([*sides, "tie"] if question.tie else sides)
            raise PracticeError(f"{where}: {answer!r} is not one of {offered}")
        return choices[answer]
    return _range(question, answer, where)


def _range(question: Scale, answer: Any, where: str) -> list[float]:
    if isinstance(answer, Mapping):
        answer = _around(question, answer.get("answer"), answer.get("tolerance", 0))
    ends = answer if isinstance(answer, list | tuple) else [answer, answer]
    numbers = [end for end in ends if isinstance(end, int | float) and not isinstance(end, bool)]
    if (
        len(ends) != 2
        or len(numbers) != 2
        or not (question.low <= numbers[0] <= numbers[1] <= question.high)
    ):
        raise PracticeError(
            f"{where}: {answer!r} is not a range such as [low, high] within "
            f"{question.low:g} to {question.high:g}"
        )
    return [float(number) for number in numbers]


def _around(question: Scale, answer: Any, tolerance: Any) -> Any:
    """Return the range about an answer, cut at the ends of the scale."""
    numbers = [each for each in (answer, tolerance) if isinstance(each, int | float)]
    if len(numbers) < 2 or not question.low <= numbers[0] <= question.high or numbers[1] < 0:
        return {"answer": answer, "tolerance": tolerance}
    low, high = numbers[0] - numbers[1], numbers[0] + numbers[1]
    return [max(low, question.low), min(high, question.high)]


def _check_qualification(campaign: Campaign, exercises: list[Exercise]) -> None:
    qualification = campaign.selection.get("qualification") or {}
    if not qualification:
        return
    share = qualification.get("pass") if isinstance(qualification, Mapping) else None
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise PracticeError(f"qualification: pass is {share!r}; expected a share from 0 to 1")
    if not any(exercise.expects for exercise in exercises):
        raise PracticeError("qualification: no practice item says what is expected")
