"""Tags and texts of marked-up files: of XML, and of SGML as older tools write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    advice = "Correct the file, or export it again. Nothing after this place was checked."
    return refused(name, found, expected, advice, code, line)


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
