"""Practice items as an owner writes them down, checked before a campaign starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign
from annotation.pool import Text
from annotation.protocols.questions import Choice, Question, Scale
from corpus.models import Output, System

LONGEST_FEEDBACK = 2000
MOST = 100


class PracticeError(ValueError):
    """A practice item that cannot be shown or judged; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One practice item; `expected` is in terms of the stored answers."""

    first: Text
    second: Text | None
    expected: Mapping[str, Any]
    feedback: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as a campaign keeps it from its start on; `read_practice` reads that too."""
        judged, other = (self.second, self.first) if self.second else (self.first, None)
        texts = {"output": judged.pk} | ({"against": other.pk} if other else {})
        return {**texts, "expected": dict(self.expected), "feedback": self.feedback}


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
    if entries and not campaign.can_practise:
        raise PracticeError("practice is for screens with one item, not for rankings")
    exercises = [
        _exercise(campaign, entry, f"practice item {number}")
        for number, entry in enumerate(entries, start=1)
    ]
    seen: set[tuple[int, int]] = set()
    for number, exercise in enumerate(exercises, start=1):
        key = (exercise.first.pk, exercise.second.pk if exercise.second else 0)
        if key in seen:
            raise PracticeError(f"practice item {number}: its texts are practised already")
        seen.add(key)
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
    feedback = entry.get("feedback", "")
    if not isinstance(feedback, str) or len(feedback) > LONGEST_FEEDBACK:
        raise PracticeError(f"{where}: feedback is a text of up to {LONGEST_FEEDBACK} characters")
    sides = {name: "first" if pk == first.pk else "second" for name, pk in names.items()}
    expected = _expected(campaign, entry.get("expected", {}), sides, where)
    return Exercise(first, second, expected, feedback)


def _output(campaign: Campaign, named: Any, where: str) -> Text:
    outputs = Output.objects.filter(study=campaign.study, variant=1).select_related("system")
    found = None
    if isinstance(named, int) and not isinstance(named, bool):
        found = outputs.filter(pk=named).first()
    elif isinstance(named, list | tuple) and len(named) == 2:
        segment, system = map(str, named)
        found = outputs.filter(segment__key=segment, system__name=system).first()
    if found is None:
        raise PracticeError(f"{where}: no output {named!r} in this study; give [segment, system]")
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


def _check_qualification(campaign: Campaign, exercises: list[Exercise]) -> None:
    qualification = campaign.selection.get("qualification") or {}
    if not qualification:
        return
    share = qualification.get("pass") if isinstance(qualification, Mapping) else None
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise PracticeError(f"qualification: pass is {share!r}; expected a share from 0 to 1")
    if not any(exercise.expected for exercise in exercises):
        raise PracticeError("qualification: no practice item says what is expected")
