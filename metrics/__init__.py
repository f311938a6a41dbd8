"""Metric runs and their scores."""
