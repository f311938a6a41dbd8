"""What the mapping page shows of an upload, and what was chosen on it."""

import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.aspect_form import AspectsForm
from corpus.declaration_form import DeclarationForm
from corpus.formats.reading import NamedFormat
from corpus.forms import OptionsForm
from corpus.imports.choices import Choices, FileChoice, plain_options
from corpus.imports.earlier_mappings import EarlierMapping
from corpus.imports.limits import page_limits
from corpus.imports.options import ImportOptions
from corpus.imports.trial import Trial
from corpus.imports.unknown_keys import note_unknown
from corpus.mapping_files import MappedFile
from corpus.models import Study
from corpus.names_in_files import aspects_to_show, systems_to_ask
from corpus.role_form import RolesForm
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.texts_question import TextsQuestion
from corpus.upload_contents import Contents, contents

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
    roles: RolesForm
    texts: TextsQuestion = field(default_factory=TextsQuestion)
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
        if self.texts.is_needed:
            found.append(
                "Neither this study nor these files hold texts of outputs. Upload them too, or "
                "tick “Import without texts”."
            )
        found += [
            f"{file.name}: its columns were recognised only by their contents. Check its "
            "records. Then tick “Yes, read it like this”, correct it, or leave the file out."
            for file in self.files
            if file.is_suggested and not file.leave_out
        ]
        if not (self.lines or any(file.mappings for file in self.files) or found):
            found.append("No file is read as a table. Choose below what one of them holds.")
        return found

    def import_options(self) -> ImportOptions:
        """Return the options with the mappings of all files."""
        mappings = {
            file.name: file.mappings for file in self.files if file.mappings or file.leave_out
        }
        chosen = {"mappings": mappings, "system_roles": self.roles.roles}
        return ImportOptions(**{**self._plain_options(), **chosen})

    def _plain_options(self) -> dict[str, Any]:
        answer = {"without_texts": self.texts.without_texts}
        return plain_options(self.options.options) | answer

    def tried(self, source: SourceFile, mapping: Mapping) -> Trial | None:
        """Return what was found in a table, if it was read whole."""
        found = (file.tried(mapping) for file in self.files if file.source is source)
        return next(found, None)

    def with_files(self, mappings: dict[str, list[Mapping]]) -> Choices:
        """Return what is chosen by now, but for files that are to be read in another way."""
        chosen = self.choices()
        files = {name: FileChoice.of(each) for name, each in mappings.items()}
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
            {**earlier.roles, **self.roles.sent},
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
    if data is not None:
        page = MappingPage(
            earlier, OptionsForm(data), DeclarationForm(data), RolesForm((), earlier.roles, data)
        )
        page.declarations.is_valid()
    else:
        page = MappingPage(
            earlier,
            OptionsForm(earlier.options),
            DeclarationForm(initial=earlier.declared),
            RolesForm((), earlier.roles, None),
        )
    if not page.options.is_valid():
        return page
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="mapping-", dir=parent) as workdir,
        ConfinedReading(page_limits()) as reading,
    ):
        try:
            found = contents(reading, path, Path(workdir), page.options.options)
        except TableError as error:
            page.problems = error.problems
            return page
        page.read_as = found.read_as
        page.others = [] if page.part_is_needed else found.others
        if page.read_as and page.read_as.choices:
            page.options.offer_parts(page.read_as.part, page.read_as.choices)
        page.lines = [_line_words(source.name, each) for source, each in found.lines]
        page.files = _files(reading, found, page, data)
        page.aspects = AspectsForm((), earlier.aspects, data)
        read = [(file.source, each) for file in page.files for each in file.readable()]
        if not found.declared.get("without_texts"):
            tables = [each.table for _, each in [*read, *found.lines]]
            before = bool(earlier.options.get("without_texts"))
            page.texts = TextsQuestion.of(study, tables, data, before=before)
        if only_choices and not page.has_errors:
            return page
        known = EarlierMapping.all_of(study)
        end = time.monotonic() + SECONDS_OF_TRIALS
        for file in page.files:
            file.offer(known)
            if time.monotonic() < end:
                file.try_tables(study)
        if not (page.texts.is_asked or study.without_texts or found.declared.get("without_texts")):
            is_all = not found.lines and all(file.is_tried for file in page.files)
            note_unknown(
                study, [trial for file in page.files for trial in file.tried_tables], is_all=is_all
            )
        systems = systems_to_ask(reading, study, [*read, *found.lines], found.declared, page.tried)
        page.roles = RolesForm(systems, earlier.roles, data)
        aspects = aspects_to_show(reading, study, read, found.declared, page.tried)
        page.aspects = AspectsForm(aspects, earlier.aspects, data)
    return page


def _files(
    reading: ConfinedReading, found: Contents, page: MappingPage, data: Any
) -> list[MappedFile]:
    """Draw the forms of each file that holds tables."""
    encoding = page.options.options.encoding
    return [
        MappedFile(
            reading,
            source,
            number,
            page.earlier.of_file(source.name) or FileChoice.of(found.mappings.get(source.name)),
            encoding,
            data,
        )
        for number, source in enumerate(found.tables)
    ]


def _line_words(name: str, each: Mapping) -> dict[str, Any]:
    system = each.constants.get("system", "")
    references = each.columns.get("reference", ())
    words = f"outputs of {system}" if system else "sources"
    return {"name": name, "words": words, "references": len(references)}
