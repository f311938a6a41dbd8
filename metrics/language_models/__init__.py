"""Language models that say how likely a text is: causal transformers and n-grams.

Pure Python: no Django. Heavy libraries load when the first text is asked for.
"""
