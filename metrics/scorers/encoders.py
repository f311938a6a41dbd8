"""What metrics on an encoder have in common: which model, where it runs, its files."""

from __future__ import annotations

from metrics.scorers.spec import Library, Parameter
from metrics.weights import minilm
from metrics.weights.registered import MODELS

MODEL = Parameter(
    "model",
    minilm.NAME,
    "The encoder: minilm, or a model that the administrator lists.",
    listed=MODELS,
)
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
