"""Questions about names: of systems, raters, aspects, metrics and segments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpus.imports.system_roles import ROLES, seems_human
from corpus.rater_names import MODEL, PERSON, PLACE, rater_named
from corpus.tabular.questions.question import (
    CLEAN,
    KEEP,
    ONE_BY_ONE,
    Question,
    Results,
    ask,
    plural,
    records,
    shown,
)

_NUMBER = re.compile(r"[0-9]{1,9}")
_KEYS = ("system", "rater", "aspect", "metric", "segment")
_FOLDED = rf"lower(regexp_replace({CLEAN}, '\p{{{{Cf}}}}', '', 'g'))"
_UNIT = "segment, system, against, aspect, task, campaign, revision, variant"
_KIND = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS rater_kind VARCHAR"


def _in_turn(names: list[Any]) -> list[list[Any]]:
    """Ask about few names one by one, about many together."""
    return [[each] for each in names] if len(names) <= ONE_BY_ONE else [names]


def names_alike(results: Results) -> Iterator[Question]:
    """Ask about names that differ by case, white space or Unicode form only.

    Segments whose sources differ are different segments.
    """
    clean, folded = CLEAN.format("name"), _FOLDED.format("name")
    for key in _KEYS:
        counted, distinct = results.counted(key), ""
        if key == "segment" and results.has("segments", "source"):
            distinct = "AND count(DISTINCT source) < 2"
            counted = f"""SELECT name, n, source FROM ({counted}) LEFT JOIN (
                SELECT segment AS name, any_value(source) AS source FROM results.segments
                GROUP BY 1) USING (name)"""
        groups = results.rows(
            f"""SELECT first({clean} ORDER BY n DESC, name), list((name, n) ORDER BY n DESC, name)
                FROM ({counted}) GROUP BY {folded}
                HAVING (count(*) > 1 OR bool_or(name <> {clean})) {distinct} ORDER BY 1"""
        )
        for asked in _in_turn(groups):
            found = [(name, n, new) for new, spellings in asked for name, n in spellings]
            old, new = zip(*[(name, new) for name, _, new in found if name != new], strict=True)
            written = shown(new[0]) if len(asked) == 1 else "each as most records do"
            yield ask(
                *("names-alike", f"{key}s", new[0] if len(asked) == 1 else ""),
                f"Names of {key}s differ only by case, white space or Unicode form, or have white "
                f"space around them. Are they the same {key}?",
                records(found),
                ("one", f"The same: write {written}", *results.renamed(key, old, new)),
                (KEEP, "Different: keep them as they are"),
                subjects=old,
            )


def human_systems(results: Results) -> Iterator[Question]:
    """Ask whether humans wrote the texts of systems; `Settled.roles` has the answers."""
    described = set(results.stored_systems)
    human = results.text("systems", "human")
    if results.has("systems", "human"):
        found = results.rows(f"SELECT system FROM results.systems WHERE {human} <> ''")
        described |= {name for (name,) in found}
    counted = results.rows(results.counted("system") + " ORDER BY name")
    names = [(name, n) for name, n in counted if name not in described and seems_human(name)]
    for asked in _in_turn(names):
        yield ask(
            *("human-written", "systems", asked[0][0] if len(asked) == 1 else ""),
            "Names of systems suggest that humans wrote the texts. What are they?",
            records(asked),
            *((role, label[0].upper() + label[1:]) for role, label in ROLES.items()),
            subjects=[name for name, _ in asked],
        )


def date_keys(results: Results) -> Iterator[Question]:
    """Ask about keys that a spreadsheet may have made dates.

    The order that gives most of the keys in other records is preset.
    """
    formats = "['%Y-%m-%d', '%Y-%m-%d %H:%M:%S', '%Y-%m-%dT%H:%M:%S', '%-d-%b', '%b-%-d']"
    is_date = r"regexp_matches(name, '^\d{4}-\d\d-\d\d([ T]|$)|^\d\d?-\w{3}$|^\w{3}-\d\d?$')"
    for key in ("segment", "system", "rater"):
        counted = results.counted(key)
        dates = results.rows(
            f"""SELECT * FROM (SELECT name, n, CASE WHEN {is_date}
                               THEN try_strptime(name, {formats}) END AS day FROM ({counted}))
                WHERE day IS NOT NULL ORDER BY name"""
        )
        if not dates:
            continue
        pairs = f"SELECT name FROM ({counted}) WHERE regexp_full_match(name, '\\d+[-./_]\\d+')"
        others = {name for (name,) in results.rows(pairs)}
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
        answers.insert(2 if others else 0, (KEEP, "Dates: keep them as they are"))
        yield ask(
            *("dates", f"{key}s", ""),
            f"{plural(len(dates), f'{key} key')} may have been made dates by a spreadsheet, which "
            "does so with keys such as 3-5. What was written?",
            records(dates),
            *answers,
            subjects=old,
        )


def raters(results: Results) -> Iterator[Question]:
    """Ask about raters named like language models, like numbers of raters, or by places."""
    if not results.has("ratings", "rater") or not results.rated():
        return
    named = results.rows(
        "SELECT rater, count(*), bool_and(rater_kind = '') FROM rated WHERE rater <> '' "
        "GROUP BY 1 ORDER BY TRY_CAST(rater AS BIGINT), 1"
    )
    kinds = [(name, n, rater_named(name)) for name, n, is_open in named if is_open]
    models = [each for each in kinds if each[2].kind == MODEL or each[2].doubtful]
    for asked in _in_turn(models):
        yield ask(
            *("models", "raters", asked[0][0] if len(asked) == 1 else ""),
            "Names of raters are like those of language models. Who rated?",
            records(asked, "rating"),
            *_kinds(
                [name for name, *_ in asked],
                {MODEL: "Language models", PERSON: "Human raters"},
                MODEL if all(each.kind == MODEL for *_, each in asked) else PERSON,
            ),
            subjects=[name for name, *_ in asked],
        )
    if named and all(_NUMBER.fullmatch(name) for name, *_ in named):
        yield from _numbered_raters(results, named)


def _kinds(names: list[str], labels: dict[str, str], likely: str) -> list[tuple[Any, ...]]:
    change = "UPDATE results.ratings SET rater_kind = ? WHERE list_contains(?, rater)"
    answers = [(kind, label, (_KIND,), (change, kind, names)) for kind, label in labels.items()]
    return sorted(answers, key=lambda answer: answer[0] != likely)


def _numbered_raters(results: Results, named: list[tuple[Any, ...]]) -> Iterator[Question]:
    """Ask whether numbers are persons, places within each unit, or counts of raters.

    Places are consecutive within each unit, and units have differently many. Counts are alone in
    their unit and above one; means of ratings are rarely whole.
    """
    [(is_place, consecutive, sizes, most, least, whole)] = results.rows(
        f"""SELECT bool_and(place), bool_and(lowest = first AND highest - lowest + 1 = size),
                   count(DISTINCT size), max(size), min(lowest), bool_and(whole)
            FROM (SELECT count(*) AS size, min(rater::BIGINT) AS lowest,
                         min(min(rater::BIGINT)) OVER () AS first, max(rater::BIGINT) AS highest,
                         bool_and(rater_kind = '{PLACE}') AS place,
                         bool_and(number % 1 = 0) AS whole
                  FROM rated WHERE rater <> '' AND rater_kind IN ('', '{PLACE}')
                  GROUP BY {_UNIT})"""
    )
    labels = {
        PERSON: "The same number is the same rater everywhere",
        PLACE: "Places in a list: another output has other raters",
    }
    names = [name for name, *_ in named]
    if (is_place and not consecutive) or (
        not is_place and consecutive and sizes > 1 and least < 2 <= most
    ):
        yield ask(
            *("numbered", "raters", ""),
            f"Raters are numbers, which {'' if consecutive else 'do not '}begin anew with each "
            "output. What are they?",
            records(named, "rating"),
            *_kinds(names, labels, PLACE if consecutive else PERSON),
        )
    elif not is_place and most == 1 < least and (len(named) == 1 or not whole):
        add = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS rater_count BIGINT"
        change = "UPDATE results.ratings SET rater_count = rater::BIGINT, rater = ''"
        yield ask(
            *("counts", "raters", ""),
            "Raters are numbers, one for each output. Do they count the raters of a mean?",
            records(named, "rating"),
            ("counts", "Yes: a score is the mean of so many raters", (add,), (change,)),
            (PERSON, "No: each number is a rater"),
        )
