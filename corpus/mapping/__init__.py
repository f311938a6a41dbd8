"""The mapping page of an import: how each uploaded file is read."""
