"""Elements of XML, and of SGML as older tools write it, as records: what repeats makes rows."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder  # nosec B405  # parses nothing itself
from xml.parsers import expat

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, open_bytes
from corpus.tabular.opening.text_files import encoding_of, texts
from corpus.tabular.problems import refused

CHUNK = 1 << 18
DEEPEST = 100
PATH, TEXT = "path", "text"
SAMPLED_ELEMENTS = 5000
_SPACE = " \t\r\n"
# Repetitions give nothing back, so that time is linear also where nothing ends.
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)([^<>]*+)>|<[!?][^<>]*+>")
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class _Placed(Element):
    """An element that knows its line, and whether a text stands in it itself."""

    line = 0

    @property
    def has_words(self) -> bool:
        return any(map(str.strip, filter(None, (self.text, *(inner.tail for inner in self)))))

    @property
    def is_flat(self) -> bool:
        """Whether it holds nothing deep, and no name twice, or is a text."""
        is_deep = any(len(inner) and not inner.has_words for inner in _inner(self))
        names = [inner.tag for inner in self]
        return self.has_words or not (is_deep or len(set(names)) < len(names))


def _inner(element: Element) -> list[_Placed]:
    return list(element)  # type: ignore[arg-type]


class _Tree:
    """The elements of a file as they are read, under one that holds them all."""

    def __init__(self, name: str) -> None:
        self.line, self._depth, self._name = 1, 0, name
        self._builder = TreeBuilder(_Placed)
        self._builder.start("", {})
        self.add = self._builder.data

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(f"more than {DEEPEST} nested elements", "fewer")
        self._builder.start(name, attributes).line = self.line  # type: ignore[attr-defined]

    def end(self, name: str) -> None:
        """End an element."""
        self._depth -= 1
        self._builder.end(name)

    def closed(self) -> list[_Placed]:
        """Return the outermost elements."""
        self._builder.end("")
        return _inner(self._builder.close())

    def refuse(self, found: str, expected: str, code: str = "xml") -> NoReturn:
        """Raise the error of a file that breaks here."""
        raise refused(f"markup-{code}", self._name, found, expected=expected, line=self.line)


def _xml(tree: _Tree, source: SourceFile, said: str | None, limits: Limits) -> None:
    """Parse XML as it streams.

    Expat fetches nothing from elsewhere. What a document declares for itself (entities, by which
    a short one grows) is refused, and so is a name that nobody declared.
    """
    try:
        parser = expat.ParserCreate(said)
    except (TypeError, ValueError, LookupError) as error:
        tree.refuse(str(error), "an encoding of XML")

    def start(name: str, attributes: dict[str, str]) -> None:
        tree.line = parser.CurrentLineNumber
        tree.start(name, attributes)

    def refuse(what: str, expected: str) -> None:
        tree.line = parser.CurrentLineNumber
        tree.refuse(what, expected)

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.add
    declared = "a declaration of an entity", "XML without entities of its own"
    parser.EntityDeclHandler = lambda *_: refuse(*declared)
    expected = "a character, or its number such as &#160;"
    parser.SkippedEntityHandler = lambda entity, _: refuse(f"&{entity};", expected)
    quiet, before, data = 0, 0, b"-"
    with open_bytes(source, limits) as stream:
        while data:
            data = stream.read(CHUNK)
            # Expat looks at a tag from its beginning again with each piece of it.
            quiet = quiet + len(data) if parser.CurrentByteIndex == before else len(data)
            before = parser.CurrentByteIndex
            if quiet > 2 * max(limits.field_characters, CHUNK):
                tree.line = parser.CurrentLineNumber
                tree.refuse("a tag that does not end", "XML", "field-size")
            try:
                parser.Parse(data, not data)
            except expat.ExpatError as error:
                tree.line = error.lineno
                tree.refuse(expat.ErrorString(error.code), "XML")
            except (LookupError, ValueError, OverflowError) as error:
                tree.line = parser.CurrentLineNumber
                tree.refuse(str(error), "XML in UTF-8", "encoding")


def _sgml(tree: _Tree, source: SourceFile, said: str | None, limits: Limits) -> None:
    """Read tags as mteval and its kin do.

    Names count without regard to case; values need no quotes; an ampersand, or a ``<`` before
    anything but a name, is a character. The end of an element ends those inside it.
    """
    text = "".join(texts(source, encoding_of(source, said, limits), limits))
    opened: list[str] = []
    here = at = 0
    for tag in _TAG.finditer(text):
        if at < tag.start():
            tree.add(_ENTITY.sub(_character, text[at : tag.start()]))
        tree.line += text.count("\n", here, tag.start())
        here, at = tag.start(), tag.end()
        is_end, name, rest = tag[1], (tag[2] or "").lower(), tag[3]
        if name and not is_end:
            pairs = _ATTRIBUTE.findall(rest)
            values = {key.lower(): _ENTITY.sub(_character, v.strip("\"'")) for key, v in pairs}
            tree.start(name, values)
            opened.append(name)
            is_end = "/" if rest.endswith("/") else ""
        while is_end and name in opened:
            closed = opened.pop()
            tree.end(closed)
            if closed == name:
                break
    if opened:
        tree.line += text.count("\n", here)
        tree.refuse("the end of the file", f"</{opened[-1]}>")


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]


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
    tree, is_sgml = _Tree(source.name), source.format == "sgml"
    (_sgml if is_sgml else _xml)(tree, source, said, limits)
    outermost = tree.closed()
    wanted = (name.lower() if name and is_sgml else name) or _most_likely(outermost)
    found = False
    for line, record in _records(outermost, wanted, {}, ""):
        found = True
        yield line, record
    if name and not found:
        raise refused("no-such-elements", source.name, name, column="explode", name=name)
    if not found:
        raise refused("no-elements", source.name)


def _records(
    elements: Iterable[_Placed], wanted: str, outer: dict[str, str], path: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the wanted elements among some and in them, with the values around them."""
    for element in elements:
        name = element.tag
        if name == wanted:
            yield element.line, {PATH: path, **outer, **_numbered(element)}
            continue
        own = {f"{name}.{key}": value for key, value in element.attrib.items()}
        below = f"{path}/{name}" if path else name
        yield from _records(_inner(element), wanted, outer | own, below)
        if path and not len(element):
            around = path.rpartition("/")[2]
            outer |= {f"{around}.{key}": value for key, value in own.items()}
            if element.has_words:
                outer[f"{around}.{name}"] = _text(element)


def _numbered(element: _Placed) -> dict[str, str]:
    """Return the values of an element; of one name with their numbers."""
    found: dict[str, str] = {}
    for name, value in _values(element, ""):
        column = name or (element.tag if TEXT in found else TEXT)
        name, number = column, 1
        while column in found:
            number += 1
            column = f"{name} {number}"
        found[column] = value
    return found


def _values(element: _Placed, name: str) -> Iterator[tuple[str, str]]:
    """Yield the names of the values in an element and the values, its own text at the end."""
    prefix = f"{name}." if name else ""
    for key, value in element.attrib.items():
        yield prefix + key, value
    for inner in _inner(element):
        yield from _values(inner, prefix + inner.tag)
    if element.has_words or not len(element):
        yield name, _text(element)


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip(_SPACE)


def _most_likely(outermost: list[_Placed]) -> str:
    """Return the name of the outermost element that repeats and holds nothing deep.

    One with attributes or elements in it comes before a bare text. Of an element that only wraps
    one of another name, the inner one.
    """
    kinds = defaultdict[str, list[tuple[int, _Placed]]](list)
    for depth, element in islice(_all(outermost, 0), SAMPLED_ELEMENTS):
        kinds[element.tag].append((depth, element))
    flat = {name: seen for name, seen in kinds.items() if all(e.is_flat for _, e in seen)}
    many = [name for name, seen in flat.items() if len(seen) > 1 and all(d for d, _ in seen)]

    def rank(name: str) -> tuple[bool, int, int]:
        seen = flat[name]
        is_bare = not any(element.attrib or len(element) for _, element in seen)
        return is_bare, min(depth for depth, _ in seen), -len(seen)

    name = min(many or flat, key=rank, default="")
    while name and not any(element.has_words for _, element in flat[name]):
        inner = {child.tag for _, element in flat[name] for child in element[:2]}
        if len(inner) != 1 or not inner <= flat.keys() - {name}:
            break
        (name,) = inner
    return name


def _all(elements: Iterable[_Placed], depth: int) -> Iterator[tuple[int, _Placed]]:
    for element in elements:
        yield depth, element
        yield from _all(_inner(element), depth + 1)
