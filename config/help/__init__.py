"""The help: the pages of `docs/`, shown under `/help/` and written as a site by `make docs`.

markdown-it-py renders them, for both in the same way (docs/architecture.md says why it is
not MkDocs). Links between pages are relative, so that one rendering serves everywhere.
"""
