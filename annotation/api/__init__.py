"""Judgements for programs."""
