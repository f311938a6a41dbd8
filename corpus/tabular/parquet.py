"""Parquet files, read in small batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from corpus.extras import how_to_install
from corpus.tabular.exploding import has_list, no_list
from corpus.tabular.files import SourceFile, check_columns, check_expansion
from corpus.tabular.json_paths import characters_of, column_names, exploded, getter
from corpus.tabular.limits import MEBIBYTE, Limits
from corpus.tabular.problems import Problem, ProblemLog, TableError, unstorable_text
from corpus.tabular.readers import Spot

BATCH_BYTES = 4 * MEBIBYTE
BATCH_VALUES = 200_000
EXPANDED_BYTES = 4 * MEBIBYTE
"""Of text, below which nobody asks how large the file is."""
SAMPLED_ROWS = 200


class ParquetReader:
    """Records of a Parquet file; a place in it is a row, counted from 1.

    Columns that hold structures are named as JSON values are: ``scores.style``,
    ``ratings[].rater``.

    Parameters
    ----------
    source, limits, log
        As for `DelimitedReader`.
    columns
        The dotted names wanted; None for all.
    explode
        Path of a list of which each element makes a record.
    """

    encoding: str | None = None
    delimiter: str | None = None

    def __init__(
        self,
        source: SourceFile,
        limits: Limits,
        log: ProblemLog,
        columns: Sequence[str] | None = None,
        explode: str | None = None,
    ) -> None:
        try:
            import pyarrow as arrow
            import pyarrow.parquet as parquet
        except ImportError:
            raise TableError(_unsupported(source.name)) from None

        self._name = source.name
        self._limits = limits
        self._log = log
        self._row = 0
        self._unpacked = 0
        self._packed = max(source.path.stat().st_size, 1)
        self._explode = explode.replace("[]", "").split(".") if explode else None
        try:
            self._file = parquet.ParquetFile(source.path)
            schema = self._file.schema_arrow
            self._check_sizes()
            texts = [
                field.name
                for field in schema
                if arrow.types.is_string(field.type) or arrow.types.is_large_string(field.type)
            ]
            # Dictionaries keep a text that repeats from being unpacked once per row.
            self._file = parquet.ParquetFile(source.path, read_dictionary=texts, pre_buffer=False)
        except MemoryError:
            raise
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise self._damaged(error) from error
        self._arrow_error = arrow.ArrowException
        self.is_flat = not any(arrow.types.is_nested(field.type) for field in schema)
        self._stored = tuple(schema.names)
        check_columns(self._name, self._stored, limits)
        if len(set(self._stored)) != len(self._stored):
            twice = next(name for name in self._stored if self._stored.count(name) > 1)
            raise TableError(
                Problem(
                    self._name,
                    column=twice,
                    found=twice,
                    expected="a name that no other column has",
                    message="Rename or remove one of the two columns.",
                    code="duplicate-column",
                )
            )
        self.columns = tuple(columns) if columns is not None else self._all_columns()

    def _check_sizes(self) -> None:
        """Refuse column chunks that say they unpack to far more than they hold."""
        meta = self._file.metadata
        for group in range(meta.num_row_groups):
            for index in range(meta.num_columns):
                chunk = meta.row_group(group).column(index)
                packed, unpacked = chunk.total_compressed_size, chunk.total_uncompressed_size
                if unpacked > 64 * MEBIBYTE and unpacked > self._limits.ratio * max(packed, 1):
                    raise TableError(
                        Problem(
                            self._name,
                            column=chunk.path_in_schema,
                            found=f"{unpacked // max(packed, 1)} times its packed size",
                            expected=f"at most {self._limits.ratio} times",
                            message="Refused, because it could fill the memory.",
                            code="expansion",
                        )
                    )

    def _damaged(self, error: Exception) -> TableError:
        return TableError(
            Problem(
                self._name,
                found=str(error).splitlines()[0][:80] if str(error) else "",
                expected="a whole Parquet file",
                message="The file is damaged or cut short; copy or write it again.",
                code="damaged",
            )
        )

    def _all_columns(self) -> tuple[str, ...]:
        if self.is_flat:
            return self._stored
        first = (record for _, record in zip(range(SAMPLED_ROWS), self._records(), strict=False))
        names = tuple(column_names(first))
        check_columns(self._name, names, self._limits)
        return names

    def _batch_rows(self) -> int:
        """Return how many rows make a batch of a few mebibytes, going by the whole file."""
        meta = self._file.metadata
        groups = [meta.row_group(n) for n in range(meta.num_row_groups)]
        size: int = sum(group.total_byte_size for group in groups)
        rows: int = meta.num_rows
        average = size // max(rows, 1) + 1
        values: int = sum(g.column(n).num_values for g in groups for n in range(meta.num_columns))
        most = BATCH_VALUES // (values // max(rows, 1) + 1)
        return max(1, min(4096, BATCH_BYTES // average, most))

    def _batches(self) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(batch_size=self._batch_rows(), use_threads=False)
        except MemoryError:
            raise
        except (self._arrow_error, OSError) as error:
            raise self._damaged(error) from error

    def _cells(self, unpack: Callable[[Any], list[Any]], stored: Any) -> list[Any]:
        """Turn what Arrow holds into Python values; it does not check that texts are UTF-8."""
        try:
            return unpack(stored)
        except (ValueError, OverflowError, IndexError) as error:
            raise self._damaged(error) from error

    def _records(self) -> Iterator[dict[str, Any]]:
        for batch in self._batches():
            yield from self._cells(_rows, batch)

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        return self._flat_rows() if self.is_flat and not self._explode else self._nested_rows()

    def _flat_rows(self) -> Iterator[tuple[int, list[Any]]]:
        missing = [name for name in self.columns if name not in self._stored]
        if missing:
            raise TableError(
                Problem(
                    self._name,
                    column=missing[0],
                    found=", ".join(self._stored),
                    expected=f"a column {missing[0]}",
                    message="Correct the mapping.",
                    code="missing-column",
                )
            )
        self._row = 0
        for batch in self._batches():
            values = [self._cells(_values, batch.column(name)) for name in self.columns]
            for row in zip(*values, strict=True):
                self._row += 1
                if self._is_sound(row):
                    yield self._row, list(row)

    def _nested_rows(self) -> Iterator[tuple[int, list[Any]]]:
        getters = [getter(name) for name in self.columns]
        numbered = any("[#]" in name for name in self.columns)
        found, self._row = self._explode is None, 0
        for number, record in enumerate(self._records(), 1):
            self._row = number
            found = found or has_list(record, self._explode or ())
            if numbered:
                record["[#]"] = str(number)
            path = self._explode
            for _, element in exploded(record, path, numbered=numbered) if path else [((), record)]:
                row = [get(element) for get in getters]
                if self._is_sound(row):
                    yield self._row, row
        if not found and self._row:
            raise no_list(self._name, ".".join(self._explode or ()))

    def _is_sound(self, row: Sequence[Any]) -> bool:
        """Log a text or record that is too long or a NUL character; count what is unpacked."""
        length = characters_of(row)
        self._unpacked += length
        if self._unpacked > EXPANDED_BYTES:
            check_expansion(self._name, self._unpacked, self._packed, self._limits)
        if length > self._limits.record_characters:
            self._log.add(self._long_record(length))
            return False
        limit = self._limits.field_characters
        for index, value in enumerate(row):
            if isinstance(value, str) and (len(value) > limit or "\0" in value):
                column = self.columns[index]
                self._log.add(
                    unstorable_text(self._name, value, limit, line=self._row, column=column)
                )
                return False
        return True

    def _long_record(self, length: int) -> Problem:
        return Problem(
            self._name,
            line=self._row,
            found=f"a record of {length} characters",
            expected=f"at most {self._limits.record_characters}",
            message="Shorten its texts or lists.",
            code="field-size",
        )

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say in which row a value stands."""
        return Spot(self._row, None)


def _rows(batch: Any) -> list[Any]:
    return batch.to_pylist()  # type: ignore[no-any-return]


def _values(column: Any) -> list[Any]:
    """Return a column's values; those of a dictionary share one object per entry."""
    if hasattr(column, "dictionary"):
        entries = [*column.dictionary.to_pylist(), None]
        return [entries[-1 if n is None else n] for n in column.indices.to_pylist()]
    return column.to_pylist()  # type: ignore[no-any-return]


def _unsupported(name: str) -> Problem:
    return Problem(
        name,
        found="Parquet",
        expected="a format that this installation reads",
        message=f"The administrator adds it by: {how_to_install('parquet')}",
        code="format",
    )
