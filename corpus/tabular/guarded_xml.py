"""XML read as it streams: no entities, nothing from elsewhere, no depth or token without bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol
from xml.parsers import expat

from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, TableError

CHUNK = 1 << 18
BUFFER = 1 << 16
DEEPEST = 100


class ByteStream(Protocol):
    """Whatever gives the bytes of a file."""

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end."""


class GuardedParser:
    """An expat parser whose handlers are methods of a class derived from this one.

    Expat itself fetches nothing from elsewhere. What a document declares for itself (entities,
    by which a short one grows) is refused, and so is a name that nobody declared.

    Parameters
    ----------
    name
        What problems call the file.
    limits
        Longest text or tag.
    encoding
        Comes before what the document says of itself.
    namespaces
        Whether names of elements and attributes come without prefix, after their namespace and
        a space.
    """

    def __init__(
        self, name: str, limits: Limits, encoding: str | None = None, *, namespaces: bool = False
    ) -> None:
        self._name = name
        self._limits = limits
        self._depth = 0
        self._quiet = 0
        self._is_file = False
        try:
            self._parser = expat.ParserCreate(encoding, " " if namespaces else None)
        except (TypeError, ValueError, LookupError) as error:
            raise self.broken(str(error), "an encoding of XML") from None
        # Lines of a part of a workbook, where alone namespaces matter, say nothing to people.
        self._is_file = not namespaces
        self._parser.buffer_text = True
        self._parser.buffer_size = BUFFER
        self._parser.StartElementHandler = self._started
        self._parser.EndElementHandler = self._ended
        self._parser.CharacterDataHandler = self._texted
        self._parser.EntityDeclHandler = self._declared
        self._parser.SkippedEntityHandler = self._skipped

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> None:
        """Take some text."""

    @property
    def place(self) -> tuple[int, int]:
        """Line and character, counted from 1, of what is at hand."""
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def feed(self, stream: ByteStream) -> Iterator[None]:
        """Parse a stream, yielding after each piece; `TableError` where it is no XML."""
        data = b"-"
        while data:
            data = stream.read(CHUNK)
            self._quiet += len(data)
            # Expat looks at a tag from its beginning again with each piece of it.
            if self._quiet > 2 * max(self._limits.field_characters, CHUNK):
                raise self.broken("a tag that does not end", "XML", "field-size")
            try:
                self._parser.Parse(data, not data)
            except expat.ExpatError as error:
                line, position = error.lineno, error.offset + 1
                raise self.broken(
                    expat.ErrorString(error.code), "XML", "xml", (line, position)
                ) from None
            except (LookupError, ValueError, OverflowError) as error:
                raise self.unreadable(error) from None
            yield

    def unreadable(self, error: Exception) -> TableError:
        """Return what is wrong if neither the parser nor a handler understands a piece."""
        return self.broken(str(error), "XML in UTF-8", "encoding")

    def broken(
        self, found: str, expected: str, code: str = "xml", place: tuple[int, int] | None = None
    ) -> TableError:
        """Return an error at what is at hand, or at a place."""
        line, position = place or self.place if self._is_file else (None, None)
        advice = "Correct the file, or export it again. Nothing after this place was checked."
        return TableError(Problem(self._name, line, None, position, found, expected, advice, code))

    def _started(self, name: str, attributes: dict[str, str]) -> None:
        self._quiet = 0
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.broken(f"more than {DEEPEST} nested elements", "fewer")
        self.start(name, attributes)

    def _ended(self, name: str) -> None:
        self._quiet = 0
        self._depth -= 1
        self.end(name)

    def _texted(self, text: str) -> None:
        self._quiet = 0
        self.text(text)

    def _declared(self, *declaration: Any) -> None:
        raise self.broken("a declaration of an entity", "XML without entities of its own")

    def _skipped(self, name: str, *more: Any) -> None:
        raise self.broken(f"&{name};", "a character, or its number such as &#160;")
