"""A sentiment classifier to measure attributions on: MiniLM, fine-tuned on restaurant reviews."""

import csv
import gzip
from pathlib import Path
from typing import Any

from metrics.weights import minilm

STYLES = ("negative", "positive")
BATCH = 32


def train(folder: Path, corpora: Path, sentences: int, *, epochs: int = 2, seed: int = 1) -> None:
    """Fine-tune on the first sentences of each style and save the model with its tokenizer."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    texts, labels = _corpus(corpora, sentences)
    torch.manual_seed(seed)
    start = minilm.folder()
    tokenizer = AutoTokenizer.from_pretrained(start)
    model = AutoModelForSequenceClassification.from_pretrained(start, num_labels=len(STYLES))
    model.config.id2label = dict(enumerate(STYLES))
    model.config.label2id = {style: place for place, style in enumerate(STYLES)}
    steps = epochs * -(-len(texts) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    model.train()
    for _ in range(epochs):
        for batch in torch.randperm(len(texts)).split(BATCH):
            chosen = [texts[i] for i in batch]
            encoded = tokenizer(
                chosen, padding=True, truncation=True, max_length=64, return_tensors="pt"
            )
            loss = model(**encoded, labels=labels[batch]).loss
            loss.backward()
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
    model.eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _corpus(folder: Path, sentences: int) -> tuple[list[str], Any]:
    import torch

    texts: dict[str, list[str]] = {style: [] for style in STYLES}
    with gzip.open(folder / "yelp_sentiment.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if len(texts[row["style"]]) < sentences // len(STYLES):
                texts[row["style"]].append(row["text"])
    labels = [place for place, style in enumerate(STYLES) for _ in texts[style]]
    return [text for style in STYLES for text in texts[style]], torch.tensor(labels)
