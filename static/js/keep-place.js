// Keeps the focus, and what is read where it is, when a job has more of a report to show and htmx
// exchanges it.
//
// htmx gives the focus back to what has an id. Headings that sort and numbers have none: they are
// found again by their table and row. Without this script the focus is lost then.
"use strict";

(() => {
  let kept = null;

  // A selector that finds an element of the report again after the exchange.
  const selectorOf = (element, report) => {
    const steps = [];
    for (let node = element; node !== report; node = node.parentElement) {
      const { table, of } = node.dataset;
      if (node.id) {
        return [`#${CSS.escape(node.id)}`, ...steps].join(" > ");
      } else if (table !== undefined) {
        return [`[data-table="${CSS.escape(table)}"]`, ...steps].join(" > ");
      } else if (node.matches(".table-tools")) {
        const { table: ofTools } = node.nextElementSibling.dataset;
        return [`.table-tools:has(+ [data-table="${CSS.escape(ofTools)}"])`, ...steps].join(" > ");
      }
      const place = [...node.parentElement.children].indexOf(node) + 1;
      steps.unshift(of === undefined ? `${node.localName}:nth-child(${place})` : `[data-of="${CSS.escape(of)}"]`);
    }
    return null;
  };

  const isSeen = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  };

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const report = detail.target;
    if (report.id !== "report" || detail.requestConfig.elt.id !== "waiting") {
      return;
    }
    const { activeElement } = document;
    const focused = report.contains(activeElement) ? activeElement : null;
    // The answer comes above what is read and may be taller than what was there.
    const read = [focused, ...report.querySelectorAll("[data-table], figure[id]")].find((each) => each && isSeen(each));
    kept = {
      focus: focused && selectorOf(focused, report),
      place: read && selectorOf(read, report),
      top: read && read.getBoundingClientRect().top,
    };
  });

  // After the tables have their buttons again.
  document.addEventListener("htmx:afterSettle", () => {
    if (!kept) {
      return;
    }
    const { focus, place, top } = kept;
    kept = null;
    if (focus) {
      document.querySelector(focus)?.focus({ preventScroll: true });
    }
    const element = place && document.querySelector(place);
    if (element) {
      window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" });
    }
  });
})();
