// Keeps in the address which sections of a report are open, so that a link shows the same page.
//
// Without this script the server opens the sections that the address names, and links to a section
// name it.
"use strict";

(() => {
  const start = "section-";

  function remember() {
    const address = new URL(location.href);
    const open = [...document.querySelectorAll("details[data-section][open]")];
    address.searchParams.delete("open");
    const rest = address.search;
    const names = open.map((section) => encodeURIComponent(section.dataset.section)).join(",");
    address.search = names ? `${rest}${rest ? "&" : "?"}open=${names}` : rest;
    if (address.href !== location.href) {
      history.replaceState(history.state, "", address);
    }
  }

  function lead(hash) {
    const section = hash.startsWith(`#${start}`) && document.getElementById(hash.slice(1));
    if (!section) {
      return false;
    }
    for (let outer = section; outer; outer = outer.parentElement.closest("details")) {
      outer.open = true;
    }
    section.scrollIntoView();
    section.querySelector("summary").focus({ preventScroll: true });
    return true;
  }

  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.matches("details[data-section]")) {
        remember();
      }
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const link = event.target.closest(`a[href*="#${start}"]`);
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (link && plain && link.pathname === location.pathname && lead(link.hash)) {
      event.preventDefault();
      const menu = link.closest("details[data-menu]");
      if (menu) {
        menu.open = false;
      }
    }
  });

  // Fields of the filter are sent with the sections that are open.
  document.addEventListener("formdata", (event) => {
    if (event.target.matches("form[data-filter]")) {
      const open = new URL(location.href).searchParams.get("open");
      if (open) {
        event.formData.set("open", open);
      }
    }
  });
})();
