"""Questions about numbers in other forms: decimal commas, percent, labels, words of scales."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.tabular.database import literal
from corpus.tabular.questions.answers import Answers, Found
from corpus.tabular.questions.question import KEEP, Change, Question, ask, folded, plural, shown
from corpus.tabular.questions.written import DOTTED, form, scales, value

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
    is_answer = group.column == "answer"
    labels = [found for name in _LABELS for found in group.forms.get(name, ())]
    named = [found.number or 0 for found in labels]
    ends = [*group.numbers, *named]
    unread = list(group.forms.get("text", ()))
    forms = [name for name in group.forms if name not in (*_LABELS, "date", "word", "text")]
    is_count = group.column == "rater_count"  # "5 min" is no number of seconds.
    if is_count or (is_answer and _is_usual(group, named, group.numbers, *_LABELS)):
        forms += _LABELS
    else:
        unread += labels
    own, meanings = group.forms.get("word", []), list[dict[str, float]]()
    if own and is_answer:
        tokens = [found.token for found in own]
        possible = scales(words, max(ends, default=0)) or scales(tokens, max(ends, default=0))
        meanings = [
            m for m in possible if _is_usual(group, [m[t] for t in tokens], ends, "word", beyond=1)
        ]
    if not meanings:
        unread += own
    read = [found for name in forms for found in group.forms.get(name, ())]
    read += [f._replace(number=meanings[0][f.token]) for f in own if meanings]
    if not is_answer and group.missing:
        forms.append("missing")
        read += group.missing
    offered = tuple(_meant(meanings) if meanings else _separated(group))
    return Reading(tuple(read), tuple(unread), offered, (*forms, *["word"] * bool(meanings)))


def _is_usual(
    group: Answers,
    named: Sequence[float],
    others: Mapping[float, int] | Sequence[float],
    *forms: str,
    beyond: int = 0,
) -> bool:
    """Whether most answers are of these forms, or they are at the ends of the others."""
    is_most = 2 * group.count(*forms) >= group.plain + group.count()
    low, high = min(others, default=0) - beyond, max(others, default=0) + beyond
    return is_most or (bool(others) and all(n <= low or n >= high for n in named))


def _meant(meanings: list[dict[str, float]]) -> Iterator[tuple[str, str, str]]:
    for place, meant in enumerate(meanings[:3], start=1):
        words = ", ".join(map(literal, meant))
        steps = ", ".join(f"{word}: {number:g}" for word, number in meant.items())
        sql = f"coalesce(map([{words}], {list(meant.values())}::DOUBLE[])[text], {value('text')})"
        yield "scale" if place == 1 else f"scale-{place}", steps, sql


def _separated(group: Answers) -> Iterator[tuple[str, str, str]]:
    """Yield what points and commas may mean.

    A single comma before three digits parts thousands if other numbers have points or are large.
    """
    tokens = [f.token for name in ("number", "percent", "of") for f in group.forms.get(name, ())]
    shares = len({f.token.rpartition(" ")[2] for f in group.forms.get("of", ())}) > 1
    commas = [token for token in tokens if "," in token]
    dotted = any(re.search(r"\.9+,", token) for token in commas)
    if commas and all(re.match(r"[-+]?9{1,3},999(?![9,.])", token) for token in commas):
        readings = [
            (name, f"1,234 is {read}", value("text", comma=name, shares=shares))
            for name, read in (("decimal", "1.234"), ("thousands", "1234"))
        ]
        is_large = bool(group.fractions) or max(group.numbers, default=0) >= 100
        yield from readings[::-1] if is_large else readings
    else:
        name, comma = (WITH_POINTS, "dotted") if dotted else ("read", "decimal")
        yield name, "Read them so", value("text", comma=comma, shares=shares)


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
            *("other-numbers", table, same[0][0].title if len(same) == 1 else ""),
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
    return frozenset(found.token for each in scored for found in each.forms.get("word", ()))


def _changes(
    table: str, column: str, sql: str, forms: list[str], abouts: list[str], name: str
) -> Iterator[Change]:
    """Yield statements that write numbers plainly; elsewhere than in answers, missing ones go."""
    about = "metric" if table == "metric_scores" else "''"
    source = (
        "rated WHERE NOT is_pair AND trim(judgement) = ''"
        if column == "answer"
        else f"""(SELECT rowid AS place, {column}::VARCHAR AS answer, {about} AS about,
                         TRY_CAST({column} AS DOUBLE) AS number FROM results.{table}) WHERE true"""
    )
    plain = "isfinite(number) IS true"
    if name == WITH_POINTS:
        plain += f" AND NOT regexp_full_match(answer, '{DOTTED}')"
    chosen = f"""SELECT place, {sql} AS read FROM (
        SELECT place, {folded("answer")} AS text FROM {source}
        AND list_contains(?, about) AND NOT ({plain})) WHERE list_contains(?, {form("text")})"""
    target = "score" if column == "answer" else column
    yield (
        f"UPDATE results.{table} SET {target} = read FROM ({chosen}) WHERE rowid = place",
        *(abouts, forms),
    )
    if table == "metric_scores":
        yield (
            "DELETE FROM results.metric_scores WHERE score IS NULL AND list_contains(?, metric)",
            abouts,
        )
