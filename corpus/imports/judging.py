"""Questions about what was read, before anything is stored."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.recognise import YES, Recognised, recognise
from corpus.imports.uploads import page_limits, work_folder
from corpus.models import Study, System
from corpus.tables.register import handler_for
from corpus.tabular.confined.session import ConfinedReading, Judgement
from corpus.tabular.problems import TableError
from corpus.tabular.questions.question import Question, ask

_OF_OUTPUTS = frozenset({"ratings", "metric_scores", "style_distributions"})
WITHOUT_TEXTS, NO = "without-texts", "no"


def judge(reading: ConfinedReading, study: Study, recognised: Recognised) -> Judgement:
    """Carry out the mappings of an import and ask about odd results; answers go to its options.

    A study archive, which this program wrote, is asked nothing.
    """
    if "format" in recognised.study_json:
        return Judgement()
    options = recognised.options
    work = [
        (file.source, mapping, handler_for(mapping.table).spec)
        for file, mapping in recognised.readable()
    ]
    declared = _declared_systems(recognised.study_json.get("systems", []))
    stored = set(study.systems.values_list("name", flat=True))
    known = stored | declared | set(options.system_roles)
    asked = reading.judge(work, options.answers, accept=options.accept, stored_systems=known)
    for question in _about_the_import(study, recognised):
        recognised.answer(question)
    left = [*recognised.open, *asked.left]
    answered = [*recognised.answered, *asked.answered]
    said = {question.name: value for question, value in answered}
    recognised.options = replace(
        options,
        system_roles={**asked.roles, **options.system_roles},
        without_texts=options.without_texts or said.get(WITHOUT_TEXTS) == YES,
    )
    return replace(asked, left=tuple(left), answered=tuple(answered))


def _declared_systems(entries: dict[str, Any] | list[Any]) -> set[str]:
    """Return names in `study.json`; entries that make no sense are refused when they are read."""
    if isinstance(entries, dict):
        return set(entries)
    return {str(entry.get("system", "")) for entry in entries if isinstance(entry, dict)}


def open_questions(study: Study, path: Path, options: ImportOptions) -> tuple[Question, ...]:
    """Return the questions that an import would leave open, as far as a page's limits allow.

    What is wrong with the files is left to the import, which says all of it.
    """
    if options.accept:
        return ()
    with work_folder() as workdir, ConfinedReading(page_limits()) as reading:
        try:
            asked = judge(reading, study, recognise(reading, path, workdir, options))
            return () if asked.faults else asked.left
        except TableError as error:
            if any(problem.code == "answer" for problem in error.problems):
                raise OptionsError(error.problems[0].message) from None
            return ()


def _about_the_import(study: Study, recognised: Recognised) -> Iterator[Question]:
    """Yield questions that the results alone do not raise."""
    tables = {mapping.table for _, mapping in recognised.readable()}
    has_texts = study.outputs.filter(system__kind=System.Kind.SYSTEM).exists()
    if (
        tables & _OF_OUTPUTS
        and not (tables & {"outputs"} or recognised.options.without_texts)
        and not (has_texts or study.without_texts)
    ):
        yield ask(
            WITHOUT_TEXTS,
            "Neither the study nor these files hold texts of outputs.",
            ["Their texts can be added later, under the same keys."],
            (YES, "Import ratings and scores without texts"),
            (NO, "Do not: files with texts come too"),
        )
