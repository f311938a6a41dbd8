"""Writers: each makes one output for each source, as `writer.Writer` says."""
