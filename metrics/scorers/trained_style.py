"""What metrics on a trained style model have in common: what they predict, and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Classifier, Floats, Scorer, Scores, Texts, Unavailable

EMPTY = "the text is empty"
EMPTY_SOURCE = "there is no source to compare with"
NO_TARGET = "the study does not say the target style"
NO_ROOM = "hardly any change was possible"
SEEN = "the classifier was trained on this segment"
_TRAIN = "train one on the page Styles and lexicons of the study, or with manage.py train_style"

Targets = npt.NDArray[np.int64]


class StyleScorer(Scorer):
    """What metrics on a trained style model have in common."""

    @property
    def model(self) -> Classifier:
        """The trained model; `Unavailable` if the run was given none, or one that does not fit."""
        model = self.resources.classifier
        if model is None:
            raise Unavailable(f"{self.spec.key} needs a trained style model: {_TRAIN}")
        is_graded = len(model.styles) == 1
        if is_graded and "classifier" in self.spec.needs:
            raise Unavailable(
                f"{self.spec.key} needs a classifier, and this model grades {model.styles[0]!r}; "
                "choose another"
            )
        if not is_graded and "regressor" in self.spec.needs:
            raise Unavailable(
                f"{self.spec.key} needs a model of graded texts, and this one tells "
                f"{', '.join(model.styles)} apart; choose another"
            )
        return model

    def fingerprint(self) -> dict[str, str]:
        """Return the hash of the trained model; see `Scorer.fingerprint`."""
        return {"classifier": self.model.sha256}

    def _predicted(self, texts: Sequence[str], segments: Sequence[int], rows: list[int]) -> Floats:
        """Return predictions of some texts, the same text of one segment asked for once."""
        pairs = [(texts[row], segments[row]) for row in rows]
        once = list(dict.fromkeys(pairs))
        if not once:
            return np.empty((0, len(self.model.styles)))
        found = self.model.predict([text for text, _ in once], [number for _, number in once])
        place = {pair: number for number, pair in enumerate(once)}
        return found[[place[pair] for pair in pairs]]

    def _without_target(self, texts: Texts) -> dict[int, str]:
        """Return why texts have no target style that the classifier knows."""
        known = set(self.model.styles)
        unknown = {
            style: f"the classifier does not know the style {style!r}, only "
            f"{', '.join(self.model.styles)}"
            for style in set(texts.target_styles) - known
        } | {"": NO_TARGET}
        return {
            row: unknown[style]
            for row, style in enumerate(texts.target_styles)
            if style not in known
        }

    def _targets(self, texts: Texts, rows: list[int]) -> Targets:
        column = {style: number for number, style in enumerate(self.model.styles)}
        return np.array([column[texts.target_styles[row]] for row in rows], dtype=np.int64)


class StyleOfOutput(StyleScorer):
    """A metric that looks at the output alone."""

    def score(self, texts: Texts) -> Scores:
        """Predict the outputs; see `Scorer.score`."""
        undefined = self._without_target(texts) if "styles" in self.spec.needs else {}
        undefined |= {row: EMPTY for row, text in enumerate(texts.outputs) if not text.strip()}
        rows = [row for row in range(len(texts)) if row not in undefined]
        values = np.full((len(texts), len(self.fields)), np.nan)
        predicted = self._predicted(texts.outputs, texts.segments, rows)
        kept = np.flatnonzero(~np.isnan(predicted[:, 0])).tolist()
        undefined |= dict.fromkeys(set(rows) - {rows[place] for place in kept}, SEEN)
        predicted, rows = predicted[kept], [rows[place] for place in kept]
        values[rows] = self._compute(predicted, texts, rows).reshape(len(rows), len(self.fields))
        return Scores(values, undefined)

    def _compute(self, predicted: Floats, texts: Texts, rows: list[int]) -> Floats:
        raise NotImplementedError


class ChangeOfStyle(StyleScorer):
    """A metric that compares the output's style with its source's."""

    looks_at_output: ClassVar[bool] = True

    def score(self, texts: Texts) -> Scores:
        """Predict sources and outputs; see `Scorer.score`."""
        undefined = self._without_target(texts)
        sources = [against[0] if against else "" for against in texts.against]
        outputs = texts.outputs if self.looks_at_output else sources
        undefined |= {row: EMPTY for row, text in enumerate(outputs) if not text.strip()}
        undefined |= {row: EMPTY_SOURCE for row, text in enumerate(sources) if not text.strip()}
        rows = [row for row in range(len(texts)) if row not in undefined]
        values = np.full((len(texts), 1), np.nan)
        before = self._predicted(sources, texts.segments, rows)
        after = self._predicted(outputs, texts.segments, rows)
        kept = np.flatnonzero(~np.isnan(after[:, 0])).tolist()
        undefined |= dict.fromkeys(set(rows) - {rows[place] for place in kept}, SEEN)
        before, after, rows = before[kept], after[kept], [rows[place] for place in kept]
        values[rows, 0] = self._compute(before, after, self._targets(texts, rows))
        impossible = [row for row in rows if np.isnan(values[row, 0])]
        return Scores(values, undefined | dict.fromkeys(impossible, NO_ROOM))

    def _compute(self, before: Floats, after: Floats, target: Targets) -> Floats:
        raise NotImplementedError
