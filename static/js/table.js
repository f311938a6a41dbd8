// Lets the tables marked data-table be sorted (table-order.js), searched and shortened
// (table-rows.js) and their columns be chosen (table-columns.js).
//
// Without these scripts every row and column is shown, in the order of the server. What a reader
// chooses is kept in the address, in one parameter for each table, so that a link shows the same:
// table-NAME=sort.COLUMN.down+hide.COLUMN.COLUMN+all+find.WORDS
"use strict";

(() => {
  const START = "table-";
  const tables = new Map();

  class DataTable {
    constructor(region) {
      this.region = region;
      this.element = region.querySelector("table");
      this.headings = [...[...this.element.tHead.rows].at(-1).cells];
      this.titles = this.headings.map(this.textOf);
      this.names = this.namesOfColumns();
      this.sections = [...this.element.tBodies].flatMap((body) => this.sectionsOf(body));
      this.places = this.placesOfCells();
      this.said = this.create("span", { className: "table-said" });
      this.said.setAttribute("role", "status");
      this.tools = this.create("div", { className: "table-tools" }, this.said);
      region.before(this.tools);
      const { choices, find } = this.readAddress();
      this.rows = new TableRows(this, choices.all, find);
      this.columns = new TableColumns(this, choices.hide);
      this.order = new TableOrder(this, choices.sort);
      this.rows.show();
    }

    create(tag, properties, ...children) {
      const created = Object.assign(document.createElement(tag), properties);
      created.append(...children);
      return created;
    }

    // What a cell says while the details of its number are closed.
    textOf(cell) {
      const copy = cell.cloneNode(true);
      copy.querySelectorAll(".number-detail").forEach((details) => details.remove());
      return copy.textContent.replace(/\s+/g, " ").trim();
    }

    // A short name for each column, fit for an address; the second of the same name ends on _2.
    namesOfColumns() {
      const names = this.titles.map((title) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"));
      return names.map((name, place) => {
        const earlier = names.slice(0, place).filter((other) => other === name).length;
        return earlier ? `${name}_${earlier + 1}` : name;
      });
    }

    // Rows that stay together, with the row above them that says what they are.
    sectionsOf(body) {
      const sections = [{ body, heading: null, rows: [] }];
      for (const row of body.rows) {
        if (row.classList.contains("group")) {
          sections.push({ body, heading: row, rows: [] });
        } else {
          sections.at(-1).rows.push(row);
        }
      }
      return sections;
    }

    // For every cell its first column, and the one after its last.
    placesOfCells() {
      const places = new Map();
      for (const row of this.element.rows) {
        let column = 0;
        for (const cell of row.cells) {
          places.set(cell, [column, column + cell.colSpan]);
          column += cell.colSpan;
        }
      }
      return places;
    }

    cellAt(row, column) {
      return [...row.cells].find((cell) => this.places.get(cell)[1] > column);
    }

    get parameter() {
      return START + this.region.dataset.table;
    }

    readAddress() {
      const chosen = new URLSearchParams(location.search).get(this.parameter) ?? "";
      const [before, ...words] = ` ${chosen}`.split(" find.");
      const choices = {};
      for (const choice of before.split(" ")) {
        const [key, ...values] = choice.split(".");
        choices[key] = values;
      }
      return { choices, find: words.join(" find.") };
    }

    // Says what was changed, and writes all that is chosen into the address.
    keep(said) {
      this.said.textContent = said;
      if (!this.region.dataset.table) {
        return;
      }
      const choices = [this.order, this.columns, this.rows].map((part) => part.chosen).filter(Boolean);
      const address = new URL(location.href);
      address.searchParams.delete(this.parameter);
      if (choices.length) {
        address.searchParams.set(this.parameter, choices.join(" "));
      }
      history.replaceState(history.state, "", address);
    }
  }

  // Tables in closed details wait until those are opened: some have thousands of rows.
  function start() {
    for (const region of tables.keys()) {
      if (!region.isConnected) {
        tables.delete(region);
      }
    }
    for (const region of document.querySelectorAll("[data-table]")) {
      const table = region.querySelector("table");
      const closed = region.closest("details:not([open])");
      const several = region.querySelectorAll("tbody > tr:not(.group)").length > 1;
      if (several && table.tHead && !closed && !tables.has(region)) {
        tables.set(region, new DataTable(region));
        const named = TableRows.named();
        if (region.contains(named)) {
          named.scrollIntoView({ block: "nearest" });
        }
      }
    }
  }

  start();
  document.addEventListener("toggle", start, true);
  document.addEventListener("htmx:load", start);
  window.addEventListener("hashchange", () => tables.forEach((table) => table.rows.show()));

  // A filter that is sent keeps what was chosen in the tables.
  document.addEventListener("formdata", (event) => {
    if (event.target.matches("form[data-filter]")) {
      for (const [name, value] of new URLSearchParams(location.search)) {
        if (name.startsWith(START)) {
          event.formData.set(name, value);
        }
      }
    }
  });
})();
