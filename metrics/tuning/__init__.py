"""Fine-tuning of models that write: of a study's pairs, whole or by low-rank adapters."""
