// Closes the details of a number on Escape or on a click elsewhere.
//
// Without this script they open and close by pressing the number.
"use strict";

(() => {
  const opened = () => document.querySelector("details.number[open]");

  document.addEventListener("keydown", (event) => {
    const number = opened();
    if (event.key === "Escape" && number) {
      number.open = false;
      number.querySelector("summary").focus();
    }
  });

  document.addEventListener("click", (event) => {
    const number = opened();
    if (number && !number.contains(event.target)) {
      number.open = false;
    }
  });
})();
