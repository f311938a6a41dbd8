"""Models of transformers with a few random weights, saved to folders: what loaders load."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def save_tokenizer(folder: Path, texts: Sequence[str], special: Sequence[str]) -> Any:
    """Train a byte-level tokenizer on some texts, as GPT-2 has one; save and return it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer: Any = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(special),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    names = dict(zip(("eos_token", "pad_token"), special, strict=False))
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.save_pretrained(folder)
    return fast


def save_causal_model(folder: Path, *, positions: int = 512, start: str = "<|endoftext|>") -> Path:
    """Save a GPT-2 of two layers, with weights large enough to have opinions."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = save_tokenizer(folder, ["the food was good and the staff was kind"], [start])
    torch.manual_seed(1)
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=positions, n_embd=32, n_layer=2, n_head=2,
        initializer_range=0.3, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def save_sequence_classifier(folder: Path, labels: Sequence[str], *, positions: int = 32) -> Path:
    """Save a BERT of one layer with one output a label."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = save_tokenizer(folder, ["the food was good"], ["<|endoftext|>", "[PAD]"])
    torch.manual_seed(2)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=positions, initializer_range=0.5,
        id2label=dict(enumerate(labels)), label2id={name: n for n, name in enumerate(labels)},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def save_rewriter(folder: Path) -> Path:
    """Save a T5 of two layers that writes something for whatever it reads."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = save_tokenizer(folder, ["the food was good"], ["</s>", "<pad>"])
    torch.manual_seed(5)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=32, num_layers=2, num_heads=4,
        initializer_factor=3.0, decoder_start_token_id=1, eos_token_id=0, pad_token_id=1,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder
