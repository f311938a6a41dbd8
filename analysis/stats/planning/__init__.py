"""Planning of studies: variance components, sizes, and checks by simulation."""
