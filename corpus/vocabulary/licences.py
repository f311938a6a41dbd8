"""Licences under which data and texts are published, by their SPDX identifiers.

Pure: this module imports no Django.
"""

from dataclasses import dataclass

TERMS = "LicenseRef-Terms"
"""Terms of one's own, or no licence that has an identifier: their words are stated beside it."""


@dataclass(frozen=True)
class Licence:
    """A licence.

    Attributes
    ----------
    title
        Its name.
    address
        Where its text is; empty for terms of one's own.
    hugging_face
        What cards on the Hugging Face Hub call it.
    """

    title: str
    address: str = ""
    hugging_face: str = "other"


def _creative(kind: str, version: str, words: str) -> Licence:
    return Licence(
        f"Creative Commons {words} {version}",
        f"https://creativecommons.org/licenses/{kind}/{version}/",
        f"cc-{kind}-{version}",
    )


LICENCES: dict[str, Licence] = {
    "CC-BY-4.0": _creative("by", "4.0", "Attribution"),
    "CC0-1.0": Licence(
        "Creative Commons Zero 1.0 (public domain)",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "cc0-1.0",
    ),
    "CC-BY-SA-4.0": _creative("by-sa", "4.0", "Attribution-ShareAlike"),
    "CC-BY-NC-4.0": _creative("by-nc", "4.0", "Attribution-NonCommercial"),
    "CC-BY-NC-SA-4.0": _creative("by-nc-sa", "4.0", "Attribution-NonCommercial-ShareAlike"),
    "CC-BY-ND-4.0": _creative("by-nd", "4.0", "Attribution-NoDerivatives"),
    "CC-BY-NC-ND-4.0": _creative("by-nc-nd", "4.0", "Attribution-NonCommercial-NoDerivatives"),
    "CC-BY-3.0": _creative("by", "3.0", "Attribution"),
    "CC-BY-SA-3.0": _creative("by-sa", "3.0", "Attribution-ShareAlike"),
    "ODbL-1.0": Licence(
        "Open Database License 1.0", "https://opendatacommons.org/licenses/odbl/1-0/", "odbl"
    ),
    "ODC-By-1.0": Licence(
        "Open Data Commons Attribution 1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
        "odc-by",
    ),
    "PDDL-1.0": Licence(
        "Public Domain Dedication and License 1.0",
        "https://opendatacommons.org/licenses/pddl/1-0/",
        "pddl",
    ),
    "CDLA-Permissive-2.0": Licence(
        "Community Data License Agreement, permissive, 2.0",
        "https://cdla.dev/permissive-2-0/",
        "cdla-permissive-2.0",
    ),
    "MIT": Licence("MIT License", "https://spdx.org/licenses/MIT.html", "mit"),
    "Apache-2.0": Licence(
        "Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0", "apache-2.0"
    ),
    "BSD-3-Clause": Licence(
        "BSD 3-Clause License", "https://spdx.org/licenses/BSD-3-Clause.html", "bsd-3-clause"
    ),
    "GPL-3.0-or-later": Licence(
        "GNU General Public License 3 or later", "https://www.gnu.org/licenses/gpl-3.0", "gpl-3.0"
    ),
    TERMS: Licence("other terms, stated in words"),
}
