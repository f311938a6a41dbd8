// Lets the search field of the header be used as a combobox: results appear below it while one
// types, the arrow keys choose one, Enter opens it, Escape closes the list. The key / goes to the
// field unless one writes elsewhere; the account page switches that key off.
//
// htmx fetches the results. Without this script the form shows them as a page.
"use strict";

(() => {
  const off = "search-key-off";
  const key = document.querySelector("[data-search-key]");
  if (key) {
    key.checked = !localStorage.getItem(off);
    key.addEventListener("change", () => {
      if (key.checked) localStorage.removeItem(off);
      else localStorage.setItem(off, "yes");
    });
  }

  const form = document.querySelector("[data-search]");
  if (!form) return;
  const field = form.querySelector("[name=q]");
  const list = form.querySelector("[role=listbox]");
  const count = form.querySelector("[data-search-count]");
  const options = () => [...list.querySelectorAll("[role=option]")];
  let active = null;

  const choose = (option) => {
    active?.setAttribute("aria-selected", "false");
    active = option;
    field.removeAttribute("aria-activedescendant");
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  };

  const show = (shown) => {
    list.hidden = !shown || !options().length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) choose(null);
  };

  field.setAttribute("role", "combobox");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-keyshortcuts", "/");
  form.querySelector("kbd").hidden = Boolean(localStorage.getItem(off));
  show(false);

  list.addEventListener("htmx:afterSwap", () => {
    active = null;
    options().forEach((option, place) => {
      option.id = `site-found-${place}`;
    });
    count.textContent = options().at(-1)?.dataset.count ?? "";
    show(document.activeElement === field);
  });

  const move = (step) => {
    const all = options();
    const from = all.indexOf(active);
    const to = from < 0 && step < 0 ? all.length - 1 : from + step;
    choose(all[(to + all.length) % all.length]);
  };

  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options().length) {
      event.preventDefault();
      if (list.hidden) show(true);
      else move(step);
    } else if (event.key === "Enter" && active && !event.isComposing) {
      event.preventDefault();
      active.click();
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      show(false);
    }
  });
  field.addEventListener("click", () => show(true));
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) show(false);
  });

  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest?.("input, select, textarea, [contenteditable]");
    const modified = event.ctrlKey || event.altKey || event.metaKey;
    if (event.key !== "/" || writes || modified || localStorage.getItem(off)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
})();
