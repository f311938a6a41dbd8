"""Metric runs: asked for, computed by a job, stored in blocks, named, listed."""
