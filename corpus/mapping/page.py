"""What the mapping page shows of an upload, and what was chosen on it."""

import time
from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corpus.formats.catalogue import NamedFormat
from corpus.imports.declarations import check_declarations, declared_queries
from corpus.imports.drafts import (
    Choices,
    FileChoice,
    asked_by_import,
    plain_options,
)
from corpus.imports.judging import judge
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.recognise import Recognised, RecognisedFile, look, mappings_for, table_lines
from corpus.imports.uploads import page_limits, work_folder
from corpus.mapping.mapped_file import MappedFile
from corpus.mapping.upload_forms import QuestionsForm
from corpus.models import Study
from corpus.pages.forms import OptionsForm
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import Problem, TableError
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import written

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
    plain_lines
        Files of one text per line, and how each is read.
    others
        Name of each file that is left alone, with the reason.
    problems
        Why nothing can be shown.
    read_as
        The named format, if the files are read as one.
    declared
        What `study.json` says.
    """

    earlier: Choices
    options: OptionsForm
    questions: QuestionsForm
    files: list[MappedFile] = field(default_factory=list)
    plain_lines: list[tuple[SourceFile, Mapping]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    read_as: NamedFormat | None = None
    declared: dict[str, Any] = field(default_factory=dict)

    @property
    def part_is_needed(self) -> bool:
        """Whether the files hold several studies, and nobody has chosen one."""
        return bool(self.read_as and self.read_as.choices and not self.read_as.chosen)

    @property
    def has_errors(self) -> bool:
        """Whether something was sent that makes no sense."""
        return bool(self.options.errors) or any(file.has_errors for file in self.files)

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
        for file in self.files:
            if file.is_unreadable:
                found.append(
                    f"{file.name} cannot be read; leave it out, or repair it and upload it again."
                )
            found += [
                f"{file.name}: {table.spec.name} lacks {', '.join(table.lacking)}. Name a "
                "column, write an expression, or tick “Do not read this table”."
                for table in file.tables
                if table.lacking and not file.leave_out
            ]
        if self.read_as and self.part_is_needed:
            found.append(f"These files hold several studies: choose the {self.read_as.part}.")
        if not (self.plain_lines or any(file.mappings for file in self.files) or found):
            found.append("No file is read as a table. Choose below what one of them holds.")
        return found

    def import_options(self) -> ImportOptions:
        """Return the options with the mappings of all files."""
        mappings = {
            file.name: file.mappings for file in self.files if file.mappings or file.leave_out
        }
        return replace(self.options.options, mappings=mappings, answers=self.questions.chosen)

    @property
    def queries(self) -> str:
        """The mappings of all files as a `.sql` file."""
        read = (table for file in self.files if not file.leave_out for table in file.tables)
        return written((each.spec.name, each.shown_query) for each in read if each.shown_query)

    def with_files(self, mappings: AnyMapping[str, Sequence[Mapping]]) -> Choices:
        """Return what is chosen by now, but for files that are to be read in another way."""
        chosen = self.choices()
        files = {name: FileChoice.of(name, each) for name, each in mappings.items()}
        return replace(chosen, files=chosen.files | files)

    def choices(self) -> Choices:
        """Return what is chosen by now; of what makes no sense, what was chosen before."""
        is_good = self.options.is_valid()
        return Choices(
            self.earlier.files | {file.name: file.choice for file in self.files},
            plain_options(self.options.options) if is_good else self.earlier.options,
            self.questions.answers,
        )

    def look(self, reading: ConfinedReading, path: Path, workdir: Path, data: Any) -> None:
        """Find the files and draw the forms of each that holds tables."""
        options = self.options.options
        offered = look(reading, path, workdir, options)
        self.declared = offered.files.study_json or {}
        check_declarations(self.declared)
        self.plain_lines = table_lines(offered, options)
        tables = [file for file in offered.files.files if file.format != "lines"]
        own = declared_queries(self.declared, {file.name for file in tables})
        if own:  # Other files are left out.
            own = {file.name: [] for file in tables} | own
        self.read_as = offered.format
        if self.read_as and self.read_as.choices:
            self.options.offer_parts(self.read_as.part, self.read_as.choices)
        self.others = [] if self.part_is_needed else list(offered.files.unrecognised)
        for number, source in enumerate(tables):
            choice = self.earlier.of_file(source.name) or FileChoice.of(
                source.name, mappings_for(source, own, offered.mappings)
            )
            file = MappedFile(reading, source, number, choice, options.encoding, data)
            self.files.append(file)

    def judge(self, reading: ConfinedReading, study: Study, path: Path) -> None:
        """Carry out what the page says, with every question answered, and show what comes of it."""
        tables = [(file, table) for file in self.files for table in file.readable()]
        work = [(file.source, table.mapping) for file, table in tables] + self.plain_lines
        options = replace(
            self.options.options,
            answers=self.questions.answers,
            accept=True,
            without_texts=bool(self.declared.get("without_texts")),
        )
        files = [RecognisedFile(source, [mapping]) for source, mapping in work]
        recognised = Recognised(files, options, self.declared)
        try:
            asked = judge(reading, study, recognised)
        except (TableError, OptionsError):  # An answer that is offered no more.
            recognised.options = replace(options, answers={})
            asked = judge(reading, study, recognised)
        self.questions.ask(asked.answered, asked_by_import(study, path) if reading.is_cut else ())
        for (file, table), query in zip(tables, asked.queries, strict=False):
            table.shown_query = table.mapping.query or file.with_dialect(query, table.mapping)
        end = time.monotonic() + SECONDS_OF_TRIALS
        for file in self.files:
            if time.monotonic() < end:
                file.try_tables()


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
        QuestionsForm(earlier.answers, data),
    )
    if not page.options.is_valid():
        return page
    with work_folder() as workdir, ConfinedReading(page_limits()) as reading:
        try:
            page.look(reading, path, workdir, data)
            if not only_choices or page.has_errors:
                page.judge(reading, study, path)
        except TableError as error:
            page.problems = error.problems
    return page
