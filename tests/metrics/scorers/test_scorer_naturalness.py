"""Adversarial naturalness: what it tells apart, and that no text meets who saw it."""

import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from metrics.scorers.naturalness import NeuralNaturalness, UnigramNaturalness
from metrics.scorers.scorer import Resources, Texts
from metrics.styles import adversarial
from metrics.styles.adversarial import train_adversary
from metrics.styles.labelled import text_key
from tests.fixtures.model_texts import ModelTexts

SCORERS = (UnigramNaturalness, NeuralNaturalness)
"""Those with one optimum, whose scores are known more exactly."""
SEGMENTS = 60
SUBJECTS = "food staff room soup place bread coffee waiter table garden"
WORDS = "was really quite always never good kind slow cold fresh lovely small noisy"


def sentence(generator, segment):
    words = generator.sample(WORDS.split(), 4)
    return f"the {generator.choice(SUBJECTS.split())} {' '.join(words)} on day {segment} ."


@pytest.fixture
def study():
    """Sources, and the outputs of a model that stutters, one that copies and one that rewrites."""
    generator = random.Random(1)
    sources = {segment: sentence(generator, segment) for segment in range(SEGMENTS)}

    def stutter(text):
        return " ".join(word for word in text.split()[:3] for _ in range(3)) + " unk unk"

    def written(change):
        return [(segment, change(text)) for segment, text in sources.items()]

    def rewrite(text):
        return sentence(generator, int(text.split()[-2]))

    return ModelTexts(
        {"stutter-1": "stutter", "stutter-2": "stutter", "copy": "copy", "rewrite": "rewrite"},
        sources,
        {
            "stutter": [*written(stutter), *written(lambda text: stutter(text) + " unk")],
            "copy": written(lambda text: text),
            "rewrite": written(rewrite),
        },
    )


def asked(study, system, *, setting=0):
    model = study.models[system]
    rows = study.outputs[model][setting * SEGMENTS : (setting + 1) * SEGMENTS]
    return Texts.of(
        [text for _, text in rows],
        sources=[study.sources[segment] for segment, _ in rows],
        segments=[segment for segment, _ in rows],
        systems=[system] * len(rows),
    )


@pytest.mark.parametrize("scorer", SCORERS)
def test_artificial_outputs_are_told_from_their_sources(scorer, study):
    values = scorer({}, Resources(naturalness=study)).score(asked(study, "stutter-1")).values
    assert (values[:, 1] < 0).mean() > 0.98
    of_sources = values[:, 0] - values[:, 1]
    assert values[:, 0].mean() < 0.25 < 0.75 < of_sources.mean()


@pytest.mark.parametrize("scorer", SCORERS)
def test_what_cannot_be_told_apart_has_even_odds(scorer, study):
    metric = scorer({}, Resources(naturalness=study))
    copies = metric.score(asked(study, "copy")).values
    assert (copies[:, 1] == 0).all()
    assert copies[:, 0] == pytest.approx(0.5, abs=1e-3)
    rewritten = metric.score(asked(study, "rewrite")).values
    assert rewritten.mean(axis=0) == pytest.approx([0.5, 0], abs=0.1)


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_text_s_own_label_has_no_influence_on_its_score(scorer, study):
    segment = 7
    source, output = study.sources[segment], study.outputs["rewrite"][segment][1]
    flipped = replace(
        study,
        sources={**study.sources, segment: output},
        outputs={
            "rewrite": [
                (each, source if each == segment else text)
                for each, text in study.outputs["rewrite"]
            ]
        },
    )
    both = Texts.of(
        [source, output],
        sources=[source, source],
        segments=[segment, segment],
        systems=["rewrite", "rewrite"],
    )
    before, after = (
        scorer({}, Resources(naturalness=each)).score(both).values for each in (study, flipped)
    )
    assert before.tolist() == after.tolist()


def test_no_classifier_scores_a_text_that_it_saw(study, monkeypatch):
    # One output stands in five segments, one equals the source of another segment.
    outputs = dict(study.outputs["rewrite"])
    outputs |= dict.fromkeys((3, 14, 15, 26, 40), "I love  this place .")
    outputs[50] = study.sources[51].upper()
    shared = replace(study, outputs={"rewrite": list(outputs.items())})
    seen: list[set[str]] = []
    original = adversarial.kind_of

    def recording(name):
        kind = original(name)

        def train(labelled, *args):
            seen.append({text_key(text) for text in labelled.texts})
            return kind.train(labelled, *args)  # type: ignore[arg-type]

        return SimpleNamespace(read_settings=kind.read_settings, train=train)

    monkeypatch.setattr(adversarial, "kind_of", recording)
    given = shared.of_model("rewrite")
    fitted = train_adversary(given, "bag-of-words", {}, folds=4, seed=1, most=10_000)
    assert len(seen) == 4
    for text, segment in zip(given.texts, given.segments, strict=True):
        assert text_key(text) not in seen[fitted.fold_of[segment]]


def test_settings_of_one_model_share_a_classifier_and_no_other_model_matters(study):
    def scores(texts, system):
        metric = UnigramNaturalness({}, Resources(naturalness=texts))
        return metric.score(asked(study, system)).values.tolist()

    assert scores(study, "stutter-1") == scores(study, "stutter-2")
    alone = replace(study, outputs={"stutter": study.outputs["stutter"]})
    assert scores(study, "stutter-1") == scores(alone, "stutter-1")


def test_texts_without_a_score_say_why(study):
    texts = Texts.of(
        ["", "😀", "שלום", "a source", "kind " * 10_000, "x"],
        sources=["a", "a", "a", "a", "a", " "],
        segments=[0, 1, 2, 3, 4, 5],
        systems=["stutter-1"] * 3 + ["(source)"] + ["stutter-1"] * 2,
    )
    scores = UnigramNaturalness({}, Resources(naturalness=study)).score(texts)
    assert scores.undefined[0] == "the text is empty"
    assert scores.undefined[3].startswith("no model wrote this text")
    assert scores.undefined[5] == "the source is empty"
    assert np.isnan(scores.values).tolist() == [
        [True, True], [False, False], [False, False], [True, True], [False, False], [False, True],
    ]  # fmt: skip


def few(study):
    return study.outputs["rewrite"][:9]


def same(study):
    return [(segment, "i like it .") for segment in study.sources]


@pytest.mark.parametrize(
    ("outputs", "words"),
    [(few, "9 outputs that are not empty, and 10 are needed"), (same, "share no text|share so")],
)
def test_a_model_that_cannot_be_learned_is_undefined_with_the_reason(outputs, words, study):
    poor = replace(study, outputs={**study.outputs, "rewrite": outputs(study)})
    metric = UnigramNaturalness({}, Resources(naturalness=poor))
    scores = metric.score(asked(study, "rewrite"))
    assert np.isnan(scores.values).all()
    assert all(words.split("|")[0] in why or words.split("|")[-1] in why
               for why in scores.undefined.values())  # fmt: skip
    assert not metric.score(asked(study, "stutter-1")).undefined
