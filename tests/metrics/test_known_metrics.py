"""Names of published metrics are found, with which way is better and what they measure."""

import re
import tarfile

import pytest

from metrics.catalogue import (
    CATALOGUE,
    ORIENTATIONS,
    family_of,
    is_description,
    known_metric,
    plain,
)
from metrics.models import Metric
from metrics.scorers.registry import own_scorers
from tests.fixtures.machine import missing
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.study_files import import_path, write_files

HIGHER = """
BLEU BLEU-4 bleu_1 sentBLEU sacreBLEU f200spBLEU eBLEU self-BLEU iBLEU chrF chrF++ chrF2 ROUGE-L
rouge1_f rouge1_fmeasure rougeL rougeLsum ROUGE-2-recall METEOR NIST CIDEr CIDEr-D SPICE hLEPOR
LEPOR nLEPOR YiSi-0 YiSi-1 YiSi-2 BEER BERTScore BERTscore BERTScore-F1_roberta-large
bertscore.precision BERTScore-F1 BLEURT BLEURT-20 bleurt-base-128 COMET COMET-refA COMET-22
wmt22-comet-da Cometinho CometKiwi CometKiwi-XL wmt22-cometkiwi-da XCOMET-XXL
XCOMET-Ensemble-refB prismRef-refA prismSrc-src BARTScore BARTScore-cnn-hyp-ref MoverScore
KG-BERTScore-src UniEval UniEval-fluency unieval_consistency G-Eval G-Eval-4 GPTScore
G-Eval-coherence GEMBA-DA GEMBA-SQM-GPT4 QuestEval QAFactEval SummaC-ZS SummaC-Conv FactCC DAE FEQA
CTC-consistency DiscoScore MAUVE distinct-1 dist-2 SARI SAMSA LENS FRE flesch_reading_ease
tokengram_F embed_llama cometoid22-wmt23-src docWMT22CometDA-refA Calibri-COMET22-QE-src slide-src
accuracy style-accuracy STI joint AlignScore MEE4-refA
"""
LOWER = """
TER HTER WER characTER EED WMD PPL gpt2-ppl ppl_gpt2-large Perplexity FKGL Dale-Chall SMOG
Levenshtein
"""
EITHER = """
MetricX MetricX-23 MetricX-23-QE-b-src MetricX-24-Hybrid-XXL MaTESe-refA GEMBA-MQM-src
instructscore-refA sescoreX-refA MQM
"""
UNKNOWN = """
my-own BLEU-brevity-penalty -TER neg-ppl bleu_rank comet_std chrF-time accuracy-gap TERcom
metric score quality bleurt2020x termination bertscore-length human Unbabel_COMET
"""


def test_published_names_say_which_way_is_better_and_others_stay_unknown():
    for orientation, names in (("higher", HIGHER), ("lower", LOWER)):
        found = {name: known_metric(name) for name in names.split()}
        assert [name for name, facts in found.items() if facts is None] == []
        assert {(each.orientation, each.has_either_sign) for each in found.values()} == {
            (orientation, False)
        }
    assert all(known_metric(name).has_either_sign for name in EITHER.split())
    for name in UNKNOWN.split():
        assert (known_metric(name), family_of(name)) == (None, "")


def test_imported_scores_of_our_metrics_are_read_like_computed_ones():
    specs = {each.spec.key: each.spec for each in own_scorers()}
    found = {key: known_metric(key) for key in specs}
    assert found.pop("style-score") is None  # Only its model knows the style that it grades.
    assert {key: (each.orientation, each.target) for key, each in found.items()} == {
        key: (specs[key].orientation, specs[key].target) for key in found
    }


def test_what_describes_outputs_does_so_whichever_value_is_declared_best():
    described = ("exact-match", "copy-rate", "length", "words", "characters", "length-ratio")
    for name in described:
        assert is_description(name, "higher")
        assert is_description(f"{name} (computed)", "target")
    assert not is_description("BLEU-4", "higher")
    assert is_description("my-own", "descriptive")


def test_every_line_has_its_source_and_no_name_is_on_two_lines():
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()[1:]
    names = [plain(name) for line in lines for name in line.split(",")[0].split()]
    assert len(names) > 250
    assert sorted(names) == sorted(set(names))
    for line in at_least_one(lines):
        assert line.rpartition(",")[2].strip()
        assert line.split(",")[1] in (*ORIENTATIONS, "penalty")


def test_every_metric_of_the_shared_task_of_2023_is_known(studies):
    folder = studies.parent / "golden" / "wmt23"
    if not folder.is_dir():
        missing(f"the archives of WMT23 ({folder})")
    listed = []
    for archive in sorted(folder.glob("*.tgz")):
        with tarfile.open(archive) as members:
            listed += [name for name in members.getnames() if "/metric-scores/" in name]
    found = (re.search(r"([^/]+)\.(?:seg|sys|domain)\.score$", name) for name in listed)
    names = {match[1] for match in found if match}
    assert len(names) > 70
    assert [name for name in sorted(names) if known_metric(name) is None] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scores", "orientation", "said"),
    [
        ((1.5, 4.0, 12.0), "lower", "(5.83) is above 0: they are read as penalties"),
        ((-1.5, -4.0, 0.2), "higher", "(-1.77) is below 0: penalties with a minus sign"),
    ],
)
def test_the_scores_decide_where_a_metric_is_published_with_either_sign(
    scores, orientation, said, tmp_path
):
    keys = ("s1", "s2", "s3")
    job = import_path(
        write_files(
            tmp_path / "small",
            {
                "segments.csv": [["segment", "source"], *([key, f"a {key}"] for key in keys)],
                "outputs.csv": [
                    *[["segment", "system", "output"]],
                    *([key, "A", f"an output {key}"] for key in keys),
                ],
                "metric_scores.csv": [
                    *[["segment", "system", "metric", "score"]],
                    *(
                        [key, "A", "MetricX-23", f"{v}"]
                        for key, v in zip(keys, scores, strict=True)
                    ),
                ],
            },
        )
    )
    assert job.error == ""
    assert Metric.objects.get().orientation == orientation
    assert said in " ".join(job.result["notes"])
