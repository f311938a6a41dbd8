// The rating page: save and load the next screen in one request, drafts, keys, active time.
"use strict";
(() => {
  const place = document.getElementById("screen");
  const connection = document.getElementById("connection");
  const keys = document.getElementById("keys");
  const IDLE = 60000;
  const DRAFT_DELAY = 700;
  let active = 0;
  let since = performance.now();
  let lastSeen = since;
  let draftTimer = 0;
  let saving = null;
  let sending = false;

  const form = () => place.querySelector("form.screen");
  const wait = (seconds) => new Promise((go) => setTimeout(go, seconds * 1000));

  // Active time: from one sign of life to the next, pauses cut at a minute.
  function alive() {
    const now = performance.now();
    if (!document.hidden) active += Math.min(now - lastSeen, IDLE);
    lastSeen = now;
  }
  for (const kind of ["pointermove", "keydown", "scroll", "pointerdown"]) {
    document.addEventListener(kind, () => {
      if (performance.now() - lastSeen > 250) alive();
    }, { passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) alive();
    lastSeen = performance.now();
  });

  function say(text) {
    connection.textContent = text;
    connection.hidden = text === "";
  }

  // Send until the server answers: a lost connection is said, never hidden.
  async function post(address, data) {
    for (let pause = 1; ; pause = Math.min(pause * 2, 30)) {
      try {
        const reply = await fetch(address, {
          method: "POST",
          body: new URLSearchParams(data),
          headers: { "X-Requested-With": "fetch" },
        });
        if (reply.status < 500 && reply.status !== 429) {
          say("");
          return reply;
        }
        const explains = (reply.headers.get("content-type") || "").startsWith("text/plain");
        say(explains
          ? `Not saved yet. ${await reply.text()} Your answers stay on this page; sending them again …`
          : reply.status === 503
            ? "Not saved yet: the server is busy. Your answers stay on this page; sending them again …"
            : `Not saved yet: the server does not answer as it should (${reply.status}). Trying again …`);
      } catch {
        say("Not saved yet: there is no connection. Your answers stay on this page; trying again …");
      }
      await wait(pause);
    }
  }

  function show(html) {
    place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    active = 0;
    since = lastSeen = performance.now();
    place.dispatchEvent(new Event("screen", { bubbles: true }));
    const first = place.querySelector("[data-focus]") || place.querySelector("[aria-invalid=true], .wrong input") || firstOpen();
    window.scrollTo({ top: 0 });
    if (first) first.focus({ preventScroll: !first.closest(".wrong") });
  }

  // Questions are groups: a fieldset of radio buttons, or a slider with its number.
  function groups() {
    const found = form();
    return found ? [...found.querySelectorAll("[data-question], [data-slider]")] : [];
  }
  function isOpen(group) {
    if (group.matches("[data-slider]")) return group.querySelector("input[type=number]").value === "";
    return !group.querySelector("input:checked");
  }
  function handle(group) {
    return group.querySelector("input[type=range]") || group.querySelector("input:checked") || group.querySelector("input");
  }
  function firstOpen() {
    const open = groups().find(isOpen) || groups()[0];
    return open ? handle(open) : null;
  }

  async function submit(button) {
    const sent = form();
    if (!sent || sending) return;
    const missing = button.value === "cannot" ? null : groups().find(isOpen);
    if (missing) {
      missing.classList.add("wrong");
      say("Not saved yet: a question is still open.");
      handle(missing).focus();
      return;
    }
    sending = true;
    sent.setAttribute("aria-busy", "true");
    clearTimeout(draftTimer);
    alive();
    sent.elements.seconds.value = (active / 1000).toFixed(1);
    const data = new FormData(sent, button);
    // A draft on its way would otherwise arrive after the answer.
    if (saving) await saving;
    const reply = await post(sent.getAttribute("action"), data);
    if (reply.headers.get("content-type").startsWith("text/html") && ![403, 404].includes(reply.status)) {
      show(await reply.text());
      if (location.pathname.includes("/item/")) history.replaceState(null, "", sent.dataset.draft.replace(/draft\/$/, ""));
    } else {
      location.reload();
    }
    sending = false;
  }

  async function saveDraft() {
    const sent = form();
    if (!sent || sending) return;
    const reply = await post(sent.dataset.draft, new FormData(sent));
    if (form() !== sent) return;
    if (reply.ok) {
      sent.elements.version.value = (await reply.json()).version;
    } else if (reply.status === 409) {
      const stored = await reply.json();
      sent.elements.version.value = stored.version;
      say("Another tab or device has newer answers to these texts. Reload the page to see them; what you answer here replaces them.");
    } else if (reply.status === 403) {
      say("Not saved: your link has ended. Write down what matters and ask for a new one.");
    }
  }
  function later() {
    clearTimeout(draftTimer);
    draftTimer = setTimeout(() => { saving = saveDraft().finally(() => { saving = null; }); }, DRAFT_DELAY);
  }

  place.addEventListener("submit", (event) => {
    if (!event.target.matches("form.screen")) return;
    event.preventDefault();
    submit(event.submitter || event.target.querySelector(".primary"));
  });
  place.addEventListener("change", (event) => {
    const group = event.target.closest(".wrong");
    if (group && !isOpen(group)) group.classList.remove("wrong");
    later();
  });
  place.addEventListener("input", later);
  place.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) keys.showModal();
  });

  function choose(group, value) {
    const option = [...group.querySelectorAll("input")].find((input) => input.value === value);
    if (!option) return false;
    option.checked = true;
    option.dispatchEvent(new Event("change", { bubbles: true }));
    const next = groups().find(isOpen);
    (next ? handle(next) : form().querySelector(".primary")).focus();
    return true;
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, input[type=number], input:not([type]), input[type=text]");
    if (keys.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.matches("input[type=radio], input[type=range], input[type=number]")) {
      event.preventDefault();
      submit(form().querySelector(".primary"));
      return;
    }
    if (typing) return;
    if (event.key === "?") {
      keys.showModal();
      return;
    }
    const own = event.target.closest("[data-question]");
    const group = own || groups().find((each) => each.matches("[data-question]") && isOpen(each)) || groups().find((each) => each.matches("[data-question]"));
    const value = { t: "tie" }[event.key.toLowerCase()] || event.key.toLowerCase();
    if (group && /^([0-9a-d]|tie)$/.test(value) && choose(group, value)) event.preventDefault();
  });

  window.addEventListener("beforeunload", (event) => {
    if (sending) event.preventDefault();
  });
  const first = place.querySelector("[data-focus]") || firstOpen();
  if (first) first.focus({ preventScroll: true });
})();
