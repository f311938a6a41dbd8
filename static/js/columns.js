// Ticks a range of columns: a click with Shift held ticks, or unticks, all from the last one on.
//
// Without this script each column is ticked by itself, or all are named by a pattern.
"use strict";

(() => {
  let last = null;
  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("[data-columns] input[type=checkbox]");
    if (!box) {
      return;
    }
    if (event.shiftKey && last?.isConnected && last.name === box.name) {
      const boxes = [...document.getElementsByName(box.name)];
      const ends = [boxes.indexOf(last), boxes.indexOf(box)];
      for (const each of boxes.slice(Math.min(...ends), Math.max(...ends) + 1)) {
        each.checked = box.checked;
      }
    }
    last = box;
  });
})();
