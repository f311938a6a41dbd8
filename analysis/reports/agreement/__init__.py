"""The agreement report: how far raters agree, on what and in which batches."""
