"""The documents of a publication, each format a module; pure, without Django."""
