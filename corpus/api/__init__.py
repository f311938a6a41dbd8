"""Studies, their texts, imports, exports and jobs for programs."""
