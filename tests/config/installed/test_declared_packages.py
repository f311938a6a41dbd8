"""The package declares what requirements.txt pins; the container holds what the package does."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.fixtures.machine import ROOT
from tests.fixtures.service_commands import parse_command

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DECLARED = PROJECT["project"]
OWN = DECLARED["name"]


def pinned(*files):
    lines = [line for file in files for line in (ROOT / file).read_text().splitlines()]
    return [Requirement(line) for line in lines if re.match(r"[A-Za-z]", line)]


def declared():
    groups = [DECLARED["dependencies"], *DECLARED["optional-dependencies"].values()]
    found = [Requirement(text) for group in groups for text in group]
    return {canonicalize_name(each.name): each.specifier for each in found if each.name != OWN}


def test_each_pinned_package_is_declared_in_that_version():
    wanted = declared()
    names = ("requirements.txt", "requirements-models.txt", "requirements-tokenizers.txt")
    pins = pinned(*names)
    assert {canonicalize_name(pin.name) for pin in pins} == set(wanted)
    for pin in pins:
        [exact] = pin.specifier
        assert wanted[canonicalize_name(pin.name)].contains(exact.version), pin


def test_the_container_is_built_of_every_folder_that_the_package_holds():
    held = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    copied = (ROOT / ".dockerignore").read_text().splitlines()
    assert {f"!{folder}" for folder in held} <= set(copied)


def test_services_run_commands_that_there_are():
    compose = (ROOT / "compose.yaml").read_text()
    commands = re.findall(r"command: \[touchstone, (.*)\]", compose)
    assert len(commands) == 3
    for command in commands:
        parse_command([word.strip().strip('"') for word in command.split(",")])
