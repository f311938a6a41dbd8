"""The words of studies: aspects, licences, splits, names of systems and raters. No Django."""
