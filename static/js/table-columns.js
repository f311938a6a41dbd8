// Hides and shows columns of a table by a menu above it, see table.js.
"use strict";

class TableColumns {
  static FEWEST = 4;

  constructor(table, names = []) {
    this.table = table;
    this.hidden = new Set(names.map((name) => table.names.indexOf(name)).filter((column) => column > 0));
    if (table.headings.length >= TableColumns.FEWEST) {
      table.tools.append(this.menu());
    }
    if (this.hidden.size) {
      this.show();
    }
  }

  get chosen() {
    const names = [...this.hidden].map((column) => this.table.names[column]);
    return names.length && ["hide", ...names].join(".");
  }

  menu() {
    const list = this.table.create("ul", {});
    this.table.titles.forEach((title, column) => {
      const box = this.table.create("input", { type: "checkbox", checked: !this.hidden.has(column) });
      box.addEventListener("change", () => {
        this.hidden[box.checked ? "delete" : "add"](column);
        this.show();
        this.table.keep(`${title} is ${box.checked ? "shown" : "hidden"}`);
      });
      if (column && title) {
        list.append(this.table.create("li", {}, this.table.create("label", {}, box, title)));
      }
    });
    const menu = this.table.create("details", { className: "menu" });
    menu.dataset.menu = "";
    menu.append(this.table.create("summary", { textContent: "Columns" }), list);
    return menu;
  }

  show() {
    for (const [cell, [first, end]] of this.table.places) {
      let width = 0;
      for (let column = first; column < end; column += 1) {
        width += this.hidden.has(column) ? 0 : 1;
      }
      cell.hidden = !width;
      cell.colSpan = width || 1;
    }
  }
}
