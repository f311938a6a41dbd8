// Closes an open menu on Escape, on a click elsewhere or on something in it that acts, and when the
// focus leaves it.
//
// A menu is a details element; without this script it opens and closes by its summary.
"use strict";

(() => {
  const open = () => document.querySelectorAll("details[data-menu][open]");

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    }
  });

  // Before what is pressed acts: that may move the focus on.
  document.addEventListener(
    "click",
    (event) => {
      const menu = event.target.closest("details[data-menu] li > :is(a, button)")?.closest("details[data-menu]");
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    },
    true,
  );

  for (const kind of ["click", "focusin"]) {
    document.addEventListener(kind, (event) => {
      for (const menu of open()) {
        if (!menu.contains(event.target)) menu.open = false;
      }
    });
  }
})();
