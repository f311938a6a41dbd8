"""Text settings by word attributions: stored once, the same for every threshold, and in runs."""

from types import SimpleNamespace

import pytest

from corpus.models import Output
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from metrics.models import Undefined, WordAttributions
from metrics.resources import loaders
from metrics.resources.attributors import by_gradients, model_sha256, stored_attributions
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from metrics.runs.text_settings import TextSettingError, parse
from tests.fixtures.running_jobs import scored_runs
from tests.fixtures.tiny_classifiers import save_classifier

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_thread")]
STYLES = ("informal", "formal")
TEXTS = ["the food was not good", "unfriendly service !", "great", ""]
BY_ATTRIBUTION = {"kind": "style_masked", "by": "attribution", "model": "tiny"}
SEGMENTS = [
    ["segment_id", "source", "source_style", "target_style"],
    ["s1", "the food was so good", "informal", "formal"],
    ["s2", "never again !", "formal", "informal"],
    ["s3", "unfriendly service", "informal", "polite"],
]
OUTPUTS = [
    ["segment_id", "system", "output"],
    ["s1", "BART", "the food was very good ."],
    ["s2", "BART", "good " * 100],
    ["s3", "BART", "terrible service"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_classifier(tmp_path_factory.mktemp("classifier"), styles=STYLES)


@pytest.fixture
def loaded(folder):
    """Classifiers by name: a transformer, and one that is none."""
    return {"tiny": SimpleNamespace(folder=folder), "words": SimpleNamespace()}


FILES = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}


@pytest.fixture(autouse=True)
def _loadable(loaded, monkeypatch):
    """Let runs find these classifiers."""

    def load(study, name):
        if name not in loaded:
            raise ResourceError(f"no classifier {name!r}; this study has {', '.join(loaded)}")
        return TrainedThing(name, "0" * 64, loaded[name])

    monkeypatch.setitem(loaders._loaders, "classifier", load)


@pytest.fixture
def computed(monkeypatch):
    """Texts that were attributed, not read from the database."""
    texts: list[str] = []

    def counted(classifier, wanted, columns, **options):
        texts.extend(wanted)
        return integrated_gradients(classifier, wanted, columns, **options)

    monkeypatch.setattr("metrics.attribution.integrated_gradients.integrated_gradients", counted)
    return texts


def gradients_of(folder, baseline="keep-special"):
    classifier = TransformerClassifier(folder)
    return by_gradients(classifier, model_sha256(classifier), classifier.styles, baseline)


# Stored once


def test_what_was_computed_before_a_crash_is_kept(folder, monkeypatch, computed):
    monkeypatch.setattr("metrics.resources.attributors.TEXTS_AT_ONCE", 2)

    def crash(message, done, total):
        raise KeyboardInterrupt

    classifier = gradients_of(folder)
    with pytest.raises(KeyboardInterrupt):
        stored_attributions(classifier, TEXTS, [0] * 4, report=crash)
    assert WordAttributions.objects.count() == 2
    stored_attributions(classifier, TEXTS, [0] * 4)
    assert sorted(computed) == sorted(TEXTS)


# Settings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": "none"}, "no classifier 'none'; this study has tiny, words"),
        (
            {"model": "words"},
            "words has no attributions: they are of one classifier, not of one a fold",
        ),
        ({"threshold": 2}, "threshold: found '2', expected a number from 0 to 1"),
        ({"placeholder": "PAD"}, "begin and end it with a sign"),
        ({"baseline": "zero"}, "expected one of keep-special, pad-all"),
        ({"preset": "report-2021"}, "preset 'report-2021', expected one of report-2022"),
        ({"by": "hand"}, "by 'hand', expected lexicon or attribution"),
        ({"sha256": "0"}, "model 'tiny' is not the one that the run was asked for with"),
    ],
)
def test_what_cannot_be_had_is_said(study, given, message):
    with pytest.raises(TextSettingError, match=message):
        parse(study, {**BY_ATTRIBUTION, **given})


# Runs


def test_a_run_scores_masked_texts_and_says_why_others_have_no_score(study, own):
    request = RunRequest("counting", text={**BY_ATTRIBUTION, "threshold": 0.5})
    [run] = scored_runs(study, request)
    assert (run.error, run.text_setting) == ("", "style_masked")
    outputs = list(Output.objects.filter(study=study).select_related("segment", "system"))
    scores = load_scores(run.pk, outputs=len(outputs), fields=1)[:, 0]
    pure = TransformerClassifier(
        parse(study, BY_ATTRIBUTION).attributor.attributions.args[0].directory
    )

    def masked(text):
        [found] = integrated_gradients(pure, [text], [1])
        return mask_by_attribution(text, found, MaskingRule(0.5)).text

    by_name = {(each.segment.key, each.system.name): scores[each.ordinal] for each in outputs}
    first, source = OUTPUTS[1][2], SEGMENTS[1][1]
    assert masked(first) != first
    assert by_name["s1", "BART"] == len(masked(first)) - len(masked(source))
    reasons = dict(
        Undefined.objects.filter(run=run, output__system__name="BART").values_list(
            "output__segment__key", "reason"
        )
    )
    assert reasons == {
        "s2": "too long: the style classifier reads 64 word pieces, the text has 102; what comes "
        "after has no attribution",
        "s3": "the classifier that finds style words knows informal, formal, not 'polite'",
    }
