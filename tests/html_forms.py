"""Forms of a page as a browser would send them back."""

from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.methods: list[str] = []
        self._select = ""
        self._chosen: list[str] = []
        self._options: list[str] = []
        self._textarea = ""
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append({})
            self.methods.append(given.get("method", "get"))
        elif not self.forms:
            return
        elif tag == "input" and given.get("name"):
            kind = given.get("type", "text")
            if kind in ("checkbox", "radio") and "checked" not in given:
                return
            if kind not in ("submit", "file"):
                self._add(given["name"], given.get("value", "on" if kind == "checkbox" else ""))
        elif tag == "select":
            self._select, self._chosen, self._options = given["name"], [], []
        elif tag == "option":
            self._options.append(given.get("value", ""))
            if "selected" in given:
                self._chosen.append(given.get("value", ""))
        elif tag == "textarea":
            self._textarea, self._text = given["name"], []

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            for value in self._chosen or self._options[:1]:
                self._add(self._select, value)
            self._select = ""
        elif tag == "textarea":
            # A browser drops the first line break and sends the others as CR LF.
            text = "".join(self._text).removeprefix("\n")
            self._add(self._textarea, text.replace("\n", "\r\n"))
            self._textarea = ""

    def _add(self, name: str, value: str) -> None:
        self.forms[-1].setdefault(name, []).append(value)


def fields_of(text: str, having: str) -> dict[str, list[str]]:
    """Return the fields of the one form that has a certain field, without its buttons."""
    parser = _Fields()
    parser.feed(text)
    [found] = [form for form in parser.forms if having in form]
    return found
