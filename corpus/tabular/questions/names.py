"""Questions about names: of systems, raters, aspects, metrics and segments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from corpus.tabular.questions.question import (
    KEEP,
    Question,
    Results,
    ask,
    in_turn,
    plural,
    records,
    shown,
)
from corpus.vocabulary.names import ROLES, seems_human
from corpus.vocabulary.rater_names import MODEL, PERSON, PLACE, rater_named

_NUMBER = re.compile(r"[0-9]{1,9}")


def _by_key(rows: list[tuple[Any, ...]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield kinds of names with what was found of each."""
    for key, found in groupby(rows, key=lambda row: row[0]):
        yield key, [rest for _, *rest in found]


def names_alike(results: Results) -> Iterator[Question]:
    """Ask about names that differ by case, white space or Unicode form only.

    Segments whose sources differ are different segments.
    """
    for key, alike in _by_key(results.rows("FROM names_alike")):
        for about, asked in in_turn(alike):
            found = [(name, n, new) for new, spellings in asked for name, n in spellings]
            old, new = zip(*[(name, new) for name, _, new in found if name != new], strict=True)
            yield ask(
                f"names-alike:{key}s:{about}",
                f"Names of {key}s differ only by case, white space or Unicode form, or have white "
                f"space around them. Are they the same {key}?",
                records(found),
                (
                    "one",
                    f"The same: write {shown(about) if about else 'each as most records do'}",
                    *results.renamed(key, old, new),
                ),
                (KEEP, "Different: keep them as they are"),
                subjects=old,
            )


def human_systems(results: Results) -> Iterator[Question]:
    """Ask whether humans wrote the texts of systems; `Settled.roles` has the answers."""
    described = {name for (name,) in results.rows("SELECT system FROM systems WHERE human <> ''")}
    described |= {*results.stored_systems}
    counted = results.rows("SELECT name, n FROM names WHERE key = 'system'")
    names = [row for row in counted if row[0] not in described and seems_human(row[0])]
    for about, asked in in_turn(names):
        yield ask(
            f"human-written:systems:{about}",
            "Names of systems suggest that humans wrote the texts. What are they?",
            records(asked),
            *((role, label[0].upper() + label[1:]) for role, label in ROLES.items()),
            subjects=[name for name, _ in asked],
        )


def date_keys(results: Results) -> Iterator[Question]:
    """Ask about keys that a spreadsheet may have made dates.

    The order that gives most of the keys in other records is preset.
    """
    pairs = r"SELECT name FROM names WHERE key = ? AND regexp_full_match(name, '\d+[-./_]\d+')"
    for key, dates in _by_key(results.rows("FROM dates_as_names")):
        others = {name for (name,) in results.rows(pairs, key)}
        sign = next((c for name in sorted(others) for c in name if not c.isdigit()), "-")
        old = [name for name, *_ in dates]
        written = {
            "month-day": [f"{day.month}{sign}{day.day}" for *_, day in dates],
            "day-month": [f"{day.day}{sign}{day.month}" for *_, day in dates],
        }
        answers: list[tuple[Any, ...]] = [
            (order, f"{shown(old[-1])} was {shown(new[-1])}", *results.renamed(key, old, new))
            for order, new in written.items()
        ]
        answers.sort(key=lambda answer: -len(others & set(written[answer[0]])))
        yield ask(
            f"dates:{key}s",
            f"{plural(len(dates), f'{key} key')} may have been made dates by a spreadsheet, which "
            "does so with keys such as 3-5. What was written?",
            records(dates),
            *answers,
            (KEEP, "Dates: keep them as they are"),
            preset="" if others else KEEP,
            subjects=old,
        )


def raters(results: Results) -> Iterator[Question]:
    """Ask about raters named like language models, like numbers of raters, or by places."""
    if not results.has("ratings"):
        return
    named = results.rows(
        "SELECT rater, count(*), bool_and(rater_kind = '') FROM ratings WHERE rater <> '' "
        "GROUP BY 1 ORDER BY TRY_CAST(rater AS BIGINT), 1"
    )
    kinds = [(name, n, rater_named(name)) for name, n, is_open in named if is_open]
    models = [each for each in kinds if each[2].kind == MODEL or each[2].doubtful]
    for about, asked in in_turn(models):
        names = [name for name, *_ in asked]
        yield ask(
            f"models:raters:{about}",
            "Names of raters are like those of language models. Who rated?",
            records(asked, "rating"),
            *_kinds(names, {MODEL: "Language models", PERSON: "Human raters"}),
            preset=MODEL if all(each.kind == MODEL for *_, each in asked) else PERSON,
            subjects=names,
        )
    if named and all(_NUMBER.fullmatch(name) for name, *_ in named):
        yield from _numbered_raters(results, named)


def _kinds(names: list[str], labels: dict[str, str]) -> Iterator[tuple[Any, ...]]:
    add = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS rater_kind VARCHAR"
    change = "UPDATE results.ratings SET rater_kind = ? WHERE list_contains(?, rater)"
    return ((kind, label, (add,), (change, kind, names)) for kind, label in labels.items())


def _numbered_raters(results: Results, named: list[tuple[Any, ...]]) -> Iterator[Question]:
    """Ask whether numbers are persons, places within each unit, or counts of raters.

    Places are consecutive within each unit, and units have differently many. Counts are alone in
    their unit and above one; means of ratings are rarely whole.
    """
    [(is_place, consecutive, sizes, most, least, whole)] = results.rows("FROM numbered_raters")
    labels = {
        PERSON: "The same number is the same rater everywhere",
        PLACE: "Places in a list: another output has other raters",
    }
    if not consecutive if is_place else consecutive and sizes > 1 and least < 2 <= most:
        yield ask(
            "numbered:raters",
            f"Raters are numbers, which {'' if consecutive else 'do not '}begin anew with each "
            "output. What are they?",
            records(named, "rating"),
            *_kinds([name for name, *_ in named], labels),
            preset=PLACE if consecutive else PERSON,
        )
    elif not is_place and most == 1 < least and (len(named) == 1 or not whole):
        add = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS rater_count BIGINT"
        change = "UPDATE results.ratings SET rater_count = rater::BIGINT, rater = ''"
        yield ask(
            "counts:raters",
            "Raters are numbers, one for each output. Do they count the raters of a mean?",
            records(named, "rating"),
            ("counts", "Yes: a score is the mean of so many raters", (add,), (change,)),
            (PERSON, "No: each number is a rater"),
        )
