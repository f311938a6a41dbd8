"""Settings, addresses and processes: the only room that knows every other."""

from config.sqlite_library import use_sound_sqlite

use_sound_sqlite()
