"""What somebody searches for, where they may look, and what is found there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery

from corpus.models import Membership, Output, Study
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


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found.

    Parameters
    ----------
    title
        Its name.
    address
        Where it is.
    place
        The study or the page of the help that it is in; empty for what is in none.
    detail
        A few words about it, or the text that was found.
    """

    title: str
    address: str
    place: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind.

    Parameters
    ----------
    title
        The kind.
    hits
        The first that were found.
    more
        How many there are beside them.
    links
        Words and addresses of lists that show all.
    notes
        What was not searched, and why.
    """

    title: str
    hits: Sequence[Hit]
    more: int = 0
    links: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Scope:
    """Where a person may look.

    Parameters
    ----------
    user
        Who searches.
    studies
        The studies that they may open, the current one first, then the newest. `texts` of each is
        how many outputs it has.
    current
        The study from whose page they search.
    owned
        Those of the studies that they own.
    """

    user: User
    studies: Sequence[Study]
    texts: Mapping[int, int]
    current: Study | None
    owned: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(cls, user: User, slug: str) -> "Scope":
        """Read what a person may open; two queries."""
        last = Output.objects.filter(study=OuterRef("pk")).order_by("-ordinal").values("ordinal")
        found = Study.objects.visible_to(user).only("slug", "title").order_by("-pk")
        rows = [
            (study, study.last)  # type: ignore[attr-defined]
            for study in found.annotate(last=Subquery(last[:1]))
        ]
        listed = [study for study, _ in rows]
        current = next((study for study in listed if study.slug == slug), None)
        owner = Membership.Role.OWNER
        owned = Membership.objects.filter(user=user, role=owner).values_list("study", flat=True)
        return cls(
            user,
            sorted(listed, key=lambda study: study is not current),
            {study.pk: 0 if last is None else last + 1 for study, last in rows},
            current,
            frozenset(study.pk for study in listed) if user.is_superuser else frozenset(owned),
        )

    @property
    def current_pk(self) -> int:
        """The key of the current study; 0, which is no study's, if there is none."""
        return self.current.pk if self.current else 0
