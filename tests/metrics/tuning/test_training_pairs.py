"""Pairs are divided by their splits; nothing of the test split is trained on."""

import pytest

from metrics.styles.labelled import TrainingError, text_key
from metrics.tuning.pairs import TrainingPair, divided, without_long
from tests.fixtures.training_pairs import pairs


def test_what_is_left_out_is_counted_by_its_reason() -> None:
    found = pairs(20)
    given = [("train", pair) for pair in found[:14]] + [
        ("validation", pair) for pair in found[14:16]
    ]
    given += [("test", pair) for pair in found[16:]]
    given += [
        ("", TrainingPair("a", "b")),
        ("train", TrainingPair(" ", "b")),
        ("train", TrainingPair("a", "")),
        ("train", found[0]),
        ("train", TrainingPair(found[14].source.upper(), "else")),
        ("train", TrainingPair("new", "The  Output of a test segment")),
    ]
    of_test = {text_key(text) for pair in found[16:] for text in pair[:2]}
    of_test.add(text_key("the output of a test segment"))
    result = divided(given, of_test, share=0.5, seed=0)
    assert result.train == tuple(found[:14])
    assert result.valid == tuple(found[14:16])
    assert {name: n for name, n in result.left_out.named().items() if n} == {
        "of_test": 4, "like_test": 1, "in_no_split": 1, "empty": 2, "repeated": 1, "like_valid": 1,
    }  # fmt: skip
    assert sum(result.left_out.named().values()) + 16 == len(given)


def test_without_a_validation_split_a_share_of_the_sources_is_held_out() -> None:
    given = [("train", pair) for pair in pairs(20)]
    given += [("train", pair._replace(target=f"{pair.target} indeed")) for pair in pairs(20)]
    result = divided(given, (), share=0.2, seed=1)
    sources = {pair.source for pair in result.valid}
    assert len(sources) == 4
    assert len(result.valid) == 8
    assert not sources & {pair.source for pair in result.train}
    assert result.sha256 != divided(given, (), share=0.2, seed=2).sha256
    assert result.sha256 == divided(given, (), share=0.2, seed=1).sha256


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(TrainingError, match="7 pairs to train on; give at least 8"):
        divided([("train", pair) for pair in pairs(7)], (), share=0.2, seed=0)
    result = divided([("train", pair) for pair in pairs(20)], (), share=0.2, seed=0)
    kept = without_long(result, [[n < 2 for n in range(16)], [True, *[False] * 3]])
    assert (len(kept.train), len(kept.valid), kept.left_out.too_long) == (14, 3, 3)
    with pytest.raises(TrainingError, match="let it read more tokens"):
        without_long(result, [[True] * 16, [False] * 4])
