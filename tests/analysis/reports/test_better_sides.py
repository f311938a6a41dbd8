"""The one sentence on whether higher or lower is better for the metrics of a table."""

import pytest

from analysis.reports.metrics_listed import better_sides

HIGHER, LOWER, NONE = "higher is better", "lower is better", "neither higher nor lower is better"


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        ([], ""),
        ([("BLEU", HIGHER)], "Higher is better."),
        ([("BLEU", HIGHER), ("BLEU", HIGHER)], "Higher is better."),
        ([("TER", LOWER), ("WER", LOWER)], "Lower is better."),
        (
            [("BLEU", HIGHER), ("TER", LOWER), ("chrF", HIGHER), ("WER", LOWER), ("COMET", HIGHER)],
            "Higher is better, except for TER and WER (lower is better).",
        ),
        (
            [("BLEU", HIGHER), ("TER", LOWER), ("chrF", HIGHER), ("length", NONE)],
            "Higher is better, except for TER (lower is better) and length "
            "(neither higher nor lower is better).",
        ),
    ],
)
def test_what_holds_of_most_is_said_once_and_exceptions_are_named(sides, sentence):
    assert better_sides(sides) == sentence
