"""Files of trained models and word vectors: where they lie, and their hashes.

Each module finds the files of one package of weights without importing it, so that asking what is
installed is quick. What is missing raises `Unavailable`, which says what to do. Nothing here ever
asks the network.

Pure Python: no Django.
"""
