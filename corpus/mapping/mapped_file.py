"""One file of an upload on the mapping page: its first rows, and how they are read."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from corpus.imports.drafts import FileChoice
from corpus.imports.table_guesses import added, proposed, without_columns_of_others
from corpus.imports.trial import Trial, try_table
from corpus.mapping.column_groups import ColumnGroupForm
from corpus.mapping.file_form import FileForm
from corpus.mapping.table_form import TableForm
from corpus.tables.register import handler_for, handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.plain import bounded_json, from_plain, to_plain
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.shaping.mapping import Mapping, columns_in
from corpus.tabular.shaping.query_files import with_dialect

ROWS_SHOWN = 5
LONGEST_CELL = 200
_USUAL = {"encoding": "utf-8", "delimiter": ",", "header": True, "comment": ""}
"""What need not be said of a file."""


class MappedFile:
    """A file with its forms, as first shown or as sent back.

    Attributes
    ----------
    drawn
        What the forms were drawn from.
    form, columns, tables
        What is said of the whole file, of several columns at once, and of each table in it.
    shown
        Its first rows; None if it cannot be read.
    problems
        Why it cannot be read.
    reason
        Why nothing was recognised.
    read_again
        Whether it is shown in a way that nobody has seen yet.
    is_opened
        Whether its forms are unfolded, whatever they say.
    trials
        What its tables hold, where it was tried.
    has_forms
        Whether the page has its forms; of very many files those that are asked for have.
    """

    def __init__(
        self,
        reading: ConfinedReading,
        source: SourceFile,
        number: int,
        choice: FileChoice,
        encoding: str,
        data: Any = None,
    ) -> None:
        self.source = source
        self._reading = reading
        self.prefix = f"file-{number}"
        self.shown: Preview | None = None
        self.problems: tuple[Problem, ...] = ()
        self.reason = ""
        self.read_again = self.is_opened = False
        self.has_forms = True
        self.trials: list[Trial] = []
        if sent := self._sent(data):
            self._take(sent, data)
            return
        dialect = choice.dialect or Dialect()
        dialect = replace(dialect, encoding=dialect.encoding or encoding or None)
        self._draw(replace(choice, dialect=dialect))

    @property
    def name(self) -> str:
        """The file's name inside the upload."""
        return self.source.name

    @property
    def dialect(self) -> Dialect:
        """How the file is written, as far as somebody has said."""
        return self.drawn.dialect or Dialect()

    @property
    def leave_out(self) -> bool:
        """Whether the file is not to be read."""
        return self.drawn.left_out

    @property
    def is_suggested(self) -> bool:
        """Whether its tables were told from what the columns hold, and nobody corrected them."""
        return self.drawn.suggested

    @property
    def mappings(self) -> list[Mapping]:
        """How the file is to be read."""
        return [] if self.leave_out else [table.mapping for table in self.tables]

    @property
    def choice(self) -> FileChoice:
        """What is kept of the forms: what makes no sense is not."""
        tables = tuple(t.original if t.errors else t.mapping for t in self.tables)
        return replace(self.drawn, mappings=tables or None)

    @property
    def was(self) -> str:
        """What the forms were drawn from, which is sent back with them."""
        return json.dumps(to_plain(self.drawn))

    def try_tables(self) -> None:
        """Read the first records of each table as an import would."""
        self.trials = [
            try_table(self._reading, self.source, each.mapping, each.spec)
            for each in self.readable()
        ]

    def readable(self) -> list[TableForm]:
        """Return the tables of which rows can be read as they are."""
        if self.is_unreadable or self.has_errors:
            return []
        return [table for table in self.tables if not (self.leave_out or table.lacking)]

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
        return any(trial.refusal for trial in self.trials)

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

    def with_dialect(self, query: str, mapping: Mapping) -> str:
        """Return the query of a mapping after a line that says how the file is written."""
        said, found = vars(self.dialect), vars(mapping.dialect)
        usual = {name: said[name] for name, value in _USUAL.items() if found[name] == value}
        return with_dialect(query, self.name, replace(mapping.dialect, **usual))

    @property
    def header(self) -> list[tuple[str, list[str], bool]]:
        """Each column with the fields that it becomes, and whether it is ticked."""
        becomes: dict[str, dict[str, None]] = {column: {} for column in self.column_names}
        for table in self.tables:
            for column, words in _becomes(table.mapping.resolved(self.column_names)):
                becomes.get(column, {})[f"{table.spec.name}: {words}"] = None
        picked = self.columns.picked
        return [(name, list(words), n in picked) for n, (name, words) in enumerate(becomes.items())]

    @property
    def first_rows(self) -> list[tuple[int, list[str]]]:
        """Line and cells of the first rows, long cells cut short."""
        rows = zip(self.shown.lines, self.shown.rows, strict=True) if self.shown else ()
        return [
            (line, [shorten(cell, LONGEST_CELL) for cell in row])
            for line, row in islice(rows, ROWS_SHOWN)
        ]

    def _sent(self, data: Any) -> FileChoice | None:
        """Return what the forms that were sent had been drawn from; None if not for this file."""
        if data is None or data.get(f"{self.prefix}-name") != self.name:
            return None
        with suppress(ValueError, LookupError):
            was: FileChoice = from_plain(FileChoice, bounded_json(data[f"{self.prefix}-was"]))
            return was
        return None

    def _take(self, sent: FileChoice, data: Any) -> None:
        """Follow what was sent; show it as it was sent where it makes no sense."""
        self._draw(replace(sent, left_out=bool(data.get(f"{self.prefix}-leave_out"))))
        if self.leave_out:
            return
        form = FileForm(self.dialect, self._found, self.prefix, data)
        if form.is_valid() and form.dialect != self.dialect:
            self.read_again = True
            self._draw(FileChoice(dialect=form.dialect))
            return
        tables = self._tables(self.drawn.mappings or (), data)
        columns = ColumnGroupForm(self.column_names, self.prefix, data)
        if any(each.errors for each in (form, columns, *tables)):
            self.form, self.tables, self.columns = form, tables, columns
            return
        kept = [table.mapping for table in tables if not table.cleaned_data["remove"]]
        shown, further = self.shown, form.cleaned_data["add"]
        if shown and further:
            kept.append(added(self.source, shown, further, kept))
        if shown and columns.is_given:
            kept = columns.applied(kept, partial(proposed, self.source, shown))
        self.read_again = bool(shown and (further or columns.is_given))
        mappings = tuple(without_columns_of_others(mapping, kept) for mapping in kept)
        # Who corrects a suggestion has looked at it.
        is_left = self.is_suggested and mappings == self.drawn.mappings and not columns.is_given
        self._draw(replace(self.drawn, mappings=mappings, suggested=is_left))

    def _draw(self, choice: FileChoice) -> None:
        """Read the first rows and draw the forms; guess the tables where nobody has said."""
        self.drawn = choice
        self.shown = None
        try:
            specs, is_guessed = [each.spec for each in handlers()], choice.mappings is None
            self.shown = self._reading.preview(
                self.source, dialect=self.dialect, specs=specs, is_guessed=is_guessed
            )
        except TableError as error:
            self.problems = error.problems
            self.drawn = replace(choice, mappings=())
        else:
            if is_guessed:
                guessed = self.shown.guess
                self.reason, suggested = guessed.reason, bool(guessed.suggested)
                mappings = tuple(guessed.suggested or guessed.mappings)
                self.drawn = replace(choice, mappings=mappings, suggested=suggested)
        self.tables = self._tables(self.drawn.mappings or ())
        self.columns = ColumnGroupForm(self.column_names, self.prefix)
        self.form = FileForm(self.dialect, self._found, self.prefix)
        self.form.initial["leave_out"] = self.leave_out

    @property
    def column_names(self) -> Sequence[str]:
        """The names of its columns; none if it cannot be read."""
        return self.shown.columns if self.shown else ()

    @property
    def _found(self) -> Dialect:
        """How the file is written: as was said, else as its first lines show."""
        return self.shown.dialect if self.shown else self.dialect

    def _tables(self, mappings: Sequence[Mapping], data: Any = None) -> list[TableForm]:
        return [
            TableForm(
                handler_for(mapping.table).spec,
                self.column_names,
                mapping,
                data,
                f"{self.prefix}-{place}",
            )
            for place, mapping in enumerate(mappings)
        ]


def _becomes(mapping: Mapping) -> Iterator[tuple[str, str]]:
    """Yield columns with what becomes of them, in words."""
    for name, source in mapping.columns.items():
        yield from ((column, name) for column in columns_in(source))
    if wide := mapping.wide:
        for column, labels in wide.spread(wide.columns)[0].items():
            pairs = zip(wide.names, labels, strict=True)
            yield column, " and ".join(f"{name} “{label}”" for name, label in pairs)
    yield from ((column, "attribute") for column in mapping.attributes)
