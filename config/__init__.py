"""Settings, addresses and processes: the only room that knows every other."""

import os

from config.sqlite_library import use_sound_sqlite

# Threads of PyTorch and scikit-learn wait for each other asleep. By default they wait by counting,
# which multiplies a job's time where its cores are shared with the server.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
use_sound_sqlite()
