// Highlights a metric or system, where one is pointed at or has the focus, in all charts and tables.
//
// Rows of tables and marks of charts name it in data-of, a row that compares two the second in
// data-and. On the first pointing the pictures are put into the page as drawings, in the same
// place; their points then open what they link to, and names at axes and in legends stand for
// their marks. The drawings are for the pointer: the picture keeps the name, and the rows the
// links for keys.
// Without this script the pictures stay as they are.
"use strict";

(() => {
  const drawn = new WeakMap();
  let shown = [];
  let pointerPlace = "";

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

  // A name at an axis or in a legend is of the marks nearest to it, if they are of one thing: a
  // metric that is compared with two texts has a panel for each.
  function nameLabels(drawing) {
    for (const label of drawing.querySelectorAll(".role-axis-label text, .role-legend-label text")) {
      const text = label.textContent.replace(/ \((raw|human)\)$/, "");
      const called = ({ dataset }) => dataset.of === text || dataset.of.startsWith(`${text} · `);
      const of = new Set();
      for (let around = label.parentElement; around && !of.size; around = around.parentElement) {
        [...around.querySelectorAll("[data-of]")].filter(called).forEach((mark) => of.add(mark.dataset.of));
      }
      if (of.size === 1) {
        [label.dataset.of] = of;
        label.setAttribute("pointer-events", "all");
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
    nameLabels(drawing);
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

  const thingsOf = ({ dataset }) => [dataset.of, dataset.and].filter(Boolean);

  function show(things) {
    shown = things;
    const isShown = (element) => thingsOf(element).some((thing) => things.includes(thing));
    for (const row of document.querySelectorAll("tr[data-of]")) {
      row.classList.toggle("pointed-at", isShown(row));
    }
    for (const drawing of document.querySelectorAll(".chart-canvas svg")) {
      let found = false;
      for (const mark of drawing.querySelectorAll("[data-of]")) {
        const same = isShown(mark);
        mark.classList.toggle("pointed-at", same);
        found ||= same;
      }
      drawing.classList.toggle("has-pointed-at", found);
    }
  }

  function named(element) {
    const nearest = element?.closest?.("[data-of]");
    return nearest ? thingsOf(nearest) : [];
  }

  const placeOf = ({ clientX, clientY }) => `${clientX} ${clientY}`;

  function point(event) {
    // A page that scrolls moves under a pointer that rests: what has the focus stays shown.
    const rests = event.type === "pointerover" && placeOf(event) === pointerPlace;
    const pointed = named(event.target);
    const focused = named(document.activeElement);
    const things = pointed.length && !(rests && focused.length) ? pointed : focused;
    if (things.length || event.target.closest?.(".chart-canvas")) {
      document.querySelectorAll("figure.chart").forEach(draw);
    }
    if (things.join("\n") !== shown.join("\n")) {
      show(things);
    }
  }

  document.addEventListener("pointerover", point);
  document.addEventListener("pointermove", (event) => {
    pointerPlace = placeOf(event);
  });
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
