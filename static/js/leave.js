// Go back to the panel by itself, where the owner of the campaign chose that.
"use strict";
(() => {
  const link = document.querySelector("a[data-leave-at-once]");
  if (link) location.assign(link.href);
})();
