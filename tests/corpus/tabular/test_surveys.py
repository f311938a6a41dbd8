"""Names of a survey's columns hold segment, system and aspect; rows are respondents."""

import pytest

from corpus.tables.register import handlers
from corpus.tabular.guesses.surveys import survey
from tests.fixtures.looks import look_at

SEGMENTS, SYSTEMS = (1, 2, 3), ("Marlin", "GPT-4")


def found(names, first=("Timestamp",), cells=(1, 5, 3, 4)):
    """Return columns of keys, constants and patterns of a table with these questions."""
    rows = [
        [
            *(f"{name} {n}" for name in first),
            *((cell + place) % 5 + 1 for place in range(len(names))),
        ]
        for n, cell in enumerate(cells)
    ]
    specs = [handler.spec for handler in handlers()]
    mappings = survey(look_at([*first, *names], rows), specs)
    found = []
    for mapping in mappings:
        columns = {n: c for n, c in mapping.columns.items() if not c.startswith("= ")}
        aspect = mapping.columns.get("aspect", "").removeprefix("= ").strip("'")
        found.append((columns, aspect or None, mapping.wide.pattern))
    return found


@pytest.mark.parametrize(
    ("questions", "first", "expected"),
    [
        (
            [f"s{s}_{y}[{a}]" for s in SEGMENTS for y in SYSTEMS for a in ("fluency", "meaning")],
            ("id", "token"),
            [({"rater": "token"}, None, "{segment}_{system}[{aspect}]")],
        ),
        (
            [f"How fluent is text {s}? [{y}]" for s in SEGMENTS for y in SYSTEMS],
            ("Timestamp", "Email Address"),
            [({"rater": "Email Address"}, "fluency", "How fluent is text {segment}? [{system}]")],
        ),
        (
            [
                f"How {a} is text {s}? [{y}]"
                for a in ("fluent", "simple and clear")
                for s in SEGMENTS
                for y in SYSTEMS
            ],
            ("Username",),
            [
                ({"rater": "Username"}, "fluency", "How fluent is text {segment}? [{system}]"),
                (
                    {"rater": "Username"},
                    "simplicity",
                    "How simple and clear is text {segment}? [{system}]",
                ),
            ],
        ),
        (
            [f"R{s}Q{q}. Is it {a} ?" for s in SEGMENTS for q, a in ((1, "true"), (2, "new"))],
            ("id. ID",),
            [
                ({"rater": "id. ID"}, "true", "R{segment}Q1. Is it true ?"),
                ({"rater": "id. ID"}, "new", "R{segment}Q2. Is it new ?"),
            ],
        ),
        (
            [f"{y} - {s} - Fluency" for s in ("cat", "dog", "fish") for y in SYSTEMS],
            ("Respondent ID",),
            [({"rater": "Respondent ID"}, "fluency", "{system} - {segment} - Fluency")],
        ),
        (
            [f"{a} / {rater}" for a in ("Fluency", "Meaning") for rater in ("ada", "ben", "cyd")],
            ("Item", "System"),
            [({"segment": "Item", "system": "System"}, None, "{aspect} / {rater}")],
        ),
        ([f"i{s}" for s in SEGMENTS], (), [({"rater": "[#]"}, "overall", "{segment}")]),
    ],
)
def test_names_of_questions_are_taken_apart(questions, first, expected):
    assert found(questions, first) == expected


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (["Fluency", "Adequacy", "Grammar"], ("Timestamp",)),
        (["NAME", "NUMBER", "WORD"], ("document", "system", "annotator")),
        (["age", "height", "weight"], ("name",)),
        (["Q1_1", "Q1_2"], ("ResponseId",)),
    ],
)
def test_other_tables_are_no_surveys(names, first):
    assert found(names, first) == []
