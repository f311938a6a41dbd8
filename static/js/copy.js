// Copy what a button names; say so.
"use strict";
(() => {
  const said = document.getElementById("copied");
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      said.textContent = button.dataset.copied || "Copied.";
    } catch {
      // Without permission the address is selected, ready for the usual keys.
      getSelection().selectAllChildren(button.parentElement.querySelector("code"));
      said.textContent = button.dataset.selected || "Selected; press Ctrl C to copy.";
    }
  });
})();
