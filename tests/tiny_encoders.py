"""Encoders with a few random weights, saved to folders: what loaders load."""

from pathlib import Path
from typing import Any

from metrics.weights import minilm


def save_encoder(folder: Path, *, layers: int = 2) -> Path:
    """Save a BERT of random weights with MiniLM's word pieces."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(3)
    tokenizer: Any = AutoTokenizer.from_pretrained(minilm.folder())
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=layers,
        num_attention_heads=2, intermediate_size=32, initializer_range=0.5,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


def save_sentence_encoder(folder: Path, pooling: str) -> Path:
    """Save it with a pooling, in the format of sentence-transformers, not normalised."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    transformer = Transformer(str(save_encoder(folder / "plain")), max_seq_length=32)
    pool = Pooling(transformer.get_embedding_dimension(), pooling_mode=pooling)
    SentenceTransformer(modules=[transformer, pool], device="cpu").save(str(folder / "pooled"))
    return folder / "pooled"
