"""Touchstone measured in turns with tools that people use today."""
