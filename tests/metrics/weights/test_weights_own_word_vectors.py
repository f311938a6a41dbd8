"""Word vectors from a file of one's own: read, kept, signed, and refused by line."""

import gzip

import numpy as np
import pytest

from metrics.encoders.words import listed_vectors as load
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.weights import glove
from metrics.weights.files import file_sha256
from tests.fixtures.listed_places import VECTORS, listed

TEXTS = [
    ("the staff was kind", "the staff was rude !"),
    ("fish", "a bridge of the city , in the city"),
    ("good good good food", "the food is good"),
]
METRICS = ["wmd", "greedy-matching", "vector-extrema", "embedding-average"]
SMALL = [("The", [1.0, 0.0]), ("cat", [0.0, 2.0]), ("sat", [-1.5, 0.25])]


def written(path, entries, header=""):
    lines = [f"{word} {' '.join(map(repr, map(float, vector)))}" for word, vector in entries]
    path.write_text("\n".join([*([header] if header else []), *lines, ""]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def glove_as_text(tmp_path_factory):
    """GloVe's vectors of the words of the texts, as text."""
    rows, vectors = glove.load()
    words = dict.fromkeys(word for pair in TEXTS for text in pair for word in text.split())
    path = tmp_path_factory.mktemp("vectors") / "some.txt"
    return written(path, [(word, vectors[rows[word]]) for word in words])


@pytest.mark.parametrize("metric", METRICS)
def test_the_same_vectors_from_a_text_file_give_the_same_scores(metric, glove_as_text, tmp_path):
    texts = Texts.of(*zip(*TEXTS, strict=True))
    kind = scorer_class(metric)
    own = kind({"vectors": listed(glove_as_text, variable=VECTORS)}, Resources(cache=tmp_path))
    np.testing.assert_allclose(
        own.score(texts).values, kind().score(texts).values, rtol=0, atol=1e-12
    )
    assert own.fingerprint() == {"some.txt": file_sha256(glove_as_text)}


@pytest.mark.parametrize("header", ["", "3 2"])
@pytest.mark.parametrize("is_kept", [True, False])
def test_both_formats_are_read_packed_or_not(header, is_kept, tmp_path):
    plain = written(tmp_path / "v.txt", SMALL, header)
    packed = tmp_path / "v.txt.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        found = load(listed(path, variable=VECTORS), tmp_path / "kept" if is_kept else None)
        assert found.rows == {"the": 0, "cat": 1, "sat": 2}
        np.testing.assert_array_equal(found.vectors, [vector for _, vector in SMALL])


def test_a_file_is_read_once_and_then_found_by_its_hash(tmp_path):
    kept = tmp_path / "kept"
    load(listed(written(tmp_path / "v.txt", SMALL), variable=VECTORS), kept)
    [folder] = kept.iterdir()
    assert folder.name == f"word-vectors-{file_sha256(tmp_path / 'v.txt')[:16]}"
    (folder / "words.txt").write_text("a\nb\nc")
    elsewhere = tmp_path / "w.txt"
    elsewhere.write_bytes((tmp_path / "v.txt").read_bytes())
    assert list(load(listed(elsewhere, variable=VECTORS), kept).rows) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"the 1 2\ncat 3\n", "line 2: expected a word and finite numbers"),
        (b"the 1 2\ncat 3 x\n", "line 2: expected a word and finite numbers, as many as"),
        (b"the 1 2\ncat 3 nan\n", "line 2: expected a word and finite numbers"),
        (b"the 1 2\n\n", "line 2: expected a word and finite numbers"),
        (b"", "line 1: expected a word and its numbers"),
        (b"2 2\nthe 1 2\n", "promises another number of words than follow"),
        (b"9" * 5000 + b" 2\nthe x\n", "line 2: expected a word and finite numbers"),
        (b"the 1 2\ncat \xff\xfe\x00", "the file is no text in UTF-8"),
    ],
)
def test_what_is_no_file_of_vectors_is_refused_by_line(content, words, tmp_path):
    path = tmp_path / "v.txt"
    path.write_bytes(content)
    for cache in (None, tmp_path / "kept"):
        with pytest.raises(Unavailable, match="word vectors") as refused:
            load(listed(path, variable=VECTORS), cache)
        assert words in str(refused.value)
        assert str(path) not in str(refused.value)
    assert list((tmp_path / "kept").iterdir()) == []
