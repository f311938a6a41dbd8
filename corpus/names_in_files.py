"""Names in uploaded files that the mapping page asks about: of systems, and of aspects."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from corpus.aspects import ASPECTS
from corpus.imports.system_roles import seems_human
from corpus.imports.trial import Trial
from corpus.models import Study
from corpus.tables import handler_for
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import ProblemLog

ROWS_LOOKED_AT = 300_000
"""Of each file; names that come later are noted by the import."""
Files = Iterable[tuple[SourceFile, Mapping]]
"""Each file with each mapping that reads it."""
Tried = Callable[[SourceFile, Mapping], Trial | None]
"""What was found in a table, if it has been read whole."""


def systems_to_ask(
    reading: ConfinedReading,
    study: Study,
    files: Files,
    declared: dict[str, Any],
    tried: Tried = lambda *_: None,
) -> list[str]:
    """Return the names of new systems that may be people's and of which nothing says so.

    Parameters
    ----------
    reading
        By which files are opened.
    study
        Its systems are known already.
    files
        Where the names stand.
    declared
        What ``study.json`` says.
    tried
        What was found in a table that has been read already.
    """
    found: dict[str, None] = {}
    answered = set(study.systems.values_list("name", flat=True)) | set(_declared(declared))
    for source, mapping in files:
        if mapping.table == "outputs":
            names = (
                name
                for name in names_of(reading, "system", source, mapping, tried)
                if seems_human(name)
            )
            found.update(dict.fromkeys(names))
        elif mapping.table == "systems" and "human" in mapping.given:
            answered.update(names_of(reading, "system", source, mapping, tried))
    return [name for name in found if name not in answered]


def aspects_to_show(
    reading: ConfinedReading,
    study: Study,
    files: Files,
    declared: dict[str, Any],
    tried: Tried = lambda *_: None,
) -> list[str]:
    """Return the names of aspects that are no keys and that neither study nor files declare."""
    said = {**study.declarations.get("aspects", {}), **declared.get("aspects", {})}
    found: dict[str, None] = {}
    for source, mapping in files:
        if "aspect" in handler_for(mapping.table).spec.names and "aspect" in mapping.given:
            found.update(dict.fromkeys(names_of(reading, "aspect", source, mapping, tried)))
    return [name for name in found if name not in said and name not in ASPECTS]


def _declared(declared: dict[str, Any]) -> Iterator[str]:
    systems = declared.get("systems", [])
    if isinstance(systems, dict):
        yield from (name for name, facts in systems.items() if "human" in facts)
    else:
        yield from (str(facts.get("system")) for facts in systems if "human" in facts)


def names_of(
    reading: ConfinedReading,
    field: str,
    source: SourceFile,
    mapping: Mapping,
    tried: Tried = lambda *_: None,
) -> list[str]:
    """Return the values of one field, in order of appearance, reading no other column."""
    if trial := tried(source, mapping):
        return list(trial.names.get(field, ()))
    if field in mapping.constants:
        return [str(mapping.constants[field])]
    spec = handler_for(mapping.table).spec
    wide = mapping.wide if mapping.wide and field in mapping.wide.names else None
    wanted = {field, *wide.names, wide.value} if wide else {field}
    alone = replace(
        spec,
        fields=tuple(replace(f, kind="text") for f in spec.fields if f.name in wanted),
        keep_other_columns_as_attributes=False,
        one_of=(),
    )
    columns = {name: used for name, used in mapping.columns.items() if name == field}
    others = mapping.given - wanted
    plain = replace(
        mapping,
        columns=columns,
        constants={},
        digests={},
        joined={name: used for name, used in mapping.joined.items() if name == field},
        numbered=tuple(name for name in mapping.numbered if name == field),
        values={name: table for name, table in mapping.values.items() if name not in others},
        take={name: parts for name, parts in mapping.take.items() if name not in others},
        wide=wide,
        attributes=(),
        distinct=False,
    )
    place = alone.names.index(field)
    rows = islice(reading.records(source, plain, alone, ProblemLog(limit=0)), ROWS_LOOKED_AT)
    return list(dict.fromkeys(values[place] for _, values in rows if values[place]))
