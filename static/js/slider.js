// Turn number fields of long scales into sliders. Untouched, a slider has no value and looks so.
"use strict";
(() => {
  function upgrade(field) {
    const number = field.querySelector("input[type=number]");
    const range = document.createElement("input");
    range.type = "range";
    for (const name of ["min", "max", "step"]) range.setAttribute(name, number.getAttribute(name));
    range.setAttribute("aria-label", field.querySelector("label").textContent);
    range.setAttribute("aria-describedby", number.getAttribute("aria-describedby"));
    const ends = { low: Number(number.min), high: Number(number.max), step: Number(number.step) };
    const decimals = (number.step.split(".")[1] || "").length;

    function show() {
      const empty = number.value === "";
      field.classList.toggle("untouched", empty);
      range.value = empty ? (ends.low + ends.high) / 2 : number.value;
      range.setAttribute("aria-valuetext", empty ? "not answered yet" : number.value);
    }
    function take(value) {
      const steps = Math.round((Math.min(Math.max(value, ends.low), ends.high) - ends.low) / ends.step);
      number.value = (ends.low + steps * ends.step).toFixed(decimals);
      show();
      number.dispatchEvent(new Event("change", { bubbles: true }));
    }
    range.addEventListener("input", () => take(Number(range.value)));
    // A click on the middle of an untouched slider changes nothing for the browser; here it answers.
    range.addEventListener("pointerup", () => take(Number(range.value)));
    range.addEventListener("keydown", (event) => {
      const tenth = (ends.high - ends.low) / 10;
      const moves = { PageUp: tenth, PageDown: -tenth };
      if (event.key === "Home") take(ends.low);
      else if (event.key === "End") take(ends.high);
      else if (event.key in moves) take(Number(range.value) + moves[event.key]);
      else if (number.value === "" && event.key.startsWith("Arrow")) take(Number(range.value));
      else return;
      event.preventDefault();
    });
    number.addEventListener("input", show);
    number.before(range);
    const ticks = field.querySelectorAll(".ticks li");
    for (const tick of ticks) tick.style.insetInlineStart = `${tick.dataset.at}%`;
    show();
  }
  function upgradeAll(root) {
    for (const field of root.querySelectorAll("[data-slider]")) upgrade(field);
  }
  document.addEventListener("screen", (event) => upgradeAll(event.target));
  upgradeAll(document);
})();
