"""Tiny transformer classifiers with random weights, saved as transformers saves real ones."""

from pathlib import Path
from typing import Any

STYLES = ("negative", "neutral", "positive")
WORDS = [
    *("the", "food", "service", "was", "is", "so", "not", "very", "good", "bad", "great", "un"),
    *("##friend", "##ly", "##s", "terrible", ",", ".", "!", "'", "t", "don", "never", "again"),
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def save_classifier(
    folder: Path, *, styles: tuple[str, ...] = STYLES, positions: int = 64, seed: int = 0
) -> Path:
    """Save a BERT of two layers whose logits differ clearly between texts."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = _tokenizer(positions)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=32,
        max_position_embeddings=positions,
        initializer_range=0.25,
        num_labels=len(styles),
        id2label=dict(enumerate(styles)),
        label2id={style: column for column, style in enumerate(styles)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(positions: int) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=positions,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
