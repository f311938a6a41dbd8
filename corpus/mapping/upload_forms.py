"""Forms of the mapping page about all files: scales, questions, a saved mapping."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from corpus.imports.declarations import check_declarations, merged
from corpus.models import AuditEntry, Study
from corpus.tables.register import handler_for
from corpus.tabular.problems import TableError
from corpus.tabular.questions.question import Question
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import by_file, read_queries

PREFIX = "answer-"


@dataclass(frozen=True)
class Asked:
    """One question with the answer that is chosen."""

    question: Question
    chosen: str

    @property
    def name(self) -> str:
        """Of the inputs."""
        return f"{PREFIX}{self.question.name}"

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """Value and label of each answer, and whether it is chosen."""
        return [(a.value, a.label, a.value == self.chosen) for a in self.question.answers]


class QuestionsForm:
    """The questions of an import.

    Parameters
    ----------
    known
        What was answered at an earlier attempt.
    data
        What was sent; None if nothing was.
    """

    def __init__(
        self, known: AnyMapping[str, str], data: AnyMapping[str, Any] | None = None
    ) -> None:
        sent = {
            key.removeprefix(PREFIX): str(data[key])
            for key in data or ()
            if data and key.startswith(PREFIX)
        }
        self.answers = {**known, **sent}
        self.asked: list[Asked] = []

    def ask(
        self, answered: Sequence[tuple[Question, str]], earlier: Sequence[Question] = ()
    ) -> None:
        """Take the questions, each with its answer or the proposed one, and those of an import."""
        self.asked = [Asked(question, value) for question, value in answered]
        known = {question.name for question, _ in answered}
        self.asked += [
            Asked(question, self.answers.get(question.name, question.preset))
            for question in earlier
            if question.name not in known
        ]

    @property
    def chosen(self) -> dict[str, str]:
        """The answers to what was asked."""
        return {each.question.name: each.chosen for each in self.asked}

    @property
    def new(self) -> list[Asked]:
        """Questions that nobody has seen yet."""
        return [each for each in self.asked if each.question.name not in self.answers]


MOST_BYTES = 4 << 20


class MappingFileForm(forms.Form):
    """A `.sql` file as the page gives it, and as ``--mapping`` and the API take it.

    Parameters
    ----------
    names
        The files of the upload.
    """

    mapping = forms.FileField(
        label="Mapping",
        help_text="A .sql file saved here or written by hand: a SELECT for each table. It "
        "overrides the choices above for all files.",
    )

    def __init__(self, names: Sequence[str] = (), *sent: Any) -> None:
        super().__init__(*sent)
        self._names = names

    def clean_mapping(self) -> dict[str, list[Mapping]]:
        """Return the queries of each file: of the first that one names."""
        sent: UploadedFile[Any] = self.cleaned_data["mapping"]
        if (sent.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"A mapping has at most {MOST_BYTES >> 20} MiB.")
        try:
            queries = read_queries(sent.read().decode("utf-8-sig"), sent.name or "mapping")
            for query in queries:
                handler_for(query.table)
            return {name: [] for name in self._names} | by_file(queries, self._names)
        except (TableError, LookupError, ValueError) as error:
            raise forms.ValidationError(str(error.args[0])) from None


class DeclarationForm(forms.Form):
    """Scales and categories, one a line."""

    scales = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: aspect, lowest score, highest score, such as style 1 5. Scores "
        "outside the scale are refused. Of categories: aspect, a colon, and the words with commas "
        "between them, such as relation: part, cause, other.",
    )

    def clean_scales(self) -> dict[str, Any]:
        """Read the scales, and the categories among them."""
        said: dict[str, Any] = {"scales": {}, "categories": {}}
        for line in _lines(self.cleaned_data["scales"]):
            name, colon, words = line.partition(":")
            if colon and "," in words:
                said["categories"][name.strip()] = [word.strip() for word in words.split(",")]
            else:
                aspect, *ends = line.rsplit(None, 2)
                try:
                    said["scales"][aspect.rstrip(":")] = low, high = [float(end) for end in ends]
                except ValueError:
                    low = high = math.nan
                if not (aspect.rstrip(":") and math.isfinite(low) and math.isfinite(high)):
                    raise forms.ValidationError(
                        f"{line!r}: expected an aspect, its lowest and its highest score."
                    )
            _check(said, line)
        return said

    @property
    def declared(self) -> dict[str, Any]:
        """What was said, as ``study.json`` would say it."""
        return {name: value for name, value in self.cleaned_data["scales"].items() if value}


def declare(study: Study, declared: dict[str, Any], actor: User) -> None:
    """Store declarations beside those that a study has, with a record of the change."""
    if not declared:
        return
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        before, after = study.declarations, merged(study.declarations, declared)
        if after == before:
            return
        study.declarations = after
        study.revision += 1
        study.save(update_fields=["declarations", "revision"])
        AuditEntry.record(study, actor, "declare", before=before, after=after)


def _lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.splitlines()))


def _check(declared: dict[str, Any], line: str) -> None:
    try:
        check_declarations(declared)
    except TableError as error:
        expected = error.problems[0].expected
        raise forms.ValidationError(f"{line!r}: expected {expected}.") from None
