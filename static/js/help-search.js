// Searches the help where no server does: in the site of files that `make docs` writes.
//
// Finds and orders as config/help/search.py does; a test compares them.
"use strict";

(() => {
  const excerptLength = 160;
  const limit = 20;

  const score = ([page, title, , text], words) => {
    let sum = 0;
    for (const word of words) {
      const inPage = page.toLowerCase().includes(word);
      const here = 4 * title.toLowerCase().includes(word) + text.toLowerCase().includes(word);
      if (!here && !inPage) return 0;
      sum += here + 2 * inPage;
    }
    return sum;
  };

  const excerpt = (text, words) => {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word))));
    const start = at < excerptLength / 2 ? 0 : text.indexOf(" ", at - excerptLength / 2) + 1;
    let cut = text.slice(start, start + excerptLength);
    if (start + excerptLength < text.length) cut = `${cut.slice(0, cut.lastIndexOf(" "))} …`;
    return start ? `… ${cut}` : cut;
  };

  const line = ([page, title, address, text], words) => {
    const link = Object.assign(document.createElement("a"), { href: address, textContent: title });
    const paragraph = document.createElement("p");
    paragraph.append(link);
    if (page !== title) {
      paragraph.append(" ", Object.assign(document.createElement("small"), { textContent: page }));
    }
    paragraph.append(document.createElement("br"), excerpt(text, words));
    const item = document.createElement("li");
    item.append(paragraph);
    return item;
  };

  const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return;
  document.getElementById("help-words").value = query;
  const found = helpParts
    .map((part) => [score(part, words), part])
    .filter(([sum]) => sum)
    .sort(([one], [other]) => other - one)
    .slice(0, limit);
  document.getElementById("help-count").textContent =
    `${found.length} part${found.length === 1 ? "" : "s"} of pages with “${query}”.`;
  document.getElementById("help-found").append(...found.map(([, part]) => line(part, words)));
})();
