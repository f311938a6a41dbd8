"""The one sentence on which side of the metrics of a table is better."""

import pytest

from analysis.reports.better_sides import better_sides

HIGHER, LOWER, NONE = "higher is better", "lower is better", "describes, no better side"


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        ([], ""),
        ([("BLEU", HIGHER)], "Higher is better."),
        ([("BLEU", HIGHER), ("BLEU", HIGHER)], "Higher is better."),
        ([("TER", LOWER), ("WER", LOWER)], "Lower is better."),
        (
            [("BLEU", HIGHER), ("TER", LOWER), ("chrF", HIGHER), ("WER", LOWER), ("COMET", HIGHER)],
            "Higher is better, but for TER and WER: lower is better.",
        ),
        (
            [("BLEU", HIGHER), ("TER", LOWER), ("chrF", HIGHER), ("length", NONE)],
            "Higher is better, but for TER: lower is better; for length: "
            "describes, no better side.",
        ),
    ],
)
def test_what_holds_of_most_is_said_once_and_exceptions_are_named(sides, sentence):
    assert better_sides(sides) == sentence
