"""Pages of studies, texts, imports and jobs."""
