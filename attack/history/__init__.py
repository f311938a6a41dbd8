"""Histories: what clients sent and were told under faults, and the proof that nothing was lost.

``python -m attack.history --seed 1 --seconds 60`` serves two studies, lets annotators rate while
faults are made that the seed draws, and checks the history against what the database holds.
"""
