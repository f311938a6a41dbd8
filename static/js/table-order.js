// Sorts a table by the heading that is pressed, see table.js.
"use strict";

class TableOrder {
  static collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

  constructor(table, [name, direction] = []) {
    this.table = table;
    this.given = table.headings.map((heading) => heading.getAttribute("aria-sort"));
    this.column = table.names.indexOf(name);
    this.down = direction === "down";
    table.headings.forEach((heading, column) => this.makeSortable(heading, column));
    if (this.column >= 0) {
      this.show();
    }
  }

  get chosen() {
    return this.column >= 0 && `sort.${this.table.names[this.column]}${this.down ? ".down" : ""}`;
  }

  makeSortable(heading, column) {
    if (this.table.titles[column] && heading.colSpan === 1 && !heading.querySelector("a, button, input")) {
      const button = this.table.create("button", { type: "button", className: "sort" }, ...heading.childNodes);
      button.addEventListener("click", () => this.sortBy(column));
      heading.append(button);
    }
  }

  isNumeric(column) {
    return this.table.headings[column].classList.contains("number");
  }

  // Numbers begin with the highest, words with the first. After both directions the order of the
  // server comes back; where that is the order of this column, it counts as one of them.
  sortBy(column) {
    const given = this.given[column];
    const first = given ? given === "ascending" : this.isNumeric(column);
    if (this.column !== column) {
      this.column = column;
      this.down = first;
    } else if (this.down === first && !given) {
      this.down = !first;
    } else {
      this.column = -1;
    }
    this.show();
    this.table.rows.show();
    const order = this.table.headings[column].getAttribute("aria-sort");
    this.table.keep(order ? `Sorted by ${this.table.titles[column]}, ${order}` : "In the first order again");
  }

  show() {
    for (const { body, heading, rows } of this.table.sections) {
      body.append(...(heading ? [heading] : []), ...(this.column < 0 ? rows : this.sorted(rows)));
    }
    this.table.headings.forEach((heading, column) => {
      const chosen = column === this.column && (this.down ? "descending" : "ascending");
      const order = this.column < 0 ? this.given[column] : chosen;
      heading.removeAttribute("aria-sort");
      if (order) {
        heading.setAttribute("aria-sort", order);
      }
    });
  }

  // Undefined values are last in both directions; equal ones keep the order of the server.
  sorted(rows) {
    const numeric = this.isNumeric(this.column);
    const valued = rows.map((row) => {
      const cell = this.table.cellAt(row, this.column);
      const value = numeric ? this.numberOf(cell) : this.table.textOf(cell);
      return { row, value, missing: numeric ? Number.isNaN(value) : /^[–-]?$/.test(value) };
    });
    const compare = numeric ? (one, other) => one - other : TableOrder.collator.compare;
    valued.sort((one, other) => {
      const order = compare(one.value, other.value);
      return one.missing || other.missing ? one.missing - other.missing : this.down ? -order : order;
    });
    return valued.map(({ row }) => row);
  }

  // The number of a cell, unrounded where the page has it; NaN where it is undefined.
  numberOf(cell) {
    const number = cell.querySelector("details.number") ?? cell;
    if (number.dataset.value) {
      return Number(number.dataset.value);
    }
    const text = this.table.textOf(number).replace(/−/g, "-").replace(/(\d)[\s,](?=\d{3}\b)/g, "$1");
    return Number.parseFloat(/^[<>≈\s]*([-+]?\d*\.?\d+(e[-+]?\d+)?)/i.exec(text)?.[1]);
  }
}
