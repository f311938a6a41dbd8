"""From the records of a table to staged judgements of outputs by their ordinals."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.text import slugify

from annotation.judgements import UNREADABLE, UNSTATED, read_judgement
from annotation.protocols.catalogue import Protocol, protocol
from corpus.handlers.keys import counted
from corpus.imports.batch import Batch
from corpus.imports.places import LEFT_OUT
from corpus.imports.row_problem import RowProblem
from corpus.models.text import SOURCE_SYSTEM

STAGED_COLUMNS = (
    *("file", "line", "campaign", "first", "second", "rater", "aspect"),
    *("revision", "value", "choice", "comment"),
)
_NUMBERS = ("revision", "variant", "against_variant")


class RatingReader:
    """Turns one file's records into staging rows."""

    def __init__(self, batch: Batch, file: int) -> None:
        self.batch = batch
        self.file = file
        name = batch.file_names[file]
        stem = re.sub(r"(\.\w+)+$", "", name.rsplit("/", 1)[-1])
        self.default_campaign = slugify(stem)[:60] or "ratings"
        declared = batch.declarations.get("protocol", {})
        self.declared_protocol = declared.get(name, "") if isinstance(declared, dict) else declared
        self._campaigns: dict[tuple[str, str], tuple[str, Protocol]] = {}

    def rows(self, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield staging rows; rows of unknown outputs and unreadable answers become problems."""
        find = self.batch.places.find
        for line, values in records:
            segment, system, against, rater, aspect, task, score, judgement, *rest = values
            comment, campaign, *numbers = rest
            revision, variant, other_variant = (
                counted(self.batch, self.file, line, name, number)
                for name, number in zip(_NUMBERS, numbers, strict=True)
            )
            if not (revision and variant and other_variant):
                continue
            slug, followed = self._campaign(campaign or "", task or "")
            value, choice = score, ""
            if score is None and judgement:
                value, choice = read_judgement(judgement, system, against or "")
            aspect = aspect or followed.aspect
            if choice == UNREADABLE or (value is None and not choice) or not aspect:
                self._unreadable(line, judgement, choice, aspect, slug)
                continue
            if choice and not against:
                against = SOURCE_SYSTEM
            judged = find(segment, system, variant)
            other = find(segment, against, other_variant) if against else -1
            if LEFT_OUT in (judged, other):
                continue
            if judged < 0:
                self.batch.problem(self.batch.places.why_unknown(self.file, line, segment, system))
                continue
            if against and other < 0:
                self.batch.problem(
                    self.batch.places.why_unknown(self.file, line, segment, against, "against")
                )
                continue
            first, second, choice = _canonical(judged, other, choice, against or "")
            place = (self.file, line, slug, first, second, rater or UNSTATED, aspect)
            yield (*place, revision, value, choice, comment or "")

    def _unreadable(
        self, line: int, judgement: str, choice: str, aspect: str, campaign: str
    ) -> None:
        field, found, expected = "score", "", "a number or a choice"
        message = "There is no score and no judgement; leave the row out if nobody answered."
        if choice == UNREADABLE:
            field, found = "judgement", judgement
            expected = "a number, source, output, tie or the name of one of the two systems"
            message = "This is not an answer; correct it, or map the column to another field."
        elif not aspect:
            field, expected = "aspect", "the name of an aspect"
            message = (
                f"Which aspect was judged in {campaign}? Map a column to aspect, give it as a "
                "constant, or name the protocol."
            )
        self.batch.problem(RowProblem(self.file, line, field, found, expected, message, "answer"))

    def _campaign(self, campaign: str, task: str) -> tuple[str, Protocol]:
        key = (campaign, task)
        if key not in self._campaigns:
            slug = campaign or self.default_campaign + (f"-{slugify(task)[:30]}" if task else "")
            followed = self._protocol(slug, task)
            self._campaigns[key] = (slug, followed)
        return self._campaigns[key]

    def _protocol(self, slug: str, task: str) -> Protocol:
        declared = self.batch.declarations.get("campaigns", {}).get(slug, {})
        named = declared.get("protocol") or self.declared_protocol
        if not named and task:
            named = {"absolute": "absolute_naturalness", "relative": "relative_naturalness"}.get(
                task.lower(), task
            )
        try:
            followed = protocol(named) if named else protocol("unstated")
        except LookupError as error:
            self.batch.note(f"{self.batch.file_names[self.file]}: {error}; stored as not stated.")
            followed = protocol("unstated")
        self.batch.declarations.setdefault("_protocols", {})[slug] = followed.key
        return followed


def _canonical(judged: int, other: int, choice: str, against: str) -> tuple[int, int, str]:
    """Order a pair: the source first, of two systems the output that stands first."""
    if other < 0:
        return judged, -1, choice
    if against == SOURCE_SYSTEM or other < judged:
        return other, judged, {"against": "first", "system": "second"}.get(choice, choice)
    return judged, other, {"against": "second", "system": "first"}.get(choice, choice)
