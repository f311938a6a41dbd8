// Leads through a page in steps: a dialog that stands beside one part of the page after the other.
//
// <button data-tour-start> opens <dialog data-tour>, whose sections name the part by data-at.
// Arrow keys and buttons lead on and back, Escape ends. That it was seen is kept in this browser.
"use strict";

(() => {
  const dialog = document.querySelector("dialog[data-tour]");
  const start = document.querySelector("[data-tour-start]");
  if (!dialog || !start || !dialog.showModal) return;

  const key = `tour-${dialog.dataset.tour}`;
  const steps = [...dialog.querySelectorAll("[data-at]")].filter((step) => document.querySelector(step.dataset.at));
  const back = dialog.querySelector("[data-tour-back]");
  const next = dialog.querySelector("[data-tour-next]");
  const place = dialog.querySelector("[data-tour-place]");
  let at = 0;

  const seen = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return "yes";
    }
  };
  const remember = () => {
    try {
      localStorage.setItem(key, "yes");
    } catch {
      // Without storage it is offered again.
    }
    start.classList.remove("new");
  };

  const target = () => document.querySelector(steps[at].dataset.at);

  const unmark = () => document.querySelectorAll(".toured").forEach((part) => part.classList.remove("toured"));

  // Below the part if there is room, else above it, else at the bottom of the window.
  const stand = () => {
    const part = target().getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = dialog;
    const gap = 12;
    let top = part.bottom + gap;
    if (top + height > innerHeight) top = part.top - gap - height;
    if (top < 0) top = innerHeight - height - gap;
    const left = Math.min(part.left, document.documentElement.clientWidth - width - gap);
    dialog.style.top = `${top}px`;
    dialog.style.left = `${Math.max(gap, left)}px`;
  };

  const show = (step) => {
    at = Math.max(0, Math.min(steps.length - 1, step));
    unmark();
    steps.forEach((each, number) => { each.hidden = number !== at; });
    dialog.setAttribute("aria-labelledby", steps[at].querySelector("h2").id);
    place.textContent = `${at + 1} of ${steps.length}`;
    back.disabled = at === 0;
    next.textContent = at === steps.length - 1 ? "Done" : "Next";
    target().classList.add("toured");
    target().scrollIntoView({ block: "center" });
    stand();
  };

  start.addEventListener("click", () => {
    dialog.showModal();
    show(0);
    next.focus();
  });
  next.addEventListener("click", () => (at === steps.length - 1 ? dialog.close() : show(at + 1)));
  back.addEventListener("click", () => {
    show(at - 1);
    if (back.disabled) next.focus();
  });
  dialog.querySelector("[data-tour-end]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" && at < steps.length - 1) show(at + 1);
    if (event.key === "ArrowLeft") show(at - 1);
  });
  dialog.addEventListener("close", () => {
    unmark();
    remember();
    start.focus();
  });
  addEventListener("resize", () => dialog.open && stand());

  if (!seen()) start.classList.add("new");
})();
