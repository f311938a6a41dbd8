"""Style lexicons, in and out."""

from collections.abc import Iterator
from typing import NamedTuple

from corpus.imports.batch import Batch
from corpus.imports.row_problem import EARLIER, RowProblem
from corpus.models import Study, StyleLexicon
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.opening.files import stem_of
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.texts.lexicons import LexiconEntry, entries_sha256, lexicon_entries, store_lexicon

SPEC = TableSpec(
    name="style_lexicon",
    title="Style lexicon: words that speak for or against a style",
    fields=(
        Field("lexicon", "key", help="the lexicon's name; by default the name of the file"),
        Field("word", "key", required=True, help="one word or several"),
        Field("style", "key", longest=100, help="the style that the word speaks for"),
        Field(
            "weight",
            "number",
            help="how strongly; below zero for the other style. Without one always a style word.",
        ),
    ),
    recognised_by=(("word",), ("style", "weight")),
    file_names=("lexicon",),
)
MOST_ENTRIES = 200_000


class _Row(NamedTuple):
    file: int
    line: int
    entry: LexiconEntry


class LexiconsTable(TableHandler):
    """Handler of style lexicons; their entries are few, so they wait in memory."""

    spec = SPEC
    order = 32

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Keep the rows, lexicon by lexicon."""
        waiting = _waiting(batch)
        default = stem_of(batch.file_names[file])[:200]
        count = 0
        for line, (name, word, style, weight) in records:
            count += 1
            rows = waiting.setdefault(name or default, [])
            if len(rows) < MOST_ENTRIES:
                number = None if weight is None else float(weight)
                rows.append(_Row(file, line, LexiconEntry(word, style or "", number)))
            else:
                batch.problem(_too_many(file, line, word))
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Repeated words, and lexicons that differ from the stored ones."""
        stored = {lexicon.name: lexicon for lexicon in batch.study.lexicons.all()}
        for name, rows in _waiting(batch).items():
            yield from _repeated(batch, rows)
            known = stored.get(name)
            if known and known.sha256 != entries_sha256([row.entry for row in rows]):
                yield from _differences(known, rows)

    def publish(self, batch: Batch) -> Counts:
        """Store the lexicons that are new."""
        added = total = 0
        for name, rows in _waiting(batch).items():
            entries = [row.entry for row in rows]
            total += len(entries)
            lexicon, created = store_lexicon(batch.study, name, entries)
            if created:
                added += len(entries)
            elif lexicon.name != name:
                batch.note(
                    f"Lexicon {name} has the same entries as {lexicon.name}, which is stored; it "
                    "was not stored again."
                )
        return Counts(added=added, unchanged=total - added)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the entries lexicon by lexicon, in their order."""
        if not study.lexicons.exists():
            return
        rows = (
            (lexicon.name, word, style, "" if weight is None else weight)
            for lexicon in list(study.lexicons.order_by("id"))
            for word, style, weight in lexicon_entries(lexicon)
        )
        yield ExportedTable.plain(SPEC.name, SPEC.names, rows)


def _waiting(batch: Batch) -> dict[str, list[_Row]]:
    rows: dict[str, list[_Row]] = batch.memory.setdefault(SPEC.name, {})
    return rows


def _repeated(batch: Batch, rows: list[_Row]) -> Iterator[RowProblem]:
    seen: dict[tuple[str, str], _Row] = {}
    for row in rows:
        key = (row.entry.word, row.entry.style)
        first = seen.setdefault(key, row)
        if first is not row:
            yield RowProblem(
                file=row.file,
                line=row.line,
                field="word",
                found=row.entry.word,
                expected="each word once in a style",
                message=f"{row.entry.word} is listed already at {EARLIER}. If these are words of "
                "two styles or lexicons, map the column that says so; otherwise keep one row.",
                code="duplicate",
                earlier=(first.file, first.line),
            )


def _differences(known: StyleLexicon, rows: list[_Row]) -> Iterator[RowProblem]:
    """Say where a lexicon departs from the stored one of its name."""
    stored = {(word, style): weight for word, style, weight in lexicon_entries(known)}
    advice = f"lexicon {known.name} does not change once stored; give the new one another name"
    is_named = False
    for row in rows:
        word, style, weight = row.entry
        if (word, style) not in stored:
            expected = f"a word of the {len(stored)} stored ones"
            yield RowProblem(row.file, row.line, "word", word, expected, advice, "differs")
            is_named = True
        elif stored[word, style] != weight:
            found = "" if weight is None else f"{weight:.15g}"
            expected = f"{stored[word, style]}, as stored"
            yield RowProblem(row.file, row.line, "weight", found, expected, advice, "differs")
            is_named = True
    if not is_named:
        first, expected = rows[0], f"all {len(stored)} entries, as stored"
        found = f"{len(rows)} entries"
        yield RowProblem(first.file, first.line, "word", found, expected, advice, "differs")


def _too_many(file: int, line: int, word: str) -> RowProblem:
    return RowProblem(
        file=file,
        line=line,
        field="word",
        found=word,
        expected=f"at most {MOST_ENTRIES:,} entries in a lexicon",
        message="Leave out the words that weigh least.",
        code="range",
    )
