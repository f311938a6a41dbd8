"""The page on what was measured, written of the measured figures alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.peers.sitting import (
    KILLED_AFTER,
    LARGE,
    RACE_ITEMS,
    RACE_RATERS,
    RACE_SECONDS,
)
from benchmarks.peers.table import KILLED, NOTHING, Table, counted, number, plain, row_of

HEAD = """# Benchmarks

""" + (
    "Touchstone and tools that people use today, measured in one sitting on one machine, each by "
    "itself. `scripts/with_services.sh --fsync .venv/bin/python -m benchmarks.peers` measures "
    "again and writes this page (`make bench` does so among other benchmarks), as "
    "`.venv/bin/python -m benchmarks.soak` does for the last part. Every number on it was "
    "measured, and nothing is left out because another tool is better at it. What each tool is "
    "better at besides speed is in the [comparison](comparison.md).\n"
)
NOTES = (
    "\n## How to read this\n",
    "- A number is the median of the rounds. In brackets is how many times Touchstone's value it "
    "is: with PostgreSQL for tools with PostgreSQL, with SQLite for all others.",
    "- Raters have no think time: 20 clients cause the load of hundreds of people who read. They "
    "run on the same cores as the server, which slows the fastest server most.",
    "- A rating takes from sending it until the next item is there, by the requests that the "
    "tool's own page sends. Requests that only refresh what is beside the item are left out, in "
    "favour of the tools that send them.",
    "- PostgreSQL runs on the same machine with its default settings, except for 300 connections.",
    "- Servers run as their documentation starts them. Behind a web server and with more workers "
    "each tool here can be faster.",
    "- A killed server shows what survives the end of its processes (`kill -9`), not what survives "
    "the loss of power.\n",
)


def page_of(measured: Mapping[str, Any]) -> str:
    """Return the page in Markdown."""
    parts = [HEAD]
    large = measured.get("large")
    if peers := measured.get("peers"):
        parts += _peers(peers, apart=large is not None)
    if large:
        parts += _large(large)
    for name in ("soak", "soak.postgresql"):
        if soak := measured.get(name):
            parts += _soak(soak)
    if peers:
        parts += _driven(peers)
    if not measured:
        parts.append("Nothing has been measured for this version yet.\n")
    return "\n".join(parts).rstrip() + "\n"


def _peers(peers: Mapping[str, Any], *, apart: bool) -> list[str]:
    """Return the part on a sitting, without large projects if these had a sitting apart."""
    table, sizes = Table(peers["records"]), peers["sizes"]
    if apart:
        small = {name: [n for n in sizes[name] if n < LARGE] for name in ("imported", "rated")}
        sizes = {**sizes, **small}
    return [
        _sitting(peers["about"], sizes),
        *_absent(table),
        *NOTES,
        "\n## Where another tool is better\n",
        *_worse(table, sizes),
        "\n## Start, memory and page\n",
        "Seconds until the first page is answered: with an empty folder, again, and after the "
        "server was killed. Memory of all processes in MB, pages that they share counted once, "
        "after the start. The rating page as a browser with an empty cache loads it.\n",
        *table.rows(
            {
                "first start, s": "start.first",
                "start, s": "start.again",
                "after kill, s": "start.after_kill",
                "memory, MB": "memory.started",
                "page, KB": "page.kilobytes",
                "requests": "page.requests",
            }
        ),
        *_elsewhere(table),
        "\n## Import\n",
        "Seconds from files until the first rater can rate.\n",
        *_imported(table, sizes),
        *(part for items in sizes["rated"] for part in _rated(table, items, sizes["clients"])),
        "\n## Ratings too many, and ratings lost\n",
        f"{RACE_RATERS} raters rate {RACE_ITEMS} items, each of which is wanted once, to the end "
        f"or for {RACE_SECONDS} s: an item that has two ratings is over-rated.\n",
        *table.rows(
            {
                "items over-rated": "over_rated",
                "items rated": "race.rated",
                "ratings": "race.ratings",
            }
        ),
        f"\n{RACE_RATERS} raters rate until every process of the server is killed (`kill -9`), "
        f"{KILLED_AFTER} s later or more. A rating is lost if the tool had said that it was "
        "stored, and does not export it after the next start. Sums over the rounds; where a tool "
        "did not start again, nothing is counted as lost, as the files can be repaired.\n",
        *table.rows(
            {
                "did not start again": "killed.dead",
                "stored before": "killed.acknowledged",
                "of these lost": "lost",
            }
        ),
        *_dead(table),
    ]


def _large(large: Mapping[str, Any]) -> list[str]:
    """Return the part on a sitting with large projects alone."""
    table, sizes = Table(large["records"]), large["sizes"]
    return [
        "\n## Large projects\n",
        _sitting(large["about"], sizes),
        "Another tool is better at:\n",
        *_worse(table, sizes),
        "\n### Import of large projects\n",
        *_imported(table, sizes),
        *(part for items in sizes["rated"] for part in _rated(table, items, sizes["clients"])),
    ]


def _imported(table: Table, sizes: Mapping[str, Any]) -> list[str]:
    return table.rows({f"{items:,} items": f"import.{items}" for items in sizes["imported"]})


def _sitting(about: Mapping[str, Any], sizes: Mapping[str, Any]) -> str:
    return (
        f"Measured on {about['date']}: {about['processor']}, {about['cores']} cores, "
        f"{about['memory']} GB, {about['system']}, Python {about['python']}; load before it began "
        f"{about['load']}. {counted(about['rounds'], 'round')} of {sizes['seconds']:g} s for each "
        f"load, {about['minutes']} minutes in all; projects of {LARGE:,} items and more, and "
        "ratings too many, are measured once.\n"
    )


def _absent(table: Table) -> list[str]:
    why = [
        f"- {each['tool']} with {each['database']}: {plain(each['reasons']['all'])}."
        for each in table.absent
    ]
    return ["What could not be measured at all is missing from the tables:\n", *why] if why else []


def _rated(table: Table, items: int, clients: Sequence[int]) -> list[str]:
    kinds = (("ratings/s", "rate"), ("p50, ms", "p50"), ("p95, ms", "p95"), ("MB", "memory"))
    lines = [f"\n## Rating at {items:,} items\n"]
    rates = {f"{count}": f"rate.{items}.{count}" for count in clients}
    if (nothing := table.rows(rates))[0].startswith(NOTHING):
        return [*lines, *nothing]
    for count in clients:
        lines += [
            f"\n### {counted(count, 'client')}\n",
            *table.rows({title: f"{kind}.{items}.{count}" for title, kind in kinds}),
        ]
    return [
        *lines,
        f"\n### Export at {items:,} items\n",
        f"Of what was rated under the last load ({counted(clients[-1], 'client')}), or under all "
        "where they shared a project.\n",
        *table.rows(
            {
                "seconds": f"export.{items}.seconds",
                "ratings in it": f"export.{items}.ratings",
                "KB": f"export.{items}.kilobytes",
            }
        ),
        *_errors(table, items),
    ]


def _errors(table: Table, items: int) -> list[str]:
    lines = []
    for record in table.records:
        for name, values in record["figures"].items():
            if name.startswith(f"errors.{items}.") and (count := int(sum(values))):
                clients = int(name.rpartition(".")[2])
                why = plain(record["reasons"].get(name, ""))
                lines.append(
                    f"- {record['tool']}, {record['database']}, {counted(clients, 'client')}: "
                    f"{counted(count, 'error')}, mostly: {why}."
                )
    return ["", *lines] if lines else []


def _dead(table: Table) -> list[str]:
    found = [
        f"- {record['tool']}, {record['database']}: {plain(record['reasons'][KILLED[0]])}."
        for record in table.records
        if KILLED[0] in record["reasons"] and table.value(record, "lost") is not None
    ]
    return ["", *found] if found else []


def _elsewhere(table: Table) -> list[str]:
    found = {
        f"{record['tool']} asks {record['reasons']['page.elsewhere']} as well, which no server "
        "answered here; what that transfers elsewhere is not counted."
        for record in table.records
        if record["reasons"].get("page.elsewhere")
    }
    return ["", *(f"- {each}" for each in sorted(found))] if found else []


def _worse(table: Table, sizes: Mapping[str, Any]) -> list[str]:
    """List where another tool is better than Touchstone."""
    lower = {
        "first start, s": "start.first",
        "start, s": "start.again",
        "start after a kill, s": "start.after_kill",
        "memory after the start, MB": "memory.started",
        "page, KB": "page.kilobytes",
        "requests of the page": "page.requests",
        "items over-rated": "over_rated",
        "kills after which it did not start": "killed.dead",
        "ratings lost": "lost",
    }
    lower |= {f"import of {n:,} items, s": f"import.{n}" for n in sizes["imported"]}
    higher = {}
    for items in sizes["rated"]:
        lower[f"export at {items:,} items, s"] = f"export.{items}.seconds"
        for count in sizes["clients"]:
            where = f"{items:,} items, {counted(count, 'client')}"
            name = f"{items}.{count}"
            higher[f"ratings/s at {where}"] = f"rate.{name}"
            lower |= {f"p50 at {where}, ms": f"p50.{name}", f"p95 at {where}, ms": f"p95.{name}"}
            lower |= {f"memory at {where}, MB": f"memory.{name}"}
    lines = [
        *_better(table, lower, lambda theirs, own: theirs < own),
        *_better(table, higher, lambda theirs, own: theirs > own),
    ]
    return lines or ["- Nowhere in what was measured."]


def _better(
    table: Table, figures: Mapping[str, str], better: Callable[[float, float], bool]
) -> Iterable[str]:
    for title, figure in figures.items():
        found = []
        for record in table.records:
            value, own = table.value(record, figure), table.own(record, figure)
            if value is not None and own is not None and better(value, own):
                which = f"{record['tool']}, {record['database']}"
                found.append(f"{which} {number(value)} (Touchstone {number(own)})")
        if found:
            yield f"- {title}: {'; '.join(found)}."


def _soak(soak: Mapping[str, Any]) -> list[str]:
    about, seconds = soak["about"], soak["seconds"]
    title = f"\n## {soak['submissions']:,} submissions from {soak['sessions']:,} annotators"
    lines = [
        f"{title}, {soak['database']}\n",
        f"Measured on {about['date']} ({about['version']}), {about['cores']} cores, load before "
        "it began "
        f"{about['load']}. Each annotator has a link, a session and cookies; all submit in turns, "
        f"20 at once, none leaves before the end: {number(soak['submissions'] / seconds)} "
        f"submissions/s over {number(seconds / 60)} minutes, p50 {number(soak['p50'])} ms, p95 "
        f"{number(soak['p95'])} ms, {counted(soak['errors'], 'error')}"
        + (f" (mostly {plain(soak['error'])})" if soak["errors"] else "")
        + ". Slopes are of a straight line through the second half, with their 95 % interval.\n",
        row_of(["", "before, MB", "after, MB", "slope, MB for 100,000 submissions"]),
        row_of(["---"] * 4),
    ]
    for name, what in (("memory of all processes", "memory"), ("database", "stored")):
        value, low, high = soak[what]["slope"]
        slope = f"{number(value)} ({number(low)} to {number(high)})"
        lines.append(row_of([name, number(soak[what]["first"]), number(soak[what]["last"]), slope]))
    return lines


def _driven(peers: Mapping[str, Any]) -> list[str]:
    lines = ["\n## How each tool was driven\n"]
    for title, tool in peers["tools"].items():
        repaired = f" Installed today, {tool['repaired']}." if tool["repaired"] else ""
        python = f", Python {tool['python']}" if tool.get("python") else ""
        lines.append(f"- **{title}** ({tool['version']}{python}): {tool['driven']}{repaired}")
    return lines
