// Highlights a metric or system, where one is pointed at or has the focus, in all charts and tables.
//
// Rows of tables and marks of charts name it in data-of. On the first pointing the pictures are
// put into the page as drawings, in the same place; their points then open what they link to. The
// drawings are for the pointer: the picture keeps the name, and the rows the links for keys.
// Without this script the pictures stay as they are.
"use strict";

(() => {
  const drawn = new WeakMap();
  let shown = null;

  const imageOf = (figure) => figure.querySelector(".chart-canvas picture > img");

  // Names inside a drawing must not meet those of other drawings in the page.
  function keepApart(drawing, start) {
    for (const named of drawing.querySelectorAll("[id]")) {
      named.id = `${start}-${named.id}`;
    }
    for (const attribute of ["clip-path", "fill", "stroke"]) {
      for (const user of drawing.querySelectorAll(`[${attribute}^="url(#"]`)) {
        user.setAttribute(attribute, user.getAttribute(attribute).replace("(#", `(#${start}-`));
      }
    }
  }

  function prepared(text, figure) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.localName !== "svg") {
      return null;
    }
    const drawing = document.importNode(parsed, true);
    drawing.querySelectorAll(":scope > title, :scope > desc").forEach((words) => words.remove());
    for (const attribute of ["role", "aria-labelledby", "aria-describedby"]) {
      drawing.removeAttribute(attribute);
    }
    drawing.setAttribute("aria-hidden", "true");
    drawing.classList.add("drawing");
    drawing.querySelectorAll("a").forEach((link) => link.setAttribute("tabindex", "-1"));
    keepApart(drawing, figure.id);
    return drawing;
  }

  async function draw(figure) {
    const image = imageOf(figure);
    if (!image?.complete || !image.naturalWidth || drawn.get(figure) === image.currentSrc) {
      return;
    }
    const address = image.currentSrc;
    drawn.set(figure, address);
    const answer = await fetch(address, { cache: "force-cache" }).catch(() => null);
    const drawing = answer?.ok ? prepared(await answer.text(), figure) : null;
    if (drawing && imageOf(figure) === image && drawn.get(figure) === address) {
      figure.querySelector(".drawing")?.remove();
      image.parentElement.classList.add("replaced");
      image.parentElement.after(drawing);
      show(shown);
    }
  }

  function show(thing) {
    shown = thing;
    for (const row of document.querySelectorAll("tr[data-of]")) {
      row.classList.toggle("pointed-at", row.dataset.of === thing);
    }
    for (const drawing of document.querySelectorAll(".chart-canvas svg")) {
      let found = false;
      for (const mark of drawing.querySelectorAll("[data-of]")) {
        const same = mark.dataset.of === thing;
        mark.classList.toggle("pointed-at", same);
        found ||= same;
      }
      drawing.classList.toggle("has-pointed-at", found);
    }
  }

  const named = (element) => element?.closest?.("[data-of]")?.dataset.of || null;

  function point(event) {
    // A focus that scrolls the page moves the pointer off its place: what has the focus stays shown.
    const thing = named(event.target) ?? named(document.activeElement);
    if (thing || event.target.closest?.(".chart-canvas")) {
      document.querySelectorAll("figure.chart").forEach(draw);
    }
    if (thing !== shown) {
      show(thing);
    }
  }

  document.addEventListener("pointerover", point);
  document.addEventListener("focusin", point);

  // The picture changes with the colours of the page.
  document.addEventListener(
    "load",
    (event) => {
      const figure = event.target.closest?.("figure.chart");
      if (figure && drawn.has(figure) && event.target === imageOf(figure)) {
        draw(figure);
      }
    },
    true,
  );
})();
