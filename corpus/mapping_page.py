"""What the mapping page shows of an upload, and what was chosen on it."""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corpus.aspect_form import AspectsForm
from corpus.aspects import ASPECTS
from corpus.declaration_form import DeclarationForm
from corpus.formats.reading import Found, NamedFormat
from corpus.forms import OptionsForm
from corpus.imports.choices import Choices, FileChoice, plain_options
from corpus.imports.declarations import check_declarations, declared_mappings
from corpus.imports.earlier_mappings import EarlierMapping
from corpus.imports.judging import judge
from corpus.imports.limits import page_limits, work_folder
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.recognise import Recognised, RecognisedFile, lines_of, look, mappings_for
from corpus.imports.unknown_keys import note_unknown
from corpus.mapping_files import MappedFile
from corpus.models import Study
from corpus.question_form import QuestionsForm
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.tabular.query_files import written

SECONDS_OF_TRIALS = 5.0
"""Files that come later are not tried: somebody waits for the page."""


@dataclass
class MappingPage:
    """The files of an upload with all forms of the page.

    Attributes
    ----------
    earlier
        What was chosen before.
    files
        Those that hold tables.
    lines
        Aligned files of one text per line.
    others
        Name of each file that is left alone, with the reason.
    problems
        Why nothing can be shown.
    read_as
        The named format, if the files are read as one.
    """

    earlier: Choices
    options: OptionsForm
    declarations: DeclarationForm
    questions: QuestionsForm
    aspects: AspectsForm = field(default_factory=lambda: AspectsForm(()))
    files: list[MappedFile] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    read_as: NamedFormat | None = None

    @property
    def part_is_needed(self) -> bool:
        """Whether the files hold several studies, and nobody has chosen one."""
        return bool(self.read_as and self.read_as.choices and not self.read_as.chosen)

    @property
    def has_errors(self) -> bool:
        """Whether something was sent that makes no sense."""
        forms = (self.options, self.declarations)
        return any(form.errors for form in forms) or any(file.has_errors for file in self.files)

    @property
    def to_decide(self) -> list[MappedFile]:
        """The files of which somebody has to decide something."""
        return [file for file in self.files if not file.leave_out and file.is_to_be_looked_at]

    @property
    def is_ready(self) -> bool:
        """Whether everything can be imported as it is, with nothing to decide."""
        return not (self.problems or self.to_decide or self.obstacles)

    @property
    def obstacles(self) -> list[str]:
        """Why nothing can be imported like this."""
        found = []
        if self.has_errors:
            found.append("Please correct the marked fields.")
        found += [
            f"{file.name} cannot be read; leave it out, or repair it and upload it again."
            for file in self.files
            if file.is_unreadable
        ]
        found += [
            f"{file.name}: {table.spec.name} lacks {', '.join(table.lacking)}. Choose a column, "
            "give a constant, or tick “Do not read this table”."
            for file in self.files
            if not file.leave_out
            for table in file.tables
            if table.lacking
        ]
        if self.read_as and self.part_is_needed:
            found.append(f"These files hold several studies: choose the {self.read_as.part}.")
        if not (self.lines or any(file.mappings for file in self.files) or found):
            found.append("No file is read as a table. Choose below what one of them holds.")
        return found

    def import_options(self) -> ImportOptions:
        """Return the options with the mappings of all files."""
        mappings = {
            file.name: file.mappings for file in self.files if file.mappings or file.leave_out
        }
        chosen = {"mappings": mappings, "answers": self.questions.chosen}
        return ImportOptions(**{**self._plain_options(), **chosen})

    def _plain_options(self) -> dict[str, Any]:
        return plain_options(self.options.options)

    @property
    def queries(self) -> str:
        """The mappings of all files as a `.sql` file."""
        return written(
            (table.spec.name, table.shown_query)
            for file in self.files
            if not file.leave_out
            for table in file.tables
            if table.shown_query
        )

    def show_query(self, source: SourceFile, mapping: Mapping, query: str) -> None:
        """Show what a mapping means beside its form, with how the file is written."""
        for file in self.files:
            for table in file.tables if file.source is source else ():
                if table.mapping is mapping:
                    table.shown_query = mapping.query or file.with_dialect(query, mapping)

    def with_files(self, mappings: dict[str, list[Mapping]]) -> Choices:
        """Return what is chosen by now, but for files that are to be read in another way."""
        chosen = self.choices()
        files = {name: FileChoice.of(name, each) for name, each in mappings.items()}
        return replace(chosen, files=chosen.files | files)

    def choices(self) -> Choices:
        """Return what is chosen by now; of what makes no sense, what was chosen before."""
        earlier = self.earlier
        files = {file.name: file.choice for file in self.files}
        good = self.options.is_valid()
        typed = self.declarations
        return Choices(
            {**earlier.files, **files},
            self._plain_options() if good else earlier.options,
            self.questions.answers,
            {**earlier.aspects, **self.aspects.sent},
            {name: typed.data.get(name, "") for name in typed.fields}
            if typed.is_bound
            else earlier.declared,
        )


def mapping_page(
    study: Study, path: Path, earlier: Choices, data: Any = None, *, only_choices: bool = False
) -> MappingPage:
    """Look at the files of an upload, as somebody wants them read by now.

    Parameters
    ----------
    study
        Whose names are known already.
    path
        The upload.
    earlier
        What was chosen before.
    data
        What was sent; None if the page is only to be shown.
    only_choices
        Whether the page will not be shown, so that no record needs to be read.
    """
    page = MappingPage(
        earlier,
        OptionsForm(earlier.options if data is None else data),
        DeclarationForm(data, initial=earlier.declared),
        QuestionsForm(earlier.answers, data),
    )
    page.declarations.is_valid()
    if not page.options.is_valid():
        return page
    with work_folder() as workdir, ConfinedReading(page_limits()) as reading:
        try:
            offered = look(reading, path, workdir, page.options.options)
            declared = offered.files.study_json or {}
            check_declarations(declared)
            lines = lines_of(reading, offered, page.options.options)
        except TableError as error:
            page.problems = error.problems
            return page
        page.read_as = offered.format
        page.others = [] if page.part_is_needed else list(offered.files.unrecognised)
        if page.read_as and page.read_as.choices:
            page.options.offer_parts(page.read_as.part, page.read_as.choices)
        page.lines = [_line_words(source.name, each) for source, each in lines]
        page.files = _files(reading, offered, page, data)
        page.aspects = AspectsForm((), earlier.aspects, data)
        if not only_choices or page.has_errors:
            _judge(reading, study, page, lines, declared)
            names = [] if page.problems else _aspects_to_show(reading, study, declared)
            page.aspects = AspectsForm(names, earlier.aspects, data)
    return page


def _judge(
    reading: ConfinedReading,
    study: Study,
    page: MappingPage,
    lines: list[tuple[SourceFile, Mapping]],
    declared: dict[str, Any],
) -> None:
    """Carry out what the page says, with every question answered, and show what comes of it."""
    read = [(file.source, each) for file in page.files for each in file.readable()]
    files = [RecognisedFile(source, [each]) for source, each in [*read, *lines]]
    without_texts = page.options.options.without_texts or bool(declared.get("without_texts"))
    options = replace(
        page.options.options,
        answers=page.questions.answers,
        accept=True,
        without_texts=without_texts,
    )
    recognised = Recognised(files, options, declared)
    try:
        try:
            asked = judge(reading, study, recognised)
        except (TableError, OptionsError):  # An answer that is offered no more.
            recognised.options = replace(options, answers={})
            asked = judge(reading, study, recognised)
    except TableError as error:
        page.problems = error.problems
        return
    page.questions.ask(asked.answered)
    for (source, each), query in zip(recognised.work, asked.queries, strict=False):
        page.show_query(source, each, query)
    known = EarlierMapping.all_of(study)
    end = time.monotonic() + SECONDS_OF_TRIALS
    for file in page.files:
        file.offer(known)
        if time.monotonic() < end:
            file.try_tables(study)
    if not (recognised.options.without_texts or study.without_texts):
        is_all = not lines and all(file.is_tried for file in page.files)
        trials = [words.trial for file in page.files for words in file.trials]
        note_unknown(study, trials, is_all=is_all)


def _files(
    reading: ConfinedReading, offered: Found, page: MappingPage, data: Any
) -> list[MappedFile]:
    """Draw the forms of each file that holds tables."""
    written = declared_mappings(offered.files.study_json or {})
    files: list[MappedFile] = []
    for source in offered.files.files:
        if source.format == "lines":
            continue
        known = mappings_for(source.name, written, offered.mappings)
        choice = page.earlier.of_file(source.name) or FileChoice.of(source.name, known)
        encoding = page.options.options.encoding
        files.append(MappedFile(reading, source, len(files), choice, encoding, data))
    return files


def _aspects_to_show(reading: ConfinedReading, study: Study, declared: dict[str, Any]) -> list[str]:
    """Return the names of aspects that are no keys and that neither study nor files declare."""
    said = {**study.declarations.get("aspects", {}), **declared.get("aspects", {})}
    found = reading.names("ratings", "aspect")
    return [name for name in found if name not in ASPECTS and name not in said]


def _line_words(name: str, each: Mapping) -> dict[str, Any]:
    system = each.constants.get("system", "")
    references = each.columns.get("reference", ())
    words = f"outputs of {system}" if system else "sources"
    return {"name": name, "words": words, "references": len(references)}
