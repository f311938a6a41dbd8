"""What metrics on an encoder have in common: which model, where it runs, its files."""

from __future__ import annotations

from metrics.scorers.spec import Library, Parameter
from metrics.weights import minilm

MODEL = Parameter(
    "model",
    minilm.NAME,
    "The encoder: minilm, the folder of a model on this machine, or the name of one that was "
    "downloaded before.",
)
DEVICE = Parameter("device", "cpu", "Where the encoder runs.", choices=("cpu", "cuda"))
PRECISION = Parameter(
    "precision",
    "float32",
    "Numbers the encoder computes with: half precision (float16) is faster on a GPU and exact to "
    "about three digits.",
    choices=("float32", "float16"),
)
LIBRARIES = (Library("torch"), Library("transformers"), Library("tokenizers"))
