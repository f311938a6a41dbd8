// Closes an open menu on Escape, on a click elsewhere, and when the focus leaves it.
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

  for (const kind of ["click", "focusin"]) {
    document.addEventListener(kind, (event) => {
      for (const menu of open()) {
        if (!menu.contains(event.target)) menu.open = false;
      }
    });
  }
})();
