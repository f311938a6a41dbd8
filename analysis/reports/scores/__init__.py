"""The scores report: how metric scores are distributed and correlate with each other."""
