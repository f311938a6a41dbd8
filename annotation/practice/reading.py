"""Practice items as an owner writes them down, checked before a campaign starts."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Campaign
from annotation.protocols.layouts.exercises import Exercise, PracticeError
from annotation.protocols.layouts.texts import Text
from corpus.models import Output, Study, System

MOST = 100


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
    rules, find = campaign.rules, _Finder(campaign.study)
    exercises = [
        rules.layout.exercise(rules, campaign.config, entry, find, f"practice item {number}")
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


class _Finder:
    """Finds the texts of a study that practice items name."""

    def __init__(self, study: Study) -> None:
        self.study = study

    def output(self, named: Any, where: str) -> Text:
        """Return an output by primary key or by segment and system."""
        outputs = Output.objects.filter(study=self.study, variant=1).select_related("system")
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

    def source(self, judged: Text, where: str) -> Text:
        """Return the source of an output."""
        found = (
            Output.objects.filter(
                segment=judged.segment, system__kind=System.Kind.SOURCE, variant=1
            )
            .select_related("system")
            .first()
        )
        if found is None or found.pk == judged.pk:
            raise PracticeError(f"{where}: there is no source to compare this text with")
        return _as_text(found)


def _as_text(output: Output) -> Text:
    return Text(output.pk, output.ordinal, output.segment_id, output.system_id, output.system.kind)


def _check_qualification(campaign: Campaign, exercises: list[Exercise]) -> None:
    qualification = campaign.selection.get("qualification") or {}
    if not qualification:
        return
    share = qualification.get("pass") if isinstance(qualification, Mapping) else None
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise PracticeError(f"qualification: pass is {share!r}; expected a share from 0 to 1")
    if not any(exercise.expects for exercise in exercises):
        raise PracticeError("qualification: no practice item says what is expected")
