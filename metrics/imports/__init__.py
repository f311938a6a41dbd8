"""Imported scores: tables of a study archive, read, checked, packed, published, written."""
