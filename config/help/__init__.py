"""The help: the pages of `docs/`, shown under `/help/`.

markdown-it-py renders them (docs/architecture.md says why it is not MkDocs). Links between pages
are relative.
"""
