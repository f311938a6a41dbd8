"""Questions about names: of systems, raters, aspects, metrics and segments."""

from collections.abc import Iterator
from typing import Any

from corpus.tabular.questions.question import (
    Question,
    Results,
    ask,
    in_turn,
    records,
)
from corpus.vocabulary.names import ROLES, seems_human
from corpus.vocabulary.rater_names import MODEL, PERSON, rater_named


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


def raters(results: Results) -> Iterator[Question]:
    """Ask about raters named like language models."""
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


def _kinds(names: list[str], labels: dict[str, str]) -> Iterator[tuple[Any, ...]]:
    add = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS rater_kind VARCHAR"
    change = "UPDATE results.ratings SET rater_kind = ? WHERE list_contains(?, rater)"
    return ((kind, label, (add,), (change, kind, names)) for kind, label in labels.items())
