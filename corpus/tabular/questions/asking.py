"""All questions about a result, and its state when they are answered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from corpus.tabular.questions import names, repeats, rows, values
from corpus.tabular.questions.declared import declared
from corpus.tabular.questions.question import KEEP, Question, Results

if TYPE_CHECKING:
    import duckdb

_Kinds = tuple[Callable[[Results], Iterator[Question]], ...]
_FIRST: _Kinds = (rows.no_records,)
_KINDS: _Kinds = (
    *(rows.rows_not_counted, values.answers, names.raters),
    *(declared("numbered-raters"), declared("counts-of-raters"), names.human_systems),
    *(declared("dates"), declared("names-alike"), declared("row-numbers")),
    *(repeats.repeated_texts, declared("repeated-ratings"), repeats.repeated_scores),
)
"""Those that name values come first, because their statements must find the names as asked.
Rows that are no records are settled before, because they make other questions."""


@dataclass(frozen=True)
class Settled:
    """The questions about a result: those answered, with the answers' values, and those left."""

    answered: tuple[tuple[Question, str], ...]
    left: tuple[Question, ...]

    @property
    def roles(self) -> dict[str, str]:
        """What systems are, for the option `system_roles` of an import."""
        found = [(q, value) for q, value in self.answered if q.name.startswith("human-written")]
        return {name: value for question, value in found for name in question.subjects}


def questions(connection: duckdb.DuckDBPyConnection, *given: Any, **named: Any) -> list[Question]:
    """Return what is to be asked about the result tables as they are now; as of `Results`."""
    return _asked(Results(connection, *given, **named), (*_FIRST, *_KINDS))


def _asked(results: Results, kinds: _Kinds) -> list[Question]:
    found: dict[str, Question] = {}
    for kind in kinds:
        for question in kind(results):
            while question.name in found:
                question = replace(question, name=f"{question.name}-2")
            found[question.name] = question
    return list(found.values())


def apply(
    connection: duckdb.DuckDBPyConnection, asked: Iterable[Question], chosen: Mapping[str, str]
) -> None:
    """Change the result tables as answers say; raise `AnswerError` at an unknown answer.

    Parameters
    ----------
    asked
        As `questions` returned them, on this connection.
    chosen
        Names of questions to values of answers.
    """
    answers = [q.answer(chosen[q.name]) for q in asked if q.name in chosen]
    for answer in answers:
        for statement, *parameters in answer.changes:
            connection.execute(statement, parameters)


def settle(
    connection: duckdb.DuckDBPyConnection,
    chosen: Mapping[str, str],
    sources: Mapping[str, Sequence[str]] | None = None,
    stored_systems: Collection[str] = (),
    presets: Mapping[str, str] | None = None,
    *,
    accept: bool = False,
) -> Settled:
    """Carry out answers until no answered question is left; an answer may raise new questions.

    Records of texts that are the same in all that is read are taken once first.

    Parameters
    ----------
    chosen
        Names of questions to values of answers.
    presets
        Names of questions to the values of likely answers, where a format knows them.
    accept
        Whether every other question is answered by its preset.
    """
    answered: dict[str, tuple[Question, str]] = {}
    while True:
        results = Results(connection, sources or {}, stored_systems)
        repeats.without_repeats(results)
        left: list[Question] = []
        for kinds in (_FIRST, _KINDS):
            if not left:
                found = (_with_preset(q, presets or {}) for q in _asked(results, kinds))
                left = [question for question in found if not _is_settled(question, answered)]
        given = {q.name: q.preset for q in left if accept} | dict(chosen)
        if not any(question.name in given for question in left):
            return Settled(tuple(answered.values()), tuple(left))
        apply(connection, left, given)
        answered |= {q.name: (q, given[q.name]) for q in left if q.name in given}


def _with_preset(question: Question, presets: Mapping[str, str]) -> Question:
    """Return a question with the likely answer of a format, if it knows one, first of all."""
    value = presets.get(question.name, "")
    answers = tuple(sorted(question.answers, key=lambda answer: answer.value != value))
    is_known = answers[0].value == value
    return replace(question, preset=value, answers=answers) if is_known else question


def _is_settled(question: Question, answered: Mapping[str, tuple[Question, str]]) -> bool:
    """Whether a question was answered; asked of other records, its answer is carried out again."""
    if question.name not in answered:
        return False
    earlier, value = answered[question.name]
    return value == KEEP or (question.text, question.detail) == (earlier.text, earlier.detail)
