"""The documents of a publication for readers: the dataset card and VERIFY.md."""

import json
from collections.abc import Iterator
from typing import Any

from django.template.loader import render_to_string

from analysis.publishing.content import SUMS, Cell, Content, ReportFile, Table, licence_words
from corpus.vocabulary.publication_details import LICENCES, Licence

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))


def card(content: Content) -> str:
    """Return the card in Markdown, its front matter in YAML as the Hugging Face Hub reads it."""
    details = content.details
    facts = (
        ("Authors", content.authors_read_out or "not stated"),
        ("Version", details.version),
        ("Published", content.date),
        ("Paper", details.paper),
        ("Contact", details.contact),
        ("Licence", licence_words(details.licence, details.licence_terms)),
        ("Licence of the texts", licence_words(details.text_licence, details.text_licence_terms)),
        ("Texts", details.text_source),
    )
    considerations = (
        ("Where ratings come from", details.ratings_source),
        ("Consent of annotators", details.consent),
        ("Ethics", details.ethics),
        ("Intended uses", details.uses),
        ("Limitations", details.limitations),
        ("Who maintains it", details.maintenance),
        ("What was checked before it was published", "\n".join(f"- {c}" for c in content.checks)),
    )
    context = {
        "content": content,
        "title": one_line(content.title),
        # What JSON writes, YAML reads.
        "front_matter": [
            f"{name}: {json.dumps(value, ensure_ascii=False)}"
            for name, value in _front_matter(content).items()
        ],
        "facts": [(label, one_line(fact)) for label, fact in facts if fact],
        "tables": [
            f"| `{each.path}` | {each.rows:,} "
            f"| {', '.join(f'`{column.name}`' for column in each.columns)} | {_cell(each.title)} |"
            for each in content.data
        ],
        "campaigns": [
            _row(
                *map(_cell, (each.slug, each.protocol)),
                *(_cell(", ".join(several)) for several in (each.aspects, each.raters)),
                f"{each.ratings:,}",
                f"[HEDS 3.0]({each.sheet}.md)",
            )
            for each in content.campaigns
        ],
        "reports": [_report(each) for each in content.reports],
        "considerations": [(heading, text) for heading, text in considerations if text],
    }
    return render_to_string("analysis/publication/README.md", context)


def how_to_verify(content: Content) -> str:
    """Return VERIFY.md."""
    context = {"content": content, "title": one_line(content.title), "sums": SUMS}
    return render_to_string("analysis/publication/VERIFY.md", context)


def _front_matter(content: Content) -> dict[str, Any]:
    details = content.details
    known = LICENCES.get(details.licence, Licence(""))
    facts: dict[str, Any] = {"license": known.hugging_face}
    if known.hugging_face == "other":
        facts |= {"license_name": details.licence.lower(), "license_link": "README.md"}
    rows = max((each.rows for each in content.data), default=0)
    return facts | {
        "language": [content.language.partition("-")[0]],
        "pretty_name": content.title,
        "tags": ["human-evaluation", "metric-meta-evaluation", *details.keywords],
        "size_categories": [next((name for most, name in _SIZES if rows < most), "n>1M")],
        "configs": [{"config_name": each.name, "data_files": each.path} for each in content.data],
    }


def _report(report: ReportFile) -> dict[str, Any]:
    tables = []
    for table in report.tables:
        more = table.all_rows - len(table.rows)
        words = f"{more:,}" if more > 0 else ""
        tables.append({"title": one_line(table.title), "rows": _rows(table), "more": words})
    return {
        "report": report,
        "title": one_line(report.title),
        "answers": one_line(report.answers),
        "ratings": f"{report.ratings:,}",
        "tables": tables,
    }


def _rows(table: Table) -> Iterator[str]:
    """Yield the lines of a table, numbers to the right."""
    yield _row(*map(_cell, table.columns))
    yield _row(
        *(
            "---:" if all(isinstance(row[n], int | float | None) for row in table.rows) else "---"
            for n in range(len(table.columns))
        )
    )
    for row in table.rows:
        yield _row(*map(shown, row))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


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
