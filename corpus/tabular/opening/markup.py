"""Elements of XML, and of SGML as older tools write it, as records: what repeats makes rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple
from xml.parsers import expat

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, open_bytes
from corpus.tabular.opening.text_files import encoding_of, texts
from corpus.tabular.problems import TableError, refused

CHUNK = 1 << 18
# Repetitions give nothing back, so that time is linear also where nothing ends.
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)([^<>]*+)>|<[!?][^<>]*+>")
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Event(NamedTuple):
    """The start of an element, which has attributes; its end, which has a name; or a text."""

    line: int
    name: str = ""
    attributes: dict[str, str] | None = None
    text: str = ""


def events(source: SourceFile, said: str | None, limits: Limits) -> Iterator[Event]:
    """Yield what a file of XML or SGML consists of; `TableError` where it breaks."""
    read = _sgml_events if source.format == "sgml" else _xml_events
    return read(source, said, limits)


def broken(name: str, line: int, found: str, expected: str, code: str = "xml") -> TableError:
    """Return the error of a file that breaks at a line."""
    return refused(f"markup-{code}", name, found, expected=expected, line=line)


def _xml_events(source: SourceFile, said: str | None, limits: Limits) -> Iterator[Event]:
    """Parse XML as it streams.

    Expat fetches nothing from elsewhere. What a document declares for itself (entities, by which
    a short one grows) is refused, and so is a name that nobody declared.
    """
    name, found = source.name, list[Event]()
    try:
        parser = expat.ParserCreate(said)
    except (TypeError, ValueError, LookupError) as error:
        raise broken(name, 1, str(error), "an encoding of XML") from None

    def refuse(what: str, expected: str) -> None:
        raise broken(name, parser.CurrentLineNumber, what, expected)

    def add(*event: object) -> None:
        found.append(Event(parser.CurrentLineNumber, *event))  # type: ignore[arg-type]

    parser.buffer_text = True
    parser.StartElementHandler = add
    parser.EndElementHandler = add
    parser.CharacterDataHandler = lambda text: add("", None, text)
    declared = "a declaration of an entity", "XML without entities of its own"
    parser.EntityDeclHandler = lambda *_: refuse(*declared)
    expected = "a character, or its number such as &#160;"
    parser.SkippedEntityHandler = lambda entity, _: refuse(f"&{entity};", expected)
    quiet, data = 0, b"-"
    with open_bytes(source, limits) as stream:
        while data:
            data = stream.read(CHUNK)
            # Expat looks at a tag from its beginning again with each piece of it.
            quiet = quiet + len(data) if not found else len(data)
            found.clear()
            line = parser.CurrentLineNumber
            if quiet > 2 * max(limits.field_characters, CHUNK):
                raise broken(name, line, "a tag that does not end", "XML", "field-size")
            try:
                parser.Parse(data, not data)
            except expat.ExpatError as error:
                what = expat.ErrorString(error.code)
                raise broken(name, error.lineno, what, "XML") from None
            except (LookupError, ValueError, OverflowError) as error:
                raise broken(name, line, str(error), "XML in UTF-8", "encoding") from None
            yield from found


def _sgml_events(source: SourceFile, said: str | None, limits: Limits) -> Iterator[Event]:
    """Read tags as mteval and its kin do.

    Names count without regard to case; values need no quotes; an ampersand, or a ``<`` before
    anything but a name, is a character. The end of an element ends those inside it.
    """
    text = "".join(texts(source, encoding_of(source, said, limits), limits))
    opened: list[str] = []
    line, here, at = 1, 0, 0
    for tag in _TAG.finditer(text):
        if at < tag.start():
            yield Event(line, text=_ENTITY.sub(_character, text[at : tag.start()]))
        line += text.count("\n", here, tag.start())
        here, at = tag.start(), tag.end()
        is_end, name, rest = tag[1], (tag[2] or "").lower(), tag[3]
        if name and not is_end:
            pairs = _ATTRIBUTE.findall(rest)
            values = {key.lower(): _ENTITY.sub(_character, v.strip("\"'")) for key, v in pairs}
            yield Event(line, name, values)
            opened.append(name)
            is_end = "/" if rest.endswith("/") else ""
        while is_end and name in opened:
            closed = opened.pop()
            yield Event(line, closed)
            if closed == name:
                break
    if opened:
        line += text.count("\n", here)
        raise broken(source.name, line, "the end of the file", f"</{opened[-1]}>")


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]


DEEPEST = 100
PATH, TEXT = "path", "text"
SAMPLED_ELEMENTS = 5000
_SPACE = " \t\r\n"


@dataclass
class Element:
    """An element, with what is known of it so far.

    Attributes
    ----------
    words
        Texts in it, also of the elements in it.
    children
        Elements in it, as far as they are needed.
    around
        Values that come with each record in it.
    has_words, has_children
        Whether a text stands in it itself, and whether an element does.
    """

    name: str
    line: int
    attributes: dict[str, str]
    words: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)
    around: dict[str, str] = field(default_factory=dict)
    has_words: bool = False
    has_children: bool = False

    @property
    def text(self) -> str:
        """Its text without white space at both ends."""
        return "".join(self.words).strip(_SPACE)

    def values(self, name: str = "") -> Iterator[tuple[str, str]]:
        """Yield the names of the values in an element and the values, its own text at the end."""
        prefix = f"{name}." if name else ""
        for key, value in self.attributes.items():
            yield prefix + key, value
        for child in self.children:
            yield from child.values(prefix + child.name)
        if self.has_words or not self.has_children:
            yield name, self.text


def element_records(
    source: SourceFile, said: str | None, limits: Limits, name: str | None = None
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the records of a marked-up file, each with its line: elements of one name.

    Their attributes and the elements in them are values, and so are the attributes of the elements
    around them and texts that stand there before them: ``doc.docid``. White space at both ends of
    a text is none of it.

    Parameters
    ----------
    source, said, limits
        The file, its encoding if somebody says it, and how much it may hold.
    name
        Of the elements; None for the outermost ones that repeat and are flat.

    Raises
    ------
    TableError
        Where the file breaks, or if it has no such element.
    """
    wanted = name.lower() if name and source.format == "sgml" else name
    wanted = wanted or _most_likely(source, said, limits)
    found = False
    for around, element in _ended(source, said, limits, wanted):
        if element.name == wanted:
            found = True
            yield element.line, _record(element, around)
        elif around and not element.has_children and len(around[-1].around) < limits.columns:
            outer = around[-1].around
            outer.update({f"{element.name}.{key}": v for key, v in element.attributes.items()})
            if element.has_words:
                outer[element.name] = element.text
    if found:
        return
    if name:
        raise refused("no-such-elements", source.name, name, column="explode", name=name)
    raise refused("no-elements", source.name)


def _ended(
    source: SourceFile, said: str | None, limits: Limits, wanted: str | None
) -> Iterator[tuple[list[Element], Element]]:
    """Yield each element that is no part of a wanted one as it ends, and those around it.

    Only wanted elements keep what is in them.
    """
    opened: list[Element] = []
    characters = values = outermost = 0
    for line, name, attributes, text in events(source, said, limits):
        characters += len(text)
        if attributes is not None:
            values += 1 + len(attributes)
            if len(opened) >= DEEPEST:
                raise broken(source.name, line, f"more than {DEEPEST} nested elements", "fewer")
            if opened:
                opened[-1].has_children = True
            opened.append(Element(name, line, attributes, around=dict(attributes)))
            outermost = outermost or (len(opened) if name == wanted else 0)
        elif name:
            closed = opened.pop()
            if opened:
                opened[-1].children.append(closed)
            if outermost and len(opened) >= outermost:
                opened[-1].words.append("".join(closed.words))
                continue
            yield opened, closed
            if opened and wanted:
                opened[-1].children.clear()
                opened[-1].words.clear()
            closed.children, closed.words = [], []
            characters = values = outermost = 0
        elif opened:
            opened[-1].words.append(text)
            opened[-1].has_words = opened[-1].has_words or not text.isspace()
        if values > 2 * limits.columns:
            found = f"more than {2 * limits.columns} values in one record"
            raise broken(source.name, line, found, "fewer", "columns")
        if characters > limits.record_characters:
            found = f"a text of more than {limits.record_characters} characters"
            raise broken(source.name, line, found, "a shorter one", "field-size")


def _record(element: Element, around: list[Element]) -> dict[str, str]:
    """Return the values of an element and of those around it; of one name with their numbers."""
    found: dict[str, str] = {}
    for name, value in element.values():
        column = name or (element.name if TEXT in found else TEXT)
        name, number = column, 1
        while column in found:
            number += 1
            column = f"{name} {number}"
        found[column] = value
    outer = {f"{each.name}.{key}": v for each in around for key, v in each.around.items()}
    return {PATH: "/".join(each.name for each in around), **outer, **found}


class _Seen(NamedTuple):
    """What an element is like."""

    depth: int
    is_flat: bool
    is_bare: bool
    has_words: bool
    children: list[str]


def _most_likely(source: SourceFile, said: str | None, limits: Limits) -> str:
    """Return the name of the outermost element that repeats and holds nothing deep.

    One with attributes or elements in it comes before a bare text. Of an element that only wraps
    one of another name, the inner one.
    """
    kinds = defaultdict[str, list[_Seen]](list)
    for around, element in islice(_ended(source, said, limits, None), SAMPLED_ELEMENTS):
        names = [child.name for child in element.children]
        is_deep = any(each.has_children and not each.has_words for each in element.children)
        is_flat = element.has_words or not (is_deep or len(set(names)) < len(names))
        is_bare = not (element.attributes or names)
        kinds[element.name].append(
            _Seen(len(around), is_flat, is_bare, element.has_words, names[:2])
        )
    flat = {name: seen for name, seen in kinds.items() if all(each.is_flat for each in seen)}
    many = {
        name: seen for name, seen in flat.items() if len(seen) > 1 and all(e.depth for e in seen)
    }

    def rank(name: str) -> tuple[bool, int, int]:
        seen = flat[name]
        return all(e.is_bare for e in seen), min(e.depth for e in seen), -len(seen)

    name = min(many or flat, key=rank, default="")
    while name and not any(each.has_words for each in flat[name]):
        inner = {child for each in flat[name] for child in each.children}
        if len(inner) != 1 or not inner <= flat.keys() - {name}:
            break
        (name,) = inner
    return name
