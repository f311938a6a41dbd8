"""What somebody searches for, and where a text has it."""

import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from corpus.texts.phrases import phrase_expression

LONGEST = 200
SHORTEST = 2
EXCERPT = 160


@dataclass(frozen=True)
class Query:
    """A phrase, and the words that it consists of.

    Names have to have every word, in any order; texts of segments the phrase as it is.

    Examples
    --------
    >>> Query.of("  two\\tWords two ").words
    ('two', 'Words')
    >>> Query.of("x").is_long_enough
    False
    """

    phrase: str

    @classmethod
    def of(cls, typed: str) -> "Query":
        """Read what was typed: bounded, without NUL, which no database takes."""
        return cls(" ".join(typed.replace("\0", "").split())[:LONGEST].strip())

    @property
    def is_long_enough(self) -> bool:
        """Whether it is worth searching for."""
        return len(self.phrase) >= SHORTEST

    @property
    def encoded(self) -> str:
        """The phrase as a query string."""
        return urlencode({"q": self.phrase})

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, each once."""
        return tuple(dict.fromkeys(self.phrase.split()))

    @cached_property
    def _expressions(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(phrase_expression(word)) for word in self.words)

    @cached_property
    def _any_word(self) -> re.Pattern[str]:
        longest_first = sorted(self.words, key=len, reverse=True)
        whole = [self.phrase] if len(self.words) > 1 else []
        return re.compile("|".join(map(phrase_expression, [*whole, *longest_first])) or r"(?!)")

    def found_in(self, text: str) -> int:
        """Return how many of its words a text has."""
        return sum(bool(expression.search(text)) for expression in self._expressions)

    def missing_in(self, text: str) -> tuple[str, ...]:
        """Return the words that a text lacks."""
        pairs = zip(self.words, self._expressions, strict=True)
        return tuple(word for word, expression in pairs if not expression.search(text))

    def pieces(self, text: str) -> list[tuple[str, bool]]:
        """Cut a text into pieces, each with whether it is a word of the query.

        Examples
        --------
        >>> Query.of("école").pieces("Une École.")
        [('Une ', False), ('École', True), ('.', False)]
        """
        pieces: list[tuple[str, bool]] = []
        end = 0
        for match in self._any_word.finditer(text):
            pieces += [(text[end : match.start()], False), (match.group(), True)]
            end = match.end()
        return [piece for piece in [*pieces, (text[end:], False)] if piece[0]]

    def excerpt(self, text: str) -> str:
        """Return a text around the phrase, or around the first word; short ones whole."""
        if len(text) <= 1.25 * EXCERPT:
            return text
        match = re.search(phrase_expression(self.phrase), text) or self._any_word.search(text)
        first = match.start() if match else 0
        start, end = max(0, first - EXCERPT // 2), first + EXCERPT // 2
        # At a space, in scripts that have some.
        start = text.find(" ", start, first) + 1 or start if start else 0
        end = max(text.rfind(" ", first + len(self.phrase), end), end - 20)
        return f"{'… ' * (start > 0)}{text[start:end].strip()}{' …' * (end < len(text))}"
