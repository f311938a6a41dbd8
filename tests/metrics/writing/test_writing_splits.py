"""Writers write test segments and learn from training segments, and say so or refuse."""

from typing import ClassVar

import pytest

from metrics.writers import registry
from metrics.writers.writer import Material, Writer, WriterError, WriterSpec, Written
from metrics.writing.asking import ask_for_writing
from metrics.writing.requests import Planner, WritingRequest
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.writing_studies import Place, make_writing_study, texts_of

pytestmark = pytest.mark.django_db


class Learning(Writer):
    """Writes how many pairs it has; keeps what it learnt for the test to see."""

    spec = WriterSpec(
        key="learning",
        title="Learning",
        group="tests",
        summary="",
        method="",
        needs=frozenset({"pairs", "texts"}),
    )
    learnt: ClassVar[list[Material]] = []
    trained_on: ClassVar[tuple[str, ...]] = ()

    def write(self, sources, report=lambda done: None):
        """Write the number of pairs."""
        self.learnt.append(self.material)
        return [Written(f"{source.key} by {len(self.material.pairs)} pairs") for source in sources]

    @property
    def seen(self):
        """Hashes of sources of training."""
        return self.trained_on


@pytest.fixture(autouse=True)
def learning(monkeypatch):
    known = dict(registry.writers())
    monkeypatch.setattr(registry, "writers", lambda: {**known, "learning": Learning})
    monkeypatch.setattr(Learning, "learnt", [])


SPLIT = [
    Place("a", "source a", "reference a", "Training"),
    Place("b", "source b", "reference b", "train"),
    Place("c", "source c", "reference c", "dev"),
    Place("d", "source d", "reference d", "TEST"),
    Place("e", "source b", "another", "test"),
    Place("f", "source f", "reference f", "trian"),
    Place("g", "source g", "reference g"),
]


def write(study, **values):
    job = ask_for_writing(
        study, Planner(study).plan(WritingRequest(**{"writer": "learning"} | values)), None
    )
    run_by_id(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("attribute", ["split", "Subset", "partition"])
def test_test_segments_are_written_and_only_training_segments_learnt_from(attribute):
    study = make_writing_study(SPLIT, attribute=attribute)
    job = write(study)
    # The source of b is written too, in e: nothing may be learnt from it.
    assert texts_of("learning") == {"d": "d by 1 pairs", "e": "e by 1 pairs"}
    (material,) = Learning.learnt
    assert [pair.key for pair in material.pairs] == ["a"]
    assert dict(material.texts) == {"informal": ("source a",), "formal": ("reference a",)}
    assert job.result["notes"] == [
        f"Segments whose {attribute} is 'trian' (1) are neither written nor learnt from: it is "
        "none of train, validation, test.",
        f"It writes the segments whose {attribute} is test.",
        "It learns from 2 training segments only.",
    ]


def test_validation_segments_can_be_chosen_and_training_segments_not():
    study = make_writing_study(SPLIT)
    write(study, split="validation")
    assert list(texts_of("learning")) == ["c"]
    for split in ("train", "all"):
        with pytest.raises(WriterError, match="cannot write them: choose validation or test"):
            Planner(study).plan(WritingRequest("learning", split=split))


def test_a_study_without_splits_is_refused_or_its_other_segments_are_learnt_from():
    study = make_writing_study([Place(f"s{n}", f"source {n}", f"reference {n}") for n in range(5)])
    with pytest.raises(WriterError, match="no segment of this study has a split"):
        Planner(study).plan(WritingRequest("learning"))
    with pytest.raises(WriterError, match="no segment has a split"):
        Planner(study).plan(WritingRequest("learning", split="test"))
    job = write(study, limit=2, learn_from="others")
    assert texts_of("learning") == {"s0": "s0 by 3 pairs", "s1": "s1 by 3 pairs"}
    assert "material:others-" in job.result["signature"]
    with pytest.raises(WriterError, match="nothing to learn from"):
        Planner(study).plan(WritingRequest("learning", learn_from="others"))


def test_the_signature_follows_what_is_learnt_from_and_not_what_is_written():
    study = make_writing_study(SPLIT)
    all_tests = Planner(study).plan(WritingRequest("learning")).signature
    assert Planner(study).plan(WritingRequest("learning", limit=2)).signature == all_tests
    assert (
        Planner(study).plan(WritingRequest("learning", split="validation")).signature != all_tests
    )


def test_a_writer_does_not_write_what_its_model_was_trained_on(monkeypatch):
    study = make_writing_study(SPLIT)
    (source,) = study.outputs.filter(segment__key="d", system__kind="source")
    monkeypatch.setattr(Learning, "trained_on", (source.sha256,))
    job = write(study)
    assert list(texts_of("learning")) == ["e"]
    assert any("trained on this source" in note for note in job.result["notes"])
