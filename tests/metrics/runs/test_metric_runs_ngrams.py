"""N-gram models: trained by a command, found by runs."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from corpus.models import Output
from metrics.models import Undefined
from metrics.runs.asking import ask_for_runs
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.study_files import TABLES

pytestmark = pytest.mark.django_db
CORPUS = "text,style\n" + "".join(
    f"{text},{style}\n"
    for text, style in [
        ("I regret the delay.", "formal"),
        ("Kindly respond to me.", "formal"),
        ("I will be late.", "formal"),
        ("I will not be late.", "formal"),
        ("gonna be late", "informal"),
        ("sorry dude i'm late", "informal"),
    ]
)


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


@pytest.fixture(autouse=True)
def _files_apart(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text(CORPUS, encoding="utf-8")
    return path


def trained(*arguments):
    out = StringIO()
    call_command("train_language_model", *map(str, arguments), stdout=out)
    return out.getvalue()


def scored(study, metric="ngram-perplexity", **request):
    asked, jobs = ask_for_runs(study, [RunRequest(metric, **request)], None)
    for job in jobs:
        run_by_id(job.pk)
    return asked


def test_a_trained_model_scores_each_text_by_its_target_style(study, corpus):
    trained("mails", corpus)
    (run,) = scored(study).started
    run.refresh_from_db()
    assert run.error == ""
    outputs = Output.objects.filter(study=study).order_by("ordinal")
    values = load_scores(run.pk, outputs=outputs.count(), fields=1)[:, 0]
    by_text = dict(zip([output.text for output in outputs], values, strict=True))
    # Both are like the corpus under the target style of their segments.
    likely = [by_text["I will be late."], by_text["sorry i'm late"]]
    unlikely = [by_text["BART writes 1"], by_text["BART writes 3"]]
    assert max(likely) < min(unlikely)
    assert np.isfinite(values).all()
    assert not Undefined.objects.filter(run=run).exists()
    assert scored(study).found == [run]


def test_texts_of_studies_are_left_out(study, corpus):
    # The sources of s1 and s3, and the first reference of s1.
    assert "trained on 3 texts; left out of studies: 3" in trained("mails", corpus)


def test_among_several_models_one_is_chosen_by_name_or_hash(study, corpus):
    trained("first", corpus)
    last = trained("second", corpus, "--setting", "order=2").split()[-1]
    assert "choose one of first, second" in scored(study).refused["ngram-perplexity"]
    by_name = scored(study, models={"language_model": "second"}).started
    assert scored(study, models={"language_model": last[:12]}).found == by_name
    refused = scored(study, models={"language_model": "third"}).refused["ngram-perplexity"]
    assert "no n-gram model 'third'; there are first, second" in refused


def test_an_lstm_is_trained_stored_and_found_beside_n_grams(study, corpus):
    trained("ngrams", corpus)
    refused = scored(study, "lstm-perplexity").refused["lstm-perplexity"]
    assert "train_language_model --kind lstm" in refused
    more = [f"{text} {again}" for again in ("", "now") for text in ("I am late.", "I am here.")]
    lines = [f"{text},{style}" for text in more for style in ("formal", "informal")]
    corpus.write_text("text,style\n" + "\n".join(lines), encoding="utf-8")
    options = [
        each for n in ("fewest=1", "epochs=1", "size=4", "hidden=4") for each in ("--setting", n)
    ]
    call_command("train_language_model", "lstm", str(corpus), "--kind", "lstm", *options)
    (run,) = scored(study, "lstm-perplexity").started
    run.refresh_from_db()
    assert run.error == ""
    assert scored(study, "lstm-perplexity", models={"lstm_language_model": "lstm"}).found == [run]
    # The only n-gram model is still found without its name.
    assert scored(study).started
    with pytest.raises(CommandError, match="an LSTM language model 'lstm' already"):
        trained("lstm", corpus)
