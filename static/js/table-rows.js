// Searches the rows of a table, and folds all but the first until somebody asks, see table.js.
"use strict";

class TableRows {
  static MOST_SHOWN = 15;
  static FEWEST_SEARCHED = 8;

  constructor(table, all, find) {
    this.table = table;
    this.all = Boolean(all);
    this.find = find;
    this.texts = new Map();
    this.count = table.sections.reduce((count, { rows }) => count + rows.length, 0);
    if (this.count >= TableRows.FEWEST_SEARCHED) {
      table.tools.prepend(this.searchBox());
    }
    this.more = table.create("button", { type: "button", className: "small table-more" });
    this.more.addEventListener("click", () => this.showAll());
    table.region.after(this.more);
  }

  get chosen() {
    return [this.all && "all", this.find && `find.${this.find}`].filter(Boolean).join(" ");
  }

  searchBox() {
    const box = this.table.create("input", { type: "search", value: this.find });
    const label = this.table.region.getAttribute("aria-label");
    box.placeholder = `Search ${this.count} rows`;
    box.setAttribute("aria-label", label ? `Search rows: ${label}` : box.placeholder);
    box.addEventListener("input", () => {
      this.find = box.value.trim();
      this.show();
      this.table.keep(this.find ? `${this.found} of ${this.count} rows` : "All rows");
    });
    return box;
  }

  showAll() {
    const first = this.table.element.querySelector("tbody > tr.folded:not(.group)");
    this.all = true;
    this.show();
    this.table.keep(`All ${this.found} rows are shown`);
    first.tabIndex = -1;
    first.focus();
  }

  // The row that the address names, which is always shown.
  static named() {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return named ? named.closest("tr") : null;
  }

  // Rows are folded on the screen only, never in print.
  show() {
    const words = this.find.toLowerCase().split(/\s+/).filter(Boolean);
    const named = TableRows.named();
    for (const { heading, rows } of this.table.sections) {
      for (const row of rows) {
        row.hidden = row !== named && !words.every((word) => this.wordsOf(row, heading).includes(word));
      }
    }
    const found = [...this.table.element.querySelectorAll("tbody > tr:not(.group, [hidden])")];
    found.forEach((row, place) => {
      row.classList.toggle("folded", !this.all && row !== named && place >= TableRows.MOST_SHOWN);
    });
    for (const { heading, rows } of this.table.sections) {
      if (heading && rows.length) {
        heading.hidden = rows.every((row) => row.hidden);
        heading.classList.toggle("folded", rows.every((row) => row.matches("[hidden], .folded")));
      }
    }
    this.found = found.length;
    this.more.hidden = !found.some((row) => row.classList.contains("folded"));
    this.more.textContent = `Show all ${this.found} rows`;
  }

  wordsOf(row, heading) {
    if (!this.texts.has(row)) {
      const cells = [...(heading ? heading.cells : []), ...row.cells];
      this.texts.set(row, cells.map((cell) => this.table.textOf(cell)).join(" ").toLowerCase());
    }
    return this.texts.get(row);
  }
}
