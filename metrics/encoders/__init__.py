"""Texts to vectors: sentence encoders, vectors of tokens, word vectors.

Pure Python: no Django. Heavy libraries load when the first text is encoded.
"""
