"""Word attributions: which words make a classifier see a style, and texts masked by them.

Integrated Gradients of a fine-tuned transformer classifier (`integrated_gradients`), merged to
words with shares (`words`), of which the strongest are chosen (`selection`) and masked (`masking`).

Pure Python: no Django.
"""
