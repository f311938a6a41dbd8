"""From the records of a table to staged judgements of outputs by their ordinals."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.text import slugify

from annotation.controls.items import OCCASION
from annotation.imports.declared import categories_of
from annotation.imports.judgements import UNREADABLE, UNSTATED, read_judgement
from annotation.imports.who_rated import RaterColumns, with_spread
from annotation.models import Item
from annotation.protocols.catalogue import BOTH_BAD, TIE, Protocol, protocol
from corpus.imports.batch import Batch
from corpus.imports.places import LEFT_OUT
from corpus.imports.row_problem import RowProblem
from corpus.models.text import SOURCE_SYSTEM
from corpus.tabular.shaping.blocks import Records
from corpus.vocabulary.rater_names import KINDS, TOGETHER, stated_kind

STAGED_COLUMNS = (
    *("file", "line", "campaign", "first", "second", "rater", "rater_kind", "aspect"),
    *("revision", "item_kind", "occasion", "value", "choice", "comment", "swapped", "seconds"),
)
OVERALL = "overall"
_APART = 8
"""More than any occasion of a first control item."""
PREFERENCES = frozenset({"system", "against", TIE, BOTH_BAD})


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
        self._categories: dict[tuple[str, str], tuple[str, ...]] = {}
        mapping = batch.mapping(file, "ratings")
        self.columns = RaterColumns.of(mapping)
        for found in self.columns.notes:
            batch.note(f"{name}: {found}.")
        self.is_unnamed = mapping is not None

    def rows(self, records: Records) -> Iterator[tuple[Any, ...]]:
        """Yield staging rows; rows of unknown outputs and unreadable answers become problems."""
        places = self.batch.places
        find = places.find_or_make if self.batch.options.without_texts else places.find
        for line, values in records:
            segment, system, against, rater, aspect, task, score, judgement, *rest = values
            comment, campaign, kind, *numbers, side, seconds, count, item_kind, shown, deviation = (
                rest
            )
            revision, variant, other_variant = (number or 1 for number in numbers)
            if kind and (kind := self._kind(line, kind)) is None:
                continue
            side = self._shown(line, side)
            if side is None or not self._is_together(line, kind, count):
                continue
            slug, followed = self._campaign(campaign or "", task or "")
            aspect = aspect or followed.aspect
            categories = () if against else self._of_category(slug, aspect)
            value, choice = _answer(score, judgement, system, against or "", side, categories)
            aspect = aspect or self._overall(against, choice)
            if choice == UNREADABLE or (value is None and not choice) or not aspect:
                self._unreadable(line, judgement or score, choice, aspect, slug, categories)
                continue
            if choice and not against and not categories:
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
            rater, kind = self.columns.name(rater or "", kind or "", count, is_choice=bool(choice))
            self.is_unnamed = self.is_unnamed and not rater
            comment = with_spread(comment or "", aspect, deviation)
            who = (rater or UNSTATED, kind)
            place = (self.file, line, slug, first, second, *who, aspect)
            swapped = (side == "a") == (judged == second) if side and second >= 0 else None
            item = self._item(line, item_kind, shown)
            if item is not None:
                yield (*place, revision, *item, value, choice, comment, swapped, seconds)

    def _of_category(self, campaign: str, aspect: str) -> tuple[str, ...]:
        """Return the categories of which an answer has to be one; none where it is no category."""
        key = (campaign, aspect)
        if key not in self._categories:
            self._categories[key] = categories_of(self.batch, *key)
        return self._categories[key]

    def _overall(self, against: str | None, choice: str) -> str:
        """Name what a vote is about that says nothing but which of two outputs is better."""
        if not against or choice not in PREFERENCES:
            return ""
        name = self.batch.file_names[self.file]
        if self.batch.first_time(f"overall {name}"):
            self.batch.note(
                f"{name} does not say which aspect was judged; its preferences between two outputs "
                f"are stored as {OVERALL}."
            )
        return OVERALL

    def _kind(self, line: int, word: str) -> str | None:
        """Read what a table says of a rater's kind; what is not known becomes a problem."""
        if (kind := stated_kind(word)) is None:
            expected = f"one of {', '.join(KINDS)}"
            message = "Correct it, or leave the cell empty: then the name of the rater decides."
            self._refuse(line, "rater_kind", word, expected, message, "choice")
        return kind

    def _item(self, line: int, word: str | None, shown: int | None) -> tuple[str, int] | None:
        """Read which item was judged, by kind and occasion; what is not known is a problem."""
        kind = (word or "").strip().lower() or Item.Kind.PLAIN.value
        if kind not in (Item.Kind.PLAIN, *OCCASION):
            expected = f"one of {', '.join((Item.Kind.PLAIN, *OCCASION))}"
            message = "Correct it, or leave the cell empty where the item is no control."
            self._refuse(line, "item_kind", kind, expected, message, "choice")
            return None
        first = OCCASION.get(Item.Kind(kind), 1)
        return kind, first if kind == Item.Kind.PLAIN else first + _APART * ((shown or 1) - 1)

    def _is_together(self, line: int, kind: str | None, count: int | None) -> bool:
        """Whether a number of raters can be; what cannot becomes a problem."""
        if count is None or not kind or kind in TOGETHER:
            return True
        message = "A mean, median or majority has a number of raters, and nobody else."
        expected = f"one of {', '.join(TOGETHER)}"
        self._refuse(line, "rater_kind", kind, expected, message, "rater-kind")
        return False

    def _shown(self, line: int, side: str | None) -> str | None:
        """Read the side of a text, empty if not known; an impossible one is a problem."""
        found = (side or "").strip().lower()
        if found in ("", "a", "b"):
            return found
        message = "Correct it, or leave the cell empty where it is not known."
        self._refuse(line, "side", found, "a or b", message, "choice")
        return None

    def _refuse(
        self, line: int, field: str, found: str, expected: str, message: str, code: str
    ) -> None:
        self.batch.problem(RowProblem(self.file, line, field, found, expected, message, code))

    def _unreadable(
        self,
        line: int,
        answer: str | float,
        choice: str,
        aspect: str,
        campaign: str,
        categories: tuple[str, ...],
    ) -> None:
        field, found, expected = "score", "", "a number or a choice"
        message = (
            "There is no score and no judgement. Map the column that holds the answer, or leave "
            "out the rows to which nobody answered."
        )
        if choice == UNREADABLE:
            field, found = "judgement", str(answer)
            expected = "a number, source, output, tie, both bad, A, B or the name of a system"
            message = (
                "This is not an answer; correct it, or map the column to another field. If answers "
                "are categories, declare them (categories)."
            )
            if categories:
                expected = f"one of {', '.join(categories)}"
                message = f"No category of {aspect}; correct it, or declare it with the others."
        elif not aspect:
            field, expected = "aspect", "the name of an aspect"
            message = (
                f"Which aspect was judged in {campaign}? Map a column to aspect, give it as a "
                "constant, or name the protocol."
            )
        self._refuse(line, field, found, expected, message, "answer")

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


def _answer(
    score: float | None,
    judgement: str,
    system: str,
    against: str,
    side: str,
    categories: tuple[str, ...],
) -> tuple[float | None, str]:
    """Return a number or a word: one of the categories where some are declared."""
    if categories:
        word = (judgement or "").strip() if score is None else f"{score:g}"
        return None, word if word in ("", *categories) else UNREADABLE
    if score is None and judgement:
        return read_judgement(judgement, system, against, side)
    return score, ""


def _canonical(judged: int, other: int, choice: str, against: str) -> tuple[int, int, str]:
    """Order a pair: the source first, of two systems the output that stands first."""
    if other < 0:
        return judged, -1, choice
    if against == SOURCE_SYSTEM or other < judged:
        return other, judged, {"against": "first", "system": "second"}.get(choice, choice)
    return judged, other, {"against": "second", "system": "first"}.get(choice, choice)
