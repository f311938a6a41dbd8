"""Metrics on encoders: cosine of sentence embeddings, BERTScore, MoverScore."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from metrics.encoders.sentence import MODEL, SentenceEncoder, sentence_encoder
from metrics.encoders.tokens import TokenEncoder, TokenVectors, token_encoder
from metrics.scorers.comparing import ReadTogetherScorer, bounded, over_references
from metrics.scorers.scorer import Floats, StudyDocuments, Unavailable
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.scorers.word_vectors import distances, earth_movers_distance, unit
from metrics.weights import local, minilm
from metrics.weights.files import fingerprint

DEVICE = Parameter("device", "cpu", "Where the encoder runs.", choices=("cpu", "cuda"))
PRECISION = Parameter(
    "precision",
    "float32",
    "Numbers the encoder computes with: half precision (float16) is faster on a GPU and exact to "
    "about three digits, bfloat16 is faster on GPUs and on processors that multiply such numbers "
    "(AMX, AVX512-BF16) and exact to about two.",
    choices=("float32", "float16", "bfloat16"),
)
LIBRARIES = (
    Library("torch", "neural"),
    Library("transformers", "neural"),
    Library("tokenizers", "neural"),
)


class ContentPreservationScore(ReadTogetherScorer[Floats]):
    """How similar output and source, or reference, are in meaning, by sentence embeddings.

    Use it where wording may change.

    Formula
    -------
    u · v / (|u| |v|) of the embeddings u and v of the output and of what it is compared with.

    Range
    -----
    −1 to 1, not clipped; unrelated sentences are near 0

    Distrust
    --------
    A sentence with a not in it is close to its opposite. Texts are cut off at the model's limit
    (MiniLM: 256 word pieces). [PAD] in place of style words is seen by the encoder as a token:
    never compare with scores where they were removed. MiniLM knows English.

    Citation
    --------
    Reimers and Gurevych 2019; for style transfer Mir et al. 2019 ask for it on masked texts, and
    published evaluations use it on plain ones.
    """

    spec = MetricSpec(
        key="cps",
        edge_cases=("0.0462", "0.0462", "undefined", "1", "1"),
        title="Content preservation score (sentence embeddings)",
        aspect="content",
        orientation="higher",
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


LAYER = Parameter(
    "layer", 6, "Layer whose states are compared; MiniLM has 6.", minimum=1, maximum=200
)
IDF = Parameter(
    "idf",
    False,
    "Whether pieces weigh the more the fewer references of the study hold them; a "
    "placeholder of masked texts, which none holds, then weighs the most.",
)
WEIGHING = (
    "With idf {weighed} by ln((N + 1)/(n + 1)), where n of the N references of the study (of its "
    "sources, where it has none) hold the piece."
)
DISTRUST = (
    "Values of different models or layers are not on one scale. The default model is "
    "small: published values used larger ones, which the administrator lists. Against the "
    "source it rewards copying."
)


class WordPieceScorer(ReadTogetherScorer[TokenVectors]):
    """Reads the pieces of texts, and what each weighs."""

    # Vectors of all their pieces are in memory: up to 0.8 MB a text of MiniLM.
    rows_together = 128

    def read(self, texts: Sequence[str]) -> Mapping[str, TokenVectors]:
        """Return the pieces of texts that have some besides the special ones."""
        encoded = self._encoder.encode(texts)
        return {text: found for text, found in encoded.items() if self.weights(found).any()}

    def fault(self, text: str) -> str:
        """Return that all pieces are special ones, or in every reference."""
        [found] = self._encoder.encode([text]).values()
        return (
            "only word pieces that every reference has" if found.counts.any() else "no word piece"
        )

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files, and of the references that are counted in."""
        found = fingerprint(local.files(str(self.parameters["model"])))
        return found | ({"idf": self._documents.sha256} if self.parameters["idf"] else {})

    def weights(self, of: TokenVectors) -> Floats:
        """Return the weights of the pieces that count."""
        ids = of.ids[of.counts]
        return self._idf[ids] if self.parameters["idf"] else np.ones(len(ids))

    @property
    def _documents(self) -> StudyDocuments:
        if self.resources.documents is None:
            raise Unavailable("idf counts in the references of a study: score a study with it")
        return self.resources.documents

    @cached_property
    def _idf(self) -> Floats:
        """Inverse document frequency of each word piece, by its id."""
        documents = self._documents.texts
        holding = np.zeros(self._encoder.vocabulary, dtype=np.int64)
        for pieces in self._encoder.different_pieces(documents):
            holding[list(pieces)] += 1
        return np.log((len(documents) + 1) / (holding + 1))

    @cached_property
    def _encoder(self) -> TokenEncoder:
        chosen = self.parameters
        return token_encoder(
            str(chosen["model"]),
            int(chosen["layer"]),
            str(chosen["device"]),
            str(chosen["precision"]),
        )


_compared = partial(
    MetricSpec,
    aspect="content",
    orientation="higher",
    comparisons=("references", "reference", "source"),
    libraries=LIBRARIES,
    weights=(minilm.NAME,),
)


class BertScore(WordPieceScorer):
    """How well the words of two texts match in meaning, by contextual embeddings of a language
    model.

    Range
    -----
    −1 to 1; in practice 0.2 to 1, depending on model and layer

    Citation
    --------
    Zhang et al. 2020.
    """

    spec = _compared(
        key="bertscore",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="BERTScore",
        formula="P: mean over the output's pieces of the highest cosine with a piece of the "
        "compared text; R: the same from the compared text; F = 2PR/(P + R). Not rescaled. Pieces "
        "that begin and end a text may be matched but are not averaged over. "
        f"{WEIGHING.format(weighed='the means are weighted')}",
        distrust=DISTRUST,
        fields=("p", "r", "f"),
        parameters=(MODEL, LAYER, IDF, over_references("max", "mean"), DEVICE, PRECISION),
        is_default=True,
        revision=2,
    )

    of_blank_output = (0.0, 0.0, 0.0)

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return precision, recall and F."""
        similarity = output.vectors @ compared.vectors.T
        precision = self._mean(similarity.max(axis=1), output)
        recall = self._mean(similarity.max(axis=0), compared)
        if precision + recall == 0:
            return precision, recall, 0.0
        return precision, recall, 2 * precision * recall / (precision + recall)

    def _mean(self, highest: npt.NDArray[np.float32], of: TokenVectors) -> float:
        counts = of.counts
        if self.parameters["idf"]:
            mean = float(np.average(highest[counts], weights=self.weights(of)))
        else:
            mean = float(np.mean(highest[counts], dtype=np.float64))
        return bounded(mean)


class MoverScore(WordPieceScorer):
    """How little the words of one text must move, in a space of meanings in context, to become
    those of the other. Unlike BERTScore, each word is used once.

    Range
    -----
    1/3 to 1; 1 where both texts have the same pieces in the same contexts

    Distrust
    --------
    {DISTRUST} The paper took several layers of a model fine-tuned on inference; here one layer is
    compared.

    Citation
    --------
    Zhao et al. 2019; 1/(1 + D) as in the second version of its code.
    """

    spec = _compared(
        key="moverscore",
        edge_cases=("undefined", "undefined", "undefined", "1", "1"),
        title="MoverScore",
        formula="1/(1 + D), where D is the least Σ T(i, j) · |v(i) − v(j)| over all ways T to move "
        "the n-grams of one text onto those of the other, solved exactly. The vector v of an "
        "n-gram is the weighted mean of its pieces' contextual vectors, of unit length; it weighs "
        "the sum of its pieces' weights, as a share of the text. A text of fewer than n pieces is "
        "one n-gram. Pieces that begin and end a text are left out; signs and all pieces of a word "
        "count. "
        f"{WEIGHING.format(weighed='pieces are weighted')} The paper weights by idf.",
        parameters=(
            MODEL,
            LAYER,
            Parameter(
                "n",
                1,
                "Word pieces of an n-gram: 1 compares single pieces, 2 pairs of neighbours.",
                minimum=1,
                maximum=10,
            ),
            IDF,
            over_references("max", "mean"),
            DEVICE,
            PRECISION,
        ),
        libraries=(*LIBRARIES, Library("POT", "neural")),
    )

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return the similarity."""
        sent, sent_at = self._ngrams(output)
        wanted, wanted_at = self._ngrams(compared)
        moved = earth_movers_distance(sent, wanted, distances(sent_at, wanted_at))
        return (1 / (1 + max(0.0, moved)),)

    def _ngrams(self, of: TokenVectors) -> tuple[Floats, Floats]:
        """Return shares and vectors of the n-grams that weigh something."""
        counts = of.counts
        weights, vectors = self.weights(of), of.vectors[counts].astype(np.float64)
        size = min(int(self.parameters["n"]), len(weights))
        windows = np.lib.stride_tricks.sliding_window_view(weights, size)
        masses = windows.sum(axis=1)
        means = np.zeros((len(masses), vectors.shape[1]))
        for place in range(size):
            means += windows[:, place : place + 1] * vectors[place : place + len(masses)]
        weighed = masses > 0
        # The length of a vector is set to 1, so that its weights need not be divided by their sum.
        return masses[weighed] / masses.sum(), unit(means[weighed])


SCORERS = (ContentPreservationScore, BertScore, MoverScore)
