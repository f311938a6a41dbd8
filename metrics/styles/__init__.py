"""Style classifiers and regressors, and style lexicons: trained here, saved without pickles.

Pure Python: no Django. Heavy libraries load when something is trained or predicted.
"""
