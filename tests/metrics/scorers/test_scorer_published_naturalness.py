"""Our adversarial naturalness on a published study, as its page of documentation says."""

import re

import numpy as np
import pandas as pd
import pytest

from analysis.stats.agreement.naturalness import absolute_judgements, classifier_agreement
from metrics.scorers.naturalness import UnigramNaturalness
from metrics.scorers.scorer import Resources, Texts
from tests.fixtures.machine import ROOT
from tests.fixtures.model_texts import ModelTexts

SOURCE = "(source)"


class Study:
    """The study as matrices of segments × systems."""

    def __init__(self, folder):
        segments = pd.read_csv(folder / "segments.csv", keep_default_na=False)
        outputs = pd.read_csv(folder / "outputs.csv", keep_default_na=False)
        self.segments = list(segments.segment_id)
        self.sources = list(segments.source)
        self.systems = list(dict.fromkeys(outputs.system))
        self.model_of = {system: system.split("-")[0] for system in self.systems}
        self.models = list(dict.fromkeys(self.model_of.values()))
        self.outputs = self._matrix(outputs, "output", "")
        human = pd.read_csv(folder / "naturalness_human.csv", keep_default_na=False)
        relative = human[human.task == "relative"].copy()
        relative["judgement"] = relative.judgement.map({"source": -1, "output": 1, "tie": 0})
        self.relative = self._matrix(relative, "judgement", np.nan).to_numpy(float)
        absolute = human[human.task == "absolute"].copy()
        absolute["judgement"] = absolute.judgement.astype(float)
        rated = absolute.pivot(index="segment_id", columns="system", values="judgement")
        rated = rated.reindex(index=self.segments, columns=[*self.systems, SOURCE])
        self.absolute = absolute_judgements(rated[self.systems], rated[SOURCE])
        self.released = pd.read_csv(folder / "metric_scores.csv.gz", keep_default_na=False)

    def _matrix(self, table, column, missing):
        wide = table.pivot(index="segment_id", columns="system", values=column)
        return wide.reindex(index=self.segments, columns=self.systems)

    def of_model(self, model):
        """Return the settings of a model."""
        return [system for system in self.systems if self.model_of[system] == model]

    def texts(self):
        """Return what classifiers are trained on."""
        outputs = {
            model: [
                (row, text)
                for system in self.of_model(model)
                for row, text in enumerate(self.outputs[system])
            ]
            for model in self.models
        }
        return ModelTexts(self.model_of, dict(enumerate(self.sources)), outputs)

    def aligned(self, model):
        """Return all outputs of a model, setting by setting."""
        settings = self.of_model(model)
        n = len(self.sources)
        return Texts.of(
            [text for system in settings for text in self.outputs[system]],
            sources=self.sources * len(settings),
            segments=list(range(n)) * len(settings),
            systems=[system for system in settings for _ in range(n)],
        )

    def published(self, kind, model):
        """Return released scores, and how far above the source's, in the order of `aligned`."""
        own = self.released[self.released.metric == f"naturalness-{kind}-{model}"]
        scores = own.pivot(index="segment_id", columns="system", values="score")
        scores = scores.astype(float).reindex(index=self.segments)
        settings = self.of_model(model)
        outputs = scores[settings].to_numpy().T.ravel()
        return np.column_stack([outputs, outputs - np.tile(scores[SOURCE], len(settings))])

    def agreement(self, model, scores, judged):
        """Return the share of outputs on which a classifier and people agree, ties matched."""
        settings = [self.systems.index(system) for system in self.of_model(model)]
        result = classifier_agreement(
            scores[:, 1].reshape(len(settings), -1).T,
            np.zeros(len(self.sources)),
            judged[:, settings],
            ties="matched",
            bootstrap=None,
        )
        return float(result.value)


def rows(study, scorers):
    """Return a row of figures for each classifier and model."""
    texts, found = study.texts(), []
    for scorer in scorers:
        kind = scorer.spec.key.rsplit("-", 1)[-1]
        for model in study.models:
            asked = study.aligned(model)
            ours = scorer({}, Resources(naturalness=texts)).score(asked).values
            theirs = study.published(kind, model)
            changed = np.not_equal(asked.outputs, asked.sources)
            always_source = np.column_stack([-changed.astype(float)] * 2)
            found.append(
                {
                    "classifier": kind,
                    "model": model,
                    "told apart": np.mean(ours[changed, 1] < 0),
                    "mean output": ours[:, 0].mean(),
                    "mean source": np.mean(ours[:, 0] - ours[:, 1]),
                    "relative": study.agreement(model, ours, study.relative),
                    "released relative": study.agreement(model, theirs, study.relative),
                    "absolute": study.agreement(model, ours, study.absolute),
                    "released absolute": study.agreement(model, theirs, study.absolute),
                    "always source relative": study.agreement(model, always_source, study.relative),
                    "always source absolute": study.agreement(model, always_source, study.absolute),
                    "r with released": np.corrcoef(ours[:, 0], theirs[:, 0])[0, 1],
                }
            )
    return found


PAGE = ROOT / "docs" / "statistics" / "naturalness.md"
CELL = r" *\| *([\d.]+) %"


@pytest.mark.slow
def test_the_page_says_what_the_unigram_classifier_reaches(studies):
    found = rows(Study(studies / "mir2019"), [UnigramNaturalness])
    text = PAGE.read_text(encoding="utf-8")
    documented = {
        model: [float(value) / 100 for value in values]
        for model, *values in re.findall(rf"\| unigram \| (\w+){CELL * 6}", text)
    }
    assert set(documented) == {"CAAE", "ARAE", "DAR"}
    columns = [
        f"{whose}{protocol}"
        for protocol in ("relative", "absolute")
        for whose in ("", "released ", "always source ")
    ]
    for row in found:
        expected = [row[column] for column in columns]
        assert documented[row["model"]] == pytest.approx(expected, abs=0.006), row["model"]
        assert row["told apart"] > 0.55


def test_released_scores_agree_with_people_as_the_paper_prints(studies):
    study = Study(studies / "mir2019")
    printed = {"CAAE": 0.6451, "ARAE": 0.6667, "DAR": 0.6557}
    for model, share in printed.items():
        released = study.published("unigram", model)
        assert study.agreement(model, released, study.relative) == pytest.approx(share, abs=1e-4)
