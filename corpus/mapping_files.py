"""One file of an upload on the mapping page: its first rows, and how they are read."""

import json
from dataclasses import asdict, replace
from typing import Any

from corpus.column_group_form import ColumnGroupForm
from corpus.file_form import FileForm, drawn_from
from corpus.first_rows import FirstRows
from corpus.imports.choices import FileChoice
from corpus.imports.earlier_mappings import EarlierMapping
from corpus.imports.trial import try_table
from corpus.mapping_forms import TableForm
from corpus.models import Study
from corpus.table_guesses import TableGuesses, without_columns_of_others
from corpus.tables import handler_for, handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.known_columns import known_names
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.tabular.query_files import with_dialect
from corpus.tabular.readers import Dialect
from corpus.tabular.reading import Preview
from corpus.trial_words import TrialWords

EARLIER_OFFERED = 3
_USUAL = {"encoding": "utf-8", "delimiter": ",", "header": True, "comment": ""}
"""What need not be said of a file."""


class MappedFile:
    """A file with its forms, as first shown or as sent back.

    Attributes
    ----------
    source, dialect
        The file, and how it is written, as far as somebody has said.
    leave_out
        Whether the file is not to be read.
    form
        What is said of the whole of it.
    columns
        What is said of several columns at once.
    tables
        One form for each table in it.
    shown
        Its first rows; None if it cannot be read.
    problems
        Why it cannot be read, or rows that were passed on the way.
    reason
        Why nothing was recognised.
    read_again
        Whether it is shown in a way that nobody has seen yet.
    is_opened
        Whether its forms are unfolded, whatever they say.
    trials
        What its tables hold, where it was tried.
    earlier
        How earlier imports read files with these columns.
    has_forms
        Whether the page has its forms; of very many files those that are asked for have.
    is_suggested
        Whether its tables were told from what the columns hold, and nobody has corrected them.
    """

    def __init__(
        self,
        reading: ConfinedReading,
        source: SourceFile,
        number: int,
        choice: FileChoice | None,
        encoding: str,
        data: Any = None,
    ) -> None:
        self.source = source
        self._reading = reading
        self.prefix = f"file-{number}"
        self.tables: list[TableForm] = []
        self.shown: Preview | None = None
        self.problems: tuple[Problem, ...] = ()
        self.reason = ""
        self.read_again = False
        self.is_opened = False
        self.trials: list[TrialWords] = []
        self.earlier: list[EarlierMapping] = []
        self.is_suggested = False
        self.has_forms = True
        self.leave_out = choice.left_out if choice else False
        sent = drawn_from(data, self.prefix, source.name) if data is not None else None
        if sent is not None:
            self._take(*sent, data)
            return
        dialect = (choice and choice.dialect) or Dialect()
        dialect = replace(dialect, encoding=dialect.encoding or encoding or None)
        self._draw(dialect, choice.mappings if choice else None, bool(choice and choice.suggested))

    @property
    def name(self) -> str:
        """The file's name inside the upload."""
        return self.source.name

    @property
    def mappings(self) -> list[Mapping]:
        """How the file is to be read."""
        return [] if self.leave_out else [table.mapping for table in self.tables]

    @property
    def choice(self) -> FileChoice:
        """What is kept of the forms: what makes no sense is not."""
        tables = [t.original if t.errors else t.mapping for t in self.tables]
        return FileChoice(tables or None, self.dialect, self.leave_out, self.is_suggested)

    def try_tables(self, study: Study) -> None:
        """Read the first records of each table as an import would."""
        self.trials = [
            TrialWords(
                try_table(self._reading, study, self.source, each, handler_for(each.table).spec)
            )
            for each in self.readable()
        ]

    @property
    def is_tried(self) -> bool:
        """Whether each of its tables that will be imported was read."""
        return len(self.trials) == len(self.mappings) and not self.is_unreadable

    def offer(self, earlier: list[EarlierMapping]) -> None:
        """Offer to read the file as an earlier import did, if it has those columns."""
        columns = self.shown.columns if self.shown else ()
        self.earlier = [
            each for each in earlier if each.mappings != self.mappings and each.fits(columns)
        ][:EARLIER_OFFERED]

    def readable(self) -> list[Mapping]:
        """Return the mappings by which rows can be read as they are."""
        if self.is_unreadable or self.has_errors:
            return []
        return [table.mapping for table in self.tables if not (self.leave_out or table.lacking)]

    @property
    def has_errors(self) -> bool:
        """Whether something was sent that makes no sense."""
        forms = (self.form, self.columns, *self.tables)
        return any(form.errors for form in forms)

    @property
    def is_unreadable(self) -> bool:
        """Whether an import would fail because of this file."""
        return self.shown is None and not self.leave_out

    @property
    def is_incomplete(self) -> bool:
        """Whether a table lacks something it needs."""
        return not self.leave_out and any(table.lacking for table in self.tables)

    @property
    def is_refused(self) -> bool:
        """Whether an import would be refused, as far as was tried."""
        return any(words.refused for words in self.trials)

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at the forms of this file."""
        unknown = not self.leave_out and not self.tables
        is_wrong = self.has_errors or self.is_incomplete or unknown
        return is_wrong or self.read_again or self.is_opened

    @property
    def is_to_be_looked_at(self) -> bool:
        """Whether something of this file is to be decided."""
        return self.needs_attention or self.is_suggested or self.is_refused or bool(self.problems)

    def is_named(self, name: str) -> bool:
        """Whether a problem that names a file means this one."""
        return bool(name) and name in (self.name, self.name.rsplit("/", 1)[-1])

    def point_at(self, column: str) -> None:
        """Unfold the forms, with the focus on what reads a column, or takes a field."""
        self.is_opened = True
        if not any(table.point_at(column) for table in self.tables):
            self.form.fields["leave_out"].widget.attrs["autofocus"] = True

    @property
    def dialect_sent(self) -> str:
        """How the file was read for this page, which is sent back with it."""
        return json.dumps(asdict(self.dialect))

    def with_dialect(self, query: str, mapping: Mapping) -> str:
        """Return the query of a mapping after a line that says how the file is written."""
        said, found = asdict(self.dialect), asdict(mapping.dialect)
        found |= {name: said[name] for name, usual in _USUAL.items() if found[name] == usual}
        return with_dialect(query, self.name, Dialect(**found))

    @property
    def first_rows(self) -> FirstRows | None:
        """Its first rows with what becomes of them, if it can be read."""
        return FirstRows(self.shown, self.tables, self.columns.picked) if self.shown else None

    def _take(self, dialect: Dialect, mappings: list[Mapping], data: Any) -> None:
        """Follow what was sent; show it as it was sent where it makes no sense."""
        self.leave_out = bool(data.get(f"{self.prefix}-leave_out"))
        is_suggested = bool(data.get(f"{self.prefix}-suggested"))
        self._draw(dialect, mappings, is_suggested)
        if self.leave_out:
            return
        form = FileForm(dialect, self.prefix, data, self._found)
        if not form.is_valid():
            self.form, self.tables = form, self._tables(mappings, data)
            return
        if form.dialect != dialect:
            self.read_again = True
            self._draw(form.dialect)
            return
        tables = self._tables(mappings, data)
        if any(table.errors for table in tables):
            self.form, self.tables = form, tables
            return
        kept = [table.mapping for table in tables if not table.cleaned_data["remove"]]
        if self.shown and (added := form.cleaned_data["add"]):
            self.read_again = True
            kept.append(self._guesses.added(added, kept))
        columns = ColumnGroupForm(self.shown.columns if self.shown else (), self.prefix, data)
        if not columns.is_valid():
            self.columns, self.form, self.tables = columns, form, tables
            return
        if columns.is_said:
            self.read_again = True
            kept = columns.applied(kept, self._guesses.proposed)
        kept = [without_columns_of_others(mapping, kept) for mapping in kept]
        # Who corrects a suggestion has looked at it.
        self._draw(dialect, kept, is_suggested and kept == mappings and not columns.is_said)

    def _draw(
        self, dialect: Dialect, mappings: list[Mapping] | None = None, suggested: bool = False
    ) -> None:
        """Read the first rows and draw the forms; guess the tables where nobody has said."""
        self.dialect = dialect
        self.is_suggested = suggested
        self.tables = []
        try:
            self.shown = self._reading.preview(
                self.source, dialect=dialect, names=known_names(each.spec for each in handlers())
            )
        except TableError as error:
            self.shown, self.problems = None, error.problems
        else:
            self.problems = self.shown.problems
            if mappings is None:
                guessed = self._guesses.guessed()
                mappings, self.reason = guessed.mappings, guessed.reason
                self.is_suggested = guessed.is_suggested
            self.tables = self._tables(mappings)
        self.columns = ColumnGroupForm(self.shown.columns if self.shown else (), self.prefix)
        self.form = FileForm(dialect, self.prefix, found=self._found)
        self.form.initial["leave_out"] = self.leave_out

    @property
    def _guesses(self) -> TableGuesses:
        """Proposals for the file as it is shown."""
        if self.shown is None:
            raise LookupError(f"{self.name} cannot be read")
        return TableGuesses(self._reading, self.source, self.shown)

    @property
    def _found(self) -> Dialect:
        """How the file is written: as was said, else as its first lines show."""
        return self.shown.dialect if self.shown else self.dialect

    def _tables(self, mappings: list[Mapping], data: Any = None) -> list[TableForm]:
        columns = self.shown.columns if self.shown else ()
        return [
            TableForm(
                handler_for(mapping.table).spec,
                columns,
                mapping,
                data,
                f"{self.prefix}-{place}",
                self._guesses.words_of(mapping) if self.shown else {},
            )
            for place, mapping in enumerate(mappings)
        ]
