// Copies a chart's picture to the clipboard, for slides and messages: light, twice the size.
//
// Where the browser does not let pages do that, the picture is downloaded. Says which it was.
"use strict";

(() => {
  const SCALE = 2;

  function load(address) {
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.addEventListener("load", () => resolve(image));
      image.addEventListener("error", () => reject(new Error("the picture did not load")));
      image.src = address;
    });
  }

  async function toPng(address) {
    const image = await load(address);
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    const paper = canvas.getContext("2d");
    paper.fillStyle = "white";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
  }

  function download(picture, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = `${name}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  async function copy(figure) {
    const image = figure.querySelector(".chart-canvas picture > img");
    const picture = toPng(image ? image.getAttribute("src") : figure.dataset.picture);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      return "Copied.";
    } catch {
      download(await picture, figure.id);
      return "This browser does not let a page copy pictures, so it was downloaded.";
    }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy-picture]");
    if (button) {
      const figure = button.closest("figure");
      const status = figure.querySelector("[role=status]");
      status.textContent = "Copying the picture …";
      status.textContent = await copy(figure).catch((error) => `Not copied: ${error.message}.`);
    }
  });
})();
