"""Forms of the mapping page about all files: questions, a saved mapping."""

from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from corpus.tables.register import handler_for
from corpus.tabular.problems import TableError
from corpus.tabular.questions.question import Question
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import by_file, read_queries

PREFIX = "answer-"


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
        self.asked: list[tuple[Question, str]] = []

    def ask(
        self, answered: Sequence[tuple[Question, str]], earlier: Sequence[Question] = ()
    ) -> None:
        """Take the questions, each with its answer or the proposed one, and those of an import."""
        known = {question.name for question, _ in answered}
        further = (question for question in earlier if question.name not in known)
        given = ((each, self.answers.get(each.name, each.preset)) for each in further)
        self.asked = [*answered, *given]

    @property
    def chosen(self) -> dict[str, str]:
        """The answers to what was asked."""
        return {question.name: value for question, value in self.asked}

    @property
    def is_new(self) -> bool:
        """Whether there is a question that nobody has seen yet."""
        return any(question.name not in self.answers for question, _ in self.asked)


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
