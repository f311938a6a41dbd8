"""Settings, addresses and processes: the only room that knows every other."""

import os

from config.sqlite_library import use_sound_sqlite

# Threads of PyTorch and scikit-learn wait for each other asleep. By default they wait by counting,
# which multiplies a job's time where its cores are shared with the server.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# On Intel's processors, the last digits of a row of a matrix product depend on its place among the
# others, unless MKL is asked for strictly reproducible numbers; then a text has the same scores
# whichever worker scores it, beside whatever others. It takes no more time.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")
use_sound_sqlite()
