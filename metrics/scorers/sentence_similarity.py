"""Content preservation score: cosine similarity of sentence embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from metrics.encoders.sentence import SentenceEncoder, sentence_encoder
from metrics.scorers.each_reference import over_references
from metrics.scorers.encoders import DEVICE, LIBRARIES, MODEL, PRECISION
from metrics.scorers.read_together import ReadTogetherScorer, bounded
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import MetricSpec
from metrics.weights import local, minilm
from metrics.weights.hashing import fingerprint


class ContentPreservationScore(ReadTogetherScorer[Floats]):
    """Cosine of two sentence embeddings."""

    spec = MetricSpec(
        key="cps",
        edge_cases=("0.0462", "0.0462", "undefined", "1", "1"),
        title="Content preservation score (sentence embeddings)",
        summary="How similar output and source, or reference, are in meaning, by sentence "
        "embeddings. Use it where wording may change.",
        aspect="content",
        orientation="higher",
        formula="u · v / (|u| |v|) of the embeddings u and v of the output and of what it is "
        "compared with.",
        range="−1 to 1, not clipped; unrelated sentences are near 0",
        distrust="A sentence with a not in it is close to its opposite. Texts are cut off at the "
        "model's limit (MiniLM: 256 word pieces). [PAD] in place of style words is seen by the "
        "encoder as a token: never compare with scores where they were removed. MiniLM knows "
        "English.",
        citation="Reimers and Gurevych 2019; for style transfer Mir et al. 2019 ask for it on "
        "masked texts, and published evaluations use it on plain ones.",
        comparisons=("source", "reference", "references"),
        parameters=(MODEL, over_references("max", "mean"), DEVICE, PRECISION),
        libraries=LIBRARIES,
        weights=(minilm.NAME,),
        is_default=True,
        revision=2,
    )

    reads_blank_outputs = True

    def read(self, texts: Sequence[str]) -> Mapping[str, Floats]:
        """Return embeddings of unit length."""
        vectors = self._encoder.encode(texts)
        vectors = vectors.astype(np.float64)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return dict(zip(texts, vectors, strict=True))

    def pair(self, output: Floats, compared: Floats) -> Sequence[float]:
        """Return their cosine."""
        return (bounded(float(output @ compared)),)

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files."""
        return fingerprint(local.files(str(self.parameters["model"])))

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        chosen = self.parameters
        return sentence_encoder(
            str(chosen["model"]), str(chosen["device"]), str(chosen["precision"])
        )


SCORERS = (ContentPreservationScore,)
