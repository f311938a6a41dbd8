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

    const bubble = document.createElement("span");
    bubble.className = "bubble";
    bubble.setAttribute("aria-hidden", "true");

    function show() {
      const empty = number.value === "";
      field.classList.toggle("untouched", empty);
      range.value = empty ? (ends.low + ends.high) / 2 : number.value;
      track.style.setProperty("--at", (range.value - ends.low) / (ends.high - ends.low));
      bubble.textContent = number.value;
      range.setAttribute("aria-valuetext", empty ? field.closest("form").dataset.empty : number.value);
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
    const track = document.createElement("div");
    track.className = "track";
    track.append(bubble, range);
    number.before(track);
    const said = field.querySelectorAll("[data-at]");
    if (said.length) track.append(ticks(said));
    show();
  }
  // The words of the scale, at their places; they are read out with the field.
  function ticks(said) {
    const words = document.createElement("ol");
    words.className = "ticks";
    words.setAttribute("aria-hidden", "true");
    for (const each of said) {
      const tick = document.createElement("li");
      tick.textContent = each.textContent;
      tick.style.setProperty("--at", each.dataset.at / 100);
      words.append(tick);
    }
    new ResizeObserver(() => stack(words)).observe(words);
    return words;
  }
  // Words that would overlap go on lines of their own.
  function stack(words) {
    const taken = [];
    for (const tick of words.children) {
      const { left, right } = tick.getBoundingClientRect();
      let line = 0;
      while ((taken[line] || []).some((other) => left < other.right + 8 && right > other.left - 8)) line += 1;
      (taken[line] ||= []).push({ left, right });
      tick.style.setProperty("--line", line);
    }
    words.style.setProperty("--lines", taken.length);
  }
  // Where a campaign wants it, a slider is coloured by how it stands to those of the other outputs
  // about the same question; the bubble says by how much it is above or below their mean.
  function compare(form) {
    const sliders = [...form.querySelectorAll("[data-slider]")].map((field) => {
      const { name, value, min, max } = field.querySelector("input[type=number]");
      return { field, value, asked: name.replace(/^answer-\d+-/, ""), span: max - min };
    });
    for (const one of sliders) {
      const others = sliders.filter((each) => each !== one && each.asked === one.asked && each.value !== "");
      delete one.field.dataset.stands;
      one.field.querySelector(".bubble").textContent = one.value;
      if (one.value === "" || others.length === 0) continue;
      const mean = others.reduce((sum, each) => sum + Number(each.value), 0) / others.length;
      const above = Math.round(Number(one.value) - mean);
      if (above === 0) continue;
      const strength = Math.min(3, Math.ceil(6 * Math.abs(above) / one.span));
      one.field.dataset.stands = `${above > 0 ? "above" : "below"} ${strength}`;
      one.field.querySelector(".bubble").textContent += above > 0 ? ` +${above}` : ` \u2212${-above}`;
    }
  }
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.closest("form[data-siblings]");
      if (form) compare(form);
    });
  }

  function upgradeAll(root) {
    for (const field of root.querySelectorAll("[data-slider]")) upgrade(field);
    for (const form of root.querySelectorAll("form[data-siblings]")) compare(form);
  }
  document.addEventListener("screen", (event) => upgradeAll(event.target));
  upgradeAll(document);
})();
