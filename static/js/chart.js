// Makes a chart interactive when its "Explore" button is pressed.
//
// Without this script the figure shows the picture drawn on the server and its table. The drawing
// library is loaded on the first press. Expressions are interpreted (ast), never evaluated, and
// every style is in the stylesheet, so a policy of default-src 'self' is enough.
"use strict";

(() => {
  const addresses = document.currentScript.dataset;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let library = null;

  function loadScript(address) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`could not load ${address}`)));
      document.head.append(script);
    });
  }

  async function loadLibrary() {
    await loadScript(addresses.vega);
    await loadScript(addresses.vegaLite);
    await loadScript(addresses.vegaEmbed);
  }

  async function fetchSpecification(figure) {
    const address = new URL(figure.dataset.specUrl, document.baseURI);
    address.searchParams.set("theme", dark.matches ? "dark" : "light");
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) {
      throw new Error(`the server answered ${answer.status} for ${address.pathname}`);
    }
    return answer.json();
  }

  async function draw(figure) {
    library ??= loadLibrary();
    const [specification] = await Promise.all([fetchSpecification(figure), library]);
    const place = document.createElement("div");
    const canvas = figure.querySelector(".chart-canvas");
    const result = await window.vegaEmbed(place, specification, {
      actions: false,
      ast: true,
      defaultStyle: false,
      mode: "vega-lite",
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    });
    if (figure.chartView) {
      figure.chartView.finalize();
    }
    figure.chartView = result;
    for (const mark of place.querySelectorAll("[aria-roledescription$=' mark']")) {
      mark.dataset.of = mark.getAttribute("aria-label");
    }
    figure.dataset.picture ??= canvas.querySelector("img").getAttribute("src");
    canvas.replaceChildren(place);
    figure.dataset.state = "interactive";
  }

  async function explore(figure) {
    const status = figure.querySelector("[role=status]");
    figure.dataset.state = "loading";
    status.textContent = "Loading the interactive chart …";
    try {
      await draw(figure);
      status.textContent = "Interactive: point at a mark to see its numbers.";
    } catch (error) {
      library = window.vegaEmbed ? library : null;
      figure.dataset.state = "failed";
      status.textContent = `The interactive chart did not open: ${error.message}. The picture and the table are complete without it.`;
    }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-explore]");
    if (!button) {
      return;
    }
    const figure = button.closest("figure");
    button.disabled = true;
    await explore(figure);
    button.disabled = false;
    if (figure.dataset.state === "interactive") {
      button.hidden = true;
      figure.querySelector(".chart-canvas").focus();
    }
  });

  dark.addEventListener("change", () => {
    for (const figure of document.querySelectorAll("figure[data-state=interactive]")) {
      explore(figure);
    }
  });
})();
