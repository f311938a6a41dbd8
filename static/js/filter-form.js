// Sends a filter form when one of its fields changes; the address of the page is the filter.
//
// Without this script the form has its own button. Empty fields are left out of the address, so
// that two readers who choose the same filter see the same address. After the page has come back,
// the field that was changed has the focus again. Where htmx sends the form it exchanges the part of
// the page that changes; the answer to what cannot be asked is shown there too. A list of checkboxes waits for the button: who
// chooses several would otherwise be sent on after the first.
"use strict";

(() => {
  const focused = sessionStorage.getItem("filter-focus");
  if (focused) {
    sessionStorage.removeItem("filter-focus");
    document.getElementById(focused)?.focus({ preventScroll: true });
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-filter]");
    const waits = ["checkbox", "search", "text"].includes(event.target.type);
    if (form && !waits) {
      if (!form.hasAttribute("hx-get") || !window.htmx) {
        sessionStorage.setItem("filter-focus", event.target.id);
      }
      form.requestSubmit();
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const refused = event.detail.xhr.status === 400;
    if (refused && event.detail.requestConfig.elt.matches("form[data-filter]")) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  document.addEventListener("formdata", (event) => {
    if (event.target.matches("form[data-filter]")) {
      for (const name of new Set(event.formData.keys())) {
        const values = event.formData.getAll(name).filter((value) => value !== "");
        event.formData.delete(name);
        for (const value of values) {
          event.formData.append(name, value);
        }
      }
    }
  });
})();
