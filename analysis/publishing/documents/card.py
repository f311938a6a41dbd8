"""The README of a publication: a dataset card with the numbers of the published reports."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.publishing.documents.content import (
    Cell,
    Content,
    DataFile,
    ReportFile,
    Table,
    licence_words,
)
from corpus.vocabulary.publication_details import LICENCES, Licence

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))


def card(content: Content) -> str:
    """Return the card in Markdown, its front matter in YAML as the Hugging Face Hub reads it."""
    return "\n".join([*_front_matter(content), *_body(content)]) + "\n"


def _front_matter(content: Content) -> Iterator[str]:
    details = content.details
    known = LICENCES.get(details.licence, Licence(""))
    facts: dict[str, Any] = {"license": known.hugging_face}
    if known.hugging_face == "other":
        facts |= {"license_name": details.licence.lower(), "license_link": "README.md"}
    rows = max((each.rows for each in content.data), default=0)
    size = next((name for most, name in _SIZES if rows < most), "n>1M")
    facts |= {
        "language": [content.language.partition("-")[0]],
        "pretty_name": content.title,
        "tags": ["human-evaluation", "metric-meta-evaluation", *details.keywords],
        "size_categories": [size],
        "configs": [
            {"config_name": _config(each), "data_files": each.path} for each in content.data
        ],
    }
    yield "---"
    # What JSON writes, YAML reads.
    for name, value in facts.items():
        yield f"{name}: {json.dumps(value, ensure_ascii=False)}"
    yield "---"


def _config(data: DataFile) -> str:
    return data.path.rpartition("/")[2].removesuffix(".parquet")


def _body(content: Content) -> Iterator[str]:
    details = content.details
    yield from ("", f"# {one_line(content.title)}", "")
    if content.simulated:
        yield from ("**Simulated ratings: no human rated these outputs.**", "")
    yield from (content.summary, "")
    yield f"- **Authors:** {content.authors_read_out or 'not stated'}"
    for label, said in (
        ("Version", details.version),
        ("Published", content.date),
        ("Paper", details.paper),
        ("Contact", details.contact),
        ("Licence", licence_words(details.licence, details.licence_terms)),
        ("Licence of the texts", licence_words(details.text_licence, details.text_licence_terms)),
        ("Texts", details.text_source),
    ):
        if said:
            yield f"- **{label}:** {one_line(said)}"
    yield from ("", "## How to cite", "", content.citation, "")
    yield from _tables(content)
    yield from _ratings(content)
    yield from _numbers(content.reports)
    yield from _considerations(content)
    yield from (
        "## Import it again",
        "",
        "Touchstone reads this folder, or its zip, as it is: `touchstone import_study FOLDER`, in "
        "a checkout `manage.py import_study FOLDER`. "
        "All reports then give the numbers above. How to check that nothing was changed, and how "
        "to compute the reports again, is in `VERIFY.md`.",
        "",
        f"Written by Touchstone {content.version}.",
    )


def _tables(content: Content) -> Iterator[str]:
    yield from (
        "## What it holds",
        "",
        "| table | rows | columns | holds |",
        "| --- | ---: | --- | --- |",
    )
    for each in content.data:
        columns = ", ".join(f"`{column.name}`" for column in each.columns)
        yield f"| `{each.path}` | {each.rows:,} | {columns} | {_cell(each.title)} |"
    yield ""
    if content.preparation:
        yield "Texts as imported: " + "; ".join(content.preparation) + "."
        yield ""


def _ratings(content: Content) -> Iterator[str]:
    if not content.campaigns:
        return
    yield from (
        "## How the outputs were rated",
        "",
        "| campaign | protocol | aspects | raters | ratings | datasheet |",
        "| --- | --- | --- | --- | ---: | --- |",
    )
    for each in content.campaigns:
        shown = (each.slug, each.protocol, ", ".join(each.aspects), ", ".join(each.raters))
        cells = " | ".join(_cell(cell) for cell in shown)
        yield f"| {cells} | {each.ratings:,} | [HEDS 3.0]({each.sheet}.md) |"
    yield from (
        "",
        "Human raters have random names, made for this publication. The names lead to no account, "
        "and the order of rows does not show the order of work.",
        "",
    )


def _numbers(reports: Sequence[ReportFile]) -> Iterator[str]:
    if not reports:
        return
    yield from (
        "## Results",
        "",
        "These are the numbers of frozen reports, which were stored with everything that they "
        "were computed from. The signature is a hash of everything that a number depends on.",
        "",
    )
    for report in reports:
        yield f"### {one_line(report.title)}"
        yield ""
        yield (
            f"Report on {report.kind} ({one_line(report.answers)}), {report.ratings:,} ratings of "
            f"{report.raters} human raters. Filter: `{report.question}`. Signature "
            f"`{report.signature}`. File: `{report.path}`, SHA-256 of the content "
            f"`{report.sha256}`."
        )
        yield ""
        for table in report.tables:
            yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield f"**{one_line(table.title)}**"
    yield ""
    numeric = [
        all(isinstance(row[place], int | float | None) for row in table.rows)
        for place in range(len(table.columns))
    ]
    yield "| " + " | ".join(map(_cell, table.columns)) + " |"
    yield "| " + " | ".join("---:" if right else "---" for right in numeric) + " |"
    for row in table.rows:
        yield "| " + " | ".join(map(shown, row)) + " |"
    if (more := table.all_rows - len(table.rows)) > 0:
        yield from ("", f"{more:,} more rows are in the report.")
    yield ""


def _considerations(content: Content) -> Iterator[str]:
    details = content.details
    parts = (
        ("Where ratings come from", details.ratings_source),
        ("Consent of annotators", details.consent),
        ("Ethics", details.ethics),
        ("Intended uses", details.uses),
        ("Limitations", details.limitations),
        ("Who maintains it", details.maintenance),
        ("What was checked before it was published", "\n".join(f"- {c}" for c in content.checks)),
    )
    for heading, said in parts:
        if said:
            yield from (f"## {heading}", "", said, "")


def shown(cell: Cell) -> str:
    """Return a cell as a card and a page show it: three decimals, a dash where nothing is.

    Examples
    --------
    >>> shown(0.123456), shown(None), shown(1e-9), shown(12)
    ('0.123', '–', '1.00e-09', '12')
    """
    if cell is None or cell == "":
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.3f}" if cell == 0 or abs(cell) >= 0.0005 else f"{cell:.2e}"
    return _cell(str(cell))


def one_line(text: str) -> str:
    """Return a text without line breaks, which would end a heading or an entry of a list."""
    return " ".join(text.split())


def _cell(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace("|", "\\|")
