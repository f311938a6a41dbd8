"""Test sets of machine translation with the outputs of systems: XML of the WMT, SGML of mteval."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.elements import PATH
from corpus.tabular.files import open_bytes
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import PLAIN
from corpus.tabular.xml_reader import XmlReader

_XML = re.compile(rb"<dataset[\s>]")
_SGML = re.compile(rb"<(src|ref|tst)set[\s>]", re.IGNORECASE)
_SOURCES = re.compile(rb"<src(set)?[\s>]", re.IGNORECASE)
_DOCUMENTS, _SYSTEMS = ("doc.id", "doc.docid"), ("hyp.system", "doc.sysid", "tstset.sysid")
_TRANSLATORS = ("ref.translator", "doc.sysid", "refset.refid")
_DOMAINS = ("collection.id", "doc.domain", "doc.genre")
_COLUMNS = tuple(
    dict.fromkeys((PATH, "id", "text", *_DOCUMENTS, *_SYSTEMS, *_TRANSLATORS, *_DOMAINS))
)
_KEY = ("document", "number")
_SOURCE = "(source)"


@dataclass
class _Segment:
    """Texts by translator, the source by `_SOURCE`."""

    texts: dict[str, str] = field(default_factory=dict)
    domain: str = ""


_Segments = dict[tuple[str, str], _Segment]


class MtTestSets(Format):
    """Sources, references and outputs as `seg` elements in documents."""

    name = "mt-test-sets"
    title = "Test sets of machine translation (XML, SGML)"

    def recognises(self, files: Offered) -> bool:
        """Whether sources are among the files; outputs alone are a table like others."""
        return any(_SOURCES.search(files.head(name)) for name in _files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read all files as one set; a segment is named by its document and its number there."""
        found: _Segments = {}
        systems: set[str] = set()
        outputs = write_table(
            folder, "outputs.csv", [*_KEY, "system", "output"], _outputs(files, found, systems)
        )
        named = dict.fromkeys(name for each in found.values() for name in each.texts)
        named.pop(_SOURCE, None)
        columns = [f"reference_{place}" for place, _ in enumerate(named, 1)]
        segments = write_table(
            folder, "segments.csv", [*_KEY, "source", "domain", *columns], _rows(found, list(named))
        )
        key: dict[str, tuple[str, ...]] = {"segment": _KEY}
        has_domains = any(each.domain for each in found.values())
        of_segments = Mapping(
            "segments",
            {"source": "source", **({"reference": tuple(columns)} if columns else {})},
            joined=key,
            attributes=("document", *(["domain"] if has_domains else [])),
        )
        of_outputs = Mapping("outputs", {"system": "system", "output": "output"}, joined=key)
        read = ReadAs([(segments, [of_segments])])
        if systems:
            read.tables.append((outputs, [of_outputs]))
        if len(named) > 1:
            read.notes.append(f"References are in the order {', '.join(named)}.")
        return read


def _files_in(files: Offered) -> list[str]:
    kinds = ((_XML, (".xml",)), (_SGML, (".sgm", ".sgml")))
    return [
        name
        for pattern, endings in kinds
        for name in files.ending_with(*endings)
        if pattern.search(files.head(name))
    ]


def _outputs(files: Offered, found: _Segments, systems: set[str]) -> Iterator[list[str]]:
    """Yield each output; note systems, sources and references on the way."""
    for name in _files_in(files):
        source, log = files.source(name), ProblemLog(limit=1)
        with open_bytes(source, files.limits) as stream:
            reader = XmlReader(source, stream, PLAIN, files.limits, log, _COLUMNS, "seg")
            for line, row in reader:
                values = dict(zip(_COLUMNS, row, strict=True))
                key = (_first(values, _DOCUMENTS), _first(values, ("id",)))
                text = _first(values, ("text",))
                around = set(str(values[PATH]).split("/"))
                if around & {"hyp", "tstset"}:
                    systems.add(system := _first(values, _SYSTEMS))
                    yield [*key, system, text]
                elif around & {"src", "srcset", "ref", "refset"}:
                    segment = found.setdefault(key, _Segment())
                    is_source = bool(around & {"src", "srcset"})
                    by = _SOURCE if is_source else _first(values, _TRANSLATORS)
                    if segment.texts.setdefault(by, text) != text:
                        raise TableError(_other_text(name, line, key, text))
                    segment.domain = segment.domain or _first(values, _DOMAINS)
        log.raise_if_any()


def _first(values: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the first value that is there."""
    return next((str(values[n]) for n in names if values[n] not in (ABSENT, None, "")), "")


def _other_text(name: str, line: int, key: tuple[str, str], text: str) -> Problem:
    """Say that a segment has two sources, or two references of one translator."""
    return Problem(
        name,
        line,
        found=shorten(text, 40),
        expected=f"the text that segment {key[1]} of document {key[0]} had before",
        message="Import sets with other texts under the same names one at a time.",
        code="duplicate",
    )


def _rows(found: _Segments, translators: list[str]) -> Iterator[list[str]]:
    for key, each in found.items():
        texts = [each.texts.get(name, "") for name in translators]
        yield [*key, each.texts.get(_SOURCE, ""), each.domain, *texts]


FORMAT = MtTestSets()
