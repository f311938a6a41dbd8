// Sorts, searches and shortens the tables marked data-table, and hides columns on request.
//
// Without this script every row and column is shown, in the order of the server. What a reader
// chooses is kept in the address, in one parameter for each table, so that a link shows the same:
// table-NAME=sort.COLUMN.down+hide.COLUMN.COLUMN+all+find.WORDS
"use strict";

(() => {
  const START = "table-";
  const MOST_ROWS = 15;
  const ROWS_TO_SEARCH = 8;
  const COLUMNS_TO_CHOOSE = 4;
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const tables = new Map();

  function create(tag, properties, ...children) {
    const created = Object.assign(document.createElement(tag), properties);
    created.append(...children);
    return created;
  }

  // What a cell says while the details of its number are closed.
  function textOf(cell) {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll(".number-detail").forEach((details) => details.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  // The number of a cell, unrounded where the page has it; NaN where it is undefined.
  function numberOf(cell) {
    const number = cell.querySelector("details.number") ?? cell;
    if (number.dataset.value) {
      return Number(number.dataset.value);
    }
    const text = textOf(number).replace(/−/g, "-").replace(/(\d)[\s,](?=\d{3}\b)/g, "$1");
    return Number.parseFloat(/^[<>≈\s]*([-+]?\d*\.?\d+(e[-+]?\d+)?)/i.exec(text)?.[1]);
  }

  function rowOfAddress() {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return named ? named.closest("tr") : null;
  }

  class DataTable {
    constructor(region) {
      this.region = region;
      this.table = region.querySelector("table");
      this.headings = [...[...this.table.tHead.rows].at(-1).cells];
      this.titles = this.headings.map(textOf);
      this.names = this.namesOfColumns();
      this.sections = [...this.table.tBodies].flatMap((body) => this.sectionsOf(body));
      this.rows = this.sections.flatMap((section) => section.rows);
      this.places = this.placesOfCells();
      this.texts = new Map();
      this.given = this.headings.map((heading) => heading.getAttribute("aria-sort"));
      this.readAddress();
      this.build();
      if (this.column >= 0) {
        this.showOrder();
      }
      if (this.hidden.size) {
        this.showColumns();
      }
      this.showRows();
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
      for (const row of this.table.rows) {
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

    // Address

    get parameter() {
      return START + this.region.dataset.table;
    }

    readAddress() {
      const chosen = new URLSearchParams(location.search).get(this.parameter) ?? "";
      const [choices, ...words] = ` ${chosen}`.split(" find.");
      this.find = words.join(" find.");
      this.column = -1;
      this.hidden = new Set();
      for (const choice of choices.split(" ")) {
        const [key, ...values] = choice.split(".");
        if (key === "sort") {
          this.column = this.names.indexOf(values[0]);
          this.down = values[1] === "down";
        } else if (key === "hide") {
          this.hidden = new Set(values.map((name) => this.names.indexOf(name)));
        } else if (key === "all") {
          this.all = true;
        }
      }
      this.hidden.delete(-1);
      this.hidden.delete(0);
    }

    writeAddress() {
      if (!this.region.dataset.table) {
        return;
      }
      const hidden = [...this.hidden].map((column) => this.names[column]);
      const choices = [
        this.column >= 0 && `sort.${this.names[this.column]}${this.down ? ".down" : ""}`,
        hidden.length && ["hide", ...hidden].join("."),
        this.all && "all",
        this.find && `find.${this.find}`,
      ].filter(Boolean);
      const address = new URL(location.href);
      address.searchParams.delete(this.parameter);
      if (choices.length) {
        address.searchParams.set(this.parameter, choices.join(" "));
      }
      history.replaceState(history.state, "", address);
    }

    // Controls

    build() {
      this.said = create("span", { className: "table-said" });
      this.said.setAttribute("role", "status");
      const searched = this.rows.length >= ROWS_TO_SEARCH ? [this.searchBox()] : [];
      const chosen = this.headings.length >= COLUMNS_TO_CHOOSE ? [this.columnMenu()] : [];
      this.region.before(create("div", { className: "table-tools" }, ...searched, this.said, ...chosen));
      this.more = create("button", { type: "button", className: "small table-more" });
      this.more.addEventListener("click", () => this.showAll());
      this.region.after(this.more);
      this.headings.forEach((heading, column) => this.makeSortable(heading, column));
    }

    searchBox() {
      const box = create("input", { type: "search", value: this.find });
      const label = this.region.getAttribute("aria-label");
      box.placeholder = `Search ${this.rows.length} rows`;
      box.setAttribute("aria-label", label ? `Search rows: ${label}` : box.placeholder);
      box.addEventListener("input", () => {
        this.find = box.value.trim();
        this.showRows();
        this.keep(this.find ? `${this.found.size} of ${this.rows.length} rows` : "All rows");
      });
      return box;
    }

    columnMenu() {
      const list = create("ul", {});
      this.titles.forEach((title, column) => {
        const box = create("input", { type: "checkbox", checked: !this.hidden.has(column) });
        box.addEventListener("change", () => {
          this.hidden[box.checked ? "delete" : "add"](column);
          this.showColumns();
          this.keep(`${title} is ${box.checked ? "shown" : "hidden"}`);
        });
        if (column && title) {
          list.append(create("li", {}, create("label", {}, box, title)));
        }
      });
      const menu = create("details", { className: "menu" });
      menu.dataset.menu = "";
      menu.append(create("summary", { textContent: "Columns" }), list);
      return menu;
    }

    makeSortable(heading, column) {
      if (this.titles[column] && heading.colSpan === 1 && !heading.querySelector("a, button, input")) {
        const button = create("button", { type: "button", className: "sort" }, ...heading.childNodes);
        button.addEventListener("click", () => this.sortBy(column));
        heading.append(button);
      }
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
      this.showOrder();
      this.showRows();
      const order = this.headings[column].getAttribute("aria-sort");
      this.keep(order ? `Sorted by ${this.titles[column]}, ${order}` : "In the first order again");
    }

    showAll() {
      const first = this.table.querySelector("tbody > tr.folded:not(.group)");
      this.all = true;
      this.showRows();
      this.keep(`All ${this.found.size} rows are shown`);
      first.tabIndex = -1;
      first.focus();
    }

    keep(said) {
      this.said.textContent = said;
      this.writeAddress();
    }

    // What is shown

    isNumeric(column) {
      return this.headings[column].classList.contains("number");
    }

    showOrder() {
      for (const { body, heading, rows } of this.sections) {
        body.append(...(heading ? [heading] : []), ...(this.column < 0 ? rows : this.sorted(rows)));
      }
      this.headings.forEach((heading, column) => {
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
        const cell = this.cellAt(row, this.column);
        const value = numeric ? numberOf(cell) : textOf(cell);
        return { row, value, missing: numeric ? Number.isNaN(value) : /^[–-]?$/.test(value) };
      });
      const compare = numeric ? (one, other) => one - other : collator.compare;
      valued.sort((one, other) => {
        const order = compare(one.value, other.value);
        return one.missing || other.missing ? one.missing - other.missing : this.down ? -order : order;
      });
      return valued.map(({ row }) => row);
    }

    showColumns() {
      for (const [cell, [first, end]] of this.places) {
        let width = 0;
        for (let column = first; column < end; column += 1) {
          width += this.hidden.has(column) ? 0 : 1;
        }
        cell.hidden = !width;
        cell.colSpan = width || 1;
      }
    }

    // Rows are folded on the screen only, never in print; the row that the address names is shown.
    showRows() {
      const words = this.find.toLowerCase().split(/\s+/).filter(Boolean);
      const named = rowOfAddress();
      this.found = new Set();
      for (const { heading, rows } of this.sections) {
        for (const row of rows) {
          row.hidden = row !== named && !words.every((word) => this.wordsOf(row, heading).includes(word));
        }
      }
      for (const row of this.table.querySelectorAll("tbody > tr:not(.group, [hidden])")) {
        this.found.add(row);
        row.classList.toggle("folded", !this.all && row !== named && this.found.size > MOST_ROWS);
      }
      for (const { heading, rows } of this.sections) {
        if (heading && rows.length) {
          heading.hidden = rows.every((row) => row.hidden);
          heading.classList.toggle("folded", rows.every((row) => row.matches("[hidden], .folded")));
        }
      }
      this.more.hidden = !this.table.querySelector("tbody > tr.folded:not([hidden])");
      this.more.textContent = `Show all ${this.found.size} rows`;
    }

    wordsOf(row, heading) {
      if (!this.texts.has(row)) {
        const cells = [...(heading ? heading.cells : []), ...row.cells];
        this.texts.set(row, cells.map(textOf).join(" ").toLowerCase());
      }
      return this.texts.get(row);
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
        if (region.contains(rowOfAddress())) {
          rowOfAddress().scrollIntoView({ block: "nearest" });
        }
      }
    }
  }

  start();
  document.addEventListener("toggle", start, true);
  document.addEventListener("htmx:load", start);
  window.addEventListener("hashchange", () => tables.forEach((table) => table.showRows()));

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
