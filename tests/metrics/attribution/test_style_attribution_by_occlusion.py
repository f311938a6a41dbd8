"""Occlusion attributes words by the probabilities of any classifier, such as a ready-made one."""

import numpy as np
import pytest
from django.core.management import call_command
from django.test import override_settings

from metrics.attribution.attribution import units
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from metrics.attribution.occlusion import occlusion
from metrics.models import TrainedModel, WordAttributions
from metrics.runs.models_behind import ModelsBehind
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from metrics.runs.text_settings import StyledText, TextSettingError, parse
from tests.fixtures.listed_places import listed
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.running_jobs import scored_runs
from tests.fixtures.tiny_classifiers import save_classifier

WEIGHTS = {"great": 2.0, "good": 0.75, "bad": -1.5, "!": 0.25}
TEXTS = ["the food was great !", "good food, bad service", "great great", "so", ""]
CLASSES = "LABEL_0=negative, LABEL_1=negative, LABEL_2=positive"
BY_WORDS = {"kind": "style_masked", "by": "attribution", "model": "stars"}
SEGMENTS = [
    ["segment_id", "source", "source_style", "target_style", "reference_1"],
    ["s1", "the food was so good", "negative", "positive", "the food was great"],
    ["s2", "never again !", "positive", "negative", "terrible service"],
    ["s3", "unfriendly service", "negative", "positive", "very good service"],
    ["s4", "the food was bad", "negative", "positive", "so great !"],
    ["s5", "service is terrible", "negative", "positive", "the service was good"],
]
OUTPUTS = [
    ["segment_id", "system", "output"],
    ["s1", "BART", "the food was very good ."],
    ["s2", "BART", "never ever again !"],
    ["s3", "BART", "great service"],
]


class LogLinear:
    """Two styles, of which the second has the log odds of the sum of its words' weights."""

    styles = ("negative", "positive")
    sha256 = "0" * 64

    def __init__(self, scale=1.0):
        self.scale = scale

    def predict(self, texts, segments=()):
        words = [text.replace("!", " !").replace(",", " ").split() for text in texts]
        odds = [self.scale * sum(WEIGHTS.get(word, 0.0) for word in each) for each in words]
        positive = 1 / (1 + np.exp(-np.array(odds)))
        return np.stack([1 - positive, positive], axis=1)


# Pure


@pytest.mark.parametrize("column", [0, 1])
def test_of_a_log_linear_classifier_each_word_has_its_weight(column):
    found = occlusion(LogLinear(), TEXTS, [column] * len(TEXTS))
    for text, each in zip(TEXTS, found, strict=True):
        expected = [
            (2 * column - 1) * WEIGHTS.get(text[start:end], 0.0)
            for start, end in zip(each.pieces["start"], each.pieces["end"], strict=True)
        ]
        np.testing.assert_allclose(each.pieces["value"], expected, atol=1e-9)
        np.testing.assert_allclose(each.probabilities, LogLinear().predict([text])[0])
    assert [TEXTS[1][start:end] for start, end, *_ in units(TEXTS[1], found[1])] == [
        *("good", "food", ",", "bad", "service")
    ]


# A ready-made classifier of the site


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("classifiers") / "stars"
    return save_classifier(place, styles=("LABEL_0", "LABEL_1", "LABEL_2"))


FILES = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}


@pytest.fixture
def models(study, tmp_path, folder, one_thread):
    """The ready-made classifiers `stars`, of two classes a style, and `plain`."""
    plain = save_classifier(tmp_path / "plain", styles=("no", "yes"), seed=3)
    classes = {"stars": (folder, CLASSES), "plain": (plain, "yes=negative, no=positive")}
    with override_settings(MEDIA_ROOT=tmp_path / "files"):
        for name, (place, said) in classes.items():
            call_command(
                "train_style", study="small", kind="ready-made", name=name, verbosity=0,
                setting=[f"model={listed(place)}", f"classes={said}"],
            )  # fmt: skip
        yield


def probability(folder, text):
    """Return what transformers itself says of the style positive, the third class."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    given = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    given.pop("token_type_ids", None)
    with torch.inference_mode():
        return float(torch.softmax(model(**given).logits[0].double(), 0)[2])


def strongest(folder, text):
    """Mask the word whose lack changes the log odds most, by trying each in turn."""

    def odds(words):
        p = probability(folder, " ".join(words))
        return np.log(p / (1 - p))

    words = text.split()
    changes = [
        abs(odds(words) - odds(words[:place] + words[place + 1 :])) for place in range(len(words))
    ]
    words[int(np.argmax(changes))] = "[PAD]"
    return " ".join(words)


def test_a_run_masks_by_a_ready_made_classifier(study, models, folder, own, monkeypatch):
    request = RunRequest("counting", text={**BY_WORDS, "threshold": 0})
    [run] = scored_runs(study, request)
    assert (run.error, run.text_setting) == ("", "style_masked")
    scores = load_scores(run.pk, outputs=study.outputs.count(), fields=1)[:, 0]
    outputs = study.outputs.filter(system__name="BART").select_related("segment")
    for output in at_least_one(outputs):
        source = study.outputs.get(segment=output.segment, system__kind="source").text
        expected = len(strongest(folder, output.text)) - len(strongest(folder, source))
        assert scores[output.ordinal] == expected
    model = TrainedModel.objects.get(name="stars")
    [behind] = ModelsBehind(study).of(run)
    assert (behind.name, behind.model) == ("stars", model.pk)
    assert (
        f"attribution:{model.sha256[:16]},share:0.0,units:words,method:occlusion" in run.signature
    )

    # Another threshold reads what is stored.
    stored = WordAttributions.objects.count()
    monkeypatch.setattr("metrics.attribution.occlusion.occlusion", pytest.fail)
    setting = parse(study, {**BY_WORDS, "threshold": 0.9})
    texts = [text for _, _, text in OUTPUTS[1:]]
    setting.apply(list(map(StyledText, texts, ["positive", "negative", "positive"])))
    assert WordAttributions.objects.count() == stored
    assert parse(study, setting.to_dict()).signature() == setting.signature()


def test_gradients_of_a_ready_made_classifier_are_those_of_its_folder(study, models, tmp_path):
    given = {**BY_WORDS, "model": "plain", "method": "integrated-gradients", "threshold": 0.4}
    text = "the food was very good"
    changed = parse(study, given).apply(
        [StyledText(text, "negative"), StyledText(text, "positive")]
    )
    # The style negative is its second class.
    pure = integrated_gradients(TransformerClassifier(tmp_path / "plain"), [text] * 2, [1, 0])
    masked = [mask_by_attribution(text, each, MaskingRule(0.4)).text for each in pure]
    assert changed == [(each, "") for each in masked]
    report = parse(study, {**given, "preset": "report-2022"})
    assert "units:pieces,baseline:pad-all" in report.signature()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "integrated-gradients"}, "each of whose classes is one style; choose the meth"),
        ({"preset": "report-2022"}, "occlusion leaves out whole words"),
        ({"merge_words": False}, "occlusion leaves out whole words"),
        ({"baseline": "pad-all"}, "occlusion leaves out whole words"),
        ({"method": "guessing"}, "expected one of automatic, integrated-gradients, occlusion"),
        ({"sha256": "0"}, "model 'stars' is not the one that the run was asked for with"),
    ],
)
def test_what_a_ready_made_classifier_cannot_do_is_said(study, models, given, message):
    with pytest.raises(TextSettingError, match=message):
        parse(study, {**BY_WORDS, **given})
