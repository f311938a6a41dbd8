"""Answers counted by their forms; questions about numbers in other forms, labels, words."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpus.tabular.guesses.columns import scales
from corpus.tabular.questions.question import KEEP, Change, Question, Results, ask, plural, shown
from corpus.tabular.sql import literal

TIES = ("tie", "equal", "same", "both")


class Found(NamedTuple):
    """Answers of one form: what equal ones are called, an example, its number, and how many."""

    token: str
    example: str
    number: float | None
    n: int


@dataclass
class Answers:
    """The numbers of a column, or the answers on one aspect, of pairs or of single texts."""

    table: str
    column: str
    about: str
    is_pair: bool
    numbers: dict[float, int] = field(default_factory=dict)
    fractions: int = 0
    """Answers between halves."""
    known: dict[str, int] = field(default_factory=dict)
    forms: dict[str, list[Found]] = field(default_factory=dict)
    """Numbers in other forms, words in place of numbers, texts in place of votes, and what means
    that nobody answered, or what a spreadsheet made dates."""

    @property
    def plain(self) -> int:
        """How many are plain numbers."""
        return sum(self.numbers.values()) + self.fractions

    @property
    def title(self) -> str:
        """What questions call them."""
        return self.about or ("Ratings" if self.column == "answer" else self.column)

    def found(self, *forms: str) -> list[Found]:
        """Return those of some forms."""
        return [each for name in forms for each in self.forms.get(name, ())]

    def count(self, *forms: str) -> int:
        """Return how many are numbers in other forms or words."""
        names = forms or [name for name in self.forms if name != "missing"]
        return sum(each.n for each in self.found(*names))


def counted(results: Results) -> list[Answers]:
    """Return the answers of all aspects, and other columns of numbers with anything else."""
    groups: dict[tuple[Any, ...], Answers] = {}
    if not (results.has("ratings") or results.has("metric_scores")):
        return []
    for *key, kind, token, example, number, count in results.rows("FROM counted_answers"):
        group = groups.setdefault(tuple(key), Answers(*key))
        if kind == "plain" and number is not None:
            group.numbers[number] = count
        elif kind == "plain":
            group.fractions += count
        elif kind == "known":
            group.known[token] = count
        else:
            form = "missing" if kind == "date" and group.column == "answer" else kind
            group.forms.setdefault(form, []).append(Found(token, example, number, count))
    return list(groups.values())


_LABELS = ("label", "label-last")
WITH_POINTS = "with-points"
"""The answer that points part thousands and a comma begins decimals."""


@dataclass(frozen=True)
class Reading:
    """How answers of other forms are read: what each kind of answer is, and the queries for it.

    Attributes
    ----------
    read, unread
        Answers that are numbers, and those that are none.
    offered
        Values and labels of answers to the question, with SQL for the number of a `text`.
    forms
        Those that are read.
    """

    read: tuple[Found, ...]
    unread: tuple[Found, ...]
    offered: tuple[tuple[str, str, str], ...]
    forms: tuple[str, ...]


def reading(group: Answers, words: frozenset[str]) -> Reading:
    """Return how the answers of a group are read.

    Labels and words of scales are read if most answers are such, or if they name the ends of a
    scale. The same words mean the same wherever they are found.

    Parameters
    ----------
    words
        The words of all groups.
    """
    is_answer, own = group.column == "answer", group.found("word")
    named = [found.number or 0 for found in group.found(*_LABELS)]
    ends = [*group.numbers, *named]
    forms = [n for n in group.forms if n not in (*_LABELS, "date", "word", "text", "missing")]
    # "5 min" is no number of seconds.
    if group.column == "rater_count" or (
        is_answer and _is_usual(group, named, group.numbers, *_LABELS)
    ):
        forms += _LABELS
    if not is_answer and group.found("missing"):
        forms.append("missing")
    meanings: list[dict[str, float]] = []
    if own and is_answer:
        tokens, highest = [found.token for found in own], max(ends, default=0)
        possible = scales(words, highest) or scales(tokens, highest)
        meanings = [
            m for m in possible if _is_usual(group, [m[t] for t in tokens], ends, "word", beyond=1)
        ]
    read = group.found(*forms) + [
        found._replace(number=meant[found.token]) for meant in meanings[:1] for found in own
    ]
    if _is_of_shares(group):
        read = [found._replace(number=_share(found)) for found in read]
    left = [name for name in ("text", *_LABELS) if name not in forms]
    unread = group.found(*left, *["word"] * (not meanings))
    offered = tuple(_meant(meanings) if meanings else _separated(group))
    return Reading(tuple(read), tuple(unread), offered, (*forms, *["word"] * bool(meanings)))


def _is_usual(
    group: Answers, named: list[float], others: Collection[float], *forms: str, beyond: int = 0
) -> bool:
    """Whether most answers are of these forms, or they are at the ends of the others."""
    if 2 * group.count(*forms) >= group.plain + group.count():
        return True
    low, high = min(others, default=0) - beyond, max(others, default=0) + beyond
    return bool(others) and all(n <= low or n >= high for n in named)


def _meant(meanings: list[dict[str, float]]) -> Iterator[tuple[str, str, str]]:
    for place, meant in enumerate(meanings[:3], start=1):
        words, numbers = ", ".join(map(literal, meant)), list(meant.values())
        steps = ", ".join(f"{word}: {number:g}" for word, number in meant.items())
        sql = f"coalesce(map([{words}], {numbers}::DOUBLE[])[text], number_of(text, 'decimal'))"
        yield "scale" if place == 1 else f"scale-{place}", steps, sql


def _separated(group: Answers) -> Iterator[tuple[str, str, str]]:
    """Yield what points and commas may mean.

    A single comma before three digits parts thousands if other numbers have points or are large.
    """
    tokens = [found.token for found in group.found("number", "percent", "of")]
    macro = "share_of" if _is_of_shares(group) else "number_of"
    commas = [token for token in tokens if "," in token]
    if commas and all(re.match(r"[-+]?9{1,3},999(?![9,.])", token) for token in commas):
        offered = [("decimal", "1,234 is 1.234"), ("thousands", "1,234 is 1234")]
        is_large = bool(group.fractions) or max(group.numbers, default=0) >= 100
        for name, label in offered[::-1] if is_large else offered:
            yield name, label, f"{macro}(text, '{name}')"
    elif any(re.search(r"\.9+,", token) for token in commas):
        yield WITH_POINTS, "Read them so", f"{macro}(text, 'dotted')"
    else:
        yield "read", "Read them so", f"{macro}(text, 'decimal')"


def _is_of_shares(group: Answers) -> bool:
    """Whether numbers are of different totals: 4/5 beside 7/10."""
    return len({found.token.rpartition(" ")[2] for found in group.found("of")}) > 1


def _share(found: Found) -> float | None:
    total = float(found.token.rpartition(" ")[2] or (100 if "%" in found.token else 1))
    return None if found.number is None else found.number / total


def numbers_in_other_forms(groups: Sequence[Answers]) -> Iterator[Question]:
    """Ask how numbers in other forms are read, once for all aspects written alike."""
    words = all_words(groups)
    alike: dict[tuple[Any, ...], list[tuple[Answers, Reading]]] = {}
    for group in groups:
        found = reading(group, words)
        if found.read:
            key = (group.table, group.column, found.offered, tuple(sorted(found.forms)))
            alike.setdefault(key, []).append((group, found))
    for (table, column, offered, forms), same in alike.items():
        abouts = [group.about for group, _ in same]
        lines = {each.token: each for _, reads in same for each in reads.read}
        title = ", ".join(group.title for group, _ in same[:3]) + ", …" * (len(same) > 3)
        total = plural(sum(each.n for _, reads in same for each in reads.read), "number")
        yield ask(
            f"other-numbers:{table}:{same[0][0].title if len(same) == 1 else ''}",
            f"{title}: {total} in another form than 1 or 2.5. What do they mean?",
            [
                f"{shown(each.example)} means "
                + ("that there is none" if each.number is None else f"{each.number:.10g}")
                for each in sorted(lines.values(), key=lambda each: each.number or 0)
            ],
            *(
                (name, label, *_changes(table, column, sql, list(forms), abouts, name))
                for name, label, sql in offered
            ),
            (KEEP, "Keep them: the import refuses what is no number"),
        )


def all_words(groups: Sequence[Answers]) -> frozenset[str]:
    """Return the words in place of scores."""
    scored = [each for each in groups if each.column == "answer"]
    return frozenset(found.token for each in scored for found in each.found("word"))


def _changes(
    table: str, column: str, sql: str, forms: list[str], abouts: list[str], name: str
) -> Iterator[Change]:
    """Yield statements that write numbers plainly; elsewhere than in answers, missing ones go."""
    source, target = "rated WHERE NOT is_pair AND trim(judgement) = ''", "score"
    if column != "answer":
        about, target = "metric" if table == "metric_scores" else "''", column
        source = f"(SELECT place, {column} AS answer, {about} AS about FROM {table}) WHERE true"
    plain = "isfinite(TRY_CAST(answer AS DOUBLE)) IS true"
    if name == WITH_POINTS:
        plain += " AND NOT is_dotted(answer)"
    yield (
        f"""UPDATE results.{table} SET {target} = read FROM (
                SELECT place, {sql} AS read FROM (
                    SELECT place, folded(answer) AS text FROM {source}
                    AND list_contains(?, about) AND NOT ({plain}))
                WHERE list_contains(?, form_of(text)))
            WHERE rowid = place""",
        *(abouts, forms),
    )
    if table == "metric_scores":
        yield (
            "DELETE FROM results.metric_scores WHERE score IS NULL AND list_contains(?, metric)",
            abouts,
        )
