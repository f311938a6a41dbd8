"""Systems and their attributes, in and out."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.options import OptionsError
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Study, System
from corpus.tables.keys import columns_apart_from
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tables.texts import PSEUDO_SYSTEMS, attribute_texts
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.vocabulary.names import (
    HUMAN,
    REFERENCE,
    attributes_from_name,
    question_words,
    seems_human,
)

SPEC = TableSpec(
    name="systems",
    title="Systems and their attributes",
    fields=(
        Field("system", "key", required=True),
        Field(
            "human",
            "choice",
            choices=("true", "false", "yes", "no", "1", "0", ""),
            help="whether the outputs are human-written",
        ),
    ),
    keep_other_columns_as_attributes=True,
    file_names=("systems",),
)
# Names that settings are written into: a model, a parameter and its value, which is a number.
NAME_PATTERN = "{model}-{parameter}-{value}"
_NAME_WITH_SETTING = re.compile(r"[^-]+-[^-]*[^-\W\d][^-]*-\d+(\.\d+)?(e-?\d+)?", re.IGNORECASE)


class SystemsTable(TableHandler):
    """Handler of systems; outputs create systems too, without attributes."""

    spec = SPEC
    order = 20
    staging = ("corpus_stagedsystem",)
    inline_key = "systems"

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write systems into staging."""
        mapping = batch.mapping(file, SPEC.name)
        states_humans = mapping is not None and "human" in mapping.given
        return batch.insert(
            "corpus_stagedsystem",
            ("file", "line", "name", "attributes"),
            self._rows(batch, file, records, states_humans),
        )

    def _rows(
        self, batch: Batch, file: int, records: Records, states_humans: bool
    ) -> Iterator[tuple[Any, ...]]:
        for line, (name, human, others) in records:
            if states_humans or human:
                _described(batch).add(name)
            if name not in PSEUDO_SYSTEMS and not is_reference(batch, name):
                attributes = json.dumps(_attributes(human, others), ensure_ascii=False)
                yield file, line, name, attributes

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicate names, and attributes that differ from the stored ones."""
        yield from duplicates(batch, "corpus_stagedsystem", SPEC, {"system": "name"})
        stored = dict(System.objects.filter(study=batch.study).values_list("name", "attributes"))
        for file, line, name, attributes in _staged(batch):
            for key, value in attributes.items():
                known = stored.get(name, {}).get(key, value)
                if known != value:
                    yield RowProblem(
                        file=file,
                        line=line,
                        field=key if key == "human" else "system",
                        found=f"{key} = {value}",
                        expected=f"{key} = {known}, as stored",
                        message=f"{key} of system {name} differs from the stored value; change "
                        "it on the study's systems page",
                        code="differs",
                    )

    def publish(self, batch: Batch) -> Counts:
        """Create the systems of the table and add attributes that stored ones lacked."""
        fresh = create_systems(batch)
        stored = {system.name: system for system in System.objects.filter(study=batch.study)}
        gained, total = [], 0
        for *_, name, attributes in _staged(batch):
            total += 1
            system = stored[name]
            if not attributes.items() <= system.attributes.items():
                system.attributes = {**system.attributes, **attributes}
                gained.append(system)
        System.objects.bulk_update(gained, ["attributes"])
        added = len(gained) + sum(1 for *_, name, _ in _staged(batch) if name in fresh)
        return Counts(added=added, unchanged=total - added)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give one row a system, in the study's order, with the attributes that any has."""
        systems = list(study.systems.filter(kind=System.Kind.SYSTEM).order_by("ordinal"))
        if not systems:
            return
        names = sorted({key for system in systems for key in system.attributes} - {"human"})
        fields = columns_apart_from(("system", "human"), names)
        yield ExportedTable(
            file_name="systems.csv",
            columns=[*fields.values(), *names],
            rows=(
                (
                    system.name,
                    {True: "true", False: "false"}.get(system.attributes.get("human"), ""),
                    *(system.attributes.get(name, "") for name in names),
                )
                for system in systems
            ),
            mapping={"table": "systems", "columns": fields, "attributes": names},
        )


def create_systems(batch: Batch) -> set[str]:
    """Create the systems of this import that the study lacks, in order; return their names.

    Attributes come from names where the import gives a pattern. Whether people wrote a system is
    what the import was told, else what a table says; else a name that is conventional for human
    texts marks it as human, which the import's result says.
    """
    roles = batch.options.system_roles
    known = set(System.objects.filter(study=batch.study).values_list("name", flat=True))
    ordinal = len(known)
    declared = {name: attributes for *_, name, attributes in _staged(batch)}
    fresh = []
    for name in [*declared, *_text_systems(batch)]:
        if name in known:
            continue
        known.add(name)
        attributes = declared.get(name, {}) | {}
        kind = PSEUDO_SYSTEMS.get(name, "system")
        if kind == "system":
            attributes = attributes_from_name(batch.options.system_pattern, name) | attributes
            if name in roles:
                attributes["human"] = roles[name] == HUMAN
            elif name not in _described(batch) and "human" not in attributes and seems_human(name):
                attributes["human"] = True
                batch.note(question_words(name))
        fresh.append(
            System(study=batch.study, ordinal=ordinal, name=name, kind=kind, attributes=attributes)
        )
        ordinal += 1
    System.objects.bulk_create(fresh)
    _suggest_pattern(batch, [system for system in fresh if system.kind == "system"])
    return {system.name for system in fresh}


def is_reference(batch: Batch, name: str) -> bool:
    """Whether the outputs of a system are to be stored as references.

    Raises
    ------
    OptionsError
        If that name is stored as a system.
    """
    if batch.options.system_roles.get(name) != REFERENCE:
        return False
    if batch.first_time(f"reference {name}") and batch.study.systems.filter(name=name).exists():
        raise OptionsError(
            f"system_roles: {name} is stored as a system of this study; what is stored does not "
            "change. Say on the systems page whether it is human-written."
        )
    return True


def _described(batch: Batch) -> set[str]:
    """Names of the systems of which a table says whether people wrote them, or leaves it open."""
    names: set[str] = batch.memory.setdefault("systems described", set())
    return names


def _suggest_pattern(batch: Batch, fresh: Sequence[System]) -> None:
    """Note that settings seem to stand in the names of systems; nothing is read from them."""
    if len(fresh) < 2 or any(system.attributes for system in fresh):
        return
    if all(_NAME_WITH_SETTING.fullmatch(system.name) for system in fresh):
        batch.note(
            f"Names such as {fresh[0].name} look like {NAME_PATTERN}, and nothing is declared of "
            "these systems. To store these parts as attributes, fill them in from this pattern "
            f"on the systems page, or import a new study with --system-pattern {NAME_PATTERN}."
        )


def _attributes(human: str | None, others: dict[str, Any]) -> dict[str, Any]:
    attributes: dict[str, Any] = attribute_texts(others)
    if human:
        attributes |= {"human": human in ("true", "yes", "1")}
    return attributes


def _staged(batch: Batch) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    rows = query(
        """SELECT file, line, name, attributes FROM corpus_stagedsystem
           WHERE job_id = %(job)s ORDER BY id""",
        {"job": batch.job.pk},
    )
    for file, line, name, attributes in rows:
        yield file, line, name, json.loads(attributes)


def _text_systems(batch: Batch) -> list[str]:
    rows = query(
        """SELECT system_name FROM corpus_stagedtext WHERE job_id = %(job)s
           GROUP BY system_name ORDER BY MIN(id)""",
        {"job": batch.job.pk},
    )
    return [row[0] for row in rows]
