"""Which screen an annotator gets next, from a list or from the shared queue."""
